import type { LayerSpecification } from 'maplibre-gl'
import { medium, semibold } from '../basemap/basemap.ts'
import type { MapPalette } from '../basemap/map-palette.ts'
import { type Collection, collection, lineFeature, pointFeature, type Position } from '../basemap/geometry.ts'

/** One track: what was driven or walked, and the straight lines where nobody knows. */
export interface DrawnTrack {
  readonly name: string
  /** Place among those that are shown, which is that of its color. */
  readonly at: number
  readonly pieces: readonly (readonly Position[])[]
  readonly gaps: readonly (readonly [Position, Position])[]
}

/** Where one of them is at the moment that is looked at. */
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
  readonly signal: 'live' | 'stale' | 'offline'
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
      tracks.flatMap(({ at, pieces, gaps }) => {
        const color = colorOf(at, palette)
        return [
          ...gaps.map((ends) => lineFeature([...ends], { color, isGap: true })),
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
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  const halo = { 'text-halo-color': palette.halo, 'text-halo-width': 1.5 }
  return [
    {
      id: 'track-edge',
      type: 'line',
      source: 'tracks',
      filter: ['!', ['get', 'isGap']],
      layout: round,
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
      layout: round,
      paint: { 'line-color': ['get', 'color'], 'line-width': 4 },
    },
    // what is hit with a finger
    {
      id: 'track-hit',
      type: 'line',
      source: 'tracks',
      paint: { 'line-color': palette.surface, 'line-width': 22, 'line-opacity': 0 },
    },
    {
      id: 'stop',
      type: 'circle',
      source: 'stops',
      paint: {
        'circle-radius': 4.5,
        'circle-color': palette.surface,
        'circle-stroke-color': palette.ink,
        'circle-stroke-width': 2,
      },
    },
    {
      id: 'stop-name',
      type: 'symbol',
      source: 'stops',
      layout: {
        'text-field': ['get', 'label'],
        'text-font': medium,
        'text-size': 12,
        'text-variable-anchor': ['top', 'bottom', 'right', 'left'],
        'text-radial-offset': 0.8,
        'text-optional': true,
      },
      paint: { 'text-color': palette.ink, ...halo },
    },
    ...seenLayers(palette),
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

/** As on the live map: filled while the signal is fresh, hollow when it is old, and pale when it is lost. */
function seenLayers({ marks, surface, ink, halo }: MapPalette): LayerSpecification[] {
  return [
    {
      id: 'person',
      type: 'circle',
      source: 'people',
      paint: {
        'circle-radius': 7,
        'circle-color': ['match', ['get', 'signal'], 'live', marks.info, surface],
        'circle-stroke-color': ['match', ['get', 'signal'], 'live', surface, 'stale', marks.info, marks.neutral],
        'circle-stroke-width': 2.5,
      },
    },
    {
      id: 'person-name',
      type: 'symbol',
      source: 'people',
      layout: {
        'text-field': ['get', 'label'],
        'text-font': medium,
        'text-size': 11,
        'text-variable-anchor': ['bottom', 'top', 'left', 'right'],
        'text-radial-offset': 1.1,
        'text-optional': true,
      },
      paint: { 'text-color': ink, 'text-halo-color': halo, 'text-halo-width': 1.5 },
    },
  ]
}
