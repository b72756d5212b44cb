import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { getTour, TourFields, tourSteps, type Tour, type TourStep } from '@tour-ops/contract/tours/tours'
import { Check, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FormShell, LeaveDialog } from '../../ui/form/form.tsx'
import { useAppForm } from '../../ui/form/use-app-form.ts'
import { PageHead } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { useToday } from '../../app/shell/today.ts'
import { fieldsOf, freshSchedule, gapOf, ruleOf, type ScheduleFields } from './schedule/schedule-rule.ts'
import { valuesOf } from './tour-values.ts'
import { stepLabels } from './tour-labels.ts'
import { useTourEditing } from './use-tour-editing.ts'
import { doneSteps, noteOf } from './wizard/wizard-progress.ts'
import { WizardStep } from './wizard/wizard-step.tsx'

/** "From a draft to something people can book", in seven steps. See docs/screens.md, "Tours". */
export function TourWizardPage() {
  const { id } = useParams({ from: '/_dashboard/tours/wizard/$id' })
  const { data } = useScreenQuery(callQuery(getTour, { id }))
  return data ? <Wizard key={data.id} tour={data} /> : <SkeletonRows rows={12} />
}

/** The first step that is not done yet. */
const firstOpen = (tour: Tour): TourStep => tourSteps.find((step) => !doneSteps(tour).has(step)) ?? 'messages'

function Wizard({ tour }: { tour: Tour }) {
  const navigate = useNavigate()
  const today = useToday()
  const [opened] = useState(() => firstOpen(tour))
  const [{ step: wanted }, setUrl] = useUrlState('/_dashboard/tours/wizard/$id')
  const step = wanted ?? opened
  const at = tourSteps.indexOf(step)
  const [isFormDirty, setFormDirty] = useState(false)
  const [schedule, setSchedule] = useState<ScheduleFields>(() =>
    tour.wizard.schedule
      ? fieldsOf(tour.wizard.schedule)
      : freshSchedule(today, [tour.options[0]?.startTimesLocal[0] ?? '09:00']),
  )
  const [isScheduleDirty, setScheduleDirty] = useState(false)
  const editing = useTourEditing(tour, isFormDirty || isScheduleDirty)
  const isDirty = isFormDirty || editing.isContentDirty || isScheduleDirty
  const leaving = useUnsavedChanges(isDirty)
  const form = useAppForm({ schema: TourFields, defaultValues: valuesOf(editing.base), onDirtyChange: setFormDirty })
  useEffect(() => {
    if (!form.formState.isDirty) form.reset(valuesOf(editing.base))
  }, [form, editing.base])
  const go = (next: TourStep | undefined) => setUrl({ step: next ?? 'messages' }, { push: true })
  return (
    <>
      <FormShell
        form={form}
        className="flex min-h-[calc(100dvh-var(--top))] flex-col"
        onSubmit={async (fields) => {
          const keepsSchedule = step === 'schedule' ? gapOf(schedule) === null : tour.wizard.schedule !== null
          await editing.save({
            fields: isFormDirty ? fields : undefined,
            wizard: {
              done: [...new Set([...tour.wizard.done, step])],
              schedule: keepsSchedule ? ruleOf(schedule) : tour.wizard.schedule,
            },
          })
          setScheduleDirty(false)
        }}
        onSaved={() => {
          if (step !== 'messages') go(tourSteps[at + 1])
        }}
      >
        {({ isPending }) => (
          <>
            <div className="order-first">
              <PageHead
                title={tour.name}
                context={isDirty ? m.tours_wizard_unsaved() : m.tours_wizard_saved()}
                actions={
                  <>
                    <Link to="/tours/edit/$id" params={{ id: tour.id }} className={buttonClass({ variant: 'ghost' })}>
                      {m.tours_wizard_leave()}
                    </Link>
                    <Button disabled={at === 0} onClick={() => go(tourSteps[at - 1])}>
                      {m.tours_back()}
                    </Button>
                    <Button
                      type="submit"
                      variant={step === 'messages' ? 'secondary' : 'primary'}
                      pending={isPending}
                      aria-keyshortcuts="Control+S"
                    >
                      {step === 'messages'
                        ? m.tours_save()
                        : m.tours_next_step({ step: stepLabels[tourSteps[at + 1] ?? 'messages']() })}
                    </Button>
                  </>
                }
              />
            </div>
            <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 px-4 pb-6 lg:grid-cols-[196px_minmax(0,1fr)] lg:px-6">
              <Steps tour={tour} step={step} onChoose={go} />
              <WizardStep
                step={step}
                tour={tour}
                editing={editing}
                form={form}
                schedule={schedule}
                onSchedule={(change) => {
                  setSchedule((before) => ({ ...before, ...change }))
                  setScheduleDirty(true)
                }}
                isDirty={isDirty}
                onPublished={() => void navigate({ to: '/tours/edit/$id', params: { id: tour.id } })}
              />
            </div>
          </>
        )}
      </FormShell>
      <ConflictDialog editing={editing} onTaken={(theirs) => form.reset(valuesOf(theirs))} />
      <LeaveDialog open={leaving.isAsking} onStay={leaving.stay} onLeave={leaving.leave} />
    </>
  )
}

