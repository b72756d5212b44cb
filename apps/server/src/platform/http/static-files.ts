import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { acceptedEncoding, encode, leastBytesToEncode, type Encoded } from './encodings.ts'
import type { Exchange } from './exchange.ts'
import { dropDocumentHeaders } from './security-headers.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.pbf': 'application/x-protobuf',
  '.pmtiles': 'application/vnd.pmtiles',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
}
const compressible = new Set([
  '.css',
  '.html',
  '.js',
  '.json',
  '.mjs',
  '.pbf',
  '.svg',
  '.txt',
  '.ttf',
  '.wasm',
  '.webmanifest',
  '.xml',
])

/** What a browser shows by itself and could run scripts from: it keeps the policies of a document. */
const active = new Set(['.html', '.svg', '.xml'])

/** A worker is under the policy that came with its own script. Source: CSP 3, "initialize a global object's CSP list". */
const workerScript = /\/[\w-]*worker-[\w-]+\.js$/

/** An answer that is ready to be sent. */
export interface StaticFile {
  readonly type: string
  readonly cacheControl: string
  /** Null for what is never asked for a second time. */
  readonly etag: string | null
  /** Whether it goes out in several forms. */
  readonly isEncoded: boolean
  /** Whether only documents refer to it, whose policies it then has no use for. */
  readonly isPassive: boolean
  readonly body: Buffer
  encoded: Encoded
}

export interface StaticFiles {
  find(address: string): StaticFile | undefined
  /** Text of a file of the build, for what the server itself reads. */
  text(address: string): string | undefined
  /** Settles when every compressed form is there. */
  readonly encoded: Promise<void>
}

/**
 * Holds the web build in memory. Compressed forms are made in the background, one file at a time, and cached in `cacheDir`;
 * until then a file goes out as it is. Map tiles are thousands and few are asked for: they are read when they are.
 */
export function loadStaticFiles(root: string, cacheDir: string, log: Logger): StaticFiles {
  const files = new Map<string, StaticFile>()
  const unread = new Map<string, string>()
  for (const { address, file } of listFiles(root)) {
    if (address.startsWith('/tiles/')) unread.set(address, file)
    else files.set(address, staticFile(address, fs.readFileSync(file)))
  }
  const encodeFile = async (address: string, file: StaticFile): Promise<void> => {
    if (file.isEncoded) file.encoded = await encode(file.body, cacheDir, isHashed(address) ? 'best' : 'fast')
  }
  const encodeAll = async (): Promise<void> => {
    for (const [address, file] of files) await encodeFile(address, file)
  }
  const complain = (error: unknown) => log.warn({ err: error }, 'a static file goes out uncompressed')
  const read = (address: string): StaticFile | undefined => {
    const source = unread.get(address)
    if (source === undefined) return undefined
    const file = staticFile(address, fs.readFileSync(source))
    files.set(address, file)
    unread.delete(address)
    encodeFile(address, file).catch(complain)
    return file
  }
  return {
    find: (address) => files.get(address) ?? read(address),
    text: (address) => files.get(address)?.body.toString('utf8'),
    encoded: encodeAll().catch(complain),
  }
}

/** A file in memory with its caching: hashed names forever, build information never, the rest requested again each time. */
export function staticFile(address: string, body: Buffer): StaticFile {
  const extension = path.extname(address)
  return {
    type: types[extension] ?? 'application/octet-stream',
    cacheControl: cacheControlOf(address),
    etag: isHashed(address) ? null : `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    isEncoded: compressible.has(extension) && body.length >= leastBytesToEncode,
    isPassive: !active.has(extension) && !workerScript.test(address),
    body,
    encoded: {},
  }
}

const isHashed = (address: string): boolean => /^\/assets\/.*[-.][\w-]{7,}\.\w+$/.test(address)

function cacheControlOf(address: string): string {
  if (address.startsWith('/builds/')) return 'no-store'
  if (isHashed(address)) return 'public, max-age=31536000, immutable'
  if (address.startsWith('/tiles/')) return 'public, max-age=86400'
  return 'no-cache'
}

/** Folders and files that start with a dot are the build's own notes. */
function listFiles(root: string): { address: string; file: string }[] {
  if (!fs.existsSync(root)) return []
  return fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name)
      return { file, address: `/${path.relative(root, file).split(path.sep).join('/')}` }
    })
    .filter(({ address }) => !address.includes('/.'))
}

/** Sends a file: conditional, compressed where the client can, single byte ranges for map archives. */
export function sendFile(exchange: Exchange, file: StaticFile, status = 200): void {
  const { request, response } = exchange
  if (file.isPassive) dropDocumentHeaders(response)
  response.setHeader('content-type', file.type)
  response.setHeader('cache-control', file.cacheControl)
  if (file.etag !== null) response.setHeader('etag', file.etag)
  if (file.isEncoded) response.setHeader('vary', 'accept-encoding')
  if (status === 200 && file.etag !== null && request.headers['if-none-match']?.includes(file.etag)) {
    response.writeHead(304)
    response.end()
    return
  }
  const range = status === 200 ? byteRange(request.headers.range, file.body.length) : undefined
  if (range) return sendRange(exchange, file, range)
  const encoding = acceptedEncoding(request.headers['accept-encoding']?.toString(), file.encoded)
  const body = (encoding && file.encoded[encoding]) ?? file.body
  if (encoding) response.setHeader('content-encoding', encoding)
  response.writeHead(status, { 'content-length': body.length })
  response.end(request.method === 'HEAD' ? undefined : body)
}

interface ByteRange {
  readonly from: number
  /** Inclusive, as in the header. */
  readonly to: number
}

function sendRange({ request, response }: Exchange, file: StaticFile, { from, to }: ByteRange): void {
  const size = file.body.length
  if (from >= size || from > to) {
    response.writeHead(416, { 'content-range': `bytes */${size}`, 'content-length': 0 })
    response.end()
    return
  }
  response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${size}`, 'content-length': to - from + 1 })
  response.end(request.method === 'HEAD' ? undefined : file.body.subarray(from, to + 1))
}

/** One range; several at once are answered with the whole file, which HTTP allows. */
function byteRange(header: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  if (match[1] === '') return { from: Math.max(0, size - Number(match[2])), to: size - 1 }
  return { from: Number(match[1]), to: match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1) }
}
