import { formatNumber } from '../../ui/format.ts'
import { shownState } from '@tour-ops/contract/tracking/expected-silence'
import type { Signal } from '@tour-ops/contract/tracking/link-state'
import { signalOf } from '../tracking/index.ts'
import { type Bounds, type Collection, collection, pointFeature } from './basemap/geometry.ts'
import type { MapPalette } from './basemap/map-palette.ts'
import { headingIconName } from './basemap/mark-icons.ts'
import { clusterEdge } from './day-layers.ts'
import type { WatchedSubject } from './watched-subjects.ts'
import { type DrawnPart, isDrawn, markRadius, type Neighbors, neighborsOf, partAround } from './near-people.ts'

/** What a map shows. */
export interface MapView {
  readonly sight: Bounds
  readonly zoom: number
}

/** Marks of everyone on duty, for what a map shows and a little around it. */
export class PeopleMarks {
  readonly #view: () => MapView
  #part: DrawnPart

  constructor(view: () => MapView) {
    this.#view = view
    const { sight, zoom } = view()
    this.#part = partAround(sight, zoom)
  }

  /** Looks where the map is now. @returns whether they have to be drawn anew. */
  move(): boolean {
    const { sight, zoom } = this.#view()
    if (isDrawn(sight, zoom, this.#part)) return false
    this.#part = partAround(sight, zoom)
    return true
  }

  /** @param now Epoch milliseconds. */
  data(people: readonly WatchedSubject[], now: number, palette: MapPalette): Collection {
    return peopleData(neighborsOf(people, this.#part), now, palette)
  }
}

/** Where people and vehicles on duty are now, and which way they go where they move; of several in one place how many they are. */
export const peopleData = (
  places: readonly Neighbors<WatchedSubject>[],
  now: number,
  palette: MapPalette,
): Collection =>
  collection(
    places.map(({ position, people, apartZoom }) => {
      const { length: count } = people
      const [person] = people
      if (!person || count > 1) {
        return pointFeature(position, {
          count,
          label: formatNumber(count),
          radius: markRadius(count) - clusterEdge,
          apartZoom,
        })
      }
      const isMoving = (person.speedMps ?? 0) >= slowestMps && person.headingDeg !== null
      return pointFeature(position, {
        subjectId: person.subjectId,
        signal: lookOf(person, now),
        label: person.name,
        heading: person.headingDeg ?? 0,
        icon: isMoving ? headingIconName(palette) : '',
      })
    }),
  )

/** How fresh their position is; in a gap never live. @param now Epoch milliseconds, of the moment that is shown. */
export function watchedSignal(person: WatchedSubject, now: number): Signal {
  const signal = signalOf(person, now)
  return person.isSilent && signal === 'live' ? 'stale' : signal
}

/** How their mark looks: by the signal, and by itself where none is expected. */
const lookOf = (person: WatchedSubject, now: number): Signal | 'quiet' =>
  shownState(watchedSignal(person, now), person.quiet?.quietUntil, now)

/** Slower counts as not moving, and the receiver's heading is unusable, m/s. */
const slowestMps = 1
