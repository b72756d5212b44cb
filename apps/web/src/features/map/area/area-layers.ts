import { type Area, edgeOf } from '@tour-ops/contract/map/areas'
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { MapAddition } from '../basemap/layered-map.ts'
import {
  type Collection,
  collection,
  lineFeature,
  pointFeature,
  polygonFeature,
  type Position,
} from '../basemap/geometry.ts'
import type { MapPalette } from '../basemap/map-palette.ts'

/** An area as it is drawn, and the corners that were pressed so far. */
export const areaAddition = (area: Area | undefined, corners: readonly Position[]): MapAddition => ({
  sources: { area: areaData(area, corners) },
  layers: areaLayers,
})

function areaData(area: Area | undefined, corners: readonly Position[]): Collection {
  const edge = area ? edgeOf(area) : [...corners]
  return collection([
    ...(area ? [polygonFeature(edge, {})] : []),
    ...(edge.length > 1 ? [lineFeature(edge, {})] : []),
    ...corners.map((corner) => pointFeature(corner, {})),
  ])
}

const isKind = (kind: 'Polygon' | 'LineString' | 'Point'): ExpressionSpecification => ['==', ['geometry-type'], kind]

const areaLayers = ({ ink, surface, marks }: MapPalette): LayerSpecification[] => [
  {
    id: 'area-fill',
    type: 'fill',
    source: 'area',
    filter: isKind('Polygon'),
    paint: { 'fill-color': marks.info, 'fill-opacity': 0.12 },
  },
  {
    id: 'area-edge',
    type: 'line',
    source: 'area',
    filter: isKind('LineString'),
    paint: { 'line-color': ink, 'line-width': 2, 'line-dasharray': [3, 2] },
  },
  {
    id: 'area-corner',
    type: 'circle',
    source: 'area',
    filter: isKind('Point'),
    paint: { 'circle-radius': 5, 'circle-color': surface, 'circle-stroke-color': ink, 'circle-stroke-width': 2 },
  },
]
