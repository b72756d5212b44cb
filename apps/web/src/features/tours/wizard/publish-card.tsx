import { scheduleDepartures } from '@tour-ops/contract/departures/departure-schedule'
import { publishTour } from '@tour-ops/contract/tours/tours'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { refusalText } from '../../../errors/refusal-text.ts'
import { useCall } from '../../../backend/queries.ts'
import { useAccess } from '../../../identity/access.ts'
import { m } from '../../../paraglide/messages.js'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { toast } from '../../../ui/toast.tsx'
import { fieldsOf } from '../schedule/schedule-rule.ts'
import { sentenceOf } from '../schedule/schedule-text.ts'
import { useSchedulePreview } from '../schedule/use-schedule-preview.ts'
import { contentOf } from '../tour-content.ts'
import { problemText, stepLabels } from '../tour-labels.ts'
import type { WizardStepProps } from './wizard-step-props.ts'

/** What will be created, what is still missing, and the act that does it: a revision first, then its departures. */
export function PublishCard({ tour, schedule, isDirty, onPublished }: WizardStepProps) {
  const { can } = useAccess()
  const planned = tour.wizard.schedule ? fieldsOf(tour.wizard.schedule) : null
  const { preview } = useSchedulePreview(planned ? tour.id : null, planned ?? schedule)
  const willCreate = planned ? (preview?.willCreate ?? 0) : 0
  const { mutateAsync: publish } = useCall(publishTour)
  const { mutateAsync: create } = useCall(scheduleDepartures, {})
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const content = contentOf(tour)
  const needsRevision = tour.draft !== null

  const run = async () => {
    setPending(true)
    setFailure(null)
    try {
      if (needsRevision) await publish({ id: tour.id, version: tour.version })
      if (tour.wizard.schedule && willCreate > 0) {
        const { capacity, ...rule } = tour.wizard.schedule
        await create({ tourId: tour.id, ...rule, ...(capacity !== null && { capacity }) })
      }
      toast(m.tours_published_with({ name: tour.name, count: willCreate }))
      onPublished()
    } catch (error) {
      // An existing revision is kept; pressing again continues with the departures.
      setFailure(refusalText(error))
    } finally {
      setPending(false)
    }
  }
  return (
    <Card title={m.tours_will_create()} padded>
      <ul className="grid gap-2">
        <Fact ok={content.stops.length > 0}>{m.tours_stop_count({ count: content.stops.length })}</Fact>
        <Fact ok={content.units.length > 0}>{m.tours_price_count({ count: content.units.length })}</Fact>
        <Fact ok>
          {needsRevision
            ? m.tours_revision_n({ number: (tour.revisions[0]?.number ?? 0) + 1 })
            : m.tours_revision_stands({ number: tour.revision?.number ?? 1 })}
        </Fact>
        <Fact ok={planned !== null}>
          {planned
            ? `${m.tours_departure_count({ count: willCreate })}: ${sentenceOf(planned)}`
            : m.tours_no_schedule_yet()}
        </Fact>
      </ul>
      {tour.problems.length > 0 && (
        <div className="mt-3">
          <Banner tone="warn" title={m.tours_publish_problems()}>
            <ul>
              {tour.problems.map((problem) => (
                <li key={problem.reason}>
                  {stepLabels[problem.step]()}: {problemText(problem)}
                </li>
              ))}
            </ul>
          </Banner>
        </div>
      )}
      {failure && (
        <div className="mt-3">
          <Banner tone="bad" role="alert">
            {failure}
          </Banner>
        </div>
      )}
      <div className="mt-4">
        <Button
          variant="primary"
          pending={isPending}
          reasonPlace="below"
          disabledReason={reasonOf({
            isDirty,
            hasProblems: tour.problems.length > 0,
            mayPublish: can('tours:publish') && can('departures:manage'),
            hasWork: needsRevision || willCreate > 0,
            isArchived: tour.status === 'archived',
          })}
          onClick={() => void run()}
        >
          {m.tours_publish()}
        </Button>
      </div>
    </Card>
  )
}

interface Reasons {
  isDirty: boolean
  hasProblems: boolean
  mayPublish: boolean
  hasWork: boolean
  isArchived: boolean
}

function reasonOf({ isDirty, hasProblems, mayPublish, hasWork, isArchived }: Reasons): string | undefined {
  if (!mayPublish) return m.tours_may_not_publish()
  if (isArchived) return m.tours_restore_first()
  if (isDirty) return m.tours_save_first()
  if (hasProblems) return m.tours_mend_first()
  return hasWork ? undefined : m.tours_nothing_to_publish()
}

function Fact({ ok, children }: { ok: boolean; children: ReactNode }) {
  const Icon = ok ? CircleCheck : TriangleAlert
  return (
    <li className="flex items-start gap-2">
      <Icon size={16} className={ok ? 'mt-0.5 shrink-0 text-ok' : 'mt-0.5 shrink-0 text-warn'} aria-hidden />
      <span className="num">{children}</span>
    </li>
  )
}
