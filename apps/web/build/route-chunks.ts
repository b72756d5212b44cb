import type { Rollup } from 'vite'
import { addressPattern } from './route-paths.ts'

const screenModule = /\/src\/routes\/(.*)\.tsx\?tsr-split=component$/

interface ScreenChunk {
  readonly chunk: Rollup.OutputChunk
  /** Pattern of its address. */
  readonly address: string
  /** It also wraps every route below it. */
  readonly isFrame: boolean
}

/**
 * What the screen at each address needs: style sheets, without which nothing is painted, then its scripts, before them the entry. The server
 * names them with the document, so that they travel together and in this order: browsers ask one server for six files at a time.
 *
 * @param patterns Of all addresses, as `routePaths` gives them.
 * @returns File names of the build by pattern.
 */
export function routeChunks(bundle: Rollup.OutputBundle, patterns: readonly string[]): Record<string, string[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const screens = chunks.flatMap(screensOf)
  if (screens.length === 0)
    throw new Error('The build has no screen of its own; did the router plugin change its names?')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const filesOf = (roots: readonly Rollup.OutputChunk[]): string[] => {
    const found = new Set<Rollup.OutputChunk>()
    for (const root of roots) addImports(root, byName, found)
    return [...new Set([...[...found].flatMap(stylesOf), ...[...found].map(({ fileName }) => fileName)])]
  }
  // The worker of the map is an entry as well, of its own thread.
  const entries = chunks.filter(({ isEntry, facadeModuleId }) => isEntry && facadeModuleId?.endsWith('.html'))
  return Object.fromEntries(
    patterns.flatMap((pattern) => {
      const own = screens.filter((screen) => standsAt(screen, pattern)).map(({ chunk }) => chunk)
      return own.length === 0 ? [] : [[pattern, filesOf([...entries, ...own])]]
    }),
  )
}

/** The entry's files are in the document as well, which is read after its head has named all files. */
const stylesOf = ({ viteMetadata }: Rollup.OutputChunk): string[] => [...(viteMetadata?.importedCss ?? [])]

/** `_dashboard/tours/edit/$id` → `/tours/edit/{id}`: layouts without a path, `index` and `route` are no part of an address. */
function screensOf(chunk: Rollup.OutputChunk): ScreenChunk[] {
  const name = screenModule.exec(chunk.facadeModuleId ?? '')?.[1]
  if (name === undefined) return []
  const plain = name.replace(/^_\w+\//, '').replace(/(?:^|\/)(?:index|route)$/, '')
  return [{ chunk, address: addressPattern(`/${plain}`), isFrame: name.endsWith('/route') }]
}

const standsAt = ({ address, isFrame }: ScreenChunk, pattern: string): boolean =>
  pattern === address || (isFrame && pattern.startsWith(`${address}/`))

function addImports(
  chunk: Rollup.OutputChunk,
  byName: ReadonlyMap<string, Rollup.OutputChunk>,
  found: Set<Rollup.OutputChunk>,
): void {
  if (found.has(chunk)) return
  found.add(chunk)
  for (const name of chunk.imports) {
    const imported = byName.get(name)
    if (imported) addImports(imported, byName, found)
  }
}
