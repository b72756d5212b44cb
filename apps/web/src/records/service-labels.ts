import type { serviceKinds } from '@tour-ops/contract/vehicles/vehicles'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import { m } from '../paraglide/messages.js'

/** Kinds of services that suppliers do for a departure. */
export const serviceKindLabels: Record<(typeof serviceKinds)[number], () => string> = {
  hotel: m.departures_service_hotel,
  meal: m.departures_service_meal,
  ticket: m.departures_service_ticket,
  permit: m.departures_service_permit,
  transport: m.departures_service_transport,
  activity: m.departures_service_activity,
}

export const serviceStatusLabels: Record<StatusOf<'departure_services'>, () => string> = {
  to_request: m.departures_service_to_request,
  requested: m.departures_service_requested,
  confirmed: m.departures_service_confirmed,
  waitlisted: m.departures_service_waitlisted,
  declined: m.departures_service_declined,
  cancelled: m.departures_service_cancelled,
}
