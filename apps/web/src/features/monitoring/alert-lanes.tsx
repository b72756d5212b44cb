import type { AlertRow } from '@tour-ops/contract/monitoring/alerts'
import { useEffect } from 'react'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { formatMoment } from '../../ui/format.ts'
import { ageText } from './ages.ts'
import { AlertCard, type BoardClock, SmallAlertCard } from './alert-card.tsx'
import type { AlertActions } from './use-alert-actions.ts'

export interface AlertLanesProps {
  alerts: readonly AlertRow[]
  /** Also those that the board no longer shows. */
  resolvedToday: number
  clock: BoardClock
  selectedId: string | null
  onSelect: (id: string) => void
  actions: AlertActions
  evaluatedAt: string | null
}

const lanes = [
  { status: 'open', title: m.monitoring_lane_new, isSmall: false },
  { status: 'acknowledged', title: m.monitoring_lane_acknowledged, isSmall: false },
  { status: 'snoozed', title: m.monitoring_lane_snoozed, isSmall: true },
  { status: 'resolved', title: m.monitoring_lane_resolved, isSmall: true },
] as const

/** In the order of the lanes, for J and K. */
export const inLaneOrder = (alerts: readonly AlertRow[]): AlertRow[] =>
  lanes.flatMap(({ status }) => alerts.filter((alert) => alert.status === status))

/** New, acknowledged, snoozed, resolved today. */
export function AlertLanes(props: AlertLanesProps) {
  const { selectedId } = props
  useEffect(() => {
    if (selectedId)
      document.querySelector(`[data-alert="${CSS.escape(selectedId)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [selectedId])
  return (
    <div className="lanes">
      {lanes.map((lane) => (
        <Lane key={lane.status} lane={lane} {...props} />
      ))}
    </div>
  )
}

function Lane({
  lane,
  alerts,
  resolvedToday,
  clock,
  selectedId,
  onSelect,
  actions,
  evaluatedAt,
}: AlertLanesProps & { lane: (typeof lanes)[number] }) {
  const { can } = useAccess()
  const mine = alerts.filter((alert) => alert.status === lane.status)
  const count = lane.status === 'resolved' ? Math.max(resolvedToday, mine.length) : mine.length
  const headingId = `lane-${lane.status}`
  return (
    <section className="lane" aria-labelledby={headingId}>
      <div className="flex h-10 shrink-0 items-center gap-2 px-3">
        <h2 id={headingId} className="font-semibold">
          {lane.title()} <span className="num ms-1 font-normal text-ink-2">{count}</span>
        </h2>
        <span className="num ms-auto text-xs text-ink-2">{noteOf(lane.status, mine, clock, evaluatedAt)}</span>
      </div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <ul tabIndex={mine.length > 0 ? 0 : undefined} aria-labelledby={headingId}>
        {mine.map((alert) => {
          const card = { alert, clock, isSelected: alert.id === selectedId, onSelect: () => onSelect(alert.id) }
          return (
            <li key={alert.id}>
              {lane.isSmall ? (
                <SmallAlertCard {...card} />
              ) : (
                <AlertCard
                  {...card}
                  onTake={lane.status === 'open' && can('alerts:manage') ? () => actions.take(alert) : undefined}
                  isTaking={actions.takingId === alert.id}
                />
              )}
            </li>
          )
        })}
        {count > mine.length && (
          <li className="num px-1 text-xs text-ink-2">{m.monitoring_more({ count: count - mine.length })}</li>
        )}
        {mine.length === 0 && <li className="px-1 pb-2 text-xs text-ink-2">{m.monitoring_lane_empty()}</li>}
      </ul>
    </section>
  )
}

/** The age of the oldest that nobody has acknowledged; on a delayed board, the time of its last check. */
function noteOf(
  status: AlertRow['status'],
  alerts: readonly AlertRow[],
  { now, timeZone, isDelayed }: BoardClock,
  evaluatedAt: string | null,
): string | null {
  if (isDelayed) return evaluatedAt && m.monitoring_at_time({ time: formatMoment(evaluatedAt, timeZone, now) })
  if (status !== 'open' || alerts.length === 0) return null
  const oldest = alerts.reduce(
    (first, alert) => (alert.openedAt < first ? alert.openedAt : first),
    alerts[0]?.openedAt ?? '',
  )
  return m.monitoring_oldest({ age: ageText(oldest, now) })
}
