import {
  type GeoJSONSource,
  type LayerSpecification,
  Map as MapLibre,
  setWorkerUrl,
  type StyleSpecification,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { basemapStyle, type Ground } from './basemap.ts'
import { type MapPalette, readPalette } from './map-palette.ts'
import type { Bounds, Collection, Position, Properties } from './geometry.ts'
import { markIcon } from './mark-icons.ts'

// A real address instead of a blob, which the Content-Security-Policy would refuse.
setWorkerUrl(workerUrl)

/** Room at the edges that something else covers, pixels. */
export interface MapPadding {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** What a screen draws over the basemap. Both are requested again in another theme. */
export interface MapContents<Source extends string> {
  readonly layers: (palette: MapPalette) => LayerSpecification[]
  readonly data: (source: Source, palette: MapPalette) => Collection
}

/** What comes over all of that later: while it is worked with, or after the first paint. */
export interface MapAddition {
  readonly sources: Readonly<Record<string, Collection>>
  /** The same function each time, so that new data alone leave the style as it is. */
  readonly layers: (palette: MapPalette) => LayerSpecification[]
  /** Below everything else that the screen draws. */
  readonly isGround?: boolean
}

/** Who stays in the middle of the map. */
export interface Followed {
  readonly id: string
  readonly position: Position
}

export interface LayeredMapOptions<Source extends string> {
  readonly container: HTMLElement
  readonly isDark: boolean
  readonly view: { readonly lat: number; readonly lng: number; readonly zoom: number }
  readonly padding: MapPadding
  /** Name of the drawing for those who listen. */
  readonly label: string
  readonly sources: readonly Source[]
  readonly contents: MapContents<Source>
}

/** Stops of a short walk must not fill the screen with a single street corner. */
const closestFit = 14
const placeZoom = 11
/** What is this near to the edge is still seen, pixels. */
const edgePx = 32
const travelMs = 900
/** Positions come once a second. */
const followMs = 800

/**
 * The basemap with layers of a screen over it. Motion follows the person's choice: MapLibre jumps where motion is reduced.
 *
 * @throws Error in browsers without WebGL.
 */
export class LayeredMap<Source extends string> {
  readonly map: MapLibre
  readonly #options: LayeredMapOptions<Source>
  #ground: Ground = basemapStyle
  #palette: MapPalette
  /** By whether it is dark: every one that was shown. */
  readonly #palettes = new Map<boolean, MapPalette>()
  readonly #additions = new Map<string, MapAddition>()
  #padding: MapPadding
  #isDrawing = false
  #followed: Followed | undefined
  /** Who is followed has been shown from near, or the reader has zoomed: from then on the zoom is theirs. */
  #isZoomChosen = false
  /** Only a style that has loaded can be compared with the next one; before that the library would take the next one whole, and complain. */
  #isStyleLoaded = false

  constructor(options: LayeredMapOptions<Source>) {
    const { container, isDark, view, padding, label } = options
    this.#options = options
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
    this.map = map
    const [x, y] = this.#offset()
    map.panBy([-x, -y], { duration: 0 })
    map.touchZoomRotate.disableRotation()
    map.setMissingStyleImageResolver((id) => {
      const image = markIcon(id, this.#palettes.values())
      if (image && !map.hasImage(id)) map.addImage(id, image, { pixelRatio: 2 })
    })
    map.on('style.load', () => (this.#isStyleLoaded = true))
    map.on('zoomstart', ({ originalEvent }) => (this.#isZoomChosen ||= originalEvent !== undefined))
    map.on('zoomend', () => {
      this.#isZoomChosen ||= map.getZoom() >= placeZoom
      // positions that came meanwhile did not move the map
      this.#center()
    })
  }

  #data(source: Source): Collection {
    return this.#options.contents.data(source, this.#palette)
  }

  /** The whole style with the layers of the screen in it, so that a change of theme needs nothing else. */
  #style(): StyleSpecification {
    const style = this.#ground(this.#palette)
    const additions = [...this.#additions.values()]
    const data: [string, Collection][] = [
      ...this.#options.sources.map((name): [string, Collection] => [name, this.#data(name)]),
      ...additions.flatMap(({ sources }) => Object.entries(sources)),
    ]
    const drawn = data.map(([name, content]) => [name, { type: 'geojson' as const, data: content }])
    const added = (isBelow: boolean) =>
      additions.filter(({ isGround = false }) => isGround === isBelow).flatMap(({ layers }) => layers(this.#palette))
    return {
      ...style,
      sources: { ...style.sources, ...Object.fromEntries(drawn) },
      layers: [...style.layers, ...added(true), ...this.#options.contents.layers(this.#palette), ...added(false)],
    }
  }

  /** Draws something over the rest, anew if it is there; undefined takes it away. */
  add(name: string, addition: MapAddition | undefined): void {
    const before = this.#additions.get(name)
    if (before === addition) return
    if (addition) this.#additions.set(name, addition)
    else this.#additions.delete(name)
    if (addition && before?.layers === addition.layers) {
      for (const [source, data] of Object.entries(addition.sources)) this.#setData(source, () => data)
    } else this.restyle()
  }

  #takePalette(isDark: boolean): MapPalette {
    const palette = readPalette(isDark)
    this.#palettes.set(isDark, palette)
    return palette
  }

  setTheme(isDark: boolean): void {
    if (this.#palette.isDark === isDark) return
    this.#palette = this.#takePalette(isDark)
    this.restyle()
  }

  /** Puts everything on another ground: tiles of the organization, or the offline basemap again. */
  setGround(ground: Ground): void {
    this.#ground = ground
    // grounds have hardly anything in common
    this.#isStyleLoaded = false
    this.restyle()
  }

  /** Asks for the layers again: another theme, or another choice of what is shown. */
  restyle(): void {
    this.map.setStyle(this.#style(), { diff: this.#isStyleLoaded })
  }

  /** Asks for the data of these sources again. */
  redraw(names: readonly Source[]): void {
    for (const name of names) this.#setData(name, () => this.#data(name))
  }

  #setData(name: string, data: () => Collection): void {
    const source = this.map.getSource<GeoJSONSource>(name)
    // Before the first style is there its sources are made with this content anyway.
    if (source) void source.setData(data())
    else this.map.once('style.load', () => void this.map.getSource<GeoJSONSource>(name)?.setData(data()))
  }

  /**
   * A layer that can be pressed. `press` gets the properties of what is on top there; of several layers the one that was named first has the press.
   * While something is drawn, none of them has it.
   */
  onPress(layer: string, press: (properties: Properties, at: Position) => void): void {
    const { map } = this
    map.on('click', layer, (event) => {
      if (event.defaultPrevented || this.#isDrawing) return
      event.preventDefault()
      press(event.features?.[0]?.properties ?? {}, [event.lngLat.lng, event.lngLat.lat])
    })
    map.on('mouseenter', layer, () => this.#point(true))
    map.on('mouseleave', layer, () => this.#point(false))
  }

  /** Where was pressed while something is drawn, whatever else is there. */
  onPlace(place: (position: Position) => void): void {
    this.map.on('click', ({ lngLat }) => {
      // a map that was moved around the world counts on beyond 180 degrees
      const { lng, lat } = lngLat.wrap()
      if (this.#isDrawing) place([lng, lat])
    })
  }

  /** While something is drawn, a press is a place of it, and the second of two does not zoom. */
  setDrawing(isDrawing: boolean): void {
    this.#isDrawing = isDrawing
    if (isDrawing) this.map.doubleClickZoom.disable()
    else this.map.doubleClickZoom.enable()
    this.#point(false)
  }

  #point(isAtSomething: boolean): void {
    this.map.getCanvas().style.cursor = this.#isDrawing ? 'crosshair' : isAtSomething ? 'pointer' : ''
  }

  setPadding(padding: MapPadding): void {
    this.#padding = padding
  }

  /** From the middle of the window to the middle of what is uncovered, pixels. */
  #offset(): [number, number] {
    const { left, right, top, bottom } = this.#padding
    return [(left - right) / 2, (top - bottom) / 2]
  }

  /** Moves so that a frame is visible next to what covers the map. */
  fit({ west, south, east, north }: Bounds): void {
    // what is next to it may have changed in the same moment
    this.map.resize()
    this.map.fitBounds([west, south, east, north], {
      padding: { ...this.#padding },
      maxZoom: closestFit,
      duration: travelMs,
    })
  }

  /** Moves only where a frame cannot be seen as it is: elsewhere, too small, or larger than what is uncovered. */
  see(bounds: Bounds, leastPx: number): void {
    const { west, south, east, north } = bounds
    const [start, end] = [this.map.project([west, north]), this.map.project([east, south])]
    const { left, right, top, bottom } = this.#padding
    const { clientWidth, clientHeight } = this.map.getContainer()
    const [x, y] = [(start.x + end.x) / 2, (start.y + end.y) / 2]
    const isHere =
      x >= left - edgePx &&
      x <= clientWidth - right + edgePx &&
      y >= top - edgePx &&
      y <= clientHeight - bottom + edgePx
    const [width, height] = [end.x - start.x, end.y - start.y]
    const isPoint = width + height === 0
    const isWhole = width <= clientWidth - left - right + edgePx && height <= clientHeight - top - bottom + edgePx
    if (isHere && isWhole && (isPoint || Math.max(width, height) >= leastPx)) return
    if (isPoint) this.flyTo([west, north])
    else this.fit(bounds)
  }

  flyTo(center: Position): void {
    this.map.flyTo({
      center,
      zoom: Math.max(this.map.getZoom(), placeZoom),
      offset: this.#offset(),
      duration: travelMs,
    })
  }

  /** Keeps somebody in the middle while they move; undefined stops it. Who is followed next is shown from near at first. */
  follow(followed: Followed | undefined): void {
    if (followed?.id !== this.#followed?.id) this.#isZoomChosen = false
    this.#followed = followed
    if (!this.#isZoomChosen || !this.map.isZooming()) this.#center()
  }

  #center(): void {
    if (!this.#followed) return
    const zoom = this.map.getZoom()
    this.map.easeTo({
      center: this.#followed.position,
      zoom: this.#isZoomChosen ? zoom : Math.max(zoom, placeZoom),
      offset: this.#offset(),
      duration: followMs,
    })
  }

  /** Goes to a place, and as close as this zoom. */
  approach(center: Position, zoom: number): void {
    this.map.easeTo({ center, zoom, offset: this.#offset(), duration: travelMs })
  }

  /** What is on the screen, counted on beyond 180 degrees where the map was moved around the world. */
  get sight(): Bounds {
    const bounds = this.map.getBounds()
    return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
  }

  zoomBy(steps: number): void {
    this.#isZoomChosen = true
    this.map.easeTo({ zoom: this.map.getZoom() + steps, duration: 200 })
  }

  destroy(): void {
    this.map.remove()
  }
}
