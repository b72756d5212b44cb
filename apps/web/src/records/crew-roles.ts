import type { staffRoles } from '@tour-ops/contract/tours/tour-terms'
import { m } from '../paraglide/messages.js'

/** Labels of what somebody does on a departure. */
export const roleLabels: Record<(typeof staffRoles)[number], () => string> = {
  lead_guide: m.departures_role_lead_guide,
  guide: m.departures_role_guide,
  driver: m.departures_role_driver,
  backup: m.departures_role_backup,
  tour_leader: m.departures_role_tour_leader,
  porter: m.departures_role_porter,
}
