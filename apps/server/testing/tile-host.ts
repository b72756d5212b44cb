import http from 'node:http'
import type { AddressInfo } from 'node:net'
import zlib from 'node:zlib'

export interface TileHost {
  readonly host: string
  /** Of this computer: `http://127.0.0.1:1234`. */
  readonly origin: string
  /** Paths with their ranges, oldest first. */
  readonly asked: string[]
  /** What it answers at a path from now on; undefined as before. */
  answer(path: string, next: TileAnswer | undefined): void
  /** Answers everything with 503, or as before. */
  fail(isFailing: boolean): void
  close(): Promise<void>
}

export interface TileAnswer {
  readonly status?: number
  readonly body: string | Buffer
  readonly headers?: Record<string, string>
  /** Parts are not sent. */
  readonly isWhole?: boolean
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
)

/** A fake map service with its own address: a style, images as its tiles, and PMTiles files in the published formats. */
export async function tileHost(port = 0): Promise<TileHost> {
  const asked: string[] = []
  const answers = new Map<string, TileAnswer>()
  let isFailing = false
  const server = http.createServer(({ url = '/', headers: { range } }, response) => {
    asked.push(range === undefined ? url : `${url} ${range}`)
    const found = answers.get(url) ?? usual(origin(), url)
    const failing: TileAnswer = { status: 503, body: '' }
    const { status = 200, body, headers, isWhole } = isFailing ? failing : found
    const open = { 'access-control-allow-origin': '*', ...headers }
    const bytes = Buffer.from(body)
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    if (status !== 200 || from === undefined || isWhole) {
      response.writeHead(status, open).end(bytes)
      return
    }
    const part = bytes.subarray(Number(from), Number(to) + 1)
    const last = Number(from) + part.length - 1
    response.writeHead(206, { ...open, 'content-range': `bytes ${from}-${last}/${bytes.length}` }).end(part)
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const origin = () => `http://${host}`
  return {
    host,
    origin: origin(),
    asked,
    answer: (path, next) => void (next ? answers.set(path, next) : answers.delete(path)),
    fail: (next) => {
      isFailing = next
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

function usual(origin: string, url: string): TileAnswer {
  if (url === '/style.json') return { body: JSON.stringify(testStyle(origin)) }
  if (url === '/tiles.json') return { body: JSON.stringify(testTileJson(origin)) }
  if (url === '/streets.pmtiles') return { body: testPmtiles() }
  if (url.endsWith('.png')) return { body: pixel, headers: { 'content-type': 'image/png' } }
  return { status: 404, body: '' }
}

export const testStyle = (origin: string) => ({
  version: 8,
  name: 'Streets of the test',
  glyphs: `${origin}/fonts/{fontstack}/{range}.pbf`,
  sources: { streets: { type: 'raster', url: `${origin}/tiles.json`, tileSize: 256 } },
  layers: [
    { id: 'ground', type: 'background', paint: { 'background-color': '#dcefdc' } },
    { id: 'stops', type: 'raster', source: 'streets' },
  ],
})

export const testTileJson = (origin: string) => ({
  tilejson: '3.0.0',
  tiles: [`${origin}/{z}/{x}/{y}.png`],
  attribution: '<a href="https://streets.example/copyright">© Street makers</a><script>alert(1)</script>',
})

/** As PMTiles' specification numbers them. */
const kinds = { mvt: 1, png: 2, mlt: 6 } as const
const packings = { none: 1, gzip: 2, brotli: 3 } as const

interface PmtilesOptions {
  readonly kind?: keyof typeof kinds
  readonly packing?: keyof typeof packings
  readonly layers?: readonly string[]
}

/**
 * A PMTiles file of version 3: one tile, which is that of all places up to zoom 4. Source: PMTiles specification, version 3.
 *
 * @param layers Names of the layers of vector tiles, each with a square in it.
 */
export function testPmtiles(options: PmtilesOptions = {}): Buffer {
  const { kind = 'mvt', packing = 'gzip', layers = ['earth', 'water', 'roads', 'places'] } = options
  const pack = (bytes: Buffer) => (packing === 'gzip' ? zlib.gzipSync(bytes) : bytes)
  const tile = kind === 'png' ? pixel : pack(Buffer.concat(layers.map(vectorLayer)))
  const tileCount = 1 + 4 + 16 + 64 + 256
  // entries, first tile, run length, length, offset + 1
  const directory = pack(Buffer.concat([1, 0, tileCount, tile.length, 1].map(varint)))
  const description = { attribution: 'Makers of the file', vector_layers: layers.map((id) => ({ id, fields: {} })) }
  const metadata = pack(Buffer.from(JSON.stringify(description)))
  const header = Buffer.alloc(127)
  header.write('PMTiles', 'latin1')
  header[7] = 3
  const sizes = [directory, metadata, Buffer.alloc(0), tile].map(({ length }) => length)
  let offset = header.length
  sizes.forEach((size, at) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + at * 16)
    header.writeBigUInt64LE(BigInt(size), 16 + at * 16)
    offset += size
  })
  header[96] = 1
  header[97] = packings[packing]
  header[98] = kind === 'png' ? packings.none : packings[packing]
  header[99] = kinds[kind]
  header[101] = 4
  const degrees = [-180, -85, 180, 85]
  degrees.forEach((degree, at) => header.writeInt32LE(degree * 1e7, 102 + at * 4))
  return Buffer.concat([header, directory, metadata, tile])
}

/** A layer of a vector tile with a square. Source: Mapbox Vector Tile specification, version 2. */
function vectorLayer(name: string): Buffer {
  const edge = name === 'earth' ? 4096 : 1024
  const [moveTo, lineTo, close] = [9, 26, 15]
  const geometry = [moveTo, 0, 0, lineTo, ...[edge, 0, 0, edge, -edge, 0].map(zigzag), close]
  const polygon = 3
  const feature = Buffer.concat([number(3, polygon), bytesOf(4, Buffer.concat(geometry.map(varint)))])
  const layer = [number(15, 2), bytesOf(1, Buffer.from(name)), bytesOf(2, feature), number(5, 4096)]
  return bytesOf(3, Buffer.concat(layer))
}

const zigzag = (value: number): number => (value << 1) ^ (value >> 31)

const number = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)])

const bytesOf = (field: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes])

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
  return Buffer.from([...bytes, rest])
}
