import type { TravelMode } from '@tour-ops/contract/tours/tour-terms'
import { m } from '../paraglide/messages.js'

/** How guests come to a stop: `by boat`. */
export const travelModeLabels: Readonly<Record<TravelMode, () => string>> = {
  walk: m.departures_by_walk,
  drive: m.departures_by_drive,
  boat: m.departures_by_boat,
  rail: m.departures_by_rail,
  air: m.departures_by_air,
}
