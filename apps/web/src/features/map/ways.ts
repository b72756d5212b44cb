import type { MapDeparture, MapStop } from '@tour-ops/contract/map/map'
import type { TourContent } from '@tour-ops/contract/tours/tour-content'
import type { Position } from './basemap/geometry.ts'
import { progressOf } from './day-groups.ts'

export interface Ways {
  readonly done: readonly Position[][]
  readonly ahead: readonly Position[][]
}

const positionOf = ({ lng, lat }: MapStop): Position => [lng, lat]

/**
 * The way of a departure, split where it is: the drawn line of each day where there is one, else straight legs between the stops.
 * Skipped stops are left out of straight legs.
 */
export function waysOf(departure: MapDeparture, routes: TourContent['routes']): Ways {
  const done: Position[][] = []
  const ahead: Position[][] = []
  const days = Map.groupBy(
    departure.stops.filter((stop) => stop.status !== 'skipped'),
    (stop) => stop.dayIndex,
  )
  for (const [dayIndex, stops] of days) {
    const reached = stops.findLastIndex((stop) => ['done', 'here'].includes(progressOf(departure, stop)))
    const drawn = routes.find((route) => route.dayIndex === dayIndex)?.line
    const line = drawn ?? stops.map(positionOf)
    const at = stops[reached]
    const cut = at === undefined ? 0 : reached === stops.length - 1 ? line.length - 1 : cutOf(line, at, drawn, reached)
    if (cut > 0) done.push(line.slice(0, cut + 1))
    if (cut < line.length - 1) ahead.push(line.slice(cut))
  }
  return { done, ahead }
}

const cutOf = (
  line: readonly Position[],
  at: MapStop,
  drawn: readonly Position[] | undefined,
  reached: number,
): number => (drawn ? nearestIndex(line, positionOf(at)) : reached)

/** Index of the point of a line that is closest to a place. Degrees will do: both are on the same few kilometers. */
function nearestIndex(line: readonly Position[], [lng, lat]: Position): number {
  const narrow = Math.cos((lat * Math.PI) / 180)
  let best = 0
  let least = Infinity
  for (const [index, point] of line.entries()) {
    const distance = ((point[0] - lng) * narrow) ** 2 + (point[1] - lat) ** 2
    if (distance < least) {
      least = distance
      best = index
    }
  }
  return best
}
