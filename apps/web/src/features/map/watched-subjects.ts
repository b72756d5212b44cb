import type { MapDeparture } from '@tour-ops/contract/map/map'
import type { Quiet } from '../../records/signal-text.ts'
import type { SeenSubject } from '../tracking/index.ts'

/** Somebody on duty, with what their departure says of signals; nothing where they are on none that the map has. */
export interface WatchedSubject extends SeenSubject {
  readonly quiet?: Quiet | undefined
  /** At a moment that is replayed: in a gap of their track, however short it was then. */
  readonly isSilent?: boolean
}

/** Everyone on duty, each with the departure that they are on. */
export function watchedOf(
  people: readonly SeenSubject[],
  departures: readonly MapDeparture[],
): readonly WatchedSubject[] {
  const byId = new Map(departures.map((departure) => [departure.id, departure]))
  return people.map((person) => ({ ...person, quiet: byId.get(person.departureId ?? '') }))
}
