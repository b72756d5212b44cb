import type { Fix } from './evidence.ts'
import type { Point } from './travel.ts'
import { metersBetween } from './travel.ts'

/** Where somebody really was, and when; moments in milliseconds since 1970. */
export interface TrueVisit {
  readonly place: Point
  readonly arriveAt: number
  readonly departAt: number
}

export interface Phone {
  /** Seconds between two positions. */
  readonly everyS: number
  /** Typical error of a position, meters; it says so as its accuracy. */
  readonly jitterM: number
  /** How far people walk around during a stay, meters. */
  readonly wanderM?: number
  /** How far the way bends away from the straight line, as a share of its length. */
  readonly bend?: number
  /** No positions within these. */
  readonly silent?: readonly (readonly [from: number, to: number])[]
  readonly rank?: number
}

/** Numbers from 0 to 1 that are the same each time (mulberry32), for tests and measurements. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const degreeM = 111_195

/** What a phone reports that is carried from place to place: positions with errors, on ways that are not straight. */
export function simulateTrack(visits: readonly TrueVisit[], phone: Phone, seed: number): Fix[] {
  const { everyS, jitterM, wanderM = 15, bend = 0.15, silent = [], rank = 0 } = phone
  const random = seededRandom(seed)
  const fixes: Fix[] = []
  const first = visits[0]
  const last = visits.at(-1)
  if (!first || !last) return []
  for (let at = first.arriveAt; at <= last.departAt; at += everyS * 1000) {
    const error = jitterM * Math.sqrt(-2 * Math.log(1 - random())) * 0.6
    const direction = random() * 2 * Math.PI
    if (silent.some(([from, to]) => at > from && at < to)) continue
    const { point, speedMps } = whereAt(visits, at, { wanderM, bend })
    fixes.push({
      at,
      ...moved(point, error * Math.cos(direction), error * Math.sin(direction)),
      accuracyM: Math.round(jitterM * (0.8 + random() * 0.4)),
      speedMps,
      isValid: true,
      rank,
    })
  }
  return fixes
}

/** Where they are at a moment that is not before the first visit. @returns m/s with the place. */
export function whereAt(
  visits: readonly TrueVisit[],
  at: number,
  { wanderM, bend }: { wanderM: number; bend: number },
): { point: Point; speedMps: number } {
  const index = visits.findLastIndex(({ arriveAt }) => arriveAt <= at)
  const here = visits[index] as TrueVisit
  const next = visits[index + 1]
  if (at <= here.departAt || !next) {
    // a slow round about the place that begins and ends there
    const share = (at - here.arriveAt) / Math.max(1, here.departAt - here.arriveAt)
    const radius = wanderM * Math.sin(Math.PI * share)
    return { point: moved(here.place, radius * Math.cos(share * 40), radius * Math.sin(share * 40)), speedMps: 0.5 }
  }
  const share = (at - here.departAt) / (next.arriveAt - here.departAt)
  const [north, east] = [next.place.lat - here.place.lat, next.place.lng - here.place.lng]
  const aside = bend * Math.sin(Math.PI * share)
  const point = {
    lat: here.place.lat + north * share - east * aside * Math.cos((here.place.lat * Math.PI) / 180) ** 2,
    lng: here.place.lng + east * share + north * aside,
  }
  const way = metersBetween(here.place, next.place) * (1 + bend)
  return { point, speedMps: way / ((next.arriveAt - here.departAt) / 1000) }
}

const moved = ({ lat, lng }: Point, northM: number, eastM: number): Point => ({
  lat: lat + northM / degreeM,
  lng: lng + eastM / degreeM / Math.cos((lat * Math.PI) / 180),
})
