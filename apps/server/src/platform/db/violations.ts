import { maxFormsPerPerson } from '@tour-ops/contract/bookings/form-holds'
import { AppError } from '@tour-ops/contract/errors'
import { fieldIssue, type FieldParams, type FieldRule, issueError } from '@tour-ops/contract/field-rules'
import { maxMinor } from '@tour-ops/contract/fields'
import { maxLinkDays } from '@tour-ops/contract/links/links'
import { maxNoGoAreas } from '@tour-ops/contract/map/no-go-areas'
import type { Given } from '@tour-ops/contract/refusal-shapes'
import { type Reason, refusalOf, type RefusalParams } from '@tour-ops/contract/refusals'
import { type Machine, stateMachines } from '@tour-ops/contract/state-machines'
import { outageOf } from '../outages.ts'

/** Turns a violated rule of the database into the refusal for the caller. */
type Violation = (cause: Error & Partial<DatabaseError>) => AppError

const refused =
  <R extends Reason>(reason: R, ...[params]: Given<RefusalParams<R>>): Violation =>
  (cause) =>
    refusalOf({ reason, params: { ...params, ...(reason === 'illegal_transition' && transitionOf(cause)) } }, { cause })

/** One entry of the form is wrong. */
const wrong =
  <R extends FieldRule>(field: string, rule: R, ...params: Given<FieldParams<R>>): Violation =>
  (cause) =>
    issueError(field, fieldIssue(rule, ...params), cause)

/** A process that has not noticed yet that its key was retired. */
const keyRetired = refused('data_key_unknown')
const alreadySent = refused('sent_already')

/**
 * The rules that a person can run into, by constraint name: under row-level security PostgreSQL withholds an error's detail,
 * so the name is all there is. What is not here is checked by the contract first; reaching it is a bug and answers `internal`.
 */
