import { m } from '../../../paraglide/messages.js'
import { formatDistance } from '../../../ui/format.ts'
import type { Totals, Way } from './itinerary-checks.ts'

/** How long a way is, and where an organization has a router, whether that comes from it. */
export function distanceLabel({ meters, basis }: Way, isWalking: boolean): string {
  const distance = formatDistance(meters)
  if (basis === null) return distance
  if (basis === 'estimate') return m.tours_way_estimated({ distance })
  return isWalking ? m.tours_way_path({ distance }) : m.tours_way_road({ distance })
}

/** What is under the distance of a day. */
export function distanceTotalLabel({ isByRoad }: Totals, isWalking: boolean): string {
  if (!isByRoad) return m.tours_total_distance()
  return isWalking ? m.tours_total_distance_path() : m.tours_total_distance_road()
}
