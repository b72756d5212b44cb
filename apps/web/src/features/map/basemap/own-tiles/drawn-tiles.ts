import type { TileSchema } from '@tour-ops/contract/settings/map-tiles'
import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  LineLayerSpecification,
} from 'maplibre-gl'
import { medium, semibold } from '../basemap.ts'
import type { MapPalette } from '../map-palette.ts'
import { ownPrefix } from './watch-tiles.ts'

/** Where something is in tiles of one schema: a layer, and which of its features. */
interface Part {
  readonly layer: string
  readonly filter?: FilterSpecification
}

/** What we draw of street tiles, from below to above. */
interface Schema {
  /** Where it has a layer of its own; elsewhere everything that is no water is land. */
  readonly land?: string
  readonly green: readonly Part[]
  readonly water: readonly Part[]
  readonly rivers: readonly Part[]
  readonly buildings: string
  readonly roads: Readonly<Record<'path' | 'rail' | 'minor' | 'middle' | 'major', Part>>
  readonly borders: Part
  readonly roadNames: string
  readonly places: Readonly<Record<'village' | 'town' | 'country', Part>>
}

const isOneOf = (field: string, values: readonly string[]): FilterSpecification => [
  'in',
  ['get', field],
  ['literal', [...values]],
]

const all = (...filters: FilterSpecification[]): FilterSpecification => ['all', ...filters] as FilterSpecification

const natural = ['park', 'forest', 'wood', 'grass', 'grassland', 'meadow', 'nature_reserve', 'national_park', 'scrub']
const paths = ['path', 'footway', 'cycleway', 'steps', 'pedestrian', 'track']
const rails = ['rail', 'transit', 'light_rail', 'tram', 'subway', 'narrow_gauge']
const minors = ['minor', 'service', 'unclassified', 'residential', 'living_street', 'tertiary']
const majors = ['motorway', 'trunk']
const middles = ['primary', 'secondary']

const roadsIn = (layer: string, field: string): Schema['roads'] => ({
  path: { layer, filter: isOneOf(field, paths) },
  rail: { layer, filter: isOneOf(field, rails) },
  minor: { layer, filter: isOneOf(field, minors) },
  middle: { layer, filter: isOneOf(field, middles) },
  major: { layer, filter: isOneOf(field, majors) },
})

const national: FilterSpecification = ['<=', ['to-number', ['get', 'admin_level'], 2], 2]

const schemas: Readonly<Record<TileSchema, Schema>> = {
  // https://docs.protomaps.com/basemaps/layers
  protomaps: {
    land: 'earth',
    green: [{ layer: 'landuse', filter: isOneOf('kind', natural) }],
    water: [{ layer: 'water', filter: ['==', ['geometry-type'], 'Polygon'] }],
    rivers: [{ layer: 'water', filter: ['==', ['geometry-type'], 'LineString'] }],
    buildings: 'buildings',
    roads: {
      path: { layer: 'roads', filter: isOneOf('kind', ['path']) },
      rail: { layer: 'roads', filter: isOneOf('kind', ['rail']) },
      minor: { layer: 'roads', filter: isOneOf('kind', ['minor_road', 'other']) },
      middle: { layer: 'roads', filter: isOneOf('kind', ['major_road']) },
      major: { layer: 'roads', filter: isOneOf('kind', ['highway']) },
    },
    borders: { layer: 'boundaries', filter: isOneOf('kind', ['country']) },
    roadNames: 'roads',
    places: {
      village: { layer: 'places', filter: isOneOf('kind', ['neighbourhood', 'macrohood']) },
      town: { layer: 'places', filter: isOneOf('kind', ['locality']) },
      country: { layer: 'places', filter: isOneOf('kind', ['country']) },
    },
  },
  // https://openmaptiles.org/schema
  openmaptiles: {
    green: [{ layer: 'landcover', filter: isOneOf('class', natural) }, { layer: 'park' }],
    water: [{ layer: 'water' }],
    rivers: [{ layer: 'waterway' }],
    buildings: 'building',
    roads: roadsIn('transportation', 'class'),
    borders: { layer: 'boundary', filter: all(national, ['!=', ['get', 'maritime'], 1]) },
    roadNames: 'transportation_name',
    places: {
      village: {
        layer: 'place',
        filter: isOneOf('class', ['village', 'hamlet', 'suburb', 'quarter', 'neighbourhood']),
      },
      town: { layer: 'place', filter: isOneOf('class', ['city', 'town']) },
      country: { layer: 'place', filter: isOneOf('class', ['country']) },
    },
  },
  // https://shortbread-tiles.org/schema/1.0
  shortbread: {
    green: [{ layer: 'land', filter: isOneOf('kind', natural) }],
    water: [{ layer: 'ocean' }, { layer: 'water_polygons' }],
    rivers: [{ layer: 'water_lines' }],
    buildings: 'buildings',
    roads: roadsIn('streets', 'kind'),
    borders: { layer: 'boundaries', filter: all(national, ['!=', ['get', 'maritime'], true]) },
    roadNames: 'street_labels',
    places: {
      village: { layer: 'place_labels', filter: isOneOf('kind', ['village', 'hamlet', 'suburb', 'neighbourhood']) },
      town: { layer: 'place_labels', filter: isOneOf('kind', ['capital', 'state_capital', 'city', 'town']) },
      country: { layer: 'boundary_labels', filter: national },
    },
  },
}

