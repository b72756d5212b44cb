import type { FieldStaffRow } from '@tour-ops/contract/field-staff/field-staff'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import type { staffRoles } from '@tour-ops/contract/tours/tours'
import { m } from '../../paraglide/messages.js'

type Kind = FieldStaffRow['kinds'][number]
type Role = (typeof staffRoles)[number]

/** Words of the field-staff area by their keys in the contract. */
export const kindWords: Record<Kind, () => string> = {
  guide: m.staff_kind_guide,
  driver: m.staff_kind_driver,
  driver_guide: m.staff_kind_driver_guide,
  tour_leader: m.staff_kind_tour_leader,
  rep: m.staff_kind_rep,
  porter: m.staff_kind_porter,
  skipper: m.staff_kind_skipper,
}

export const employmentWords: Record<FieldStaffRow['employment'], () => string> = {
  employee: m.staff_employment_employee,
  freelance: m.staff_employment_freelance,
  supplier: m.staff_employment_supplier,
}

export const staffStatusWords: Record<FieldStaffRow['status'], () => string> = {
  active: m.staff_status_active,
  inactive: m.staff_status_inactive,
  suspended: m.staff_status_suspended,
}

export const dutyWords: Record<FieldStaffRow['dutyState'], () => string> = {
  live: m.staff_duty_live,
  stale: m.staff_duty_stale,
  offline: m.staff_duty_offline,
  no_device: m.staff_duty_no_device,
  no_fix_yet: m.staff_duty_no_fix_yet,
  off_duty: m.staff_duty_off_duty,
}

export const certificateStateWords: Record<FieldStaffRow['certificates'], () => string> = {
  ok: m.staff_certificates_ok,
  expiring: m.staff_certificates_expiring,
  expired: m.staff_certificates_expired,
  none: m.staff_certificates_none,
}

export const roleWords: Record<Role, () => string> = {
  lead_guide: m.staff_role_lead_guide,
  guide: m.staff_role_guide,
  driver: m.staff_role_driver,
  backup: m.staff_role_backup,
  tour_leader: m.staff_role_tour_leader,
  porter: m.staff_role_porter,
}

export const answerWords: Record<StatusOf<'assignments'>, () => string> = {
  draft: m.staff_answer_draft,
  offered: m.staff_answer_offered,
  accepted: m.staff_answer_accepted,
  declined: m.staff_answer_declined,
  expired: m.staff_answer_expired,
  withdrawn: m.staff_answer_withdrawn,
  on_duty: m.staff_answer_on_duty,
  completed: m.staff_answer_completed,
  released: m.staff_answer_released,
  replaced: m.staff_answer_replaced,
}
