import type { Track, TrackGap, TrackPoint } from '@tour-ops/contract/tracking/tracks'
import { metersBetween } from '@tour-ops/contract/tracking/arrivals/travel'
import { between, positionAt, speedBetween } from '../../tracking/index.ts'

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

const betweenKnown = (a: number | null, b: number | null, share: number): number | null =>
  a === null || b === null ? (a ?? b) : between(a, b, share)

/**
 * Where somebody was at a moment, and how fast; null where that is not known, or private.
 *
 * @param at Epoch milliseconds.
 */
export function trackAt(track: Pick<Track, 'points' | 'gaps'>, at: number): TrackMoment | null {
  const moment = positionAt(track, at)
  if (!moment) return null
  const { before, after, share, ...place } = moment
  if (moment.isSilent) return { ...place, speedMps: null, altitudeM: before.altitudeM, batteryPct: before.batteryPct }
  return {
    ...place,
    speedMps: betweenKnown(before.speedMps, after.speedMps, share) ?? speedBetween(before, after),
    altitudeM: betweenKnown(before.altitudeM, after.altitudeM, share),
    batteryPct: betweenKnown(before.batteryPct, after.batteryPct, share),
  }
}

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
