import type { LateLimits } from '@tour-ops/contract/departures/displayed-status'
import type { MapDeparture } from '@tour-ops/contract/map/map'
import type { Tone } from '../../ui/chip.tsx'
import { lastKnownStop, toneOf } from './day-groups.ts'
import type { Position } from './basemap/geometry.ts'

/** One mark on the map: everything that was last known to be at one place. */
export interface Mark {
  readonly key: string
  readonly position: Position
  readonly placeName: string
  /** The gravest of them. */
  readonly tone: Tone
  readonly departureIds: readonly string[]
}

const gravest: readonly Tone[] = ['bad', 'warn', 'gap', 'info', 'ok', 'neutral']
const graver = (a: Tone, b: Tone): Tone => (gravest.indexOf(a) <= gravest.indexOf(b) ? a : b)

/** Departures by the place where they were last known to be, so that ten at one terminal are one mark with a number. */
export function marksOf(departures: readonly MapDeparture[], now: number, limits: LateLimits): Mark[] {
  const marks = new Map<string, Mark>()
  for (const departure of departures) {
    const stop = lastKnownStop(departure)
    if (!stop) continue
    // About 10 m: the same parking lot.
    const key = `${stop.lng.toFixed(4)},${stop.lat.toFixed(4)}`
    const tone = toneOf(departure, now, limits)
    const known = marks.get(key)
    marks.set(key, {
      key,
      position: known?.position ?? [stop.lng, stop.lat],
      placeName: known?.placeName ?? stop.name,
      tone: known ? graver(known.tone, tone) : tone,
      departureIds: [...(known?.departureIds ?? []), departure.id],
    })
  }
  return [...marks.values()]
}
