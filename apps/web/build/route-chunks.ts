import type { Rollup } from 'vite'
import { addressPattern } from './route-paths.ts'

const screenModule = /\/src\/routes\/(.*)\.tsx\?tsr-split=component$/

/**
 * What the screen at each address needs: its scripts, and before them the entry, which would otherwise wait behind them.
 * The server names them with the document, so that they travel together; the entry would ask for them only after it has run.
 *
 * @returns File names of the build by pattern of address, the patterns as in `routePaths`.
 */
export function routeChunks(bundle: Rollup.OutputBundle): Record<string, string[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const entry = new Set<Rollup.OutputChunk>()
  for (const chunk of chunks) if (chunk.isEntry) addImports(chunk, byName, entry)
  const screens = chunks.flatMap((chunk) => {
    const name = screenModule.exec(chunk.facadeModuleId ?? '')?.[1]
    return name === undefined ? [] : [[addressOf(name), filesOf(chunk, byName, entry)] as const]
  })
  return Object.fromEntries(screens.toSorted(([one], [other]) => one.localeCompare(other)))
}

/** `_dashboard/tours/edit/$id` → `/tours/edit/{id}`: layouts without a path and the word `index` are no part of an address. */
const addressOf = (name: string): string =>
  addressPattern(`/${name.replace(/^_\w+\//, '').replace(/(?:^|\/)index$/, '')}`)

function filesOf(
  chunk: Rollup.OutputChunk,
  byName: ReadonlyMap<string, Rollup.OutputChunk>,
  entry: ReadonlySet<Rollup.OutputChunk>,
): string[] {
  const needed = new Set(entry)
  addImports(chunk, byName, needed)
  return [...needed].map(({ fileName }) => fileName)
}

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
