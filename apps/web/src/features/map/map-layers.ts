/** What the map can leave out. The planned way and stops of a selected departure stay. */
export const mapLayers = ['people', 'departures', 'driven', 'incidents', 'circles', 'no_go'] as const
export type MapLayer = (typeof mapLayers)[number]

const isLayer = (word: string): word is MapLayer => mapLayers.some((layer) => layer === word)

/** Layers that an address hides. */
export const hiddenIn = (text: string | undefined): ReadonlySet<MapLayer> =>
  new Set((text ?? '').split(',').filter(isLayer))

/** The same with one of them shown or hidden, for the address. */
export function hiddenText(hidden: ReadonlySet<MapLayer>, changed: MapLayer): string | undefined {
  const next = mapLayers.filter((layer) => hidden.has(layer) !== (layer === changed))
  return next.join(',') || undefined
}
