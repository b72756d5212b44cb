import type { Track } from '@tour-ops/contract/tracking/tracks'
import { metersBetween } from '@tour-ops/contract/tracking/arrivals/travel'

/** A position of a track. */
export interface Placed {
  /** Epoch milliseconds. */
  readonly at: number
  readonly lat: number
  readonly lng: number
}

/** Where one track is at one moment. */
export interface PositionAt<P extends Placed> {
  readonly lat: number
  readonly lng: number
  /** Which way they go, degrees from north; null where they do not move. */
  readonly headingDeg: number | null
  /** Without a signal: the place is where they were last known. */
  readonly isSilent: boolean
  /** The positions before and after, and how far from one to the other in time, from 0 to 1. */
  readonly before: P
  readonly after: P
  readonly share: number
}

/** Closer together says nothing of a direction, meters. */
const shortestWayM = 5

export const between = (a: number, b: number, share: number): number => a + (b - a) * share

/** Degrees from north, on the flat: both are near each other. */
function headingOf(from: Placed, to: Placed): number | null {
  if (metersBetween(from, to) < shortestWayM) return null
  const east = (to.lng - from.lng) * Math.cos((from.lat * Math.PI) / 180)
  return ((Math.atan2(east, to.lat - from.lat) * 180) / Math.PI + 360) % 360
}

/** Index of the last point that is not after a moment; -1 before the first. */
function indexAt(points: readonly Pick<Placed, 'at'>[], at: number): number {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.at ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Meters per second of the way between two positions. */
export const speedBetween = (from: Placed, to: Placed): number =>
  to.at > from.at ? metersBetween(from, to) / ((to.at - from.at) / 1000) : 0

/**
 * Where somebody was at a moment; null before the first and after the last position, on a break and off duty, which is private.
 *
 * @param at Epoch milliseconds.
 */
export function positionAt<P extends Placed>(
  { points, gaps }: { readonly points: readonly P[]; readonly gaps: Track['gaps'] },
  at: number,
): PositionAt<P> | null {
  const index = indexAt(points, at)
  const before = points[index]
  const after = points[index + 1] ?? (before?.at === at ? before : undefined)
  if (!before || !after) return null
  const gap = gaps.find((each) => each.from === before.at)
  if (gap && at > gap.from) {
    const { lat, lng } = before
    return gap.reason === 'no_signal' ? { lat, lng, headingDeg: null, isSilent: true, before, after, share: 0 } : null
  }
  const share = after.at === before.at ? 0 : (at - before.at) / (after.at - before.at)
  return {
    lat: between(before.lat, after.lat, share),
    lng: between(before.lng, after.lng, share),
    headingDeg: headingOf(before, after),
    isSilent: false,
    before,
    after,
    share,
  }
}
