import { Flag, LogIn, Navigation } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { guardSentences } from '../../../errors/guard-text.ts'
import { ReasonSheet } from '../components/reason-sheet.tsx'
import { ConfirmSheet } from '../components/sheet.tsx'
import type { Step } from '../rules/next-step.ts'
import { phone } from '../store/phone.ts'
import type { ShownDeparture } from '../store/shown-day.ts'

const looks = {
  boarding: { icon: LogIn, label: m.duty_step_boarding, text: m.duty_step_boarding_text },
  in_progress: { icon: Navigation, label: m.duty_step_start, text: m.duty_step_start_text },
  completed: { icon: Flag, label: m.duty_step_complete, text: m.duty_step_complete_text },
} as const

/** Open boarding, set out, finish: what blocks it is shown before it is pressed. */
export function StepPanel({ shown, step, isMain }: { shown: ShownDeparture; step: Step; isMain: boolean }) {
  const [isAsked, setAsked] = useState(false)
  const { icon: Icon, label, text } = looks[step.to]
  const close = () => setAsked(false)
  const act = (reason: string | null) => {
    close()
    void phone().record({ kind: 'status', departureId: shown.id, to: step.to, reason })
  }
  const start = shown.departure.stops.find(({ kind }) => kind === 'start')
  const countFirst = step.unmet.includes('headcount_missing') && start && (
    <Link href={`/tours/${shown.id}/count/${start.id}`} className="duty-btn duty-btn-accent">
      {m.duty_count_first()}
    </Link>
  )
  const unmet = step.unmet.length > 0 && (
    <ul className="grid list-disc gap-1 ps-5">
      {step.unmet.map((guard) => (
        <li key={guard}>{guardSentences[guard]()}</li>
      ))}
    </ul>
  )
  return (
    <div className="grid gap-2 px-4 pb-4">
      <button
        type="button"
        className={isMain ? 'duty-btn duty-btn-main' : 'duty-btn duty-btn-tall'}
        onClick={() => setAsked(true)}
      >
        <Icon size={20} aria-hidden />
        {label()}
      </button>
      {isAsked && unmet === false && (
        <ConfirmSheet title={label()} text={text()} confirm={label()} onClose={close} onConfirm={() => act(null)} />
      )}
      {isAsked && unmet !== false && !step.isAllowed && (
        <ConfirmSheet
          title={m.duty_step_blocked()}
          text={unmet}
          confirm={m.duty_understood()}
          onClose={close}
          onConfirm={close}
        >
          {countFirst}
        </ConfirmSheet>
      )}
      {isAsked && unmet !== false && step.isAllowed && (
        <ReasonSheet
          title={label()}
          confirm={label()}
          isNeeded={step.needsReason}
          maxLength={500}
          onClose={close}
          onConfirm={act}
        >
          {unmet}
          {countFirst}
          {step.needsReason && <p>{m.duty_step_reason()}</p>}
        </ReasonSheet>
      )}
    </div>
  )
}
