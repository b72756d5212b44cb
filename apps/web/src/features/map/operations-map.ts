import type { MapDeparture } from '@tour-ops/contract/map/map'
import type { TourContent } from '@tour-ops/contract/tours/tour-content'
import type { DrivenWay } from '@tour-ops/contract/tracking/driven'
import { loadQuietly } from '../../ui/quiet-loads.ts'
import { type Bounds, type Collection, collection, type Position } from './basemap/geometry.ts'
import {
  type Followed,
  LayeredMap,
  type LayeredMapOptions,
  type MapAddition,
  type MapPadding,
} from './basemap/layered-map.ts'
import type { MapPalette } from './basemap/map-palette.ts'
import { dayLayers, type DaySource, drivenData, marksData, stopsData, waysData } from './day-layers.ts'
import type { Mark } from './marks.ts'
import type { PeopleMarks } from './people-marks.ts'
import type { WatchedSubject } from './watched-subjects.ts'

/** What the map shows; the same as the text of the list next to it. */
export interface MapContent {
  readonly marks: readonly Mark[]
  readonly selected: MapDeparture | undefined
  readonly routes: TourContent['routes']
  /** What was driven on the selected one. */
  readonly driven: readonly DrivenWay[]
}

/** Everyone on duty whom the reader may see, at the moment `now` (epoch milliseconds). It changes every second, and the rest of the map does not. */
export interface MapPeople {
  readonly people: readonly WatchedSubject[]
  readonly now: number
}

export interface MapOptions extends Pick<
  LayeredMapOptions<DaySource>,
  'container' | 'isDark' | 'view' | 'padding' | 'label'
> {
  readonly onMark: (key: string) => void
  /** Somebody on duty was pressed. */
  readonly onPerson: (subjectId: string) => void
  /** An incident was pressed. */
  readonly onIncident: (id: string) => void
  /** A place was pressed while something is drawn. */
  readonly onPlace: (position: Position) => void
  /** The reader moved the map. */
  readonly onMoved: () => void
  readonly onZoom: (zoom: number) => void
}

/** The map of the day behind the few things that the screen asks of it. */
export class OperationsMap {
  readonly #map: LayeredMap<DaySource>
  #content: MapContent = { marks: [], selected: undefined, routes: [], driven: [] }
  #people: MapPeople = { people: [], now: 0 }
  /** Loaded with the first of them, once there is a map to draw them on: so they are no part of what the map waits for. */
  #peopleMarks: PeopleMarks | undefined
  #isGroundThere = false
  #isLoading = false
  #isDestroyed = false

  constructor({ onMark, onPerson, onIncident, onPlace, onMoved, onZoom, ...options }: MapOptions) {
    const layered = new LayeredMap<DaySource>({
      ...options,
      sources: ['ways', 'driven', 'stops', 'marks', 'people'],
      contents: { layers: dayLayers, data: (source, palette) => this.#data(source, palette) },
    })
    this.#map = layered
    // what is drawn on top comes first
    layered.onPress('incident', ({ id }) => onIncident(String(id ?? '')))
    layered.onPress('person', ({ subjectId }) => onPerson(String(subjectId ?? '')))
    layered.onPress('people-cluster', ({ apartZoom }, position) => {
      // of a mark that is large for being many, some may still touch there
      layered.approach(position, Math.max(Number(apartZoom), Math.floor(layered.map.getZoom()) + 1))
    })
    layered.onPress('mark', ({ key }) => onMark(String(key ?? '')))
    layered.onPlace(onPlace)
    layered.map.on('move', () => this.#peopleMarks?.move() && layered.redraw(['people']))
    layered.map.on('dragstart', () => onMoved())
    layered.map.on('zoomend', () => onZoom(layered.map.getZoom()))
    layered.map.once('style.load', () => {
      this.#isGroundThere = true
      void this.#loadPeople()
    })
  }

  get layered(): LayeredMap<DaySource> {
    return this.#map
  }

  #data(source: DaySource, palette: MapPalette): Collection {
    const { marks, selected, routes, driven } = this.#content
    if (source === 'ways') return waysData(selected, routes)
    if (source === 'driven') return drivenData(driven)
    if (source === 'stops') return stopsData(selected)
    if (source === 'marks') return marksData(marks, selected?.id, palette)
    return this.#peopleMarks?.data(this.#people.people, this.#people.now, palette) ?? collection([])
  }

  async #loadPeople(): Promise<void> {
    if (this.#isLoading || !this.#isGroundThere || this.#people.people.length === 0) return
    this.#isLoading = true
    try {
      const { PeopleMarks } = await loadQuietly(() => import('./people-marks.ts'))
      if (this.#isDestroyed) return
      this.#peopleMarks = new PeopleMarks(() => ({ sight: this.#map.sight, zoom: this.#map.map.getZoom() }))
      this.#map.redraw(['people'])
    } catch (error) {
      console.info('Marks of people did not load; they are tried again with the next positions.', error)
    } finally {
      this.#isLoading = false
    }
  }

  setTheme(isDark: boolean): void {
    this.#map.setTheme(isDark)
  }

  setContent(content: MapContent): void {
    this.#content = content
    this.#map.redraw(['ways', 'driven', 'stops', 'marks'])
  }

  setPeople(people: MapPeople): void {
    this.#people = people
    if (this.#peopleMarks) this.#map.redraw(['people'])
    else void this.#loadPeople()
  }

  add(name: string, addition: MapAddition | undefined): void {
    this.#map.add(name, addition)
  }

  setPadding(padding: MapPadding): void {
    this.#map.setPadding(padding)
  }

  fit(bounds: Bounds): void {
    this.#map.fit(bounds)
  }

  see(bounds: Bounds, leastPx: number): void {
    this.#map.see(bounds, leastPx)
  }

  flyTo(position: Position): void {
    this.#map.flyTo(position)
  }

  follow(followed: Followed | undefined): void {
    this.#map.follow(followed)
  }

  setDrawing(isDrawing: boolean): void {
    this.#map.setDrawing(isDrawing)
  }

  zoomBy(steps: number): void {
    this.#map.zoomBy(steps)
  }

  destroy(): void {
    this.#isDestroyed = true
    this.#map.destroy()
  }
}
