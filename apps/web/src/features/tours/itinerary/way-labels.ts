import type { TravelMode } from '@tour-ops/contract/tours/tour-terms'
import { m } from '../../../paraglide/messages.js'
import { travelModeLabels } from '../../../records/travel-modes.ts'
import { formatDistance } from '../../../ui/format.ts'
import type { Totals, Way } from './itinerary-checks.ts'

/** How long a way is, and where an organization has a router, whether that comes from it. */
export function distanceLabel({ mode, meters, basis }: Way): string {
  const distance = formatDistance(meters)
  if (basis === null) return distance
  if (basis === 'estimate') return m.tours_way_estimated({ distance })
  return mode === 'walk' ? m.tours_way_path({ distance }) : m.tours_way_road({ distance })
}

/** What is under the distance of a day. */
export function distanceTotalLabel({ isByRoad, travel }: Totals): string {
  const [only, ...others] = travel
  if (!isByRoad || only === undefined || others.length > 0) return m.tours_total_distance()
  return only.mode === 'walk' ? m.tours_total_distance_path() : m.tours_total_distance_road()
}

/** What is under the minutes on the way by one mode. */
export const travelTotalLabels: Readonly<Record<TravelMode, () => string>> = {
  ...travelModeLabels,
  walk: m.tours_total_walking,
  drive: m.tours_total_driving,
}
