import { Link, type LinkProps } from '@tanstack/react-router'
import type { Permission } from '@tour-ops/contract/identity/access'
import type { Overview } from '@tour-ops/contract/overview/overview'
import { ChevronRight, CircleCheck, CircleDashed } from 'lucide-react'
import { scheduleLink } from '../../records/first-step.tsx'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'

interface Step {
  key: Exclude<keyof Overview['start'], 'setUp'>
  link: Pick<LinkProps, 'to' | 'search'>
  permission: Permission
  title: () => string
  text: () => string
}

/** From an empty organization to the first departure. See docs/screens.md, "Overview". */
const steps: readonly Step[] = [
  {
    key: 'tours',
    link: { to: '/tours/constructor' },
    permission: 'tours:manage',
    title: m.overview_step_tour,
    text: m.overview_step_tour_text,
  },
  {
    key: 'staff',
    link: { to: '/field-staff/create' },
    permission: 'staff:manage',
    title: m.overview_step_staff,
    text: m.overview_step_staff_text,
  },
  {
    key: 'departures',
    link: scheduleLink,
    permission: 'departures:manage',
    title: m.overview_step_schedule,
    text: m.overview_step_schedule_text,
  },
  {
    key: 'travelers',
    link: { to: '/travelers/import' },
    permission: 'travelers:manage',
    title: m.overview_step_travelers,
    text: m.overview_step_travelers_text,
  },
  {
    key: 'colleagues',
    link: { to: '/user-management/create' },
    permission: 'members:manage',
    title: m.overview_step_colleagues,
    text: m.overview_step_colleagues_text,
  },
]

/** Five steps with a mark on what is done; only those that the person may take lead anywhere. */
export function StartList({ start }: { start: Overview['start'] }) {
  const { can } = useAccess()
  const done = steps.filter((step) => start[step.key]).length
  return (
    <section className="card overflow-hidden" aria-labelledby="start-title">
      <div className="px-4 py-3">
        <div className="flex items-center gap-2">
          <h2 id="start-title" className="text-base font-semibold">
            {m.overview_start_title()}
          </h2>
          <span className="num text-ink-2">{m.overview_start_done({ done, total: steps.length })}</span>
        </div>
        <p className="text-ink-2">{m.overview_start_text()}</p>
      </div>
      <ol>
        {steps.map((step, at) => (
          <li key={step.key} className="border-t border-line">
            {!start[step.key] && can(step.permission) ? (
              <Link
                {...step.link}
                className="flex min-h-14 items-center gap-3 px-4 py-2 outline-offset-[-2px] hover:bg-surface-2"
              >
                <StepText step={step} number={at + 1} isDone={false} />
                <ChevronRight size={16} className="text-ink-2" aria-hidden />
              </Link>
            ) : (
              <div className="flex min-h-14 items-center gap-3 px-4 py-2">
                <StepText step={step} number={at + 1} isDone={start[step.key]} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function StepText({ step, number, isDone }: { step: Step; number: number; isDone: boolean }) {
  const Icon = isDone ? CircleCheck : CircleDashed
  return (
    <>
      <Icon size={20} className={isDone ? 'text-ok' : 'text-ink-2'} aria-hidden />
      <span className="min-w-0 flex-1">
        <b className="block font-medium text-ink-strong">
          <span className="num">{number}</span> {step.title()}
          {isDone && <span className="ms-2 text-xs font-medium text-ok">{m.overview_step_done()}</span>}
        </b>
        <span className="text-ink-2">{step.text()}</span>
      </span>
    </>
  )
}
