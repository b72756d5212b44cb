import { LayeredMap, type LayeredMapOptions } from '../basemap/layered-map.ts'
import { boundsOf } from '../basemap/geometry.ts'
import { type TrackContent, trackData, trackLayers, type TrackSource } from './track-layers.ts'

interface TrackMapOptions extends Pick<LayeredMapOptions<TrackSource>, 'container' | 'isDark' | 'label'> {
  readonly onPick: (place: { lat: number; lng: number }) => void
  readonly onPerson: (key: string) => void
}

const edge = { top: 40, bottom: 40, left: 48, right: 48 }

/** The map of tracks behind the few things that the screen asks of it. */
export class TrackMap {
  readonly #map: LayeredMap<TrackSource>
  #fitted = ''
  #content: TrackContent = { tracks: [], stops: [], markers: [], people: [] }

  constructor({ onPick, onPerson, ...options }: TrackMapOptions) {
    this.#map = new LayeredMap<TrackSource>({
      ...options,
      view: { lat: 30, lng: 0, zoom: 1 },
      padding: edge,
      sources: ['tracks', 'stops', 'people', 'markers'],
      contents: { layers: trackLayers, data: (source, palette) => trackData(source, this.#content, palette) },
    })
    this.#map.onPress('track-hit', (_, [lng, lat]) => onPick({ lat, lng }))
    this.#map.onPress('person', ({ key }) => onPerson(String(key ?? '')))
  }

  get layered(): LayeredMap<TrackSource> {
    return this.#map
  }

  /** Draws one part again; markers change with every frame of a replay, and lines do not. */
  set(source: TrackSource, part: Partial<TrackContent>): void {
    this.#content = { ...this.#content, ...part }
    this.#map.redraw([source])
  }

  setTheme(isDark: boolean): void {
    this.#map.setTheme(isDark)
  }

  /** Moves so that all tracks are seen, or everyone on duty where there are none; once for each `subject`, so that somebody may look elsewhere. */
  fitOnce(subject: string): void {
    if (this.#fitted === subject) return
    this.#fitted = subject
    const { tracks, people } = this.#content
    const lines = tracks.flatMap(({ pieces, silent }) => [...pieces.flat(), ...silent.flat()])
    const places = lines.length > 0 ? lines : people.map(({ position }) => position)
    const bounds = boundsOf(places.map(([lng, lat]) => ({ lng, lat })))
    if (bounds) this.#map.fit(bounds)
  }

  destroy(): void {
    this.#map.destroy()
  }
}
