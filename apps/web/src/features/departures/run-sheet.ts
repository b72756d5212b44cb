import type { Departure } from '@tour-ops/contract/departures/departures'
import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import { whereaboutsOf } from '@tour-ops/contract/departures/stop-progress'
import { isRunning } from '@tour-ops/contract/state-machines'

/** A row of the run sheet: one stop, or the pickups before the start folded into one. */
export type RunSheetRow =
  | { readonly kind: 'stop'; readonly stop: DepartureStop; readonly isNext: boolean }
  | { readonly kind: 'pickups'; readonly stops: readonly DepartureStop[]; readonly isNext: boolean }

export const isDone = ({ status }: Pick<DepartureStop, 'status'>): boolean =>
  status === 'arrived' || status === 'departed'

type Way = Pick<Departure, 'stops' | 'actualStartAt'>

/** The stop where the group is now: reached and not left. */
export const stopHere = ({ stops, actualStartAt }: Way): DepartureStop | undefined =>
  stops[whereaboutsOf(stops, actualStartAt).here]

/** The next stop on the way. */
export const stopAhead = ({ stops, actualStartAt }: Way): DepartureStop | undefined =>
  stops[whereaboutsOf(stops, actualStartAt).next]

/** Whether stops can be marked: from boarding to the end. */
export const isUnderWay = (departure: Pick<Departure, 'status'>): boolean => isRunning(departure)

/**
 * Rows of the run sheet in order; two or more pickups in a row are folded into one.
 *
 * @param isUnfolded Shows each pickup as a separate row.
 */
export function rowsOf(departure: Way & Pick<Departure, 'status'>, isUnfolded: boolean): RunSheetRow[] {
  const next = isUnderWay(departure) ? stopAhead(departure) : undefined
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

/** What the one sentence over the run sheet says. */
export type DaySentence =
  | { readonly kind: 'cancelled' | 'aborted' }
  | { readonly kind: 'ahead'; readonly firstAt: string; readonly firstName: string; readonly stops: number }
  | { readonly kind: 'boarding'; readonly aboard: number; readonly expected: number }
  | { readonly kind: 'at'; readonly name: string; readonly lateMin: number; readonly leavesAt: string | null }
  /** Later at the next stop than when they left the last one: nobody marked that they came there. */
  | {
      readonly kind: 'overdue'
      readonly name: string
      readonly lateMin: number
      readonly endName: string
      readonly endAt: string
    }
  | {
      readonly kind: 'left'
      readonly name: string
      readonly lateMin: number
      readonly endName: string
      readonly endAt: string
      readonly wonMin: number
    }
  | { readonly kind: 'started'; readonly lateMin: number; readonly endName: string; readonly endAt: string }
  | { readonly kind: 'over'; readonly at: string; readonly lateMin: number }

/** Says the day in one sentence: where they are, how late, and when they are back. See docs/screens.md, "Records over any screen". */
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
  return underWay(departure, last)
}

function underWay(departure: Departure, last: DepartureStop): DaySentence {
  const { stops, startsAt, actualStartAt } = departure
  const end = { endName: last.placeName, endAt: last.etaAt ?? last.actualArriveAt ?? last.plannedArriveAt }
  const here = stopHere(departure)
  if (here) return { kind: 'at', name: here.placeName, lateMin: minutesOf(here.delaySeconds), leavesAt: here.leavesAt }
  const { behind, next } = whereaboutsOf(stops, actualStartAt)
  const left = stops[behind]
  const isMarked = left?.status === 'departed'
  const lateMin = isMarked
    ? minutesOf(left.delaySeconds)
    : actualStartAt
      ? Math.max(0, minutesBetween(startsAt, actualStartAt))
      : 0
  const ahead = stops[next]
  const aheadMin = ahead ? minutesOf(ahead.delaySeconds) : 0
  if (ahead && aheadMin > Math.max(0, lateMin))
    return { kind: 'overdue', name: ahead.placeName, lateMin: aheadMin, ...end }
  if (!isMarked) return { kind: 'started', lateMin, ...end }
  const wonMin = Math.max(0, lateMin - Math.max(0, minutesOf(last.delaySeconds)))
  return { kind: 'left', name: left.placeName, lateMin, ...end, wonMin }
}

const minutesOf = (seconds: number): number => Math.round(seconds / 60)

const minutesBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 60_000)
