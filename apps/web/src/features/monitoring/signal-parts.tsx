import type { MonitoringRow } from '@tour-ops/contract/monitoring/monitoring-list'
import { BatteryLow, CalendarClock, type LucideIcon } from 'lucide-react'
import { stopSourceLabels } from '../../records/stop-sources.ts'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { formatPercent } from '../../ui/format.ts'
import { signalAge } from './ages.ts'

// What the monitoring list and the overview both say of estimates and phones.

interface BasisProps {
  basis: NonNullable<MonitoringRow['next']>['basis']
  now: number
}

/** What the time of the next stop rests on, and how old that is: `40 s` next to the satellite icon; the plan alone has no age. */
export function Basis({ basis, now }: BasisProps) {
  const { icon: Icon, label }: { icon: LucideIcon; label: () => string } = basis
    ? stopSourceLabels[basis.source]
    : { icon: CalendarClock, label: m.monitoring_time_from_plan }
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-xs font-normal text-ink-2" title={label()}>
      <Icon size={13} aria-hidden />
      <span className="sr-only">{label()}</span>
      {basis && <span className="num">{signalAge(basis.at, now)}</span>}
    </span>
  )
}

/** From the limit at which an alert says so as well unless the organization has set another one. */
const lowBatteryPct = 15

export function Battery({ percent }: { percent: number }) {
  const isLow = percent <= lowBatteryPct
  return (
    <span className={classNames('num inline-flex items-center gap-1', isLow && 'font-semibold text-bad')}>
      {isLow && <BatteryLow size={14} aria-hidden />}
      {formatPercent(percent / 100)}
    </span>
  )
}

interface LastSignalProps {
  at: string
  batteryPct: number | null
  now: number
}

/** How long ago a phone was heard, and how full it was. */
export const LastSignal = ({ at, batteryPct, now }: LastSignalProps) => (
  <span className="inline-flex items-center gap-1.5" title={m.monitoring_col_seen()}>
    <span className="num">{signalAge(at, now)}</span>
    {batteryPct !== null && (
      <span title={m.monitoring_col_battery()}>
        <Battery percent={batteryPct} />
      </span>
    )}
  </span>
)
