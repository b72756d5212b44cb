import type { MapDeparture } from '@tour-ops/contract/map/map'
import type { Quiet } from '../../records/signal-text.ts'
import type { Signal } from '@tour-ops/contract/tracking/link-state'
import { type SeenSubject, signalOf } from '../tracking/index.ts'

/** Somebody on duty, with what their departure says of signals; nothing where they are on none that the map has. */
export interface WatchedSubject extends SeenSubject {
  readonly quiet?: Quiet | undefined
  /** At a moment that is replayed: in a gap of their track, however short it was then. */
  readonly isSilent?: boolean
}

/** How fresh their position is; in a gap never live. @param now Epoch milliseconds, of the moment that is shown. */
export function watchedSignal(person: WatchedSubject, now: number): Signal {
  const signal = signalOf(person, now)
  return person.isSilent && signal === 'live' ? 'stale' : signal
}

/** Everyone on duty, each with the departure that they are on. */
export function watchedOf(
  people: readonly SeenSubject[],
  departures: readonly MapDeparture[],
): readonly WatchedSubject[] {
  const byId = new Map(departures.map((departure) => [departure.id, departure]))
  return people.map((person) => ({ ...person, quiet: byId.get(person.departureId ?? '') }))
}
