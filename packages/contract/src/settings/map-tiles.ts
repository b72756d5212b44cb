import * as z from 'zod/mini'

/** What an organization can have its maps drawn on instead of the offline basemap: a MapLibre style, or a PMTiles file. */
export const tileSources = ['style', 'pmtiles'] as const

/** Where every screen with a map finds its ground. */
export const MapTiles = z.object({ source: z.enum(tileSources), address: z.string() })
export type MapTiles = z.output<typeof MapTiles>

/** How long a style, a file or its description may take to answer, for the check and in the browser, milliseconds. */
export const tilesTimeoutMs = 8000

const schemePattern = /^(https?:)\/\/([^/:]+|\[[^\]]+\])(?::(\d+))?$/i

/** What a `URL` says of where something is. */
interface WebAddress {
  readonly protocol: string
  readonly hostname: string
  readonly port: string
}

/** The hosts that the Content-Security-Policy lets in, as it reads them: `https://tiles.example.com`, `https://*.example.com`. */
export function allowsHost(hosts: readonly string[], url: WebAddress): boolean {
  return hosts.some((host) => {
    const [, scheme, name = '', port = ''] = schemePattern.exec(host) ?? []
    return scheme?.toLowerCase() === url.protocol && url.port === portOf(url, port) && matchesName(name, url.hostname)
  })
}

/** Whether a host is listed by its full name, and not only covered by a pattern. */
export const namesHost = (hosts: readonly string[], url: WebAddress): boolean =>
  allowsHost(
    hosts.filter((host) => !host.includes('*')),
    url,
  )

/** As `URL` has it: nothing where it is the usual one of the scheme. */
const portOf = ({ protocol }: WebAddress, port: string): string =>
  port === (protocol === 'https:' ? '443' : '80') ? '' : port

function matchesName(pattern: string, hostname: string): boolean {
  const name = pattern.toLowerCase()
  if (name === '*') return true
  return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name
}

/** Layers of vector tiles that we have a drawing for. */
export const tileSchemas = ['protomaps', 'openmaptiles', 'shortbread'] as const
export type TileSchema = (typeof tileSchemas)[number]

/** Layers that only tiles of one schema have, and that its drawing cannot do without. */
const layersOfSchema: Readonly<Record<TileSchema, readonly string[]>> = {
  protomaps: ['earth', 'water', 'roads'],
  openmaptiles: ['water', 'transportation'],
  shortbread: ['ocean', 'streets'],
}

/** Which schema the layers of a file follow; null where we know none. */
export const schemaOf = (layers: readonly string[]): TileSchema | null =>
  tileSchemas.find((schema) => layersOfSchema[schema].every((layer) => layers.includes(layer))) ?? null

/** Names of the layers in the description of a file (TileJSON and PMTiles write them alike). */
export function layersOf(description: unknown): string[] {
  const { success, data } = Described.safeParse(description)
  return success ? data.vector_layers.map(({ id }) => id) : []
}

const Described = z.object({ vector_layers: z.array(z.object({ id: z.string() })) })
