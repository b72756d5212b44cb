import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FieldIssue } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import {
  allowsHost,
  layersOf,
  type MapTiles,
  namesHost,
  schemaOf,
  tilesTimeoutMs,
} from '@tour-ops/contract/settings/map-tiles'
import * as z from 'zod/mini'
import { askOutside, type OutsideAnswer, OutsideError } from '../http/outside-request.ts'
import { firstBytes, readPmtilesHeader } from './pmtiles-header.ts'

export interface TilesTrial {
  readonly tiles: MapTiles
  /** Hosts that the Content-Security-Policy lets in: nothing else is asked. */
  readonly hosts: readonly string[]
  /** Where the browsers' requests will come from. */
  readonly origin: string
}

/** Styles of whole street maps have some 200 kB. */
const maxStyleBytes = 2_000_000
const maxDescriptionBytes = 1_000_000
/** Of the names of all layers and their fields. */
const maxMetadataBytes = 2_000_000
const maxUnpackedBytes = 10_000_000
const maxSources = 20

const Style = z.object({
  version: z.literal(8),
  sources: z.record(
    z.string(),
    z.object({
      type: z.string(),
      url: z.optional(z.string()),
      tiles: z.optional(z.array(z.string())),
      data: z.optional(z.unknown()),
    }),
  ),
  layers: z
    .array(z.object({ id: z.string(), type: z.string(), source: z.optional(z.string()) }))
    .check(z.minLength(1), z.maxLength(2000)),
  sprite: z.optional(z.union([z.string(), z.array(z.object({ id: z.string(), url: z.string() }))])),
})
type Source = z.output<typeof Style>['sources'][string]

const TileJson = z.object({ tiles: z.array(z.string()).check(z.minLength(1)) })

/** What is wrong with an address, for its field. */
class Unusable extends Error {
  override readonly name = 'Unusable'
  readonly issue: FieldIssue

  constructor(issue: FieldIssue, cause?: unknown) {
    super(issue.code, { cause })
    this.issue = issue
  }
}

/**
 * Reads a style with the descriptions of its sources, or the beginning of a PMTiles file, as a browser will: from allowed hosts, and only what other sites
 * may read.
 *
 * @throws AppError `invalid-argument` at the field of the address.
 */
export async function tryTiles(trial: TilesTrial, signal: AbortSignal): Promise<void> {
  const { source, address } = trial.tiles
  const guard = new TilesGuard(trial, signal)
  try {
    if (source === 'style') await tryStyle(guard, address)
    else await tryFile(guard, address, true)
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    throw refuse('entries_refused', undefined, { cause: error, fields: { 'settings.tiles.address': [error.issue] } })
  }
}

class TilesGuard {
  readonly #trial: TilesTrial
  readonly #signal: AbortSignal

  constructor(trial: TilesTrial, signal: AbortSignal) {
    this.#trial = trial
    this.#signal = signal
  }