interface StepsProps {
  tour: Tour
  step: TourStep
  onChoose: (step: TourStep) => void
}

/** The path with a mark on what is done and a sentence about each step. */
function Steps({ tour, step, onChoose }: StepsProps) {
  const done = doneSteps(tour)
  return (
    <nav aria-label={m.tours_wizard_steps()} className="min-w-0">
      <ol className="flex gap-2 overflow-x-auto pb-1 lg:flex-col lg:gap-0 lg:overflow-visible">
        {tourSteps.map((each, at) => {
          const problem = tour.problems.some((found) => found.step === each)
          return (
            <li key={each} className="shrink-0">
              <button
                type="button"
                className="flex min-h-12 w-full items-center gap-3 rounded-lg px-2 py-1.5 hover:bg-surface-2"
                aria-current={each === step ? 'step' : undefined}
                onClick={() => onChoose(each)}
              >
                <Mark number={at + 1} isCurrent={each === step} isDone={done.has(each)} hasProblem={problem} />
                <span className="min-w-0">
                  <b className={classNames('block', each === step ? 'font-semibold text-ink-strong' : 'font-medium')}>
                    {stepLabels[each]()}
                  </b>
                  <span className={classNames('block text-xs max-lg:hidden', problem ? 'text-warn' : 'text-ink-2')}>
                    {noteOf(tour, each)}
                  </span>
                </span>
              </button>
            </li>
          )
        })}
      </ol>
      <p className="mt-4 rounded-lg bg-surface-2 p-3 text-xs max-lg:hidden">{m.tours_wizard_publish_last()}</p>
    </nav>
  )
}

interface MarkProps {
  number: number
  isCurrent: boolean
  isDone: boolean
  hasProblem: boolean
}

function Mark({ number, isCurrent, isDone, hasProblem }: MarkProps) {
  const look = classNames(
    'num grid size-7 shrink-0 place-items-center rounded-full border-2 text-xs font-semibold',
    hasProblem
      ? 'border-transparent bg-warn-bg text-warn'
      : isDone && !isCurrent
        ? 'border-transparent bg-ok-bg text-ok'
        : isCurrent
          ? 'border-brand bg-brand-tint text-ink-strong'
          : 'border-ctl text-ink-2',
  )
  return (
    <span className={look}>
      {hasProblem ? (
        <TriangleAlert size={15} role="img" aria-label={m.tours_step_problem()} />
      ) : isDone && !isCurrent ? (
        <Check size={15} role="img" aria-label={m.tours_step_done()} />
      ) : (
        number
      )}
    </span>
  )
}
