import { type Area, isInArea } from '@tour-ops/contract/map/areas'
import { isRunning } from '@tour-ops/contract/state-machines'
import type { MapDeparture } from '@tour-ops/contract/map/map'
import { type SeenSubject, signalOf } from '../../tracking/index.ts'
import { lastKnownStop } from '../day-groups.ts'
import { watchedOf, type WatchedSubject } from '../watched-subjects.ts'

/** Where a running departure was last known to be, and since when that is so. */
export interface KnownPlace {
  readonly lat: number
  readonly lng: number
  /** ISO 8601. */
  readonly at: string
  /** Who reported it, or the stop that was marked. */
  readonly by: string
  readonly isPosition: boolean
}

export interface InsideDeparture {
  readonly departure: MapDeparture
  readonly place: KnownPlace
}

export interface InsideArea {
  readonly people: readonly WatchedSubject[]
  readonly departures: readonly InsideDeparture[]
  /** Aboard of those departures. */
  readonly guests: number
  /** People and departures whose place is older than what counts as live. */
  readonly old: number
}

/**
 * Who was last known to be in an area: people and vehicles on duty, and departures that run. A departure is where the newest position of
 * its people is, or else at the stop that was marked last; one of which nothing is known yet is nowhere.
 *
 * @param now Epoch milliseconds.
 */
export function insideArea(
  area: Area,
  known: { readonly people: readonly SeenSubject[]; readonly departures: readonly MapDeparture[] },
  now: number,
): InsideArea {
  const people = watchedOf(known.people, known.departures)
    .filter((person) => isInArea(area, person))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const crews = Map.groupBy(known.people, ({ departureId }) => departureId)
  const departures = known.departures.filter(isRunning).flatMap((departure) => {
    const place = placeOf(departure, crews.get(departure.id) ?? [])
    return place && isInArea(area, place) ? [{ departure, place }] : []
  })
  const moments = [...people.map(({ recordedAt }) => recordedAt), ...departures.map(({ place }) => place.at)]
  return {
    people,
    departures,
    guests: departures.reduce((sum, { departure }) => sum + departure.aboard, 0),
    old: moments.filter((recordedAt) => signalOf({ recordedAt }, now) !== 'live').length,
  }
}

function placeOf(departure: MapDeparture, crew: readonly SeenSubject[]): KnownPlace | undefined {
  const newest = crew.toSorted((a, b) => Date.parse(b.recordedAt) - Date.parse(a.recordedAt))[0]
  if (newest) {
    const { lat, lng, recordedAt, name } = newest
    return { lat, lng, at: recordedAt, by: name, isPosition: true }
  }
  const stop = lastKnownStop(departure)
  const at = stop?.actualDepartAt ?? stop?.actualArriveAt ?? departure.startedAt
  return stop && at ? { lat: stop.lat, lng: stop.lng, at, by: stop.name, isPosition: false } : undefined
}