const namedRules: Readonly<Record<string, Violation>> = {
  // Seats, people and vehicles: what two may want at the same moment. See docs/domain.md, "Invariants", I1-I4.
  departures_seats_within_capacity: refused('seats_exhausted', {}),
  departures_private_one_party: refused('departure_private'),
  departures_counters_are_derived: refused('counters_derived'),
  traveler_documents_number_key_known: keyRetired,
  traveler_private_medical_key_known: keyRetired,
  staff_calendar_entries_note_key_known: keyRetired,
  import_work_samples_key_known: keyRetired,
  import_corrections_cell_key_known: keyRetired,
  files_content_key_known: keyRetired,
  webhook_queues_secrets_key_known: keyRetired,
  phone_channels_key_known: keyRetired,
  import_rows_passport_value_key_known: keyRetired,
  import_rows_medical_value_key_known: keyRetired,
  import_rows_passport_set_key_known: keyRetired,
  import_rows_passport_was_key_known: keyRetired,
  import_rows_medical_set_key_known: keyRetired,
  import_rows_medical_was_key_known: keyRetired,
  staff_calendar_entries_no_overlap: refused('staff_busy', {}),
  vehicle_calendar_entries_no_overlap: refused('vehicle_busy', {}),
  equipment_issues_within_quantity: refused('equipment_short', {}),
  equipment_quantity_covers_issued: wrong('quantity', 'equipment_issued'),
  assignments_one_lead_guide: refused('lead_guide_exists'),
  assignments_person_once: refused('role_taken'),
  manifest_entries_details_in_time: refused('details_closed'),
  manifest_entries_traveler_once: refused('traveler_on_manifest'),
  room_assignments_pkey: refused('roomed_already'),
  duty_sessions_one_open_per_staff: refused('on_duty_already'),
  duty_sessions_one_open_per_vehicle: refused('vehicle_on_duty_already'),
  duty_sessions_ask_is_seen: refused('position_not_asked', {}),
  payments_refund_within_paid: wrong('amountMinor', 'refund_above_paid'),
  bookings_paid_within_limit: wrong('amountMinor', 'too_large', { max: maxMinor }),
  payments_final: refused('payment_voided'),
  billing_documents_one_in_force: refused('invoice_in_force'),
  billing_documents_cancelled_once: refused('invoice_cancelled'),
  billing_documents_sold: refused('invoice_not_sold'),
  allotments_used_within_quantity: refused('allotment_exhausted'),

  // Status changes that depend on more than the status. See docs/domain.md, "States".
  departures_cancel_reason_given: wrong('cancelReason', 'cancel_reason_missing'),
  departures_everyone_accounted_for: refused('travelers_unaccounted'),
  departures_reopen_within_two_hours: refused('reopen_too_late'),
  departures_sales_reopen_while_future: refused('sales_reopen_too_late'),
  bookings_hold_has_expiry: wrong('expiresAt', 'hold_end_missing'),
  bookings_hold_ends_in_future: wrong('expiresAt', 'hold_in_past'),
  bookings_hold_not_expired: refused('hold_expired', {}),
  assignments_release_has_reason: wrong('releaseReason', 'release_reason_missing'),
  alerts_snoozed_has_end: wrong('snoozedUntil', 'snooze_end_missing'),
  tours_published_has_revision: refused('no_revision'),
  tour_revisions_published_is_final: refused('revision_final'),
  headcounts_mismatch_has_reason: wrong('reason', 'mismatch_reason_missing'),
  members_organization_keeps_an_admin: refused('last_admin'),
  audit_entries_append_only: refused('audit_append_only'),

  // Names and numbers that exist once.
  tours_code_unique: wrong('code', 'tour_code_taken'),
  tour_options_name_unique: wrong('name', 'option_name_taken'),
  tour_revisions_number_unique: refused('published_meanwhile'),
  departures_code_unique: wrong('code', 'departure_code_taken'),
  departure_stops_order_unique: refused('order_changed'),
  bookings_ref_unique: wrong('bookingRef', 'booking_ref_taken'),
  bookings_external_ref_unique: wrong('externalRef', 'external_ref_taken'),
  check_ins_client_event_unique: refused('checked_in_already'),
  field_staff_code_unique: wrong('code', 'staff_code_taken'),
  field_staff_member_once: wrong('memberUserId', 'member_linked'),
  members_staff_once: wrong('staffId', 'record_linked'),
  members_pkey: refused('already_member'),
  invitations_one_pending_per_email: wrong('email', 'address_invited'),
  vehicles_plate_unique: wrong('plate', 'plate_taken'),
  devices_external_id_unique: wrong('externalId', 'device_taken'),
  incidents_number_unique: refused('incident_reported_meanwhile'),
  incidents_merged_is_final: refused('incident_merged'),
  incidents_merged_into_open: wrong('intoId', 'incident_not_open'),
  incidents_not_merged_into_itself: wrong('intoId', 'incident_itself'),
  incident_travelers_pkey: refused('incident_traveler_listed'),
  alerts_one_open_per_dedupe_key: refused('alert_open_already'),
  roll_call_responses_person_once: refused('answered_already'),
  message_templates_name_unique: wrong('name', 'template_taken'),
  messages_once_per_occurrence: alreadySent,
  deliveries_recipient_once: alreadySent,
  notification_preferences_once: refused('preference_changed'),
  saved_views_name_unique: wrong('name', 'view_name_taken'),
  geofences_no_go_areas_per_organization: refused('too_many_no_go_areas', { max: maxNoGoAreas }),
  form_holds_forms_per_person: refused('too_many_forms', { max: maxFormsPerPerson }),
  discount_codes_uses_within_limit: refused('discount_used_up'),
  discount_codes_tours_known: refused('reference_missing'),
  discount_codes_code_unique: wrong('code', 'discount_code_taken'),
  discount_codes_percent_bounded: wrong('value', 'too_large', { max: 100 }),
  discount_codes_amount_has_currency: wrong('currency', 'currency_form'),
  discount_codes_days_order: wrong('validUntil', 'last_before_first'),
  documents_drafts_per_person: refused('too_many_drafts'),
  files_path_unique: wrong('path', 'file_name_taken'),

  // Entries of forms that depend on each other.
  departures_end_after_start: wrong('endsAt', 'end_not_after_start'),
  departures_actual_end_after_start: wrong('actualEndAt', 'end_not_after_start'),
  departure_stops_planned_order: wrong('plannedDepartAt', 'stop_left_too_early'),
  departure_stops_actual_order: wrong('actualDepartAt', 'stop_left_too_early'),
  tours_capacity_range: wrong('minPax', 'group_above_capacity'),
  tours_code_form: wrong('code', 'tour_code_form'),
  allotments_dates_order: wrong('toDate', 'last_before_first'),
  places_geofence_order: wrong('exitM', 'wider_radius'),
  geofences_radii_order: wrong('exitM', 'wider_radius'),
  bookings_units_sound: wrong('units', 'units_unsound'),
  bookings_pax_matches_units: wrong('units', 'units_mismatch'),
  travelers_have_a_name: wrong('lastName', 'name_missing'),
  travelers_not_merged_into_itself: wrong('mergedIntoId', 'merged_into_itself'),
  staff_certificates_dates_order: wrong('validUntil', 'certificate_ends_early'),
  assignments_release_after_report: wrong('releaseAt', 'release_before_report'),
  staff_calendar_entries_during_bounded: wrong('until', 'end_not_after_start'),
  vehicle_calendar_entries_during_bounded: wrong('until', 'end_not_after_start'),
  vehicles_seats_range: wrong('wheelchairPlaces', 'wheelchairs_above_seats'),
  field_staff_cost_not_negative: wrong('costPerDay', 'cost_unsound'),
  departure_services_cost_not_negative: wrong('cost', 'cost_unsound'),
  messages_scheduled_has_time: wrong('scheduledAt', 'sending_time_missing'),
  shared_links_expires_after_start: wrong('expiresAt', 'end_not_after_start'),
  shared_links_no_passcode_on_phones: wrong('passcode', 'passcode_on_phone'),
  shared_links_expires_within_400_days: wrong('expiresAt', 'link_too_long', { days: maxLinkDays }),
}

