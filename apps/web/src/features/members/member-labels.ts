import type { Permission, Role } from '@tour-ops/contract/identity/access'
import type { AppError } from '@tour-ops/contract/errors'
import type { MemberRow, invitationFailures } from '@tour-ops/contract/members/members'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'

const roleSummaries: Readonly<Record<Role, () => string>> = {
  admin: () => m.members_summary_admin(),
  operations_manager: () => m.members_summary_operations_manager(),
  dispatcher: () => m.members_summary_dispatcher(),
  tour_designer: () => m.members_summary_tour_designer(),
  guide: () => m.members_summary_guide(),
  viewer: () => m.members_summary_viewer(),
}

/** What a role may do, in one sentence without keys. */
export const roleSummary = (role: Role): string => roleSummaries[role]()

const permissionLabels: Readonly<Record<Permission, () => string>> = {
  'dashboard:read': () => m.members_can_dashboard_read(),
  'tracking:read': () => m.members_can_tracking_read(),
  'tracking:history': () => m.members_can_tracking_history(),
  'staff:read': () => m.members_can_staff_read(),
  'staff:manage': () => m.members_can_staff_manage(),
  'staff_private:read': () => m.members_can_staff_private_read(),
  'tours:read': () => m.members_can_tours_read(),
  'tours:manage': () => m.members_can_tours_manage(),
  'tours:publish': () => m.members_can_tours_publish(),
  'departures:read': () => m.members_can_departures_read(),
  'departures:manage': () => m.members_can_departures_manage(),
  'departures:dispatch': () => m.members_can_departures_dispatch(),
  'bookings:read': () => m.members_can_bookings_read(),
  'bookings:manage': () => m.members_can_bookings_manage(),
  'travelers:read': () => m.members_can_travelers_read(),
  'travelers:manage': () => m.members_can_travelers_manage(),
  'travelers_sensitive:read': () => m.members_can_travelers_sensitive_read(),
  'checkin:write': () => m.members_can_checkin_write(),
  'monitoring:read': () => m.members_can_monitoring_read(),
  'alerts:manage': () => m.members_can_alerts_manage(),
  'incidents:manage': () => m.members_can_incidents_manage(),
  'notifications:read': () => m.members_can_notifications_read(),
  'notifications:send': () => m.members_can_notifications_send(),
  'notifications:manage': () => m.members_can_notifications_manage(),
  'links:read': () => m.members_can_links_read(),
  'links:manage': () => m.members_can_links_manage(),
  'reports:read': () => m.members_can_reports_read(),
  'reports:export': () => m.members_can_reports_export(),
  'settings:read': () => m.members_can_settings_read(),
  'settings:manage': () => m.members_can_settings_manage(),
  'members:read': () => m.members_can_members_read(),
  'members:manage': () => m.members_can_members_manage(),
  'audit:read': () => m.members_can_audit_read(),
}

/** A permission as a thing somebody does: "Medical note of a guest". */
export const permissionLabel = (permission: Permission): string => permissionLabels[permission]()

const statusLabels: Readonly<Record<MemberRow['status'], () => string>> = {
  active: () => m.members_status_active(),
  suspended: () => m.members_status_suspended(),
  pending: () => m.members_status_pending(),
  expired: () => m.members_status_expired(),
  waiting: () => m.members_status_waiting(),
}

export const memberStatusLabel = (status: MemberRow['status']): string => statusLabels[status]()

/** Whether an account has a second factor. */
export const factorLabel = (hasOne: boolean): string => (hasOne ? m.members_factor_yes() : m.members_factor_no())

type Failure = (typeof invitationFailures)[number]

const failureTexts: Readonly<Record<Failure, () => string>> = {
  already_member: () => m.members_failed_already_member(),
  already_invited: () => m.members_failed_already_invited(),
  invalid_email: () => m.members_failed_invalid_email(),
  duplicate: () => m.members_failed_duplicate(),
  staff_taken: () => m.members_failed_staff_taken(),
}

/** Why one address of many was not invited. */
export const failureText = (reason: Failure): string => failureTexts[reason]()

/** A refusal of the actions on members, in the person's language. */
export function memberRefusal(error: AppError | null): string | undefined {
  if (!error) return undefined
  if (error.details.fieldIssues?.['staffId']) return m.members_failed_staff_taken()
  return error.details.reason === 'version_conflict' ? m.members_refused_conflict() : refusalText(error)
}

/** How a row is called: by name, else by address. */
export const nameOfRow = ({ name, email, id }: Pick<MemberRow, 'name' | 'email' | 'id'>): string => name ?? email ?? id

/** `Ana` of `Ana Ruiz`, for questions about a person. */
export const firstNameOf = (row: Pick<MemberRow, 'name' | 'email' | 'id'>): string =>
  row.name?.trim().split(/\s+/)[0] ?? nameOfRow(row)