/** From the first zoom on; widths at zoom 8 and 17, pixels. */
const roadLooks = {
  path: { minzoom: 14, widths: [0.5, 2] },
  minor: { minzoom: 11, widths: [0.4, 10] },
  middle: { minzoom: 8, widths: [0.8, 14] },
  major: { minzoom: 5, widths: [1.4, 18] },
} as const

const widening = (far: number, near: number): ExpressionSpecification => [
  'interpolate',
  ['exponential', 1.6],
  ['zoom'],
  8,
  far,
  17,
  near,
]

/**
 * Street tiles in the colors of the offline basemap, in either theme.
 *
 * @param source Name of the source with the tiles.
 */
export function drawnTiles(schema: TileSchema, source: string, palette: MapPalette): LayerSpecification[] {
  const { land, green, water, rivers, buildings, roads, borders, roadNames, places } = schemas[schema]
  const inTiles = (id: string, { layer, filter }: Part) => ({
    id: ownPrefix + id,
    source,
    'source-layer': layer,
    ...(filter && { filter }),
  })
  const fill = (id: string, part: Part, color: string, minzoom = 0): LayerSpecification => ({
    ...inTiles(id, part),
    type: 'fill',
    minzoom,
    paint: { 'fill-color': color },
  })
  const line = (
    id: string,
    part: Part,
    paint: LineLayerSpecification['paint'] & object,
    minzoom = 0,
  ): LayerSpecification => ({
    ...inTiles(id, part),
    type: 'line',
    minzoom,
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint,
  })
  const road = (id: keyof typeof roadLooks) => {
    const { minzoom, widths } = roadLooks[id]
    const [far, near] = widths
    const edge = line(
      `${id}-edge`,
      roads[id],
      { 'line-color': palette.coast, 'line-width': widening(far + 1, near + 2) },
      minzoom,
    )
    const surface = { 'line-color': palette.isDark ? palette.border : palette.halo, 'line-width': widening(far, near) }
    return { edge, surface: line(id, roads[id], surface, minzoom) }
  }
  const drawn = [road('minor'), road('middle'), road('major')]
  const colors = palette.isDark ? { green: '#1f2a24', building: '#282d31' } : { green: '#e6eee0', building: '#ece6dc' }
  const { minzoom: pathZoom, widths: pathWidths } = roadLooks.path
  return [
    {
      id: `${ownPrefix}ground`,
      type: 'background',
      paint: { 'background-color': land === undefined ? palette.land : palette.sea },
    },
    ...(land === undefined ? [] : [fill('land', { layer: land }, palette.land)]),
    ...green.map((part, at) => fill(`green-${at}`, part, colors.green, 7)),
    ...water.map((part, at) => fill(`water-${at}`, part, palette.sea)),
    ...rivers.map((part, at) =>
      line(`river-${at}`, part, { 'line-color': palette.sea, 'line-width': widening(0.6, 6) }, 8),
    ),
    fill('building', { layer: buildings }, colors.building, 14),
    line(
      'path',
      roads.path,
      { 'line-color': palette.coast, 'line-width': widening(...pathWidths), 'line-dasharray': [2, 1.5] },
      pathZoom,
    ),
    line('rail', roads.rail, { 'line-color': palette.coast, 'line-width': widening(0.6, 2) }, 10),
    ...drawn.map(({ edge }) => edge),
    ...drawn.map(({ surface }) => surface),
    line('border', borders, { 'line-color': palette.border, 'line-width': widening(0.8, 2.5) }),
    ...names(inTiles, roadNames, places, palette),
  ]
}

/** Names in the language of the reader where the tiles have them. */
function names(
  inTiles: (id: string, part: Part) => { id: string; source: string; 'source-layer': string },
  roadNames: string,
  places: Schema['places'],
  palette: MapPalette,
): LayerSpecification[] {
  const language = document.documentElement.lang.slice(0, 2) || 'en'
  const name: ExpressionSpecification = [
    'coalesce',
    ['get', `name:${language}`],
    ['get', `name_${language}`],
    ['get', 'name'],
    '',
  ]
  const label = (
    id: string,
    part: Part,
    [from, to]: readonly [number, number],
    look: { size: number; isStrong?: boolean; isLine?: boolean },
  ): LayerSpecification => ({
    ...inTiles(id, part),
    type: 'symbol',
    minzoom: from,
    maxzoom: to,
    layout: {
      'text-field': name,
      'text-font': look.isStrong ? semibold : medium,
      'text-size': look.size,
      'text-max-width': 8,
      'text-padding': 4,
      ...(look.isLine && { 'symbol-placement': 'line' as const }),
    },
    paint: {
      'text-color': look.isStrong ? palette.text : palette.text2,
      'text-halo-color': palette.halo,
      'text-halo-width': 1.3,
    },
  })
  return [
    label('road-name', { layer: roadNames }, [14, 24], { size: 11, isLine: true }),
    label('village', places.village, [11, 17], { size: 11.5 }),
    label('town', places.town, [4, 15], { size: 13, isStrong: true }),
    label('country', places.country, [0, 7], { size: 12 }),
  ]
}
