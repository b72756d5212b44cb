import type { ExpressionSpecification, LayerSpecification, SymbolLayerSpecification } from 'maplibre-gl'
import { medium } from './basemap.ts'
import type { MapPalette } from './map-palette.ts'

// What the live map and the map of tracks both draw.

/** Layout of lines that were driven, walked or planned. */
export const roundLine = { 'line-cap': 'round', 'line-join': 'round' } as const

/** Text on the basemap, which stays readable on any ground. */
export const textPaint = ({ ink, halo }: MapPalette) =>
  ({ 'text-color': ink, 'text-halo-color': halo, 'text-halo-width': 1.5 }) as const

/** The source `stops`: small rings with names next to them. @param edge Color of the ring. */
export const stopLayers = (palette: MapPalette, edge: string): LayerSpecification[] => [
  {
    id: 'stop',
    type: 'circle',
    source: 'stops',
    paint: {
      'circle-radius': 4.5,
      'circle-color': palette.surface,
      'circle-stroke-color': edge,
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
    paint: textPaint(palette),
  },
]

/** Of a mark that stands for one person. */
const isAlone: ExpressionSpecification = ['!', ['has', 'count']]

/**
 * The source `people`, by signal: filled while it is fresh, hollow when it is old, pale when it is lost, and small where none is
 * expected: not distinguished by color alone.
 *
 * @param layout Of the name, in addition to the layout here.
 */
export function peopleLayers(palette: MapPalette, layout: SymbolLayerSpecification['layout']): LayerSpecification[] {
  const { marks, surface } = palette
  const bySignal = <T extends string | number>(live: T, stale: T, offline: T, quiet: T): ExpressionSpecification => [
    'match',
    ['get', 'signal'],
    'live',
    live,
    'stale',
    stale,
    'quiet',
    quiet,
    offline,
  ]
  return [
    {
      id: 'person',
      type: 'circle',
      source: 'people',
      filter: isAlone,
      paint: {
        'circle-radius': bySignal(7, 7, 7, 4.5),
        'circle-color': bySignal(marks.info, surface, surface, marks.neutral),
        'circle-stroke-color': bySignal(surface, marks.info, marks.neutral, surface),
        'circle-stroke-width': 2.5,
      },
    },
    {
      id: 'person-name',
      type: 'symbol',
      source: 'people',
      filter: isAlone,
      layout: {
        'text-field': ['get', 'label'],
        'text-font': medium,
        'text-size': 11,
        'text-variable-anchor': ['bottom', 'top', 'left', 'right'],
        'text-optional': true,
        ...layout,
      },
      paint: textPaint(palette),
    },
  ]
}
