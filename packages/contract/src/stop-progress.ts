import type { StatusOf } from './state-machines.ts'
import type { TourStop } from './tours.ts'

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
