import type { MapDeparture } from '@tour-ops/contract/map/map'
import { shownState } from '@tour-ops/contract/tracking/expected-silence'
import type { Signal } from '@tour-ops/contract/tracking/link-state'
import type { Quiet } from '../../records/signal-text.ts'
import { type SeenSubject, signalOf } from '../tracking/index.ts'

/** Somebody on duty, with what their departure says of signals; nothing where they are on none that the map has. */
export interface WatchedSubject extends SeenSubject {
  readonly quiet?: Quiet | undefined
}

/** Everyone on duty, each with the departure that they are on. */
export function watchedOf(
  people: readonly SeenSubject[],
  departures: readonly MapDeparture[],
): readonly WatchedSubject[] {
  const byId = new Map(departures.map((departure) => [departure.id, departure]))
  return people.map((person) => ({ ...person, quiet: byId.get(person.departureId ?? '') }))
}

/** How fresh their position is, on their mark and in lists: by itself where no signal is expected. @param now Epoch milliseconds. */
export const lookOf = (person: WatchedSubject, now: number): Signal | 'quiet' =>
  shownState(signalOf(person, now), person.quiet?.quietUntil, now)
