import type { LivePosition } from '@tour-ops/contract/live/live-paths'
import type { MonitoringRow } from '@tour-ops/contract/monitoring/monitoring-list'
import { useMemo } from 'react'
import { signalOf, useLivePositions } from '../tracking/index.ts'

/** The newest position by departure, person and vehicle: ids of all three differ. */
export type DepartureSignals = ReadonlyMap<string, LivePosition>

type HeardRow = Pick<MonitoringRow, 'id' | 'leadGuide' | 'vehicle' | 'lastFixAt' | 'batteryPct'>
type WatchedRow = HeardRow & Pick<MonitoringRow, 'guideState'>

/** What the stream of positions says, renewed with each message; empty for those who may not follow all. */
export function useDepartureSignals(): DepartureSignals {
  const [{ positions }] = useLivePositions()
  return useMemo(() => signalsOf(positions), [positions])
}

/** @param positions One for each person and vehicle. */
export function signalsOf(positions: readonly LivePosition[]): DepartureSignals {
  const signals = new Map<string, LivePosition>()
  const add = (key: string, position: LivePosition) => {
    const known = signals.get(key)
    if (!known || known.recordedAt < position.recordedAt) signals.set(key, position)
  }
  for (const position of positions) {
    add(position.subjectId, position)
    if (position.departureId) add(position.departureId, position)
  }
  return signals
}

/** The last signal of a departure and the battery of that device; the stream knows it before the list does. */
export function signalFor(row: HeardRow, signals: DepartureSignals): { at: string | null; batteryPct: number | null } {
  const newest = [row.id, row.leadGuide?.id, row.vehicle?.id]
    .flatMap((id) => (id === undefined ? [] : (signals.get(id) ?? [])))
    .reduce<LivePosition | null>((last, one) => (last && last.recordedAt >= one.recordedAt ? last : one), null)
  if (!newest || (row.lastFixAt !== null && row.lastFixAt >= newest.recordedAt))
    return { at: row.lastFixAt, batteryPct: row.batteryPct }
  return { at: newest.recordedAt, batteryPct: newest.batteryPct ?? null }
}

/** How fresh the lead guide's phone is now; the list's value is as old as its answer. */
export function guideStateOf({ leadGuide, guideState }: WatchedRow, signals: DepartureSignals, now: number) {
  const position = leadGuide && signals.get(leadGuide.id)
  return position && guideState !== 'off_duty' ? signalOf(position, now) : guideState
}
