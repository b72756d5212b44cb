import type { Departure } from '@tour-ops/contract/departures'
import { onTimeToleranceSeconds } from '@tour-ops/contract/displayed-status'
import type { DepartureStop } from '@tour-ops/contract/run-sheet'

/** A row of the run sheet: one stop, or the pickups before the start folded into one. */
export type RunSheetRow =
  | { readonly kind: 'stop'; readonly stop: DepartureStop; readonly isNext: boolean }
  | { readonly kind: 'pickups'; readonly stops: readonly DepartureStop[]; readonly isNext: boolean }

export const isDone = ({ status }: Pick<DepartureStop, 'status'>): boolean =>
  status === 'arrived' || status === 'departed'
const isOpen = ({ status }: Pick<DepartureStop, 'status'>): boolean => status === 'planned' || status === 'approaching'

/** The stop where the group is now: reached and not left. */
export function stopHere(stops: readonly DepartureStop[]): DepartureStop | undefined {
  const last = stops.findLast(isDone)
  return last?.status === 'arrived' ? last : undefined
}

/** The first stop ahead of the last one reached. */
export function stopAhead(stops: readonly DepartureStop[]): DepartureStop | undefined {
  const reached = stops.findLastIndex(isDone)
  return stops.find((stop, index) => index > reached && isOpen(stop))
}

/** Whether stops can be marked: from boarding to the end. */
export const isUnderWay = ({ status }: Pick<Departure, 'status'>): boolean =>
  status === 'boarding' || status === 'in_progress'

/**
 * Rows of the run sheet in order; two or more pickups in a row are folded into one.
 *
 * @param isUnfolded Shows each pickup as a row of its own.
 */
export function rowsOf(departure: Pick<Departure, 'status' | 'stops'>, isUnfolded: boolean): RunSheetRow[] {
  const next = isUnderWay(departure) ? stopAhead(departure.stops) : undefined
  const rows: RunSheetRow[] = []
  const pickups = departure.stops.filter((stop) => stop.kind === 'pickup')
  const isFolded = pickups.length > 1 && !isUnfolded
  if (isFolded) rows.push({ kind: 'pickups', stops: pickups, isNext: next?.kind === 'pickup' })
  for (const stop of departure.stops) {
    if (isFolded && stop.kind === 'pickup') continue
    rows.push({ kind: 'stop', stop, isNext: stop.id === next?.id })
  }
  return rows
}

/** Whole minutes late, negative is early; null where nothing is known yet. */
export function lateMinOf(stop: DepartureStop): number | null {
  if (stop.status === 'skipped') return null
  if (!isDone(stop) && stop.etaAt === null) return null
  return Math.round(stop.delaySeconds / 60)
}

/** Late enough to be said aloud. Source: architecture, section 8, "displayed status". */
export const isLate = (stop: DepartureStop): boolean => stop.delaySeconds > onTimeToleranceSeconds

/** What the one sentence over the run sheet says. */
export type DaySentence =
  | { readonly kind: 'cancelled' | 'aborted' }
  | { readonly kind: 'ahead'; readonly firstAt: string; readonly firstName: string; readonly stops: number }
  | { readonly kind: 'boarding'; readonly aboard: number; readonly expected: number }
  | { readonly kind: 'at'; readonly name: string; readonly lateMin: number; readonly leavesAt: string }
  | {
      readonly kind: 'left'
      readonly name: string
      readonly lateMin: number
      readonly endName: string
      readonly endAt: string
      readonly wonMin: number
    }
  | { readonly kind: 'started'; readonly endName: string; readonly endAt: string }
  | { readonly kind: 'over'; readonly at: string; readonly lateMin: number }

/** Says the day in one sentence: where they are, how late, and when they are back. Source: visual/screens, departure drawer. */
export function daySentence(departure: Departure): DaySentence | null {
  const { status, stops, counts } = departure
  if (status === 'cancelled' || status === 'aborted') return { kind: status }
  const [first] = stops
  const last = stops.at(-1)
  if (!first || !last) return null
  if (status === 'completed') {
    const at = departure.actualEndAt ?? last.actualArriveAt ?? last.plannedArriveAt
    return { kind: 'over', at, lateMin: minutesBetween(departure.endsAt, at) }
  }
  if (status === 'boarding') return { kind: 'boarding', aboard: counts.aboard, expected: counts.expected }
  if (status !== 'in_progress') {
    return { kind: 'ahead', firstAt: first.plannedArriveAt, firstName: first.placeName, stops: stops.length }
  }
  return underWay(stops, last)
}

function underWay(stops: readonly DepartureStop[], last: DepartureStop): DaySentence {
  const endAt = last.etaAt ?? last.actualArriveAt ?? last.plannedArriveAt
  const reached = stops.findLast(isDone)
  if (!reached) return { kind: 'started', endName: last.placeName, endAt }
  const lateMin = Math.round(reached.delaySeconds / 60)
  if (reached.status === 'arrived') {
    const carried = Math.max(0, reached.delaySeconds - reached.slackMin * 60)
    const leavesAt = new Date(Date.parse(reached.plannedDepartAt) + carried * 1000).toISOString()
    return { kind: 'at', name: reached.placeName, lateMin, leavesAt }
  }
  const endLateMin = Math.round(last.delaySeconds / 60)
  return {
    kind: 'left',
    name: reached.placeName,
    lateMin,
    endName: last.placeName,
    endAt,
    wonMin: Math.max(0, lateMin - Math.max(0, endLateMin)),
  }
}

const minutesBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 60_000)
