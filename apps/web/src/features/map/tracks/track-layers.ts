import type { TrackLines } from '@tour-ops/contract/tracking/track-pieces'
import type { Signal } from '@tour-ops/contract/tracking/link-state'
import type { LayerSpecification } from 'maplibre-gl'
import { semibold } from '../basemap/basemap.ts'
import { peopleLayers, roundLine, stopLayers } from '../basemap/stop-and-people-layers.ts'
import type { MapPalette } from '../basemap/map-palette.ts'
import { type Collection, collection, lineFeature, pointFeature, type Position } from '../basemap/geometry.ts'

export interface DrawnTrack extends TrackLines {
  readonly name: string
  /** Place among those that are shown, which is that of its color. */
  readonly at: number
}

/** Where one of them is at the shown moment. */
export interface TrackMarker {
  readonly name: string
  readonly at: number
  readonly position: Position
  readonly isSilent: boolean
}

/** Somebody who is on duty now. */
export interface SeenPoint {
  readonly key: string
  readonly name: string
  readonly position: Position
  readonly signal: Signal | 'quiet'
}

export interface TrackContent {
  readonly tracks: readonly DrawnTrack[]
  /** Places of stops of their departures. */
  readonly stops: readonly { readonly name: string; readonly position: Position }[]
  readonly markers: readonly TrackMarker[]
  readonly people: readonly SeenPoint[]
}

export type TrackSource = 'tracks' | 'stops' | 'markers' | 'people'

const colorOf = (at: number, { tracks, route }: MapPalette): string => tracks[at] ?? route

export function trackData(source: TrackSource, content: TrackContent, palette: MapPalette): Collection {
  const { tracks, stops, markers, people } = content
  if (source === 'tracks')
    return collection(
      tracks.flatMap(({ at, pieces, silent }) => {
        const color = colorOf(at, palette)
        return [
          ...silent.map((ends) => lineFeature([...ends], { color, isGap: true })),
          ...pieces.map((piece) => lineFeature([...piece], { color, isGap: false })),
        ]
      }),
    )
  if (source === 'stops') return collection(stops.map(({ name, position }) => pointFeature(position, { label: name })))
  if (source === 'markers')
    return collection(
      markers.map(({ name, at, position, isSilent }) =>
        pointFeature(position, { label: name, number: String(at + 1), color: colorOf(at, palette), isSilent }),
      ),
    )
  return collection(
    people.map(({ key, name, position, signal }) => pointFeature(position, { key, label: name, signal })),
  )
}

export function trackLayers(palette: MapPalette): LayerSpecification[] {
  return [
    {
      id: 'track-edge',
      type: 'line',
      source: 'tracks',
      filter: ['!', ['get', 'isGap']],
      layout: roundLine,
      paint: { 'line-color': palette.surface, 'line-width': 7, 'line-opacity': 0.9 },
    },
    {
      id: 'track-gap',
      type: 'line',
      source: 'tracks',
      filter: ['get', 'isGap'],
      paint: { 'line-color': ['get', 'color'], 'line-width': 2.5, 'line-dasharray': [2, 2] },
    },
    {
      id: 'track',
      type: 'line',
      source: 'tracks',
      filter: ['!', ['get', 'isGap']],
      layout: roundLine,
      paint: { 'line-color': ['get', 'color'], 'line-width': 4 },
    },
    // what is hit with a finger
    {
      id: 'track-hit',
      type: 'line',
      source: 'tracks',
      paint: { 'line-color': palette.surface, 'line-width': 22, 'line-opacity': 0 },
    },
    ...stopLayers(palette, palette.ink),
    ...peopleLayers(palette, { 'text-radial-offset': 1.1 }),
    {
      id: 'marker',
      type: 'circle',
      source: 'markers',
      paint: {
        'circle-radius': 10,
        'circle-color': ['case', ['get', 'isSilent'], palette.surface, ['get', 'color']],
        'circle-stroke-color': ['case', ['get', 'isSilent'], ['get', 'color'], palette.surface],
        'circle-stroke-width': 2.5,
      },
    },
    {
      id: 'marker-number',
      type: 'symbol',
      source: 'markers',
      layout: {
        'text-field': ['get', 'number'],
        'text-font': semibold,
        'text-size': 11,
        'text-allow-overlap': true,
        'text-ignore-placement': true,
      },
      paint: { 'text-color': ['case', ['get', 'isSilent'], palette.ink, palette.surface] },
    },
  ]
}
