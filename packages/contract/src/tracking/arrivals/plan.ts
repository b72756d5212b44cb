import type { TourStop } from '../../tours/tour-content.ts'
import type { TravelMode } from '../../tours/tour-terms.ts'
import { metersBetween, metersTo, paceSeconds, type Point, wayFactor } from './travel.ts'

/** A stop of one departure as arrivals see it; moments in milliseconds since 1970, so that no zone can be mistaken. */
export interface StopPlan extends Point {
  readonly id: string
  readonly kind: TourStop['kind']
  readonly dayIndex: number
  readonly plannedArriveAt: number
  readonly plannedDepartAt: number
  readonly slackMin: number
  readonly optional: boolean
  /** Who is this near has come in, who was in is out beyond `exitM`, which is more; who comes in has to stay for `dwellS`. */
  readonly enterM: number
  readonly exitM: number
  readonly dwellS: number
  /** How one gets here from the stop before. */
  readonly mode: TravelMode
}

export interface DeparturePlan {
  readonly startsAt: number
  readonly endsAt: number
  /** When it really set out; null before. */
  readonly startedAt: number | null
  /** In the order of the run. */
  readonly stops: readonly StopPlan[]
}

/**
 * What a person has marked at a stop. `withdrawn` undoes an arrival: earlier positions no longer count, and they have to leave
 * the place before it counts again.
 */
export interface Tap {
  readonly stopId: string
  readonly kind: 'arrived' | 'departed' | 'skipped' | 'withdrawn'
  /** When it happened, milliseconds since 1970; for `withdrawn` when it was marked. */
  readonly at: number
}

/** A stop with its distance from anywhere at hand. */
export interface Fence {
  readonly stop: StopPlan
  readonly meters: (from: Point) => number
}

export const fencesOf = (stops: readonly StopPlan[]): readonly Fence[] =>
  stops.map((stop) => ({ stop, meters: metersTo(stop) }))

/** Stops nearer to each other than this cannot be distinguished by a position. */
const samePlaceM = 30

export const isSamePlace = (a: Fence, b: Fence): boolean => a.meters(b.stop) < samePlaceM

/**
 * Whether a position inside of two overlapping fences belongs to the later stop: only if it is clearly nearer to it, beyond a quarter of the
 * line between the two. So a walk from door to door is seen, and a person between two of them does not switch back and forth.
 */
export function isOnItsSide(from: Point, earlier: Fence, later: Fence): boolean {
  const apart = earlier.meters(later.stop)
  return apart >= samePlaceM && earlier.meters(from) - later.meters(from) > apart / 2
}

/** The next stop that is somewhere else; at the end the last one. */
export function onward(fences: readonly Fence[], index: number): number {
  const next = fences.findIndex((fence, each) => each > index && !isSamePlace(fence, fences[index] as Fence))
  return next === -1 ? fences.length - 1 : next
}

/**
 * Milliseconds for a straight stretch of the way to a stop: at the pace of its mode or at that of the plan, whichever is slower, because
 * the plan knows alleys and mountains.
 */
export function wayMs(fences: readonly Fence[], meters: number, to: number): number {
  const { stop } = fences[to] as Fence
  const from = fences[to - 1]
  const usual = paceSeconds(meters * wayFactor(stop.mode), stop.mode) * 1000
  const apart = from === undefined ? 0 : metersBetween(from.stop, stop)
  if (from === undefined || apart < from.stop.exitM) return usual
  return Math.max(usual, ((stop.plannedArriveAt - from.stop.plannedDepartAt) * meters) / apart)
}
