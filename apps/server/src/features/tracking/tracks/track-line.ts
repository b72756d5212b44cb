import { metersBetween } from '@tour-ops/contract/tracking/arrivals/travel'
import type { TrackGap, TrackPoint, TrackStay } from '@tour-ops/contract/tracking/tracks'

/** A position with the duty that it was taken in. */
export interface TrackFix extends TrackPoint {
  readonly sessionId: string
}

/** Milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Where nothing is known for longer than a device may be silent, and why; between two positions, which are both part of the track. */
export function gapsOf(fixes: readonly TrackFix[], silenceMs: number, breaks: readonly Span[]): TrackGap[] {
  return fixes.slice(1).flatMap((next, index): TrackGap[] => {
    const { at: from, sessionId } = fixes[index] as TrackFix
    const { at: to } = next
    if (to - from <= silenceMs) return []
    if (sessionId !== next.sessionId) return [{ from, to, reason: 'off_duty' }]
    const isBreak = breaks.some((each) => each.from < to && from < each.to)
    return [{ from, to, reason: isBreak ? 'break' : 'no_signal' }]
  })
}

/** Positions of one duty with where they were last known at its end: what is between is silence like any other. */
export function heldUntil(fixes: readonly TrackFix[], end: number): readonly TrackFix[] {
  const last = fixes.at(-1)
  return last && last.at < end ? [...fixes, { ...last, at: end, speedMps: null }] : fixes
}

/** The receiver's error while somebody is not moving, meters. */
const stayRadiusM = 60
/** Shorter is a traffic light. */
const shortestStayMs = 3 * 60_000

interface Standing {
  from: number
  to: number
  lat: number
  lng: number
  count: number
}

const standingAt = ({ at, lat, lng }: TrackPoint): Standing => ({ from: at, to: at, lat, lng, count: 1 })

function stand(standing: Standing, { at, lat, lng }: TrackPoint): void {
  standing.count += 1
  standing.lat += (lat - standing.lat) / standing.count
  standing.lng += (lng - standing.lng) / standing.count
  standing.to = at
}

/**
 * Where they stayed. One position outside is the receiver's error, two are the way on. Silence between two positions of one place is part of the stay: many phones
 * report nothing while they are not moved.
 */
export function staysOf(fixes: readonly TrackPoint[]): Omit<TrackStay, 'place'>[] {
  const stays: Standing[] = []
  let standing: Standing | undefined
  let outside: TrackPoint | undefined
  const close = () => {
    if (standing && standing.to - standing.from >= shortestStayMs) stays.push(standing)
  }
  for (const fix of fixes) {
    if (standing && metersBetween(standing, fix) <= stayRadiusM) {
      stand(standing, fix)
      outside = undefined
    } else if (standing && !outside) {
      outside = fix
    } else {
      close()
      const next = standingAt(fix)
      standing = outside && metersBetween(outside, fix) <= stayRadiusM ? standingAt(outside) : next
      if (standing !== next) stand(standing, fix)
      outside = undefined
    }
  }
  close()
  return stays.map(({ count: _count, ...stay }) => stay)
}

/** Length of the way in meters; a stay adds nothing, whatever the receiver reports. */
export function metersOf(fixes: readonly TrackPoint[], stays: readonly Span[]): number {
  let meters = 0
  let stay = 0
  for (const [index, next] of fixes.slice(1).entries()) {
    const before = fixes[index] as TrackPoint
    while ((stays[stay]?.to ?? Infinity) < next.at) stay += 1
    const standing = stays[stay]
    if (!standing || before.at < standing.from) meters += metersBetween(before, next)
  }
  return Math.round(meters)
}

/** What is closer than this to the way between its neighbors says nothing new, meters. */
const toleranceM = 5
const metersPerDegree = 111_195

/** How far a point is from where it would be at its time on the straight way between two others, height included. */
function offWay(from: TrackPoint, to: TrackPoint, point: TrackPoint): number {
  const share = to.at === from.at ? 0 : (point.at - from.at) / (to.at - from.at)
  const north = (point.lat - from.lat - (to.lat - from.lat) * share) * metersPerDegree
  const east =
    (point.lng - from.lng - (to.lng - from.lng) * share) * metersPerDegree * Math.cos((from.lat * Math.PI) / 180)
  const up =
    point.altitudeM === null || from.altitudeM === null || to.altitudeM === null
      ? 0
      : point.altitudeM - from.altitudeM - (to.altitudeM - from.altitudeM) * share
  return Math.hypot(north, east, up)
}

interface Stretch {
  readonly from: number
  readonly to: number
  /** The point that is farthest off the way, and how far. */
  readonly worst: number
  readonly off: number
}

function stretchOf(points: readonly TrackPoint[], from: number, to: number): Stretch {
  const [first, last] = [points[from] as TrackPoint, points[to] as TrackPoint]
  let worst = from
  let off = 0
  for (let index = from + 1; index < to; index += 1) {
    const meters = offWay(first, last, points[index] as TrackPoint)
    if (meters > off) [worst, off] = [index, meters]
  }
  return { from, to, worst, off }
}

/**
 * The points that say most, at most `limit` of them; both ends of each gap stay in any case. By place and time, so that a replay is right at
 * every moment, and not only the line: the point that is farthest from where it would be comes first (top-down time ratio; Meratnia and de By, 2004).
 */
export function simplified<P extends TrackPoint>(
  points: readonly P[],
  gaps: readonly Pick<TrackGap, 'from' | 'to'>[],
  limit: number,
): P[] {
  if (points.length <= 2) return [...points]
  const ends = new Set(gaps.flatMap(({ from, to }) => [from, to]))
  const kept = points.flatMap(({ at }, index) =>
    index === 0 || index === points.length - 1 || ends.has(at) ? [index] : [],
  )
  const chosen = new Set(kept)
  const stretches = kept.slice(1).map((to, index) => stretchOf(points, kept[index] as number, to))
  while (chosen.size < limit) {
    let widest = 0
    for (const [index, { off }] of stretches.entries()) if (off > (stretches[widest]?.off ?? 0)) widest = index
    const stretch = stretches[widest]
    if (!stretch || stretch.off <= toleranceM) break
    chosen.add(stretch.worst)
    stretches[widest] = stretchOf(points, stretch.from, stretch.worst)
    stretches.push(stretchOf(points, stretch.worst, stretch.to))
  }
  return points.filter((_, index) => chosen.has(index))
}
