import type { TravelMode } from '../../tours/tour-terms.ts'

/** A place on the earth, in degrees (WGS 84). */
export interface Point {
  readonly lat: number
  readonly lng: number
}

/** How guests come to a stop: as its plan says, else as the tour goes. */
export const modeOf = (chosen: TravelMode | null, isWalkingTour: boolean): TravelMode =>
  chosen ?? (isWalkingTour ? 'walk' : 'drive')

interface Pace {
  /** The way is this much longer than the straight line. */
  readonly factor: number
  /** Of a group, stops for photos not counted. */
  readonly kmh: number
  /** Faster than this (meters a second) nobody moves: the position is wrong. */
  readonly limitMps: number
}

/** Our estimates. See docs/domain.md, "Lateness". */
const paces: Readonly<Record<TravelMode, Pace>> = {
  walk: { factor: 1.35, kmh: 4, limitMps: 60 },
  drive: { factor: 1.35, kmh: 60, limitMps: 60 },
  boat: { factor: 1.2, kmh: 25, limitMps: 60 },
  rail: { factor: 1.2, kmh: 80, limitMps: 100 },
  air: { factor: 1.05, kmh: 600, limitMps: 350 },
}

const earthRadiusM = 6_371_000
const radian = Math.PI / 180

/** Meters of the straight line between two places (haversine). */
export function metersBetween(from: Point, to: Point): number {
  const dLat = (to.lat - from.lat) * radian
  const dLng = (to.lng - from.lng) * radian
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(from.lat * radian) * Math.cos(to.lat * radian) * Math.sin(dLng / 2) ** 2
  return 2 * earthRadiusM * Math.asin(Math.sqrt(h))
}

/**
 * Meters of the straight line to one place, for many positions: right to 0.1 % up to some 50 km, and never too short by much
 * beyond, a fifth of the cost of `metersBetween`.
 */
export function metersTo(place: Point): (from: Point) => number {
  const perLat = earthRadiusM * radian
  const perLng = perLat * Math.cos(place.lat * radian)
  return ({ lat, lng }) => {
    const degrees = Math.abs(lng - place.lng)
    const east = (degrees > 180 ? 360 - degrees : degrees) * perLng
    const north = (lat - place.lat) * perLat
    return Math.sqrt(east * east + north * north)
  }
}

/** A way is this much longer than the straight line. */
export const wayFactor = (mode: TravelMode): number => paces[mode].factor

/** Meters of the way between two places, estimated from the straight line. */
export const wayMeters = (from: Point, to: Point, mode: TravelMode): number =>
  metersBetween(from, to) * paces[mode].factor

/** Seconds that a group needs for this many meters of way. */
export const paceSeconds = (meters: number, mode: TravelMode): number => (meters / paces[mode].kmh) * 3.6

/** The speed in meters a second above which a position counts as wrong. */
export const speedLimitMps = (modes: readonly TravelMode[]): number =>
  Math.max(...modes.map((mode) => paces[mode].limitMps), paces.drive.limitMps)

export interface TravelTime {
  readonly seconds: number
  /** `at_least`: nobody is there earlier, and how much later is not known. `expected`: as good as a router knows it. */
  readonly means: 'at_least' | 'expected'
}

/** Up to here the straight line is as good as any other estimate. */
const shortWaySeconds = 5 * 60

/** Without a router: the straight line, longer by the factor of the mode, at the pace of a group. */
export function straightLineTime(from: Point, to: Point, mode: TravelMode): TravelTime {
  const seconds = paceSeconds(wayMeters(from, to, mode), mode)
  return { seconds, means: seconds <= shortWaySeconds ? 'expected' : 'at_least' }
}
