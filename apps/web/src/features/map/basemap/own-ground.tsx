import type { RefObject } from 'react'
import type { Map as MapLibre } from 'maplibre-gl'
import { useOrganizationSettings } from '../../../app/organization-formats.ts'
import { loadLater } from '../../../ui/load-later.tsx'
import type { Ground } from './basemap.ts'

/** A map that can be put on another ground. */
export interface GroundedMap {
  readonly layered: { readonly map: MapLibre; readonly setGround: (ground: Ground) => void }
}

export interface OwnGroundProps {
  map: RefObject<GroundedMap | null>
  /** On the page of the live map, with a panel at its start or below it. */
  isPage?: boolean
}

const OwnTiles = loadLater(async () => (await import('./own-tiles/own-tiles.tsx')).OwnTiles)

/** Puts a map on the tiles that the organization has chosen, if it has. What does so is not part of the first load. */
export function OwnGround(props: OwnGroundProps) {
  const tiles = useOrganizationSettings()?.tiles
  return tiles && <OwnTiles key={`${tiles.source} ${tiles.address}`} {...props} tiles={tiles} />
}
