import { type MapTiles, tilesTimeoutMs } from '@tour-ops/contract/settings/map-tiles'
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl'
import type { Ground } from '../basemap.ts'
import { ownPrefix } from './watch-tiles.ts'

const pmtilesScheme = 'pmtiles://'

/**
 * The ground that an organization has chosen: a style as its makers drew it, in both themes, or the tiles of a file in our drawing.
 *
 * @throws Error when it cannot be loaded.
 */
export async function loadGround({ source, address }: MapTiles, signal: AbortSignal): Promise<Ground> {
  if (source === 'pmtiles') return (await import('./pmtiles.ts')).fileGround(address)
  const answer = await fetch(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(tilesTimeoutMs)]) })
  if (!answer.ok) throw new Error(`The style answers ${answer.status}.`)
  const style = (await answer.json()) as StyleSpecification
  if (Object.values(style.sources).some((one) => 'url' in one && one.url?.startsWith(pmtilesScheme))) {
    ;(await import('./pmtiles.ts')).readPmtiles()
  }
  const own = ownStyle(style)
  return () => own
}

/**
 * A style of somebody else below the layers of a screen: with names of its own, and without its fonts, since one address for all fonts would be asked
 * for ours as well; its labels are drawn with fonts of this computer.
 */
function ownStyle({ sources, layers, sprite }: StyleSpecification): StyleSpecification {
  return {
    version: 8,
    ...(sprite !== undefined && { sprite }),
    sources: Object.fromEntries(Object.entries(sources).map(([name, source]) => [ownPrefix + name, source])),
    layers: layers.map((layer): LayerSpecification => {
      const id = ownPrefix + layer.id
      return layer.type === 'background' ? { ...layer, id } : { ...layer, id, source: ownPrefix + layer.source }
    }),
  }
}
