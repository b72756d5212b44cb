import type { Point } from '../arrivals/travel.ts'

/** Longitude, latitude, as GeoJSON has it. */
type Position = readonly [lng: number, lat: number]

/** What an area or a way can be drawn as: the part of GeoJSON that the database takes. */
export type Shape =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'LineString'; readonly coordinates: readonly Position[] }
  | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly (readonly Position[])[])[] }

const metersPerDegree = 111_195

/** Meters east and north of a point; right to 0.1 % up to some 50 km. */
type Local = readonly [east: number, north: number]

/**
 * A line as it is seen from a point: the first position the short way around the world, and each one the short way from the one before, so that
 * an area across the 180th meridian is small from everywhere.
 */
function seenFrom({ lat, lng }: Point, line: readonly Position[]): Local[] {
  const perLng = metersPerDegree * Math.cos((lat * Math.PI) / 180)
  let before = lng
  return line.map(([otherLng, otherLat]) => {
    before = otherLng + Math.round((before - otherLng) / 360) * 360
    return [(before - lng) * perLng, (otherLat - lat) * metersPerDegree]
  })
}

/** Meters from a point to the nearest place of a drawn line. */
export function metersToLine(from: Point, line: readonly Position[]): number {
  let before: Local | undefined
  let nearest = Infinity
  for (const next of seenFrom(from, line)) {
    nearest = Math.min(nearest, before === undefined ? Math.hypot(...next) : metersToSegment(before, next))
    before = next
  }
  return nearest
}

/** From where the coordinates begin. */
function metersToSegment([east, north]: Local, [toEast, toNorth]: Local): number {
  const [alongEast, alongNorth] = [toEast - east, toNorth - north]
  const square = alongEast ** 2 + alongNorth ** 2
  const share = square === 0 ? 0 : Math.max(0, Math.min(1, -(east * alongEast + north * alongNorth) / square))
  return Math.hypot(east + share * alongEast, north + share * alongNorth)
}

/** Meters from a point to a shape; 0 inside of an area. */
export function metersToShape(from: Point, shape: Shape): number {
  switch (shape.type) {
    case 'Point':
      return metersToLine(from, [shape.coordinates])
    case 'LineString':
      return metersToLine(from, shape.coordinates)
    case 'Polygon':
      return metersToArea(from, shape.coordinates)
    case 'MultiPolygon':
      return Math.min(...shape.coordinates.map((rings) => metersToArea(from, rings)))
  }
}

/** The first ring is the outside, the others are holes: who is in one of them is not in the area. */
const metersToArea = (from: Point, rings: readonly (readonly Position[])[]): number =>
  isWithin(from, rings) ? 0 : Math.min(...rings.map((ring) => metersToLine(from, ring)))

/** Whether a ray to the east crosses the borders an odd number of times. */
function isWithin(from: Point, rings: readonly (readonly Position[])[]): boolean {
  let isInside = false
  for (const ring of rings) {
    const seen = seenFrom(from, ring)
    for (const [index, [east, north]] of seen.entries()) {
      const [beforeEast, beforeNorth] = seen[(index || ring.length) - 1] as Local
      if (north > 0 === beforeNorth > 0) continue
      if (east - (north * (beforeEast - east)) / (beforeNorth - north) > 0) isInside = !isInside
    }
  }
  return isInside
}
