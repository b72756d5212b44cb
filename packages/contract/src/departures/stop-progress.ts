import type { StatusOf } from '../state-machines.ts'
import type { TourStop } from '../tours/tour-content.ts'

/** What is marked at a stop; moments as they come, from the database or from an answer. */
export interface MarkedStop {
  readonly order: number
  readonly kind: TourStop['kind']
  readonly status: StatusOf<'departure_stops'>
  readonly actualArriveAt: Date | string | null
  readonly actualDepartAt: Date | string | null
}

const minuteMs = 60_000

/**
 * The latest moment that is marked before a mark of this stop: at the stops before it, and its own arrival when the guests leave it. Pickups
 * may be reached in any order and do not wait for each other.
 *
 * @returns null where nothing is marked yet.
 */
export function lastMarkBefore(
  stop: Pick<MarkedStop, 'order' | 'kind' | 'actualArriveAt'>,
  stops: readonly MarkedStop[],
  isLeaving: boolean,
): Date | null {
  const before = stops.filter(({ order, kind }) => order < stop.order && !(kind === 'pickup' && stop.kind === 'pickup'))
  const marks = [
    ...before.flatMap(({ actualArriveAt, actualDepartAt }) => [actualArriveAt, actualDepartAt]),
    isLeaving ? stop.actualArriveAt : null,
  ].flatMap((at) => (at === null ? [] : [new Date(at).getTime()]))
  return marks.length === 0 ? null : new Date(Math.max(...marks))
}

/** Whether a mark would come before another one. People type minutes: within the same one nothing is before anything. */
export const isMarkBefore = (at: Date, mark: Date | null): boolean =>
  mark !== null && at.getTime() < Math.floor(mark.getTime() / minuteMs) * minuteMs

/** As much of a stop as says where the guests are. */
export type ReachedStop = Pick<MarkedStop, 'kind' | 'status' | 'actualArriveAt'>

export interface Whereabouts {
  /** Index of the last stop that was passed, or of the current one; -1 before the first. */
  readonly behind: number
  /** Index of the stop where they are; -1 on the way. */
  readonly here: number
  /** Index of the next stop; -1 after the last. */
  readonly next: number
}

/**
 * Where the guests of a departure are among its stops. Setting out leaves the start and the pickups before it, whether or not somebody
 * marked them. The same for screens, estimates, and in SQL for boards: `isAhead` in the server's `stops-in-order.ts`.
 *
 * @param startedAt When the tour really set out; null before.
 */
export function whereaboutsOf(stops: readonly ReachedStop[], startedAt: Date | string | null): Whereabouts {
  const reached = stops.findLastIndex(({ status }) => status === 'arrived' || status === 'departed')
  const behind = startedAt === null ? reached : Math.max(reached, lastBeforeTheWay(stops))
  const last = stops[reached]
  const isHere = last?.status === 'arrived' && reached === behind && !isLeftByStarting(last, startedAt)
  return {
    behind,
    here: isHere ? reached : -1,
    next: stops.findIndex(({ status }, index) => index > behind && (status === 'planned' || status === 'approaching')),
  }
}

/** Whether nobody marked that they left a start or pickup, but the tour set out after they came there. */
export function isLeftByStarting(
  { kind, status, actualArriveAt }: ReachedStop,
  startedAt: Date | string | null,
): boolean {
  if (status !== 'arrived' || (kind !== 'start' && kind !== 'pickup')) return false
  return startedAt !== null && actualArriveAt !== null && new Date(actualArriveAt) <= new Date(startedAt)
}

/** The start, and the pickups before it; -1 where a tour has neither. */
const lastBeforeTheWay = (stops: readonly ReachedStop[]): number =>
  Math.max(
    stops.findIndex(({ kind }) => kind === 'start'),
    stops.findIndex(({ kind }) => kind !== 'pickup') - 1,
  )

interface CountedStop {
  readonly status: StatusOf<'departure_stops'>
  readonly headcountRequired: boolean
  readonly headcountActual: number | null
}

/** Whether heads are counted before this stop is left, and nobody has done so. */
export const isCountOpen = ({ headcountRequired, headcountActual, status }: CountedStop): boolean =>
  headcountRequired && headcountActual === null && status !== 'departed' && status !== 'skipped'
