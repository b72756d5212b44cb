import type { MapDeparture } from '@tour-ops/contract/map/map'
import type { TourContent } from '@tour-ops/contract/tours/tours'
import { type GeoJSONSource, Map as MapLibre, setWorkerUrl, type StyleSpecification } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import type { SeenSubject } from '../tracking/index.ts'
import { basemapStyle } from './basemap/basemap.ts'
import { dayLayers, type DaySource, marksData, peopleData, stopsData, waysData } from './day-layers.ts'
import { type MapPalette, readPalette } from './basemap/map-palette.ts'
import { markIcon } from './mark-icons.ts'
import type { Mark } from './marks.ts'
import type { Bounds, Position } from './ways.ts'

// A real address instead of a blob, which the Content-Security-Policy would refuse.
setWorkerUrl(workerUrl)

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

/** Room at the edges that something else covers, pixels. */
export interface MapPadding {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

export interface MapOptions {
  readonly container: HTMLElement
  readonly isDark: boolean
  readonly view: { readonly lat: number; readonly lng: number; readonly zoom: number }
  readonly padding: MapPadding
  readonly label: string
  readonly onMark: (key: string) => void
  /** Somebody on duty was pressed; empty where that is on no departure. */
  readonly onPerson: (departureId: string) => void
  readonly onZoom: (zoom: number) => void
}

/** Stops of a short walk must not fill the screen with a single street corner. */
const closestFit = 14
const stopZoom = 11

/** The map library behind the few things that the screen asks of it. Motion follows the person's choice: MapLibre jumps where motion is reduced. */
export class OperationsMap {
  readonly #map: MapLibre
  #palette: MapPalette
  /** By whether it is dark: every one that was shown. */
  readonly #palettes = new Map<boolean, MapPalette>()
  #content: MapContent = { marks: [], selected: undefined, routes: [] }
  #people: MapPeople = { people: [], now: 0 }
  #padding: MapPadding
  /** Only a style that has loaded can be compared with the next one; before that the library would take the next one whole, and complain. */
  #isStyleLoaded = false

  constructor({ container, isDark, view, padding, label, onMark, onPerson, onZoom }: MapOptions) {
    this.#padding = padding
    this.#palette = this.#takePalette(isDark)
    const map = new MapLibre({
      container,
      style: this.#style(),
      center: [view.lng, view.lat],
      zoom: view.zoom,
      attributionControl: false,
      dragRotate: false,
      touchPitch: false,
      maxPitch: 0,
      maxZoom: 17,
      fadeDuration: 0,
      locale: { 'Map.Title': label },
    })
    this.#map = map
    const [x, y] = this.#offset()
    map.panBy([-x, -y], { duration: 0 })
    map.touchZoomRotate.disableRotation()
    map.setMissingStyleImageResolver((id) => {
      const image = markIcon(id, this.#palettes.values())
      if (image && !map.hasImage(id)) map.addImage(id, image, { pixelRatio: 2 })
    })
    map.on('click', 'mark', ({ features }) => onMark(String(features?.[0]?.properties['key'] ?? '')))
    map.on('click', 'person', ({ features }) => onPerson(String(features?.[0]?.properties['departureId'] ?? '')))
    map.on('mouseenter', 'mark', () => (map.getCanvas().style.cursor = 'pointer'))
    map.on('mouseleave', 'mark', () => (map.getCanvas().style.cursor = ''))
    map.once('style.load', () => (this.#isStyleLoaded = true))
    map.on('zoomend', () => onZoom(map.getZoom()))
  }

  /** The whole style with the day in it, so that a change of theme needs nothing else. */
  #style(): StyleSpecification {
    const style = basemapStyle(this.#palette)
    const data = this.#data()
    const source = (name: DaySource) => ({ type: 'geojson' as const, data: data[name] })
    return {
      ...style,
      sources: {
        ...style.sources,
        ways: source('ways'),
        stops: source('stops'),
        marks: source('marks'),
        people: source('people'),
      },
      layers: [...style.layers, ...dayLayers(this.#palette)],
    }
  }

  #data() {
    const { marks, selected, routes } = this.#content
    return {
      ways: waysData(selected, routes),
      stops: stopsData(selected),
      marks: marksData(marks, selected?.id, this.#palette),
      people: peopleData(this.#people.people, this.#people.now, this.#palette),
    }
  }

  #takePalette(isDark: boolean): MapPalette {
    const palette = readPalette(isDark)
    this.#palettes.set(isDark, palette)
    return palette
  }

  setTheme(isDark: boolean): void {
    if (this.#palette.isDark === isDark) return
    this.#palette = this.#takePalette(isDark)
    this.#map.setStyle(this.#style(), { diff: this.#isStyleLoaded })
  }

  setContent(content: MapContent): void {
    this.#content = content
    this.#draw(['ways', 'stops', 'marks'])
  }

  setPeople(people: MapPeople): void {
    this.#people = people
    this.#draw(['people'])
  }

  #draw(names: readonly DaySource[]): void {
    const data = this.#data()
    for (const name of names) {
      const source = this.#map.getSource<GeoJSONSource>(name)
      // Before the first style is there its sources are made with this content anyway.
      if (source) void source.setData(data[name])
      else
        this.#map.once('style.load', () => void this.#map.getSource<GeoJSONSource>(name)?.setData(this.#data()[name]))
    }
  }

  setPadding(padding: MapPadding): void {
    this.#padding = padding
  }

  /** From the middle of the window to the middle of what is uncovered, pixels. */
  #offset(): [number, number] {
    const { left, right, top, bottom } = this.#padding
    return [(left - right) / 2, (top - bottom) / 2]
  }

  /** Moves so that a frame is seen beside what covers the map. */
  fit({ west, south, east, north }: Bounds): void {
    this.#map.fitBounds([west, south, east, north], {
      padding: { ...this.#padding },
      maxZoom: closestFit,
      duration: 900,
    })
  }

  flyTo(center: Position): void {
    this.#map.flyTo({
      center,
      zoom: Math.max(this.#map.getZoom(), stopZoom),
      offset: this.#offset(),
      duration: 900,
    })
  }

  zoomBy(steps: number): void {
    this.#map.easeTo({ zoom: this.#map.getZoom() + steps, duration: 200 })
  }

  destroy(): void {
    this.#map.remove()
  }
}
