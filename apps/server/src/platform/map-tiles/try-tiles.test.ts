import type { MapTiles } from '@tour-ops/contract/settings/map-tiles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TileHost, testPmtiles, testStyle, testTileJson, tileHost } from '../../../testing/tile-host.ts'
import { tryTiles } from './try-tiles.ts'

let host: TileHost
beforeAll(async () => {
  host = await tileHost()
})
afterAll(() => host?.close())

const page = 'https://tours.example.com'

/** The codes at the field of the address, or null where it may be saved. */
const issueOf = (source: MapTiles['source'], path: string, hosts = [host.origin]): Promise<unknown> =>
  tryTiles(
    { tiles: { source, address: path.startsWith('http') ? path : host.origin + path }, hosts, origin: page },
    new AbortController().signal,
  ).then(
    () => null,
    (error: { details: { fieldIssues: Record<string, { code: string }[]> } }) =>
      error.details.fieldIssues['settings.tiles.address']?.map(({ code }) => code),
  )

/** What a style is refused for that differs from the usual one in this. */
async function issueOfStyle(change: object): Promise<unknown> {
  host.answer('/other.json', { body: JSON.stringify({ ...testStyle(host.origin), ...change }) })
  return issueOf('style', '/other.json')
}

async function issueOfFile(body: Buffer | string, headers: Record<string, string> = {}): Promise<unknown> {
  host.answer('/other.pmtiles', { body, headers })
  return issueOf('pmtiles', '/other.pmtiles')
}

test('a style is read with the descriptions of its sources, as a browser of this page will read them', async () => {
  host.asked.splice(0)
  expect(await issueOf('style', '/style.json')).toBeNull()
  expect(host.asked).toEqual(['/style.json', '/tiles.json'])
  const tiles = { type: 'vector', tiles: [`${host.origin}/{z}/{x}/{y}.pbf`] }
  const file = { type: 'vector', url: `pmtiles://${host.origin}/streets.pmtiles` }
  const drawn = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } }
  expect(await issueOfStyle({ sources: { streets: tiles, file, drawn } })).toBeNull()
  expect(await issueOfStyle({ sprite: `${host.origin}/sprite` })).toBeNull()
})

test('what is no style is refused', async () => {
  const wrong = ['tiles_no_style']
  expect(await issueOfStyle({ version: 7 })).toEqual(wrong)
  expect(await issueOfStyle({ layers: [] })).toEqual(wrong)
  expect(await issueOfStyle({ sources: {} })).toEqual(wrong)
  expect(await issueOfStyle({ layers: [{ id: 'a', type: 'fill', source: 'another' }] })).toEqual(wrong)
  const many = Object.fromEntries([...Array(21).keys()].map((at) => [`s${at}`, { type: 'vector' }]))
  expect(await issueOfStyle({ sources: { ...testStyle(host.origin).sources, ...many } })).toEqual(wrong)
  expect(await issueOfStyle({ metadata: 'x'.repeat(2_000_000) }), 'too long').toEqual(wrong)
  host.answer('/other.json', { body: '<html>' })
  expect(await issueOf('style', '/other.json')).toEqual(wrong)
  host.answer('/tiles.json', { body: '{"tiles":[]}' })
  expect(await issueOf('style', '/style.json')).toEqual(wrong)
  host.answer('/tiles.json', undefined)
})

test('everything that browsers will ask has to be at an allowed host', async () => {
  const closed = ['tiles_host_closed']
  expect(await issueOf('style', '/style.json', [])).toEqual(closed)
  expect(await issueOf('style', '/style.json', ['https://tiles.example.com'])).toEqual(closed)
  const elsewhere = 'https://elsewhere.example'
  expect(await issueOfStyle({ sprite: [{ id: 'a', url: `${elsewhere}/sprite` }] })).toEqual(closed)
  expect(await issueOfStyle({ sources: { streets: { type: 'raster', tiles: [`${elsewhere}/{z}.png`] } } })).toEqual(
    closed,
  )
  expect(await issueOfStyle({ sources: { streets: { type: 'vector', url: 'mapbox://streets' } } })).toEqual(closed)
  expect(await issueOfStyle({ sources: { streets: { type: 'geojson', data: `${elsewhere}/a` } } })).toEqual(closed)
  host.answer('/tiles.json', { body: JSON.stringify(testTileJson(elsewhere)) })
  expect(await issueOf('style', '/style.json')).toEqual(closed)
  host.answer('/tiles.json', undefined)
})

