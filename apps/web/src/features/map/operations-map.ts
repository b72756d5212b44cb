import type { MapDeparture } from '@tour-ops/contract/map/map'
import type { TourContent } from '@tour-ops/contract/tours/tours'
import type { SeenSubject } from '../tracking/index.ts'
import type { Bounds, Collection, Position } from './basemap/geometry.ts'
import { LayeredMap, type LayeredMapOptions, type MapPadding } from './basemap/layered-map.ts'
import type { MapPalette } from './basemap/map-palette.ts'
import { dayLayers, type DaySource, marksData, peopleData, stopsData, waysData } from './day-layers.ts'
import type { Mark } from './marks.ts'

/** What the map shows; the same that the list beside it says in words. */
export interface MapContent {
  readonly marks: readonly Mark[]
  readonly selected: MapDeparture | undefined
  readonly routes: TourContent['routes']
}

/** Whoever is on duty and may be seen, at the moment `now` (epoch milliseconds). It changes every second, and the rest of the map does not. */
export interface MapPeople {
  readonly people: readonly SeenSubject[]
  readonly now: number
}

export interface MapOptions extends Pick<
  LayeredMapOptions<DaySource>,
  'container' | 'isDark' | 'view' | 'padding' | 'label'
> {
  readonly onMark: (key: string) => void
  /** Somebody on duty was pressed; empty where that is on no departure. */
  readonly onPerson: (departureId: string) => void
  readonly onZoom: (zoom: number) => void
}

/** The map of the day behind the few things that the screen asks of it. */
export class OperationsMap {
  readonly #map: LayeredMap<DaySource>
  #content: MapContent = { marks: [], selected: undefined, routes: [] }
  #people: MapPeople = { people: [], now: 0 }

  constructor({ onMark, onPerson, onZoom, ...options }: MapOptions) {
    const layered = new LayeredMap<DaySource>({
      ...options,
      sources: { ways: {}, stops: {}, marks: {}, people: {} },
      contents: { layers: dayLayers, data: (source, palette) => this.#data(source, palette) },
    })
    this.#map = layered
    layered.onPress('mark', ({ key }) => onMark(String(key ?? '')))
    layered.onPress('person', ({ departureId }) => onPerson(String(departureId ?? '')))
    layered.map.on('zoomend', () => onZoom(layered.map.getZoom()))
  }

  #data(source: DaySource, palette: MapPalette): Collection {
    const { marks, selected, routes } = this.#content
    if (source === 'ways') return waysData(selected, routes)
    if (source === 'stops') return stopsData(selected)
    if (source === 'marks') return marksData(marks, selected?.id, palette)
    return peopleData(this.#people.people, this.#people.now, palette)
  }

  setTheme(isDark: boolean): void {
    this.#map.setTheme(isDark)
  }

  setContent(content: MapContent): void {
    this.#content = content
    this.#map.redraw(['ways', 'stops', 'marks'])
  }

  setPeople(people: MapPeople): void {
    this.#people = people
    this.#map.redraw(['people'])
  }

  setPadding(padding: MapPadding): void {
    this.#map.setPadding(padding)
  }

  fit(bounds: Bounds): void {
    this.#map.fit(bounds)
  }

  flyTo(position: Position): void {
    this.#map.flyTo(position)
  }

  zoomBy(steps: number): void {
    this.#map.zoomBy(steps)
  }

  destroy(): void {
    this.#map.destroy()
  }
}
