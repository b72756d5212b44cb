import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin, transformWithOxc } from 'vite'

const mapLibrary = normalizePath(path.dirname(path.dirname(fileURLToPath(import.meta.resolve('maplibre-gl')))))
const mapManifest = `${mapLibrary}/package.json`
const { dependencies, version } = JSON.parse(readFileSync(mapManifest, 'utf8')) as {
  dependencies: Record<string, string>
  version: string
}
const mapPackages = ['maplibre-gl', ...Object.keys(dependencies)]
const librarySource = `${mapLibrary}/src`
/** The library's second format of tiles, MLT: 14 kB of decoders for which nothing here has tiles. A style that needs it gets an error. */
const tilesOfOwnFormat = `${librarySource}/source/vector_tile_mlt.ts`
const noTilesOfOwnFormat = `export class MLTVectorTile {
  constructor() {
    throw new Error('Tiles in the format MLT are not read here; use vector tiles in the Mapbox format (MVT).')
  }
}`
/**
 * What no map here asks for and no style can, as what the library imports of it: a line about sources (ours is written by the page), a logo, and
 * the view in the address.
 */
const leftOut: Readonly<Record<string, string>> = {
  [`${librarySource}/ui/control/attribution_control.ts`]:
    'export const defaultAttributionControlOptions = {}\nexport class AttributionControl {}',
  [`${librarySource}/ui/control/logo_control.ts`]: 'export class LogoControl {}',
  [`${librarySource}/ui/hash.ts`]: 'export class Hash {}',
}
const workerImport = 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
const workerAddress = '\0map-worker-address'

/** The sources count on fields that are set by the constructor, as their own build does it; a field that is only declared is none. */
const setFields: Parameters<typeof transformWithOxc>[2] = {
  target: 'es2021',
  assumptions: { setPublicClassFields: true },
  typescript: { removeClassFieldsWithoutInitializer: true },
}

/** Whether a module belongs to the map library or to its dependencies; no other code here uses these packages. */
export const isOfMap = (id: string): boolean => mapPackages.some((name) => id.includes(`/node_modules/${name}/`))

/**
 * Builds the map library from the sources in its package, its worker in the same build as the page. What the package has ready are two
 * whole bundles, page and worker, with the same 105 kB in both; built together they share one file. Of the library's manifest, which it
 * imports whole, it needs the version; a format of tiles and parts of the screen that nothing here uses are left out.
 */
export function mapFromSource(): Plugin {
  return {
    name: 'map-from-source',
    apply: 'build',
    enforce: 'pre',
    resolveId(source) {
      if (source === 'maplibre-gl') return `${librarySource}/index.ts`
      return source === workerImport ? workerAddress : undefined
    },
    load(id) {
      if (id === tilesOfOwnFormat) return noTilesOfOwnFormat
      if (leftOut[id]) return leftOut[id]
      if (id === mapManifest) return JSON.stringify({ version })
      if (id !== workerAddress) return undefined
      const worker = this.emitFile({
        type: 'chunk',
        id: `${librarySource}/source/worker.ts`,
        name: 'map-worker',
      })
      return `export default import.meta.ROLLUP_FILE_URL_${worker}`
    },
    transform: {
      filter: { id: /\/node_modules\/maplibre-gl\/src\/.*\.ts$/ },
      handler: (code, id) => transformWithOxc(code, id, setFields),
    },
  }
}