test('a host of this network is asked only where it is allowed by its full name', async () => {
  host.asked.splice(0)
  const open = ['http://*']
  expect(await issueOf('style', '/style.json', open), 'another port').toEqual(['tiles_host_closed'])
  expect(await issueOf('style', '/style.json', [`http://*:${host.host.split(':')[1]}`])).toEqual(['tiles_private'])
  expect(host.asked).toEqual([])
})

test('a host that is silent, or that does not let browsers read, is reported', async () => {
  expect(await issueOf('style', '/nothing.json')).toEqual(['tiles_silent'])
  expect(await issueOf('style', 'http://127.0.0.1:1/style.json', ['http://127.0.0.1:1'])).toEqual(['tiles_silent'])
  const body = JSON.stringify(testStyle(host.origin))
  host.answer('/other.json', { body, headers: { 'access-control-allow-origin': 'https://other.example' } })
  expect(await issueOf('style', '/other.json')).toEqual(['tiles_cors'])
  host.answer('/other.json', { body, headers: { 'access-control-allow-origin': page } })
  expect(await issueOf('style', '/other.json')).toBeNull()
  host.answer('/other.json', { status: 302, body: '', headers: { location: `${host.origin}/style.json` } })
  expect(await issueOf('style', '/other.json'), 'redirects are not followed').toEqual(['tiles_silent'])
})

test('a file is accepted when browsers can draw its tiles', async () => {
  host.asked.splice(0)
  expect(await issueOf('pmtiles', '/streets.pmtiles')).toBeNull()
  expect(host.asked[0]).toBe('/streets.pmtiles bytes=0-16383')
  expect(await issueOfFile(testPmtiles({ kind: 'png' }))).toBeNull()
  expect(await issueOfFile(testPmtiles({ packing: 'none', layers: ['water', 'transportation'] }))).toBeNull()
  expect(await issueOfFile(testPmtiles({ layers: ['ocean', 'streets'] }))).toBeNull()
  expect(await issueOfFile(testPmtiles({ layers: ['lots'] }))).toEqual(['tiles_layers_unknown'])
  expect(await issueOfFile(testPmtiles({ packing: 'brotli' }))).toEqual(['tiles_packed'])
  expect(await issueOfFile(testPmtiles({ kind: 'mlt' }))).toEqual(['tiles_packed'])
  expect(await issueOfFile('PMTiles')).toEqual(['tiles_no_file'])
  expect(await issueOfFile(Buffer.alloc(20_000))).toEqual(['tiles_no_file'])
  const older = testPmtiles()
  older[7] = 2
  expect(await issueOfFile(older)).toEqual(['tiles_no_file'])
})

test('a description of a file that cannot be read has no layers that we know', async () => {
  const broken = testPmtiles()
  broken.writeBigUInt64LE(0n, 32)
  expect(await issueOfFile(broken)).toEqual(['tiles_layers_unknown'])
  broken.writeBigUInt64LE(20n, 32)
  expect(await issueOfFile(broken)).toEqual(['tiles_layers_unknown'])
  broken.writeBigUInt64LE(2n ** 60n, 32)
  expect(await issueOfFile(broken)).toEqual(['tiles_layers_unknown'])
})

test('a server that sends whole files only is reported', async () => {
  const whole = testPmtiles()
  for (const body of [whole, Buffer.concat([whole, Buffer.alloc(100_000)])]) {
    host.answer('/whole.pmtiles', { body, isWhole: true })
    expect(await issueOf('pmtiles', '/whole.pmtiles')).toEqual(['tiles_no_ranges'])
  }
})
