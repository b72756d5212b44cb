import { paceSeconds, wayMeters, type Point, type TravelMode } from '@tour-ops/contract/tracking/arrivals/travel'
import { type Itinerary, type EditStop, stopsOn } from './itinerary.ts'

export type { Point } from '@tour-ops/contract/tracking/arrivals/travel'

/** Hours a guide works in a day unless the staff record says otherwise. Source: contract, field staff, `maxHoursPerDay`. */
export const guideDayMin = 10 * 60
/** A way planned shorter than this share of the estimate is tight. */
const tightShare = 0.85
/** Minutes that a way takes a group about, in steps of five; stops for photos not counted. */
export const wayMinutes = (meters: number, isWalking: boolean): number =>
  Math.ceil(paceSeconds(meters, modeOf(isWalking)) / 60 / 5) * 5

const modeOf = (isWalking: boolean): TravelMode => (isWalking ? 'walk' : 'drive')

/** Meters of the way between two places of a tour. */
export const wayOf = (from: Point, to: Point, isWalking: boolean): number => wayMeters(from, to, modeOf(isWalking))

export interface Leg {
  /** Null where a place is not known yet. */
  readonly meters: number | null
  readonly plannedMin: number
  readonly usualMin: number | null
  readonly isTight: boolean
}

/** The ways between the stops of a day; the first belongs to the second stop. */
export function legsOf(
  stops: readonly EditStop[],
  pointOf: (placeId: string) => Point | undefined,
  isWalking: boolean,
): Leg[] {
  return stops.slice(1).map((stop, at) => {
    const before = stops[at] as EditStop
    const from = pointOf(before.placeId)
    const to = pointOf(stop.placeId)
    const plannedMin = stop.offsetMin - before.offsetMin - before.dwellMin
    const meters = from && to ? wayOf(from, to, isWalking) : null
    const usualMin = meters === null ? null : wayMinutes(meters, isWalking)
    return { meters, plannedMin, usualMin, isTight: usualMin !== null && plannedMin < usualMin * tightShare }
  })
}

export type Check =
  | { readonly kind: 'no_stops' }
  | { readonly kind: 'no_end'; readonly stopKey: string }
  | { readonly kind: 'goes_back'; readonly stopKey: string }
  | { readonly kind: 'tight'; readonly stopKey: string; readonly plannedMin: number; readonly usualMin: number }
  | { readonly kind: 'long_day'; readonly dayIndex: number; readonly minutes: number }

/** What a person should look at, worst first; empty when the plan holds. See docs/screens.md, "Tours". */
export function checksOf(
  itinerary: Itinerary,
  pointOf: (placeId: string) => Point | undefined,
  isWalking: boolean,
): Check[] {
  if (itinerary.stops.length === 0) return [{ kind: 'no_stops' }]
  const checks: Check[] = []
  for (const { dayIndex } of itinerary.days) {
    const stops = stopsOn(itinerary, dayIndex)
    legsOf(stops, pointOf, isWalking).forEach((leg, at) => {
      const stopKey = (stops[at + 1] as EditStop).key
      if (leg.plannedMin < 0) checks.unshift({ kind: 'goes_back', stopKey })
      else if (leg.isTight && leg.usualMin !== null) {
        checks.push({ kind: 'tight', stopKey, plannedMin: leg.plannedMin, usualMin: leg.usualMin })
      }
    })
    const minutes = dayMinutes(stops)
    if (minutes > guideDayMin) checks.push({ kind: 'long_day', dayIndex, minutes })
  }
  const last = stopsOn(itinerary, itinerary.days.length).at(-1)
  if (last && last.kind !== 'end') checks.push({ kind: 'no_end', stopKey: last.key })
  return checks
}

/** Minutes from the first arrival to the last departure of a day. */
function dayMinutes(stops: readonly EditStop[]): number {
  const [first] = stops
  const last = stops.at(-1)
  return first && last ? last.offsetMin + last.dwellMin - first.offsetMin : 0
}

export interface Totals {
  readonly meters: number
  readonly travelMin: number
  readonly stayMin: number
  readonly slackMin: number
  readonly dayMin: number
}

/** The five numbers of a day. */
export function totalsOf(stops: readonly EditStop[], legs: readonly Leg[]): Totals {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return {
    meters: sum(legs.map((leg) => leg.meters ?? 0)),
    travelMin: sum(legs.map((leg) => Math.max(0, leg.plannedMin))),
    stayMin: sum(stops.map((stop) => stop.dwellMin)),
    slackMin: sum(stops.map((stop) => stop.slackMin)),
    dayMin: dayMinutes(stops),
  }
}
