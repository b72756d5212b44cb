import type { MapIncident } from '@tour-ops/contract/map/map'
import { isGrave } from '@tour-ops/contract/monitoring/incident-gravity'
import type { LayerSpecification } from 'maplibre-gl'
import { semibold } from './basemap/basemap.ts'
import { textPaint } from './basemap/stop-and-people-layers.ts'
import type { MapAddition } from './basemap/layered-map.ts'
import { collection, pointFeature } from './basemap/geometry.ts'
import type { MapPalette } from './basemap/map-palette.ts'

/** Open incidents where they are. */
export const incidentAddition = (incidents: readonly MapIncident[]): MapAddition => ({
  sources: {
    incidents: collection(
      incidents.map(({ id, number, severity, lng, lat }) =>
        pointFeature([lng, lat], { id, label: number, isGrave: isGrave(severity) }),
      ),
    ),
  },
  layers: incidentLayers,
})

/** A ring with an exclamation mark, filled for the grave ones: nothing else on the map looks like it, in any color. */
const incidentLayers = (palette: MapPalette): LayerSpecification[] => [
  {
    id: 'incident',
    type: 'circle',
    source: 'incidents',
    paint: {
      'circle-radius': 12,
      'circle-color': ['case', ['get', 'isGrave'], palette.marks.bad, palette.surface],
      'circle-stroke-color': palette.marks.bad,
      'circle-stroke-width': 3,
    },
  },
  {
    id: 'incident-sign',
    type: 'symbol',
    source: 'incidents',
    layout: {
      'text-field': '!',
      'text-font': semibold,
      'text-size': 16,
      'text-allow-overlap': true,
      'text-ignore-placement': true,
    },
    paint: { 'text-color': ['case', ['get', 'isGrave'], palette.surface, palette.marks.bad] },
  },
  {
    id: 'incident-name',
    type: 'symbol',
    source: 'incidents',
    layout: {
      'text-field': ['get', 'label'],
      'text-font': semibold,
      'text-size': 11,
      'text-anchor': 'top',
      'text-offset': [0, 1.4],
      'text-optional': true,
    },
    paint: textPaint(palette),
  },
]
