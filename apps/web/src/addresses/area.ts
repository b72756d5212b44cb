import { type Area, leastAreaPoints, leastRadiusM, maxAreaPoints, maxRadiusM } from '@tour-ops/contract/map/areas'

/** Longitude first. */
type Position = [lng: number, lat: number]

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

export const isRadius = (meters: number): boolean => meters >= leastRadiusM && meters <= maxRadiusM

/** Whether points are enough for an outline, and not too many. */
export const isOutline = (points: readonly Position[]): boolean =>
  points.length >= leastAreaPoints && points.length <= maxAreaPoints
