import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import { isCountOpen } from '@tour-ops/contract/departures/stop-progress'
import { m } from '../paraglide/messages.js'

export const stopKindLabels: Partial<Record<DepartureStop['kind'], () => string>> = {
  start: m.departures_stop_start,
  pickup: m.departures_stop_pickup,
  meal: m.departures_stop_meal,
  photo: m.departures_stop_photo,
  rest: m.departures_stop_rest,
  transfer: m.departures_stop_transfer,
  overnight: m.departures_stop_overnight,
  end: m.departures_stop_end,
}

/** `16 of 17 counted`, `count before leaving`; false where nothing is counted. */
export function countText(stop: DepartureStop): string | false {
  const { headcountActual: counted, headcountExpected: expected } = stop
  if (counted === null) return isCountOpen(stop) && m.departures_count_before_leaving()
  return expected === null || expected === counted
    ? m.departures_counted({ count: counted })
    : m.departures_counted_of({ counted, expected })
}
