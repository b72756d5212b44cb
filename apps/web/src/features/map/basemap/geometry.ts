/** Longitude, latitude. */
export type Position = [number, number]

export interface Bounds {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

export type Properties = Record<string, string | number | boolean>
type Geometry =
  | { type: 'LineString'; coordinates: Position[] }
  | { type: 'Point'; coordinates: Position }
  | { type: 'Polygon'; coordinates: Position[][] }
export interface Feature {
  type: 'Feature'
  properties: Properties
  geometry: Geometry
}
export interface Collection {
  type: 'FeatureCollection'
  features: Feature[]
}

export const collection = (features: Feature[]): Collection => ({ type: 'FeatureCollection', features })
export const pointFeature = (coordinates: Position, properties: Properties): Feature => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates },
})
export const lineFeature = (coordinates: Position[], properties: Properties): Feature => ({
  type: 'Feature',
  properties,
  geometry: { type: 'LineString', coordinates },
})

export const polygonFeature = (edge: Position[], properties: Properties): Feature => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [edge] },
})

/** The smallest upright frame around some places; undefined without any. */
export function boundsOf(places: readonly { readonly lat: number; readonly lng: number }[]): Bounds | undefined {
  if (places.length === 0) return undefined
  const lngs = places.map((place) => place.lng)
  const lats = places.map((place) => place.lat)
  return {
    west: Math.min(...lngs),
    south: Math.min(...lats),
    east: Math.max(...lngs),
    north: Math.max(...lats),
  }
}
