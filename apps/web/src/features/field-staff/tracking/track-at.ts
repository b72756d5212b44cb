import type { Track, TrackGap, TrackPoint } from '@tour-ops/contract/tracking/tracks'
import { metersBetween } from '@tour-ops/contract/tracking/arrivals/travel'

/** What is known of one track at one moment. */
export interface TrackMoment {
  readonly lat: number
  readonly lng: number
  readonly speedMps: number | null
  readonly altitudeM: number | null
  readonly batteryPct: number | null
  /** Which way they go, degrees from north; null where they do not move. */
  readonly headingDeg: number | null
  /** Without a signal: everything is as it was last known. */
  readonly isSilent: boolean
}

/** Closer together says nothing of a direction, meters. */
const shortestWayM = 5

const between = (a: number, b: number, share: number): number => a + (b - a) * share
const betweenKnown = (a: number | null, b: number | null, share: number): number | null =>
  a === null || b === null ? (a ?? b) : between(a, b, share)

/** Degrees from north, on the flat: both are near each other. */
function headingOf(from: TrackPoint, to: TrackPoint): number | null {
  if (metersBetween(from, to) < shortestWayM) return null
  const east = (to.lng - from.lng) * Math.cos((from.lat * Math.PI) / 180)
  return ((Math.atan2(east, to.lat - from.lat) * 180) / Math.PI + 360) % 360
}

/** Index of the last point that is not after a moment; -1 before the first. */
function indexAt(points: readonly Pick<TrackPoint, 'at'>[], at: number): number {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.at ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

const speedBetween = (from: TrackPoint, to: TrackPoint): number =>
  to.at > from.at ? metersBetween(from, to) / ((to.at - from.at) / 1000) : 0

/**
 * Where somebody was at a moment, and how fast; null before the first and after the last position, on a break and off duty, which is private.
 *
 * @param at Epoch milliseconds.
 */
export function trackAt({ points, gaps }: Pick<Track, 'points' | 'gaps'>, at: number): TrackMoment | null {
  const index = indexAt(points, at)
  const from = points[index]
  const to = points[index + 1] ?? (from?.at === at ? from : undefined)
  if (!from || !to) return null
  const gap = gaps.find((each) => each.from === from.at)
  if (gap && at > gap.from) return gap.reason === 'no_signal' ? { ...placeOf(from), isSilent: true } : null
  const share = to.at === from.at ? 0 : (at - from.at) / (to.at - from.at)
  return {
    lat: between(from.lat, to.lat, share),
    lng: between(from.lng, to.lng, share),
    speedMps: betweenKnown(from.speedMps, to.speedMps, share) ?? speedBetween(from, to),
    altitudeM: betweenKnown(from.altitudeM, to.altitudeM, share),
    batteryPct: betweenKnown(from.batteryPct, to.batteryPct, share),
    headingDeg: headingOf(from, to),
    isSilent: false,
  }
}

const placeOf = ({ lat, lng, altitudeM, batteryPct }: TrackPoint): Omit<TrackMoment, 'isSilent'> => ({
  lat,
  lng,
  speedMps: null,
  altitudeM,
  batteryPct,
  headingDeg: null,
})

/** How much of a day is without a signal. Breaks and the time off duty are no gap of the track. */
export function silenceOf(gaps: readonly TrackGap[]): { count: number; ms: number } {
  const silent = gaps.filter(({ reason }) => reason === 'no_signal')
  return { count: silent.length, ms: silent.reduce((sum, { from, to }) => sum + to - from, 0) }
}

/** The moment at which a track was closest to a place; null without a track. */
export function nearestMoment(points: readonly TrackPoint[], place: { lat: number; lng: number }): number | null {
  let best: TrackPoint | undefined
  let least = Infinity
  for (const point of points) {
    const meters = metersBetween(point, place)
    if (meters >= least) continue
    least = meters
    best = point
  }
  return best?.at ?? null
}
