import type { GuardReason } from '@tour-ops/contract/departures/departures'
import { m } from '../paraglide/messages.js'

/** What blocks a departure's next status, one short sentence each. */
export const guardSentences: Readonly<Record<GuardReason, () => string>> = {
  below_min_pax: m.departures_guard_below_min_pax,
  too_early: m.departures_guard_too_early,
  before_start: m.departures_guard_before_start,
  no_lead_guide: m.departures_guard_no_lead_guide,
  no_vehicle: m.departures_guard_no_vehicle,
  headcount_missing: m.departures_guard_headcount_missing,
  not_enough_seats: m.departures_guard_not_enough_seats,
  guests_undecided: m.departures_guard_guests_undecided,
  stops_open: m.departures_guard_stops_open,
  reopen_window_over: m.departures_guard_reopen_window_over,
  reason_needed: m.departures_guard_reason_needed,
  has_guests: m.departures_guard_has_guests,
}
