import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import type { MapPalette } from './map-palette.ts'

/** The tiles are drawn on beyond their last zoom up to here; closer up the coast would only pretend. See docs/visual-rules.md, "Map". */
const planZoom = 10
const tilesMaxZoom = 6

export const medium = ['Map Medium']
export const semibold = ['Map Semibold']

/** Land fades into a plain ground where itinerary mode begins. */
const fading: ExpressionSpecification = ['interpolate', ['linear'], ['zoom'], planZoom - 1, 1, planZoom, 0]
const isDue: ExpressionSpecification = ['<=', ['coalesce', ['get', 'minZoom'], 0], ['+', ['zoom'], 0.5]]

const widthBy = (far: number, near: number): ExpressionSpecification => [
  'interpolate',
  ['linear'],
  ['zoom'],
  2,
  far,
  8,
  near,
]

/** What everything else is drawn on, in one theme. */
export type Ground = (palette: MapPalette) => StyleSpecification

/** Natural Earth and GeoNames from our own server: sea, land, water, ice, towns, names. */
export function basemapStyle(palette: MapPalette): StyleSpecification {
  return {
    version: 8,
    sources: {
      base: {
        type: 'vector',
        tiles: [`${location.origin}/tiles/{z}/{x}/{y}.pbf`],
        minzoom: 0,
        maxzoom: tilesMaxZoom,
      },
    },
    layers: [...ground(palette), ...names(palette)],
  }
}

function ground(palette: MapPalette): LayerSpecification[] {
  const fill = (layer: string, color: string, minzoom = 0): LayerSpecification => ({
    id: layer,
    type: 'fill',
    source: 'base',
    'source-layer': layer,
    minzoom,
    maxzoom: planZoom,
    filter: isDue,
    paint: { 'fill-color': color, 'fill-opacity': fading },
  })
  const line = (id: string, layer: string, color: string, width: ExpressionSpecification): LayerSpecification => ({
    id,
    type: 'line',
    source: 'base',
    'source-layer': layer,
    maxzoom: planZoom,
    filter: isDue,
    layout: { 'line-join': 'round' },
    paint: { 'line-color': color, 'line-width': width, 'line-opacity': fading },
  })
  return [
    {
      id: 'sea',
      type: 'background',
      paint: {
        'background-color': ['interpolate', ['linear'], ['zoom'], planZoom - 1, palette.sea, planZoom, palette.ground],
      },
    },
    fill('land', palette.land),
    fill('urban', palette.urban, 5),
    fill('glacier', palette.ice, 4),
    fill('lake', palette.sea, 3),
    line('river', 'river', palette.sea, widthBy(0.4, 1.6)),
    line('coast', 'land', palette.coast, widthBy(0.5, 1.2)),
    line('border', 'border', palette.border, widthBy(0.6, 1.6)),
  ]
}

function names(palette: MapPalette): LayerSpecification[] {
  const halo = { 'text-halo-color': palette.halo, 'text-halo-width': 1.3 }
  return [
    {
      id: 'city-dot',
      type: 'circle',
      source: 'base',
      'source-layer': 'city',
      maxzoom: planZoom,
      filter: isDue,
      paint: {
        'circle-radius': ['case', ['==', ['get', 'capital'], 1], 3, 2],
        'circle-color': palette.halo,
        'circle-stroke-color': palette.text2,
        'circle-stroke-width': 1,
      },
    },
    {
      id: 'peak',
      type: 'symbol',
      source: 'base',
      'source-layer': 'peak',
      minzoom: 6.5,
      maxzoom: planZoom,
      layout: { 'text-field': ['concat', '▴ ', ['get', 'name']], 'text-font': medium, 'text-size': 11 },
      paint: { 'text-color': palette.text2, ...halo },
    },
    {
      id: 'country',
      type: 'symbol',
      source: 'base',
      'source-layer': 'country',
      maxzoom: 7,
      filter: isDue,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': semibold,
        'text-size': widthBy(10, 14),
        'text-transform': 'uppercase',
        'text-letter-spacing': 0.12,
        'text-max-width': 7,
        'text-padding': 6,
      },
      paint: { 'text-color': palette.text2, ...halo },
    },
    {
      id: 'city',
      type: 'symbol',
      source: 'base',
      'source-layer': 'city',
      maxzoom: planZoom,
      filter: isDue,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': ['case', ['==', ['get', 'capital'], 1], ['literal', semibold], ['literal', medium]],
        'text-size': ['case', ['==', ['get', 'capital'], 1], 13, 11.5],
        'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
        'text-radial-offset': 0.45,
        'symbol-sort-key': ['get', 'minZoom'],
        'text-padding': 4,
        'text-optional': true,
      },
      paint: { 'text-color': palette.text, ...halo },
    },
  ]
}
