import { useQuery } from '@tanstack/react-query'
import { listDepartures, type DepartureRow } from '@tour-ops/contract/departures/departures'
import { publishTour, type Tour } from '@tour-ops/contract/tours/tours'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/clock.ts'
import { Checkbox } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { formatLocalDay, formatLocalTime } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { useToday } from '../../app/shell/today.ts'
import { changesOf } from './publish-changes.ts'
import { splitByStart } from './publish-departures.ts'
import { contentOf } from './tour-content.ts'
import { problemText } from './tour-labels.ts'
import { useStartTime } from './use-start-time.ts'
import { openStatuses } from '@tour-ops/contract/state-machines'

/** Departures that one publication can change. Source: contract, `tours-publish`. */
const maxApplied = 500

export interface PublishDialogProps {
  tour: Tour
  onClose: () => void
}

/** What changes, which future departures get it, and then one act. See docs/screens.md, "Tours". */
export function PublishDialog({ tour, onClose }: PublishDialogProps) {
  const today = useToday()
  const now = useNow(60_000)
  const [note, setNote] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const { data } = useQuery(
    callQuery(listDepartures, {
      filters: {
        tourId: [tour.id],
        from: today,
        status: [...openStatuses],
      },
      size: maxApplied,
    }),
  )
  const { ahead: rows, begun } = splitByStart(data?.rows ?? [], now)
  // Those that nobody booked get the new plan unless somebody decides otherwise.
  const applied = chosen ?? new Set(rows.filter((row) => row.seatsConfirmed === 0).map((row) => row.id))
  const publish = useCall(publishTour, {
    onSuccess: ({ revisionNumber, appliedTo }) => {
      toast(m.tours_published_toast({ number: revisionNumber, count: appliedTo }))
      onClose()
    },
  })
  const toggle = (id: string) => {
    const next = new Set(applied)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const reason = tour.problems[0] && problemText(tour.problems[0])
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      locked={publish.isPending}
      title={m.tours_publish_title({ name: tour.name })}
      description={m.tours_publish_text()}
      actions={
        <Button
          variant="primary"
          pending={publish.isPending}
          disabledReason={reason ?? (data ? undefined : m.tours_loading())}
          onClick={() =>
            publish.mutate({
              id: tour.id,
              version: tour.version,
              note: note.trim() || null,
              applyToDepartureIds: rows.filter((row) => applied.has(row.id)).map((row) => row.id),
            })
          }
        >
          {m.tours_publish()}
        </Button>
      }
    >
      <div className="grid gap-4">
        {tour.problems.length > 0 && (
          <Banner tone="warn" title={m.tours_publish_problems()}>
            <ul>
              {tour.problems.map((problem) => (
                <li key={problem.reason}>{problemText(problem)}</li>
              ))}
            </ul>
          </Banner>
        )}
        <Changes tour={tour} />
        <Field label={m.tours_publish_note()} hint={m.tours_publish_note_hint()}>
          <TextInput value={note} maxLength={500} onChange={(event) => setNote(event.target.value)} />
        </Field>
        {tour.revision && (
          <section aria-labelledby="apply-title">
            <h3 id="apply-title" className="lbl">
              {m.tours_apply_to()}
            </h3>
            {data ? (
              <ApplyList rows={rows} begun={begun} applied={applied} onToggle={toggle} />
            ) : (
              <SkeletonRows rows={3} />
            )}
          </section>
        )}
        {publish.error && (
          <Banner tone="bad" role="alert">
            {refusalText(publish.error)}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}

function Changes({ tour }: { tour: Tour }) {
  const start = useStartTime(tour)
  const nameOf = (placeId: string) => tour.places.find((place) => place.id === placeId)?.name ?? placeId
  if (!tour.revision) return <p>{m.tours_first_revision()}</p>
  const changes = changesOf(tour.revision.content, contentOf(tour), { nameOf, start, dayCount: tour.durationDays })
  return (
    <div>
      <h3 className="lbl">{m.tours_changes_since({ number: tour.revision.number })}</h3>
      <ul className="list-disc ps-5">
        {changes.length > 0 ? (
          changes.map((change) => <li key={change}>{change}</li>)
        ) : (
          <li>{m.tours_change_none()}</li>
        )}
      </ul>
    </div>
  )
}

interface ApplyListProps {
  rows: readonly DepartureRow[]
  /** How many departures keep their plan because they have begun. */
  begun: number
  applied: ReadonlySet<string>
  onToggle: (id: string) => void
}

function ApplyList({ rows, begun, applied, onToggle }: ApplyListProps) {
  const others = begun > 0 && <p className="mt-1.5 text-ink-2">{m.tours_apply_begun({ count: begun })}</p>
  if (rows.length === 0) return others || <p className="text-ink-2">{m.tours_apply_none()}</p>
  return (
    <>
      <ul className="max-h-64 overflow-y-auto rounded-lg border border-line">
        {rows.map((row) => (
          <li key={row.id} className="flex min-h-10 items-center gap-3 border-b border-line px-3 py-1.5 last:border-0">
            <Checkbox
              checked={applied.has(row.id)}
              onChange={() => onToggle(row.id)}
              label={
                <span className="num">
                  <b className="font-semibold">{formatLocalTime(row.startTimeLocal)}</b> {formatLocalDay(row.localDate)}{' '}
                  <ZoneNote moment={row.startsAt} zone={row.timeZone} />
                </span>
              }
            />
            <span className="ms-auto text-xs">
              {row.seatsConfirmed > 0 ? (
                <span className="inline-flex items-center gap-1.5 font-medium text-warn">
                  <TriangleAlert size={13} className="shrink-0" aria-hidden />
                  {m.tours_booked_guests({ count: row.seatsConfirmed })}
                </span>
              ) : (
                <span className="text-ink-2">{m.tours_nobody_booked()}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {others}
    </>
  )
}
