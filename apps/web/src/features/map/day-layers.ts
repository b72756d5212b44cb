import type { MapDeparture } from '@tour-ops/contract/map/map'
import type { DrivenWay } from '@tour-ops/contract/tracking/driven'
import { linesOf } from '@tour-ops/contract/tracking/track-pieces'
import type { TourContent } from '@tour-ops/contract/tours/tour-content'
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { type Collection, collection, lineFeature, pointFeature, type Position } from './basemap/geometry.ts'
import { semibold } from './basemap/basemap.ts'
import { peopleLayers, roundLine, stopLayers, textPaint } from './basemap/stop-and-people-layers.ts'
import type { MapPalette } from './basemap/map-palette.ts'
import { markIconName } from './basemap/mark-icons.ts'
import type { Mark } from './marks.ts'
import { waysOf } from './ways.ts'

/** What the day adds to the basemap, as GeoJSON by source. */
export type DaySource = 'ways' | 'driven' | 'stops' | 'marks' | 'people'

/** The way of the selected departure, behind and ahead. */
export function waysData(selected: MapDeparture | undefined, routes: TourContent['routes']): Collection {
  if (!selected) return collection([])
  const { done, ahead } = waysOf(selected, routes)
  const lines = (ways: readonly Position[][], isDone: boolean) =>
    ways.map((coordinates) => lineFeature(coordinates, { isDone }))
  return collection([...lines(ahead, false), ...lines(done, true)])
}

/** What was driven or walked on the selected departure, next to its planned route. */
export function drivenData(ways: readonly DrivenWay[]): Collection {
  return collection(
    ways.flatMap(({ points, gaps }) => {
      const { pieces, silent } = linesOf(points, gaps)
      return [
        ...silent.map((ends) => lineFeature([...ends], { isSilent: true })),
        ...pieces.map((piece) => lineFeature(piece, { isSilent: false })),
      ]
    }),
  )
}

/** Stops of the selected departure with number and name; a place visited twice has both numbers, `1, 6 BSÍ`. */
export function stopsData(selected: MapDeparture | undefined): Collection {
  const places = Map.groupBy(selected?.stops ?? [], ({ lng, lat }) => `${lng},${lat}`)
  return collection(
    [...places.values()].flatMap((stops) => {
      const [first] = stops
      if (!first) return []
      const numbers = stops.map((stop) => stop.order).join(', ')
      return [pointFeature([first.lng, first.lat], { label: `${numbers} ${first.name}` })]
    }),
  )
}

/** Where the departures of the day were last known to be. */
export const marksData = (marks: readonly Mark[], selectedId: string | undefined, palette: MapPalette): Collection =>
  collection(
    marks.map(({ key, position, placeName, tone, departureIds }) =>
      pointFeature(position, {
        key,
        tone,
        icon: departureIds.length > 1 ? '' : markIconName(tone, palette),
        count: departureIds.length > 1 ? String(departureIds.length) : '',
        label: placeName,
        isSelected: selectedId !== undefined && departureIds.includes(selectedId),
      }),
    ),
  )

/** Layers over the basemap: way, stops, marks, and everyone on duty on top. */
export function dayLayers(palette: MapPalette): LayerSpecification[] {
  return [
    {
      id: 'way-edge',
      type: 'line',
      source: 'ways',
      layout: roundLine,
      paint: { 'line-color': palette.isDark ? '#000000' : '#ffffff', 'line-width': 7, 'line-opacity': 0.9 },
    },
    {
      id: 'way',
      type: 'line',
      source: 'ways',
      layout: roundLine,
      paint: {
        'line-color': ['case', ['get', 'isDone'], palette.route, palette.routeAhead],
        'line-width': 4,
      },
    },
    ...drivenLayers(palette),
    ...stopLayers(palette, palette.route),
    ...markLayers(palette),
    ...clusterLayers(palette),
    ...peopleLayers(palette, {
      'icon-image': ['get', 'icon'],
      'icon-rotate': ['get', 'heading'],
      'icon-rotation-alignment': 'map',
      'icon-allow-overlap': true,
      'icon-offset': [0, -11],
      'text-radial-offset': 1.3,
    }),
  ]
}

/** Thin and dark over the broad planned way, so that both are seen where they are the same; dashed without a signal. */
function drivenLayers({ ink, halo }: MapPalette): LayerSpecification[] {
  const isKnown: ExpressionSpecification = ['!', ['get', 'isSilent']]
  const line = { type: 'line', source: 'driven', filter: isKnown, layout: roundLine } as const
  return [
    { id: 'driven-edge', ...line, paint: { 'line-color': halo, 'line-width': 4 } },
    { id: 'driven', ...line, paint: { 'line-color': ink, 'line-width': 2 } },
    {
      id: 'driven-silent',
      type: 'line',
      source: 'driven',
      filter: ['get', 'isSilent'],
      paint: { 'line-color': ink, 'line-width': 2, 'line-dasharray': [2, 2] },
    },
  ]
}

/** Pixels. */
export const clusterEdge = 3

/** Several close together: how many they are. A press splits them. */
function clusterLayers({ marks, surface, halo, ink }: MapPalette): LayerSpecification[] {
  return [
    {
      id: 'people-cluster',
      type: 'circle',
      source: 'people',
      filter: ['has', 'count'],
      paint: {
        'circle-radius': ['get', 'radius'],
        'circle-color': surface,
        'circle-stroke-color': marks.info,
        'circle-stroke-width': clusterEdge,
      },
    },
    {
      id: 'people-count',
      type: 'symbol',
      source: 'people',
      filter: ['has', 'count'],
      layout: {
        'text-field': ['get', 'label'],
        'text-font': semibold,
        'text-size': 11,
        'text-allow-overlap': true,
      },
      paint: { 'text-color': ink, 'text-halo-color': halo, 'text-halo-width': 1 },
    },
  ]
}

function markLayers(palette: MapPalette): LayerSpecification[] {
  const { marks } = palette
  return [
    {
      id: 'mark-selected',
      type: 'circle',
      source: 'marks',
      filter: ['get', 'isSelected'],
      paint: {
        'circle-radius': 19,
        'circle-color': palette.route,
        'circle-opacity': 0.18,
        'circle-stroke-color': palette.route,
        'circle-stroke-width': 1.5,
      },
    },
    {
      id: 'mark',
      type: 'circle',
      source: 'marks',
      paint: {
        'circle-radius': 11,
        'circle-color': [
          'match',
          ['get', 'tone'],
          'info',
          marks.info,
          'ok',
          marks.ok,
          'warn',
          marks.warn,
          'bad',
          marks.bad,
          'gap',
          marks.gap,
          marks.neutral,
        ],
        'circle-stroke-color': palette.surface,
        'circle-stroke-width': 2,
      },
    },
    {
      id: 'mark-icon',
      type: 'symbol',
      source: 'marks',
      layout: {
        'icon-image': ['get', 'icon'],
        'icon-allow-overlap': true,
        'icon-padding': 6,
        'text-field': ['get', 'count'],
        'text-font': semibold,
        'text-size': 12,
        'text-allow-overlap': true,
        'text-padding': 9,
      },
      paint: { 'text-color': palette.surface },
    },
    {
      id: 'mark-name',
      type: 'symbol',
      source: 'marks',
      minzoom: 5,
      layout: {
        'text-field': ['get', 'label'],
        'text-font': semibold,
        'text-size': 11,
        'text-anchor': 'top',
        'text-offset': [0, 1.3],
        'text-optional': true,
      },
      paint: textPaint(palette),
    },
  ]
}
