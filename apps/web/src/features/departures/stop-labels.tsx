import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import { type LucideIcon, Satellite, Timer } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { countText, stopKindLabels } from '../../records/stop-labels.ts'
import { stopSourceLabels } from '../../records/stop-sources.ts'
import { travelModeLabels } from '../../records/travel-modes.ts'
import { formatDuration, formatPastAge, formatTime, formatTimeRange } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { isDone } from './run-sheet.ts'

/** `by boat · 50 min, 5 min slack · count before leaving`, `Lunch · 16 of 17 counted`. */
export function stopDetail(stop: DepartureStop): string {
  const isBehind = isDone(stop) || stop.status === 'skipped'
  const stay = stop.dwellMin > 0 ? formatDuration(stop.dwellMin) : ''
  const slack = !isBehind && stop.slackMin > 0 ? m.departures_slack({ minutes: stop.slackMin }) : ''
  const parts = [
    stopKindLabels[stop.kind]?.(),
    stop.travelMode && !isBehind && travelModeLabels[stop.travelMode](),
    stop.signalGap && !isBehind && m.departures_signal_gap(),
    [stay, slack].filter(Boolean).join(', '),
    stop.timedEntry && !isBehind && m.departures_timed_entry(),
    countText(stop),
    stop.status === 'skipped' && m.departures_skipped({ reason: stop.skipReason ?? '' }),
    stop.note,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Where the times of a stop come from; of an estimate that knows where they are, how old that is. */
export function sourceOf(stop: DepartureStop, now: number): { icon: LucideIcon; label: string } | null {
  if (isDone(stop) || stop.status === 'skipped') {
    const source = stop.source && stopSourceLabels[stop.source]
    return source ? { icon: source.icon, label: source.label() } : null
  }
  if (stop.etaAt === null) return null
  return stop.seenAt === null
    ? { icon: Timer, label: m.departures_source_estimate() }
    : { icon: Satellite, label: m.departures_source_seen({ age: formatPastAge(stop.seenAt, now) }) }
}

/** `09:55–10:55` as planned; one time where nobody stays. */
export const plannedTime = (stop: DepartureStop, zone: string): string =>
  stop.dwellMin > 0
    ? formatTimeRange(stop.plannedArriveAt, stop.plannedDepartAt, zone)
    : formatTime(stop.plannedArriveAt, zone)

/** What happened, in bold; else the estimate with its name written, not only colored. */
export function ActualTime({ stop, zone }: { stop: DepartureStop; zone: string }): ReactNode {
  if (stop.actualArriveAt) {
    const shown = stop.actualDepartAt
      ? formatTimeRange(stop.actualArriveAt, stop.actualDepartAt, zone)
      : formatTime(stop.actualArriveAt, zone)
    const isOneMoment =
      stop.actualDepartAt && formatTime(stop.actualDepartAt, zone) === formatTime(stop.actualArriveAt, zone)
    return (
      <Ltr className="font-semibold text-ink-strong">{isOneMoment ? formatTime(stop.actualArriveAt, zone) : shown}</Ltr>
    )
  }
  if (stop.etaAt === null) return null
  return (
    <>
      <span className="text-xs text-ink-2">{m.departures_eta()}</span>{' '}
      <Ltr className="font-medium text-ink-strong">{formatTime(stop.etaAt, zone)}</Ltr>
    </>
  )
}
