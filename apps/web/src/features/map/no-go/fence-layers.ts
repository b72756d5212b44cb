import { edgeOf } from '@tour-ops/contract/map/areas'
import type { MapDeparture } from '@tour-ops/contract/map/map'
import type { NoGoArea } from '@tour-ops/contract/map/no-go-areas'
import { isRunning } from '@tour-ops/contract/state-machines'
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { semibold } from '../basemap/basemap.ts'
import {
  boundsOf,
  collection,
  type Feature,
  lineFeature,
  pointFeature,
  polygonFeature,
  type Position,
} from '../basemap/geometry.ts'
import type { MapAddition } from '../basemap/layered-map.ts'
import type { MapPalette } from '../basemap/map-palette.ts'
import { textPaint } from '../basemap/stop-and-people-layers.ts'

/** Circles of the stops of what is under way, and no-go areas. */
export const fenceAddition = (
  departures: readonly MapDeparture[],
  areas: readonly Pick<NoGoArea, 'name' | 'area'>[],
): MapAddition => ({
  sources: {
    circles: collection(circlesOf(departures)),
    'no-go': collection(areas.flatMap(areaFeatures)),
  },
  layers: fenceLayers,
  isGround: true,
})

/** Where somebody counts as arrived, and where as gone; each place once. */
export function circlesOf(departures: readonly MapDeparture[]): Feature[] {
  const stops = departures.filter(isRunning).flatMap((departure) => departure.stops)
  const places = new Map(stops.map((stop) => [`${stop.lng},${stop.lat},${stop.enterM},${stop.exitM}`, stop]))
  return [...places.values()].flatMap(({ lng, lat, enterM, exitM }) => {
    const circle = (radiusM: number) => edgeOf({ kind: 'circle', center: [lng, lat], radiusM })
    return [lineFeature(circle(enterM), { isEnter: true }), lineFeature(circle(exitM), { isEnter: false })]
  })
}

function areaFeatures({ name, area }: Pick<NoGoArea, 'name' | 'area'>): Feature[] {
  const edge = edgeOf(area)
  const bounds = boundsOf(edge.map(([lng, lat]) => ({ lng, lat })))
  if (!bounds) return []
  const middle: Position = [(bounds.west + bounds.east) / 2, (bounds.south + bounds.north) / 2]
  return [polygonFeature(edge, {}), lineFeature(edge, {}), pointFeature(middle, { name })]
}

/** From here on the circles of stops are more than dots. */
const circlesZoom = 11

const isKind = (kind: 'Polygon' | 'LineString' | 'Point'): ExpressionSpecification => ['==', ['geometry-type'], kind]

const fenceLayers = (palette: MapPalette): LayerSpecification[] => {
  const { bad } = palette.marks
  const circle = { type: 'line', source: 'circles', minzoom: circlesZoom } as const
  return [
    {
      id: 'no-go-fill',
      type: 'fill',
      source: 'no-go',
      filter: isKind('Polygon'),
      paint: { 'fill-color': bad, 'fill-opacity': 0.16 },
    },
    {
      id: 'no-go-edge',
      type: 'line',
      source: 'no-go',
      filter: isKind('LineString'),
      paint: { 'line-color': bad, 'line-width': 2, 'line-dasharray': [4, 2] },
    },
    {
      id: 'no-go-name',
      type: 'symbol',
      source: 'no-go',
      filter: isKind('Point'),
      minzoom: 5,
      layout: { 'text-field': ['get', 'name'], 'text-font': semibold, 'text-size': 12, 'text-optional': true },
      paint: { ...textPaint(palette), 'text-color': bad },
    },
    {
      id: 'circle-enter',
      ...circle,
      filter: ['get', 'isEnter'],
      paint: { 'line-color': palette.route, 'line-width': 1.5 },
    },
    {
      id: 'circle-exit',
      ...circle,
      filter: ['!', ['get', 'isEnter']],
      paint: { 'line-color': palette.route, 'line-width': 1.5, 'line-dasharray': [3, 3] },
    },
  ]
}
