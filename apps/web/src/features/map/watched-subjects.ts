import type { MapDeparture } from '@tour-ops/contract/map/map'
import { shownState } from '@tour-ops/contract/tracking/expected-silence'
import type { Signal } from '@tour-ops/contract/tracking/link-state'
import type { Quiet } from '../../records/signal-text.ts'
import { type SeenSubject, signalOf } from '../tracking/index.ts'

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

/** How fresh their position is; in a gap never live. @param now Epoch milliseconds, of the moment that is shown. */
export function watchedSignal(person: WatchedSubject, now: number): Signal {
  const signal = signalOf(person, now)
  return person.isSilent && signal === 'live' ? 'stale' : signal
}

/** How their mark looks, and what lists say: by the signal, and by itself where none is expected. */
export const lookOf = (person: WatchedSubject, now: number): Signal | 'quiet' =>
  shownState(watchedSignal(person, now), person.quiet?.quietUntil, now)
