import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import type { GuardReason } from '@tour-ops/contract/departures/departures'
import type { incidentCategories } from '@tour-ops/contract/monitoring/monitoring'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import type { staffRoles } from '@tour-ops/contract/tours/tours'
import { m } from '../../../paraglide/messages.js'

/** Texts of values. The sentences are those of the dashboard; only the tables are the phone's own, since a domain's folder is closed to another one. */
export const roleLabels: Record<(typeof staffRoles)[number], () => string> = {
  lead_guide: m.departures_role_lead_guide,
  guide: m.departures_role_guide,
  driver: m.departures_role_driver,
  backup: m.departures_role_backup,
  tour_leader: m.departures_role_tour_leader,
  porter: m.departures_role_porter,
}

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

export const serviceStatusLabels: Record<StatusOf<'departure_services'>, () => string> = {
  to_request: m.departures_service_to_request,
  requested: m.departures_service_requested,
  confirmed: m.departures_service_confirmed,
  waitlisted: m.departures_service_waitlisted,
  declined: m.departures_service_declined,
  cancelled: m.departures_service_cancelled,
}

export type IncidentCategory = (typeof incidentCategories)[number]

export const categoryLabels: Record<IncidentCategory, () => string> = {
  medical: m.monitoring_category_medical,
  missing_person: m.monitoring_category_missing_person,
  vehicle: m.monitoring_category_vehicle,
  weather: m.monitoring_category_weather,
  security: m.monitoring_category_security,
  supplier: m.monitoring_category_supplier,
  complaint: m.monitoring_category_complaint,
  lost_item: m.monitoring_category_lost_item,
  near_miss: m.monitoring_category_near_miss,
  other: m.monitoring_category_other,
}

/** 1 is the gravest. */
export const severityLabels: readonly (readonly [number, () => string])[] = [
  [1, m.monitoring_gravity_1],
  [2, m.monitoring_gravity_2],
  [3, m.monitoring_gravity_3],
  [4, m.monitoring_gravity_4],
]

export const guardLabels: Record<GuardReason, () => string> = {
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

export const guestStatusLabels: Record<StatusOf<'manifest_entries'>, () => string> = {
  expected: m.travelers_state_expected,
  checked_in: m.travelers_state_aboard,
  on_tour: m.travelers_state_on_tour,
  missing: m.travelers_state_missing,
  left_early: m.travelers_state_left_early,
  finished: m.travelers_state_finished,
  no_show: m.travelers_state_no_show,
  cancelled: m.travelers_state_cancelled,
}
