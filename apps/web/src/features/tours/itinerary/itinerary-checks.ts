import type { In, Out } from '@tour-ops/contract/callable'
import type { roadWays } from '@tour-ops/contract/places/places'
import type { TourStop } from '@tour-ops/contract/tours/tour-content'
import { type TravelMode, travelModes } from '@tour-ops/contract/tours/tour-terms'
import { modeOf, paceSeconds, wayMeters, type Point } from '@tour-ops/contract/tracking/arrivals/travel'
import { type Itinerary, type EditStop, stopsOn } from './itinerary.ts'

export type { Point } from '@tour-ops/contract/tracking/arrivals/travel'

/** Hours a guide works in a day unless the staff record says otherwise. Source: contract, field staff, `maxHoursPerDay`. */
export const guideDayMin = 10 * 60
type RoadWays = Out<typeof roadWays>
type Known = RoadWays['ways'][number]['way']

/** Ways that a router may know. */
export const roadModes = ['drive', 'walk'] as const satisfies In<typeof roadWays>['mode'][]
type RoadMode = (typeof roadModes)[number]

/** What the router of the organization said of the ways of one mode. */
export type KnownRoads = RoadWays & { readonly mode: RoadMode }

/** A way planned shorter than this share of the estimate is tight. */
const tightShare = 0.85

/** Minutes in steps of five; stops for photos not counted. */
const inFives = (seconds: number): number => Math.ceil(seconds / 60 / 5) * 5

/** The way between two places of a tour. */
export interface Way {
  readonly mode: TravelMode
  readonly meters: number
  /** Minutes that it takes a group about. */
  readonly usualMin: number
  /** What that rests on; null where nobody has to be told, since everything is an estimate. */
  readonly basis: 'road' | 'estimate' | null
}

/** From the id of a place to a stop; undefined where one of the places is not known yet. */
export type WayOf = (fromId: string, to: Pick<TourStop, 'placeId' | 'travelMode'>) => Way | undefined

interface WaySources {
  readonly pointOf: (placeId: string) => Point | undefined
  readonly isWalking: boolean
  /** What the router of the organization said, where it has one. */
  readonly roads?: readonly KnownRoads[]
}

/** Ways by the router where it knows them, otherwise by the straight line times a factor, at the pace of a group. */
export function waysOf({ pointOf, isWalking, roads = [] }: WaySources): WayOf {
  const known = new Map<string, Known>(
    roads.flatMap(({ mode, ways }) => ways.map(({ from, to, way }) => [`${mode} ${from} ${to}`, way] as const)),
  )
  const routed = new Set<TravelMode>(roads.flatMap(({ mode, router }) => (router === 'none' ? [] : [mode])))
  return (fromId, { placeId: toId, travelMode }) => {
    const mode = modeOf(travelMode, isWalking)
    const road = known.get(`${mode} ${fromId} ${toId}`)
    if (road) return { mode, meters: road.meters, usualMin: inFives(road.seconds), basis: 'road' }
    const from = pointOf(fromId)
    const to = pointOf(toId)
    if (!from || !to) return undefined
    const meters = wayMeters(from, to, mode)
    const basis = routed.has(mode) && meters > 0 ? 'estimate' : null
    return { mode, meters, usualMin: inFives(paceSeconds(meters, mode)), basis }
  }
}

/** What the ways of one mode are asked for by: each pair once, in an order that does not depend on that of the stops. */
export function roadQuestion(
  { days, stops }: Itinerary,
  { mode, isWalking }: { mode: RoadMode; isWalking: boolean },
): In<typeof roadWays> {
  const pairs = new Map<string, { from: string; to: string }>()
  for (const { dayIndex } of days) {
    const ofDay = stopsOn({ days, stops }, dayIndex)
    ofDay.slice(1).forEach(({ placeId: to, travelMode }, at) => {
      const from = (ofDay[at] as EditStop).placeId
      if (from !== to && modeOf(travelMode, isWalking) === mode) pairs.set(`${from} ${to}`, { from, to })
    })
  }
  return {
    mode,
    pairs: [...pairs].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair),
  }
}

export interface Leg {
  /** Null where a place is not known yet. */
  readonly way: Way | null
  readonly plannedMin: number
  readonly isTight: boolean
}

/** The ways between the stops of a day; the first belongs to the second stop. */
export function legsOf(stops: readonly EditStop[], wayOf: WayOf): Leg[] {
  return stops.slice(1).map((stop, at) => {
    const before = stops[at] as EditStop
    const plannedMin = stop.offsetMin - before.offsetMin - before.dwellMin
    const way = wayOf(before.placeId, stop) ?? null
    return { way, plannedMin, isTight: way !== null && plannedMin < way.usualMin * tightShare }
  })
}

export type Check =
  | { readonly kind: 'no_stops' }
  | { readonly kind: 'no_end'; readonly stopKey: string }
  | { readonly kind: 'goes_back'; readonly stopKey: string }
  | { readonly kind: 'tight'; readonly stopKey: string; readonly plannedMin: number; readonly usualMin: number }
  | { readonly kind: 'long_day'; readonly dayIndex: number; readonly minutes: number }

/** What a person should look at, worst first; empty when the plan holds. See docs/screens.md, "Tours". */
export function checksOf(itinerary: Itinerary, wayOf: WayOf): Check[] {
  if (itinerary.stops.length === 0) return [{ kind: 'no_stops' }]
  const checks: Check[] = []
  for (const { dayIndex } of itinerary.days) {
    const stops = stopsOn(itinerary, dayIndex)
    legsOf(stops, wayOf).forEach((leg, at) => {
      const stopKey = (stops[at + 1] as EditStop).key
      if (leg.plannedMin < 0) checks.unshift({ kind: 'goes_back', stopKey })
      else if (leg.way && leg.isTight) {
        checks.push({ kind: 'tight', stopKey, plannedMin: leg.plannedMin, usualMin: leg.way.usualMin })
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
  /** Whether a router knows all of it. */
  readonly isByRoad: boolean
  /** Minutes on the way by each mode that there is. */
  readonly travel: readonly { readonly mode: TravelMode; readonly minutes: number }[]
  readonly stayMin: number
  readonly slackMin: number
  readonly dayMin: number
}

/** The numbers of a day. */
export function totalsOf(stops: readonly EditStop[], legs: readonly Leg[]): Totals {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return {
    meters: sum(legs.map((leg) => leg.way?.meters ?? 0)),
    isByRoad: legs.some(({ way }) => way?.basis === 'road') && legs.every(({ way }) => way && way.basis !== 'estimate'),
    travel: travelModes.flatMap((mode) => {
      const own = legs.filter(({ way }) => way?.mode === mode)
      return own.length === 0 ? [] : [{ mode, minutes: sum(own.map((leg) => Math.max(0, leg.plannedMin))) }]
    }),
    stayMin: sum(stops.map((stop) => stop.dwellMin)),
    slackMin: sum(stops.map((stop) => stop.slackMin)),
    dayMin: dayMinutes(stops),
  }
}
