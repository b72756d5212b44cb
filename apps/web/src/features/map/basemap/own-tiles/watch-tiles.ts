import type { Map as MapLibre } from 'maplibre-gl'

/** Sources of tiles of the organization are named after this, so that nothing of a screen has the same name. */
export const ownPrefix = 'own:'

/** This many tiles in a row that do not load are no accident. */
const maxFailures = 3

interface Watcher {
  readonly onFailed: (error: unknown) => void
  /** It is on the screen; these are the texts of its makers so far. */
  readonly onCredits: (texts: readonly string[]) => void
}

const isOwn = (source: string | undefined): boolean => source?.startsWith(ownPrefix) ?? false

/**
 * Whether the tiles of the organization load, from before they are put on the map. A style that cannot be used, a first tile that fails and several in a row
 * are failures; a single one later is not. Whatever else is wrong with the map is reported to the console, as without a watcher.
 *
 * @returns What stops it.
 */
export function watchTiles(map: MapLibre, { onFailed, onCredits }: Watcher): () => void {
  let isStyleThere = false
  let hasTile = false
  let failures = 0
  let known: string | undefined
  const report = () => {
    const texts = Object.keys(map.getStyle().sources)
      .filter(isOwn)
      .flatMap((name) => map.getSource(name)?.attribution ?? [])
    const unique = [...new Set(texts)].filter((text) => text !== '')
    if (unique.join() === known) return
    known = unique.join()
    onCredits(unique)
  }
  const styled = () => {
    isStyleThere = true
    report()
  }
  const failed = ({ error, sourceId }: { error: unknown; sourceId?: string }) => {
    if (!isStyleThere || (isOwn(sourceId) && (!hasTile || ++failures >= maxFailures))) onFailed(error)
    else if (String(error).includes(ownPrefix)) console.info('The map of the organization has a mistake.', error)
    else if (!isOwn(sourceId)) console.error(error)
  }
  const loaded = ({ sourceId, tile }: { sourceId: string; tile?: unknown }) => {
    if (!isOwn(sourceId)) return
    if (tile !== undefined) {
      hasTile = true
      failures = 0
    }
    report()
  }
  map.on('style.load', styled)
  map.on('error', failed)
  map.on('sourcedata', loaded)
  return () => {
    map.off('style.load', styled)
    map.off('error', failed)
    map.off('sourcedata', loaded)
  }
}
