import type { Fix } from './evidence.ts'

/** A stretch of time within one fence. */
export interface Stay {
  readonly first: Fix
  last: Fix
  /** The middle of all its positions, which is where they really are within a wide fence. */
  readonly middle: { lat: number; lng: number; count: number }
  /** The first position outside since `last`. */
  outside: Fix | null
}

export const beginStay = (fix: Fix): Stay => ({
  first: fix,
  last: fix,
  middle: { lat: fix.lat, lng: fix.lng, count: 1 },
  outside: null,
})

export function extendStay(stay: Stay, fix: Fix): void {
  const { middle } = stay
  middle.count += 1
  middle.lat += (fix.lat - middle.lat) / middle.count
  middle.lng += (fix.lng - middle.lng) / middle.count
  stay.last = fix
  stay.outside = null
}
