import { displayedStatus, type LateLimits } from '@tour-ops/contract/departures/displayed-status'
import type { MapDeparture, MapStop } from '@tour-ops/contract/map/map'
import { whereaboutsOf } from '@tour-ops/contract/departures/stop-progress'
import type { Tone } from '../../ui/chip.tsx'
import { isRunning } from '@tour-ops/contract/state-machines'

export const dayGroups = ['attention', 'on_tour', 'starting', 'later', 'done'] as const
export type DayGroup = (typeof dayGroups)[number]

/** See docs/screens.md, "Live map". */
const startingMs = 2 * 60 * 60 * 1000

const isOver = ({ status }: MapDeparture): boolean => status === 'completed' || status === 'aborted'

/** A tour leaves within hours and nobody leads it. */
const lacksGuide = (departure: MapDeparture): boolean => !isOver(departure) && departure.leadGuide === null

/** Which list of the panel a departure is in; in one only, the gravest. */
export function groupOf(departure: MapDeparture, now: number, limits: LateLimits): DayGroup {
  if (isOver(departure)) return 'done'
  const { tint } = displayedStatus(departure, new Date(now), limits)
  if (tint === 'warn' || tint === 'bad' || (departure.openAlerts ?? 0) > 0 || lacksGuide(departure)) return 'attention'
  if (isRunning(departure)) return 'on_tour'
  return Date.parse(departure.startsAt) - now <= startingMs ? 'starting' : 'later'
}

/** Mark of a departure on the map; the gap "no guide" shows where nothing graver does. */
export function toneOf(departure: MapDeparture, now: number, limits: LateLimits): Tone {
  const { tint } = displayedStatus(departure, new Date(now), limits)
  return lacksGuide(departure) && tint !== 'bad' && tint !== 'warn' ? 'gap' : tint
}

/** Words typed into the search, each of which must be found in tour, code, guide, vehicle or a stop. */
export function matches(departure: MapDeparture, q: string): boolean {
  const { code, tourName, leadGuide, vehicle, stops } = departure
  return containsEach([code, tourName, leadGuide?.name, vehicle?.name, ...stops.map((stop) => stop.name)].join(' '), q)
}

/** Whether every word that was typed is somewhere in a text, whatever its accents and capitals. */
export function containsEach(text: string, q: string): boolean {
  const found = plain(text)
  return plain(q)
    .split(/\s+/)
    .every((word) => found.includes(word))
}

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

const isReached = ({ status }: MapStop): boolean => status === 'arrived' || status === 'departed'

/** The stop where a departure was last known to be; its start before anything was marked, the end afterwards. */
export function lastKnownStop(departure: MapDeparture): MapStop | undefined {
  const { stops } = departure
  if (departure.status === 'completed') return stops.at(-1)
  return stops.findLast(isReached) ?? stops.find((stop) => stop.kind === 'start') ?? stops[0]
}

/** The stop that comes next; none after the last. */
export const nextStop = ({ stops, startedAt }: Pick<MapDeparture, 'stops' | 'startedAt'>): MapStop | undefined =>
  stops[whereaboutsOf(stops, startedAt).next]

/** How far along a stop is, for dots and words. */
export type StopProgress = 'done' | 'here' | 'next' | 'ahead' | 'skipped'

export function progressOf(departure: MapDeparture, stop: MapStop): StopProgress {
  if (stop.status === 'skipped') return 'skipped'
  if (departure.status === 'completed' || stop.status === 'departed') return 'done'
  const { behind, here, next } = whereaboutsOf(departure.stops, departure.startedAt)
  const index = departure.stops.indexOf(stop)
  if (index === here) return 'here'
  if (index <= behind) return 'done'
  return index === next ? 'next' : 'ahead'
}
