import type { FieldStaffRow } from '@tour-ops/contract/field-staff/field-staff'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import type { staffRoles } from '@tour-ops/contract/tours/tour-terms'
import { m } from '../../paraglide/messages.js'

type Kind = FieldStaffRow['kinds'][number]
type Role = (typeof staffRoles)[number]

/** Words of the field-staff area by their keys in the contract. */
export const kindLabels: Record<Kind, () => string> = {
  guide: m.field_staff_kind_guide,
  driver: m.field_staff_kind_driver,
  driver_guide: m.field_staff_kind_driver_guide,
  tour_leader: m.field_staff_kind_tour_leader,
  rep: m.field_staff_kind_rep,
  porter: m.field_staff_kind_porter,
  skipper: m.field_staff_kind_skipper,
}

export const employmentLabels: Record<FieldStaffRow['employment'], () => string> = {
  employee: m.field_staff_employment_employee,
  freelance: m.field_staff_employment_freelance,
  supplier: m.field_staff_employment_supplier,
}

export const staffStatusLabels: Record<FieldStaffRow['status'], () => string> = {
  active: m.field_staff_status_active,
  inactive: m.field_staff_status_inactive,
  suspended: m.field_staff_status_suspended,
}

export const certificateStateLabels: Record<FieldStaffRow['certificates'], () => string> = {
  ok: m.field_staff_certificates_ok,
  expiring: m.field_staff_certificates_expiring,
  expired: m.field_staff_certificates_expired,
  none: m.field_staff_certificates_none,
}

export const roleLabels: Record<Role, () => string> = {
  lead_guide: m.field_staff_role_lead_guide,
  guide: m.field_staff_role_guide,
  driver: m.field_staff_role_driver,
  backup: m.field_staff_role_backup,
  tour_leader: m.field_staff_role_tour_leader,
  porter: m.field_staff_role_porter,
}

export const answerLabels: Record<StatusOf<'assignments'>, () => string> = {
  draft: m.field_staff_answer_draft,
  offered: m.field_staff_answer_offered,
  accepted: m.field_staff_answer_accepted,
  declined: m.field_staff_answer_declined,
  expired: m.field_staff_answer_expired,
  withdrawn: m.field_staff_answer_withdrawn,
  on_duty: m.field_staff_answer_on_duty,
  completed: m.field_staff_answer_completed,
  released: m.field_staff_answer_released,
  replaced: m.field_staff_answer_replaced,
}