  /** The address, with zeros for what the map puts into it. */
  allowed(address: string): URL {
    const url = URL.parse(address.replaceAll(/\{[\w-]+\}/g, '0'))
    if (!url) throw new Unusable({ code: 'tiles_address_form' })
    if (!allowsHost(this.#trial.hosts, url)) {
      throw new Unusable({ code: 'tiles_host_closed', params: { host: url.host || url.protocol } })
    }
    return url
  }

  async ask(address: string, maxBytes: number, range?: string): Promise<OutsideAnswer & { readonly host: string }> {
    const url = this.allowed(address)
    const { host } = url
    const { hosts, origin } = this.#trial
    let answer: OutsideAnswer
    try {
      answer = await askOutside({
        url,
        headers: { accept: '*/*', origin, ...(range !== undefined && { range: `bytes=${range}` }) },
        // who runs the installation has listed it, and may well run it next to this server
        trustedHosts: namesHost(hosts, url) ? [host] : [],
        timeoutMs: tilesTimeoutMs,
        maxBytes,
        signal: this.#signal,
      })
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error
      throw new Unusable({ code: faultCodes[error.fault], params: { host } }, error)
    }
    const readers = answer.headers['access-control-allow-origin']
    if (answer.status !== 200 && answer.status !== 206) throw new Unusable({ code: 'tiles_silent', params: { host } })
    if (readers !== '*' && readers !== origin && url.origin !== origin)
      throw new Unusable({ code: 'tiles_cors', params: { host } })
    return { ...answer, host }
  }
}

/** What is too long for a style is none, and a server that sends more than the part it was asked for knows no parts. */
const faultCodes = { private: 'tiles_private', silent: 'tiles_silent', too_long: 'tiles_no_ranges' } as const

async function tryStyle(guard: TilesGuard, address: string): Promise<void> {
  const { sources, layers, sprite } = await readJson(guard, address, maxStyleBytes, Style)
  const { host } = guard.allowed(address)
  const names = Object.keys(sources)
  const isWhole = layers.every(({ source }) => source === undefined || source in sources)
  if (!isWhole || names.length === 0 || names.length > maxSources) {
    throw new Unusable({ code: 'tiles_no_style', params: { host } })
  }
  for (const url of typeof sprite === 'string' ? [sprite] : (sprite ?? []).map((one) => one.url)) guard.allowed(url)
  await Promise.all(Object.values(sources).map((source) => trySource(guard, source)))
}

async function trySource(guard: TilesGuard, { type, url, tiles, data }: Source): Promise<void> {
  for (const address of tiles ?? []) guard.allowed(address)
  if (typeof data === 'string') guard.allowed(data)
  if (url === undefined) return
  if (url.startsWith('pmtiles://')) return tryFile(guard, url.slice('pmtiles://'.length), false)
  // pictures are what their address says; tiles are described there
  if (!type.startsWith('vector') && !type.startsWith('raster')) return void guard.allowed(url)
  const described = await readJson(guard, url, maxDescriptionBytes, TileJson)
  for (const address of described.tiles) guard.allowed(address)
}

async function readJson<S extends z.ZodMiniType>(
  guard: TilesGuard,
  address: string,
  maxBytes: number,
  shape: S,
): Promise<z.output<S>> {
  const { host } = guard.allowed(address)
  try {
    const { bytes } = await guard.ask(address, maxBytes)
    return z.parse(shape, JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    const isOther = !(error instanceof SyntaxError) && !(error instanceof z.core.$ZodError)
    if (isOther && !(error instanceof Unusable && error.issue.code === 'tiles_no_ranges')) throw error
    throw new Unusable({ code: 'tiles_no_style', params: { host } }, error)
  }
}

/** @param isDrawnByUs Whether its layers need a drawing of ours: a style has its own. */
async function tryFile(guard: TilesGuard, address: string, isDrawnByUs: boolean): Promise<void> {
  const { status, bytes, host } = await guard.ask(address, firstBytes, `0-${firstBytes - 1}`)
  if (status !== 206) throw new Unusable({ code: 'tiles_no_ranges', params: { host } })
  const header = readPmtilesHeader(bytes)
  if (!header) throw new Unusable({ code: 'tiles_no_file', params: { host } })
  if (header.tiles === 'other' || !header.isUnpackable) throw new Unusable({ code: 'tiles_packed' })
  if (!isDrawnByUs || header.tiles === 'image') return
  const { offset, length } = header.metadata
  if (length === 0 || length > maxMetadataBytes) throw new Unusable({ code: 'tiles_layers_unknown' })
  const part = await guard.ask(address, length, `${offset}-${offset + length - 1}`)
  const layers = await layersIn(part.bytes, header.isMetadataPacked)
  if (schemaOf(layers) === null) throw new Unusable({ code: 'tiles_layers_unknown' })
}

const unpack = promisify(gunzip)

async function layersIn(metadata: Buffer, isPacked: boolean): Promise<string[]> {
  try {
    const text = isPacked ? await unpack(metadata, { maxOutputLength: maxUnpackedBytes }) : metadata
    return layersOf(JSON.parse(text.toString('utf8')))
  } catch (error) {
    throw new Unusable({ code: 'tiles_layers_unknown' }, error)
  }
}
