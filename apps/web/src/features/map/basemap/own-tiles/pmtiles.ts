import { layersOf, schemaOf } from '@tour-ops/contract/settings/map-tiles'
import { addProtocol } from 'maplibre-gl'
import { PMTiles, Protocol, TileType } from 'pmtiles'
import type { Ground } from '../basemap.ts'
import { drawnTiles } from './drawn-tiles.ts'
import { ownPrefix } from './watch-tiles.ts'

const protocol = new Protocol({ metadata: true })

/** Lets the map read addresses like `pmtiles://https://…`. */
export const readPmtiles = (): void => addProtocol('pmtiles', protocol.tile)

/**
 * A file of tiles: images as they are, vector tiles in our colors.
 *
 * @throws Error when it cannot be read, or when its layers are unknown.
 */
export async function fileGround(address: string): Promise<Ground> {
  readPmtiles()
  const file = new PMTiles(address)
  const header = await file.getHeader()
  protocol.add(file)
  const url = `pmtiles://${address}`
  const name = `${ownPrefix}file`
  if (header.tileType !== TileType.Mvt) {
    return () => ({
      version: 8,
      sources: { [name]: { type: 'raster', url, tileSize: 256 } },
      layers: [{ id: name, type: 'raster', source: name }],
    })
  }
  const layers = layersOf(await file.getMetadata())
  const schema = schemaOf(layers)
  if (!schema) throw new Error('The layers of the file are unknown.')
  return (palette) => ({
    version: 8,
    sources: { [name]: { type: 'vector', url } },
    // one that the file does not have would be reported as a mistake
    layers: drawnTiles(schema, name, palette).filter(
      (layer) => !('source-layer' in layer) || layers.includes(layer['source-layer'] ?? ''),
    ),
  })
}
