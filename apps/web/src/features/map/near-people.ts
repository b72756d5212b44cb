import { MercatorCoordinate } from 'maplibre-gl'
import type { Bounds, Position } from './basemap/geometry.ts'

// Ten thousand marks cost the map library a tenth of a second each time that one of them moves, and most of them would cover each other. So only
// those that are near the window are handed to it, and those that would touch are one mark, which says how many they are.

interface Placed {
  readonly lat: number
  readonly lng: number
}

/** A part of the world with the zoom that it is drawn for: a whole number, as marks must not jump while somebody zooms. */
export interface DrawnPart extends Bounds {
  readonly zoom: number
}

/** One or several whose marks would touch. */
export interface Neighbors<P> {
  readonly position: Position
  readonly people: readonly P[]
  /** The least zoom at which some of them are apart. */
  readonly apartZoom: number
}

/** Pixels from the middle of a mark to its edge: of one person, and of several, who are a number. */
export function markRadius(count: number): number {
  if (count === 1) return 9
  if (count < 10) return 14
  if (count < 100) return 17
  return count < 10_000 ? 21 : largestRadius
}

const largestRadius = 25
/** Pixels from one person to another. */
const touchingPx = 2 * markRadius(1)
/** From here on everybody has a mark. */
export const apartZoom = 15
/** Of the whole world at zoom 0, as the map library counts. */
const worldPx = 512
/** Where the square of Web Mercator ends, degrees. */
const { lat: maxLat } = new MercatorCoordinate(0, 0).toLngLat()

/** What is drawn for what is in sight: as much again on each side, so that moving a little shows nothing new. */
export function partAround({ west, south, east, north }: Bounds, zoom: number): DrawnPart {
  const [width, height] = [east - west, north - south]
  return {
    west: west - width,
    south: Math.max(-maxLat, south - height),
    east: east + width,
    north: Math.min(maxLat, north + height),
    zoom: Math.floor(zoom),
  }
}

/** Whether all that is in sight has been drawn, for this zoom. */
export const isDrawn = (sight: Bounds, zoom: number, part: DrawnPart): boolean =>
  Math.floor(zoom) === part.zoom &&
  sight.west >= part.west &&
  sight.east <= part.east &&
  Math.max(sight.south, -maxLat) >= part.south &&
  Math.min(sight.north, maxLat) <= part.north

/**
 * Who is in a part of the world, by those whose marks would touch. Each joins one of those before: the same people in the same order and
 * places are joined in the same way.
 */
export function neighborsOf<P extends Placed>(people: readonly P[], part: DrawnPart): Neighbors<P>[] {
  const { west, east, south, north, zoom } = part
  const there = people.filter(({ lng, lat }) => countedOn(west, lng) <= east && lat >= south && lat <= north)
  if (zoom >= apartZoom) return there.map((one) => ({ position: [one.lng, one.lat], people: [one], apartZoom }))
  const pixel = 1 / worldPx / 2 ** zoom
  const single = there.map((person): Group<P> => {
    const place = MercatorCoordinate.fromLngLat([countedOn(west, person.lng), person.lat])
    return { first: place, people: [person], sumX: place.x, sumY: place.y, farthest: 0 }
  })
  const joined = joinTouching(single, touchingPx * pixel, () => touchingPx * pixel)
  // marks of many are larger, and touch others of which nobody touches anybody
  const byCount = joined.toSorted((a, b) => b.people.length - a.people.length)
  const radius = ({ people: { length } }: Group<P>) => markRadius(length) * pixel
  return joinTouching(byCount, 2 * largestRadius * pixel, (a, b) => radius(a) + radius(b)).map(withPlace)
}

/** A place of the world, each of its sides one long. */
interface WorldPlace {
  readonly x: number
  readonly y: number
}

interface Group<P> {
  readonly first: WorldPlace
  readonly people: P[]
  sumX: number
  sumY: number
  /** From the first to the one farthest from it, at most. */
  farthest: number
}

const distance = (a: WorldPlace, b: WorldPlace): number => Math.hypot(a.x - b.x, a.y - b.y)

/**
 * Each group joins one before it that it touches.
 *
 * @param side Of the squares in which they are looked for: as much as any two that touch may be apart.
 * @param touching Less than this between the first of both.
 */
function joinTouching<P>(
  groups: readonly Group<P>[],
  side: number,
  touching: (a: Group<P>, b: Group<P>) => number,
): Group<P>[] {
  const kept: Group<P>[] = []
  const bySquare = new Map<number, Group<P>[]>()
  const touchedBy = (group: Group<P>, column: number, row: number): Group<P> | undefined => {
    for (const [right, down] of around) {
      const there = bySquare.get(squareKey(column + right, row + down))
      const found = there?.find((other) => distance(other.first, group.first) < touching(other, group))
      if (found) return found
    }
    return undefined
  }
  for (const group of groups) {
    const [column, row] = [Math.floor(group.first.x / side), Math.floor(group.first.y / side)]
    const touched = touchedBy(group, column, row)
    if (touched) {
      join(touched, group)
      continue
    }
    kept.push(group)
    const key = squareKey(column, row)
    const there = bySquare.get(key)
    if (there) there.push(group)
    else bySquare.set(key, [group])
  }
  return kept
}

/** A square, and those next to it. */
const around = [
  [0, 0],
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
] as const

/** More rows than there are of the smallest squares. */
const squareKey = (column: number, row: number): number => column * 2 ** 24 + row

function join<P>(group: Group<P>, other: Group<P>): void {
  group.people.push(...other.people)
  group.sumX += other.sumX
  group.sumY += other.sumY
  group.farthest = Math.max(group.farthest, distance(group.first, other.first) + other.farthest)
}

function withPlace<P extends Placed>({ people, sumX, sumY, farthest }: Group<P>): Neighbors<P> {
  const { length } = people
  const { lng, lat } = new MercatorCoordinate(sumX / length, sumY / length).toLngLat().wrap()
  // both are the same place for all of one
  const zoom = farthest === 0 ? apartZoom : Math.ceil(Math.log2(touchingPx / worldPx / farthest))
  return { position: [lng, lat], people, apartZoom: Math.min(zoom, apartZoom) }
}

/** The same longitude, counted on from the western edge. */
const countedOn = (west: number, lng: number): number => west + ((((lng - west) % 360) + 360) % 360)
