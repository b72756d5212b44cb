import { metersToShape, type Shape } from '@tour-ops/contract/tracking/watch/shapes'
import type { Position } from '../basemap/geometry.ts'

/** A part of the map: within a distance of its middle, or inside of a line that was drawn around it. */
export type Area =
  | { readonly kind: 'circle'; readonly center: Position; readonly radiusM: number }
  | { readonly kind: 'outline'; readonly points: readonly Position[] }

export const maxRadiusM = 200_000
export const maxAreaPoints = 100
/** Of an outline. */
export const leastAreaPoints = 3

/** Five digits are a meter. */
const digits = 5
const degrees = (value: number): string => String(Number(value.toFixed(digits)))
const pairText = ([lng, lat]: Position): string => `${degrees(lat)},${degrees(lng)}`

/** An area for the address: `64.15,-21.94,500` or `64.1,-21.9;64.2,-21.9;64.2,-21.8`. */
export const areaText = (area: Area): string =>
  area.kind === 'circle' ? `${pairText(area.center)},${area.radiusM}` : area.points.map(pairText).join(';')

/** What an address has; undefined for anything that is no area. */
export function areaOf(text: string): Area | undefined {
  const [first, ...others] = text.split(';').map((pair) => pair.split(',').map(Number))
  if (first?.length === 3 && others.length === 0) {
    const [lat = NaN, lng = NaN, radiusM = NaN] = first
    return isPlace(lat, lng) && isRadius(radiusM) ? { kind: 'circle', center: [lng, lat], radiusM } : undefined
  }
  const pairs = first ? [first, ...others] : []
  const points = pairs.map(([lat = NaN, lng = NaN]): Position => [lng, lat])
  const isWhole = pairs.every((pair) => pair.length === 2) && points.every(([lng, lat]) => isPlace(lat, lng))
  return isWhole && isOutline(points) ? { kind: 'outline', points } : undefined
}

export const isPlace = (lat: number, lng: number): boolean => Math.abs(lat) <= 90 && Math.abs(lng) <= 180

export const isRadius = (meters: number): boolean => meters > 0 && meters <= maxRadiusM

/** Whether points are enough for an outline, and not too many. */
export const isOutline = (points: readonly Position[]): boolean =>
  points.length >= leastAreaPoints && points.length <= maxAreaPoints

const closed = (points: readonly Position[]): Position[] => [...points, ...points.slice(0, 1)]

/** Whether somebody there is inside. */
export function isInArea(area: Area, place: { readonly lat: number; readonly lng: number }): boolean {
  const shape: Shape =
    area.kind === 'circle'
      ? { type: 'Point', coordinates: area.center }
      : { type: 'Polygon', coordinates: [closed(area.points)] }
  return metersToShape(place, shape) <= (area.kind === 'circle' ? area.radiusM : 0)
}

const metersPerDegree = 111_195
const corners = 64

/** Each point on the near side of the one before: across the 180th meridian a longitude goes on beyond 180. */
function unbroken(points: readonly Position[]): Position[] {
  const line: Position[] = []
  for (const [lng, lat] of points) {
    const before = line.at(-1)?.[0] ?? lng
    line.push([lng + Math.round((before - lng) / 360) * 360, lat])
  }
  return line
}

/** The edge of an area as a closed line. A circle is drawn in meters, so that it is round on the ground. */
export function edgeOf(area: Area): Position[] {
  if (area.kind === 'outline') return unbroken(closed(area.points))
  const [lng, lat] = area.center
  const up = area.radiusM / metersPerDegree
  // At the poles a degree of longitude is nothing.
  const across = up / Math.max(Math.cos((lat * Math.PI) / 180), 0.01)
  return closed(
    Array.from({ length: corners }, (_, corner): Position => {
      const turn = (corner / corners) * 2 * Math.PI
      return [lng + across * Math.sin(turn), lat + up * Math.cos(turn)]
    }),
  )
}
