import { metersBetween } from '@tour-ops/contract/tracking/arrivals/travel'
import type { Position } from '../basemap/geometry.ts'

const placeOf = ([lng, lat]: Position) => ({ lat, lng })

/** Meters of each leg of a way, as the crow flies. */
export const legsOf = (points: readonly Position[]): number[] =>
  points.slice(1).map((point, at) => metersBetween(placeOf(points[at] ?? point), placeOf(point)))

export const lengthOf = (points: readonly Position[]): number => legsOf(points).reduce((sum, meters) => sum + meters, 0)
