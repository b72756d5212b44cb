import type { Departure } from '@tour-ops/contract/departures/departures'
import { type StatusOf, bindingStatuses, hasStatus } from '@tour-ops/contract/state-machines'
import type { staffRoles } from '@tour-ops/contract/tours/tour-terms'
import { m } from '../../paraglide/messages.js'
import { roleLabels } from '../../records/crew-roles.ts'

export type StaffRole = (typeof staffRoles)[number]

export const roleLabel = (role: StaffRole): string => roleLabels[role]()

/** Who works on a departure: offers and refusals are not among them. */
export const workingCrew = ({ crew }: Pick<Departure, 'crew'>): Departure['crew'] =>
  crew.filter((one) => hasStatus(bindingStatuses, one.status))

const statuses: Record<StatusOf<'assignments'>, () => string> = {
  draft: m.departures_assignment_draft,
  offered: m.departures_assignment_offered,
  accepted: m.departures_assignment_accepted,
  on_duty: m.departures_assignment_on_duty,
  completed: m.departures_assignment_completed,
  declined: m.departures_assignment_declined,
  expired: m.departures_assignment_expired,
  withdrawn: m.departures_assignment_withdrawn,
  released: m.departures_assignment_released,
  replaced: m.departures_assignment_replaced,
}
export const assignmentLabel = (status: StatusOf<'assignments'>): string => statuses[status]()

const warnings: Record<string, () => string> = {
  not_enough_seats: m.departures_warning_seats,
  inspection_expired: m.departures_warning_inspection,
}
/** What the server allows with a warning; its own sentences are shown as they are. */
export const warningLabel = (warning: string): string => warnings[warning]?.() ?? warning