/** Every machine refuses under two names: `{machine}_transition`, and `{machine}_initial` for a wrong beginning. */
const machineRules: Readonly<Record<string, Violation>> = Object.fromEntries(
  (Object.keys(stateMachines) as Machine[]).flatMap((machine) => [
    [`${machine}_transition`, refused('illegal_transition', { machine })],
    [`${machine}_initial`, refused('illegal_transition', { machine })],
  ]),
)

export const violations: Readonly<Record<string, Violation>> = { ...namedRules, ...machineRules }

const conflict = refused('conflict')
/** Only text from outside can hold these, and where a call's data enters they are refused at their field. */
const unstorable = refused('unstorable')

/** Refusals that are not one of our rules, by SQLSTATE. Source: PostgreSQL, appendix A. */
const bySqlState: Readonly<Record<string, Violation>> = {
  '40001': conflict,
  '40P01': conflict,
  '55P03': conflict,
  '22021': unstorable,
  '22P05': unstorable,
  '57014': refused('stopped'),
}

/** What decides about a database error; `instanceof DatabaseError` fails for errors that come from PGlite. */
interface DatabaseError {
  /** SQLSTATE. */
  readonly code: string
  readonly constraint?: string | undefined
  readonly detail?: string | undefined
}

export function isDatabaseError(error: unknown): error is Error & DatabaseError {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
}

/** Turns what the database refused into words for the caller; anything unexpected stays as it is and becomes `internal`. */
export function toAppError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const outage = outageOf(error)
  if (outage) return outage
  if (!isDatabaseError(error)) return error
  const violation =
    (error.constraint && violations[error.constraint]) || referenceViolation(error) || bySqlState[error.code]
  return violation ? violation(error) : error
}

/** Foreign keys: something named does not exist in this organization, or something that goes away is still needed. */
function referenceViolation(error: Error & DatabaseError): Violation | undefined {
  if (error.code !== '23503' && error.code !== '23001') return undefined
  return error.message.startsWith('insert or update') ? refused('reference_missing') : refused('in_use')
}

/** The trigger that guards a machine says `{"from": …, "to": …}` in the error's detail. */
function transitionOf({ detail }: Partial<DatabaseError>): { from?: unknown; to?: unknown } {
  if (!detail?.startsWith('{')) return {}
  const { from, to } = JSON.parse(detail) as { from?: unknown; to?: unknown }
  return { from, to }
}
