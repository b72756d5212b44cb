import type { StatusOf } from '@tour-ops/contract/state-machines'
import { m } from '../paraglide/messages.js'

export const serviceStatusLabels: Record<StatusOf<'departure_services'>, () => string> = {
  to_request: m.departures_service_to_request,
  requested: m.departures_service_requested,
  confirmed: m.departures_service_confirmed,
  waitlisted: m.departures_service_waitlisted,
  declined: m.departures_service_declined,
  cancelled: m.departures_service_cancelled,
}
