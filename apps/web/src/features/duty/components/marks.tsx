import { displayedStatus } from '@tour-ops/contract/departures/displayed-status'
import { Check, CheckCheck, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLateLimits } from '../../../app/late-limits.ts'
import { m } from '../../../paraglide/messages.js'
import { statusIcon, statusLabel, type Tone } from '../../../ui/chip.tsx'
import { Ltr } from '../../../ui/ltr.tsx'
import type { MarkPlace, ShownDeparture } from '../store/shown-day.ts'

/** One gray tick: on this phone alone. Two green ticks: at the office. */
export function Ticks({ mark, size = 20 }: { mark: MarkPlace; size?: number }) {
  if (mark === 'none') return null
  const Icon = mark === 'phone' ? Check : CheckCheck
  return (
    <Icon
      size={size}
      className={mark === 'phone' ? 'inline shrink-0 text-neutral' : 'inline shrink-0 text-ok'}
      role="img"
      aria-label={mark === 'phone' ? m.duty_on_phone() : m.duty_synced()}
    />
  )
}

export const Tag = ({ tone, icon: Icon, children }: { tone: Tone; icon: LucideIcon; children: ReactNode }) => (
  <span className={`duty-tag tone-${tone}`}>
    <Icon size={18} aria-hidden />
    <span>{children}</span>
  </span>
)

/** The status as all screens show it, with the minutes late. */
export function StatusTag({ shown: { departure }, now }: { shown: ShownDeparture; now: number }) {
  const { status, tint, delayMin } = displayedStatus(departure, new Date(now), useLateLimits())
  return (
    <Tag tone={tint} icon={statusIcon(status)}>
      {statusLabel(status)}
      {delayMin !== null && <Ltr className="ms-1.5">{m.ui_status_minutes_late({ minutes: delayMin })}</Ltr>}
    </Tag>
  )
}
