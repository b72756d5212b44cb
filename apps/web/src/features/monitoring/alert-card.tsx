import type { AlertRow } from '@tour-ops/contract/monitoring/alerts'
import { LifeBuoy, UserRound } from 'lucide-react'
import { alertTitle } from './alert-title.ts'
import { m } from '../../paraglide/messages.js'
import { formatMoment } from '../../ui/format.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { ageText } from './ages.ts'
import {
  alertCount,
  alertDetail,
  alertMeasure,
  alertSubject,
  kindIcons,
  resolutionText,
  severityLooks,
} from './alert-labels.ts'

export interface BoardClock {
  /** The server's clock now, milliseconds. */
  now: number
  timeZone: string
  /** The last check is too old: ages become moments, since the current state is unknown. */
  isDelayed: boolean
}

export interface AlertCardProps {
  alert: AlertRow
  clock: BoardClock
  isSelected: boolean
  onSelect: () => void
  /** Assigns the alert to the reader; absent for those who may not. */
  onTake?: (() => void) | undefined
  isTaking?: boolean | undefined
}

export function SeverityChip({ severity }: Pick<AlertRow, 'severity'>) {
  const { label, tone, icon } = severityLooks[severity]
  return (
    <Chip tone={tone} icon={icon}>
      {label()}
    </Chip>
  )
}

const since = (moment: string, { now, timeZone, isDelayed }: BoardClock): string =>
  isDelayed ? m.monitoring_since({ time: formatMoment(moment, timeZone, now) }) : ageText(moment, now)

/** An alert that waits: severity, age, fact, departure, evidence, who is on it. */
export function AlertCard({ alert, clock, isSelected, onSelect, onTake, isTaking }: AlertCardProps) {
  return (
    <article className="alert-card" data-selected={isSelected || undefined} data-alert={alert.id}>
      <div className="flex items-center gap-2">
        <SeverityChip severity={alert.severity} />
        {alert.escalationLevel > 0 && (
          <span className="text-xs font-semibold text-bad">
            {m.monitoring_escalated({ level: alert.escalationLevel })}
          </span>
        )}
        <Ltr className="ms-auto text-xs text-ink-2">{since(alert.openedAt, clock)}</Ltr>
      </div>
      <button type="button" className="alert-card-title" aria-pressed={isSelected} onClick={onSelect}>
        {alertTitle(alert)}
      </button>
      <p className="text-ink-2">{alertSubject(alert, clock.now)}</p>
      <Evidence alert={alert} />
      <div className="mt-2 flex min-h-7 items-center gap-2 text-xs">
        {alert.owner ? (
          <>
            <Avatar name={alert.owner.name} size={24} />
            <span className="min-w-0 truncate">
              <bdi>{alert.owner.name}</bdi>
            </span>
          </>
        ) : (
          <span className="flex items-center gap-1.5 text-ink-2">
            <UserRound size={14} aria-hidden />
            {m.monitoring_nobody_yet()}
          </span>
        )}
        {onTake && (
          <Button
            size="sm"
            className="ms-auto"
            pending={isTaking ?? false}
            aria-label={m.monitoring_take_this({ what: alertTitle(alert) })}
            onClick={onTake}
          >
            {m.monitoring_take()}
          </Button>
        )}
      </div>
    </article>
  )
}

function Evidence({ alert }: Pick<AlertCardProps, 'alert'>) {
  const count = alertCount(alert)
  const measure = alertMeasure(alert)
  const detail = alertDetail(alert)
  return (
    <>
      {count && (
        <p className="mt-1 flex items-baseline gap-1.5">
          <b className="num text-lg font-semibold text-bad">{count.counted}</b>
          <span className="text-xs">{m.monitoring_of_counted({ expected: count.expected })}</span>
        </p>
      )}
      {measure && <LimitBar {...measure} />}
      {detail && (
        <p className="mt-1 flex items-start gap-1.5 text-xs text-ink-strong">
          {alert.incident && <LifeBuoy size={14} className="mt-px shrink-0 text-bad" aria-hidden />}
          {detail}
        </p>
      )}
    </>
  )
}

/** A value against its limit; the scale ends at twice what is critical or a little over the value. */
function LimitBar({ value, limit, critical }: { value: number; limit: number; critical: number }) {
  const end = Math.max(critical * 1.1, value * 1.1)
  const share = (minutes: number) => `${Math.min(100, (minutes / end) * 100)}%`
  return (
    <div className="mt-2 flex items-center gap-2">
      <span className="limit-bar" aria-hidden>
        <i
          className={value >= critical ? 'bg-[var(--mark-bad)]' : 'bg-[var(--mark-warn)]'}
          style={{ width: share(value) }}
        />
        <u style={{ insetInlineStart: share(limit) }} />
      </span>
      <span className="num text-xs text-ink-2">{m.monitoring_limit({ minutes: limit })}</span>
    </div>
  )
}

/** A compact card: what sleeps, and what is over. */
export function SmallAlertCard({ alert, clock, isSelected, onSelect }: Omit<AlertCardProps, 'onTake' | 'isTaking'>) {
  const Icon = kindIcons[alert.kind]
  const { now, timeZone } = clock
  return (
    <article
      className="alert-card alert-card-small flex gap-2.5"
      data-selected={isSelected || undefined}
      data-alert={alert.id}
    >
      <Icon size={16} className="mt-0.5 shrink-0 text-ink-2" aria-hidden />
      <div className="min-w-0 flex-1">
        <button type="button" className="alert-card-title" aria-pressed={isSelected} onClick={onSelect}>
          {alertTitle(alert)}
        </button>
        <p className="text-xs text-ink-2">{alertSubject(alert, clock.now)}</p>
        <div className="mt-1 flex items-center gap-2 text-xs">
          {alert.snoozedUntil ? (
            <span>
              {m.monitoring_until()}{' '}
              <b className="num font-semibold">
                {alert.snoozedStop?.name ?? formatMoment(alert.snoozedUntil, timeZone, now)}
              </b>
            </span>
          ) : (
            <span className={classNames('line-clamp-2 min-w-0')}>{resolutionText(alert, timeZone)}</span>
          )}
          {alert.snoozedUntil && alert.owner && (
            <span className="ms-auto" title={alert.owner.name}>
              <Avatar name={alert.owner.name} size={22} />
              <span className="sr-only">{alert.owner.name}</span>
            </span>
          )}
        </div>
      </div>
    </article>
  )
}
