import { AppError, type ErrorCode, type ErrorDetails } from '@tour-ops/contract/errors'
import { stateMachines } from '@tour-ops/contract/state-machines'
import { outageOf } from '../outages.ts'

/** What a person is told when a rule of the database refuses a write. */
export interface Violation {
  readonly code: ErrorCode
  readonly message: string
  /** The entry of the form that the refusal is about. */
  readonly field?: string
  /** A short machine-readable cause; screens choose what to offer by it. */
  readonly reason?: string
}

const taken = (field: string, message: string): Violation => ({
  code: 'invalid-argument',
  message,
  field,
  reason: 'duplicate',
})
const wrong = (field: string, message: string): Violation => ({ code: 'invalid-argument', message, field })
const refused = (reason: string, message: string): Violation => ({ code: 'aborted', message, reason })

const orderChanged = refused('conflict', 'The order was changed by somebody else at the same moment. Look at it again.')
/** A process that has not noticed yet that its key was retired. */
const keyRetired: Violation = {
  code: 'unavailable',
  message: 'The encryption keys are being changed. Try again in a minute.',
  reason: 'data_key_unknown',
}
const alreadySent = refused('duplicate', 'This was sent already.')

/**
 * The rules that a person can run into, by constraint name: under row-level security PostgreSQL withholds an error's detail,
 * so the name is all there is. What is not here is checked by the contract first; reaching it is a bug and answers `internal`.
 */
const namedRules: Readonly<Record<string, Violation>> = {
  // Seats, people and vehicles: what two may want at the same moment. See docs/domain.md, "Invariants", I1-I4.
  departures_seats_within_capacity: refused('seats_exhausted', 'There are not enough seats left on this departure.'),
  departures_counters_are_derived: refused('derived', 'The seat counters follow from the bookings and cannot be set.'),
  traveler_documents_number_key_known: keyRetired,
  traveler_private_medical_key_known: keyRetired,
  staff_calendar_entries_note_key_known: keyRetired,
  import_work_samples_key_known: keyRetired,
  files_content_key_known: keyRetired,
  import_rows_passport_value_key_known: keyRetired,
  import_rows_medical_value_key_known: keyRetired,
  import_rows_passport_set_key_known: keyRetired,
  import_rows_passport_was_key_known: keyRetired,
  import_rows_medical_set_key_known: keyRetired,
  import_rows_medical_was_key_known: keyRetired,
  staff_calendar_entries_no_overlap: refused('staff_double_booked', 'This person is already busy at that time.'),
  vehicle_calendar_entries_no_overlap: refused('vehicle_double_booked', 'This vehicle is already in use at that time.'),
  assignments_one_lead_guide: refused('lead_guide_exists', 'This departure already has a lead guide.'),
  assignments_person_once: refused('duplicate', 'This person already has this role on the departure.'),
  manifest_entries_traveler_once: refused('duplicate', 'This traveler is already on the manifest of the departure.'),
  room_assignments_pkey: refused('duplicate', 'This traveler is already in the room.'),
  duty_sessions_one_open_per_staff: refused('duplicate', 'This person is already on duty.'),
  duty_sessions_one_open_per_vehicle: refused('duplicate', 'This vehicle is already on duty.'),
  allotments_used_within_quantity: refused('allotment_exhausted', 'The allotment has not enough left.'),

  // Status changes that depend on more than the status. See docs/domain.md, "States".
  departures_cancel_reason_given: wrong('cancelReason', 'Give the reason of the cancellation.'),
  departures_everyone_accounted_for: refused(
    'travelers_unaccounted',
    'Somebody on the manifest is still expected or missing. Account for everybody first.',
  ),
  departures_reopen_within_two_hours: refused('too_late', 'A departure can be reopened for two hours after its end.'),
  departures_sales_reopen_while_future: refused('too_late', 'Sales can be opened again only before the start.'),
  bookings_hold_has_expiry: wrong('expiresAt', 'A hold needs a time at which it ends.'),
  bookings_hold_ends_in_future: wrong('expiresAt', 'A hold must end in the future.'),
  bookings_hold_not_expired: refused('hold_expired', 'The hold has run out. Hold the seats again to confirm them.'),
  assignments_release_has_reason: wrong('releaseReason', 'Give the reason of the release.'),
  alerts_snoozed_has_end: wrong('snoozedUntil', 'Say until when the alert is snoozed.'),
  tours_published_has_revision: refused('no_revision', 'A tour is published with a revision.'),
  tour_revisions_published_is_final: refused('published', 'A published revision cannot be changed. Make a new one.'),
  headcounts_mismatch_has_reason: wrong('reason', 'The count differs from what was expected. Give the reason.'),
  members_organization_keeps_an_admin: refused(
    'last_admin',
    'The organization needs at least one active administrator.',
  ),
  audit_entries_append_only: refused('append_only', 'The audit log cannot be changed.'),

  // Names and numbers that exist once.
  tours_code_unique: taken('code', 'Another tour has this code.'),
  tour_options_name_unique: taken('name', 'The tour already has an option of this name.'),
  tour_units_type_unique: taken('unitType', 'The tour already has a price for this kind of traveler.'),
  tour_routes_day_unique: refused('duplicate', 'The tour already has a route for this day.'),
  tour_revisions_number_unique: refused('conflict', 'Somebody else published the tour at the same moment. Try again.'),
  tour_days_index_unique: orderChanged,
  tour_stops_order_unique: orderChanged,
  departures_code_unique: taken('code', 'Another departure has this code.'),
  departure_stops_order_unique: orderChanged,
  bookings_ref_unique: taken('bookingRef', 'Another booking has this reference.'),
  bookings_external_ref_unique: taken('externalRef', 'A booking with this reference of the seller exists already.'),
  check_ins_client_event_unique: refused('duplicate', 'This check-in was received already.'),
  field_staff_code_unique: taken('code', 'Another person of the field staff has this code.'),
  field_staff_member_once: taken('memberUserId', 'This member is linked with another staff record.'),
  members_staff_once: taken('staffId', 'This staff record is linked with another member.'),
  members_pkey: refused('duplicate', 'This person is already a member.'),
  invitations_one_pending_per_email: taken('email', 'This address was invited already.'),
  vehicles_plate_unique: taken('plate', 'Another vehicle has this number plate.'),
  devices_external_id_unique: taken('externalId', 'Another device has this identifier.'),
  incidents_number_unique: refused('conflict', 'Somebody else reported an incident at the same moment. Try again.'),
  incident_travelers_pkey: refused('duplicate', 'This traveler is already part of the incident.'),
  alerts_one_open_per_dedupe_key: refused('duplicate', 'This alert is open already.'),
  roll_call_responses_person_once: refused('duplicate', 'This person has answered already.'),
  message_templates_key_unique: taken('key', 'A template for this key, channel and language exists already.'),
  messages_once_per_occurrence: alreadySent,
  deliveries_recipient_once: alreadySent,
  notification_preferences_once: refused(
    'conflict',
    'The preference was changed somewhere else at the same moment. Try again.',
  ),
  saved_views_name_unique: taken('name', 'You already have a view of this name.'),
  documents_drafts_per_person: {
    code: 'resource-exhausted',
    message: 'You have too many drafts. Finish or discard some of them first.',
    reason: 'too_many_drafts',
  },
  files_path_unique: taken('path', 'A file of this name exists already.'),

  // Entries of forms that depend on each other.
  departures_end_after_start: wrong('endsAt', 'The end must be after the start.'),
  departures_actual_end_after_start: wrong('actualEndAt', 'The end must be after the start.'),
  departure_stops_planned_order: wrong('plannedDepartAt', 'A stop is left after it is reached.'),
  departure_stops_actual_order: wrong('actualDepartAt', 'A stop is left after it is reached.'),
  tours_capacity_range: wrong('minPax', 'The smallest group must fit into the capacity.'),
  tours_code_form: wrong('code', 'Use 2 to 16 capital letters, digits, - and _.'),
  tour_units_ages_range: wrong('maxAge', 'The highest age must not be below the lowest.'),
  tour_schedules_validity_order: wrong('validTo', 'The last day must not be before the first.'),
  allotments_dates_order: wrong('toDate', 'The last day must not be before the first.'),
  places_geofence_order: wrong('exitM', 'The leaving radius must be larger than the arriving radius.'),
  geofences_radii_order: wrong('exitM', 'The leaving radius must be larger than the arriving radius.'),
  bookings_units_sound: wrong('units', 'Every line needs a kind of traveler and a positive number.'),
  bookings_pax_matches_units: wrong('units', 'The number of travelers does not match the lines.'),
  travelers_have_a_name: wrong('lastName', 'Give a first or a last name.'),
  travelers_not_merged_into_itself: wrong('mergedIntoId', 'A traveler cannot be merged with the same record.'),
  staff_certificates_dates_order: wrong('validUntil', 'The end must not be before the day of issue.'),
  assignments_release_after_report: wrong('releaseAt', 'The release must be after the report time.'),
  staff_calendar_entries_during_bounded: wrong('until', 'The end must be after the start.'),
  vehicle_calendar_entries_during_bounded: wrong('until', 'The end must be after the start.'),
  vehicles_seats_range: wrong('wheelchairPlaces', 'There cannot be more wheelchair places than seats.'),
  field_staff_cost_not_negative: wrong('costPerDay', 'A cost needs a currency and must not be negative.'),
  departure_services_cost_not_negative: wrong('cost', 'A cost needs a currency and must not be negative.'),
  messages_scheduled_has_time: wrong('scheduledAt', 'Say when the message is to be sent.'),
  shared_links_expires_after_start: wrong('expiresAt', 'The end must be after the start.'),
  shared_links_expires_within_400_days: wrong('expiresAt', 'A link is valid for 400 days at most.'),
}

/** Every machine refuses under two names: `{machine}_transition`, and `{machine}_initial` for a wrong beginning. */
const machineRules: Readonly<Record<string, Violation>> = Object.fromEntries(
  Object.keys(stateMachines).flatMap((machine) => [
    [`${machine}_transition`, refused('illegal_transition', 'This is not possible in the present state.')],
    [`${machine}_initial`, refused('illegal_transition', 'This cannot begin in that state.')],
  ]),
)

export const violations: Readonly<Record<string, Violation>> = { ...namedRules, ...machineRules }

const conflict = refused('conflict', 'Somebody else changed this at the same moment. Try again.')

const unstorable: Violation = {
  code: 'invalid-argument',
  message: 'This holds a character that cannot be stored. Type it again.',
}

/** Refusals without a rule of ours behind them, by SQLSTATE. Source: PostgreSQL, appendix A. */
const bySqlState: Readonly<Record<string, Violation>> = {
  '40001': conflict,
  '40P01': conflict,
  '55P03': refused('conflict', 'Somebody else is changing this right now. Try again.'),
  // only text from outside can hold these, and where a call's data enters they are refused at their field
  '22021': unstorable,
  '22P05': unstorable,
  '57014': { code: 'deadline-exceeded', message: 'This took too long and was stopped. Nothing was changed.' },
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
  return violation ? refusalOf(violation, error) : error
}

/** Foreign keys: something named does not exist in this organization, or something that goes away is still needed. */
function referenceViolation(error: Error & DatabaseError): Violation | undefined {
  if (error.code !== '23503' && error.code !== '23001') return undefined
  return error.message.startsWith('insert or update')
    ? { code: 'not-found', message: 'Something this refers to does not exist any more.', reason: 'reference_missing' }
    : refused('in_use', 'Something else still needs this. Archive it instead, or remove what uses it first.')
}

function refusalOf({ code, message, field, reason }: Violation, cause: Error & Partial<DatabaseError>): AppError {
  const details: ErrorDetails = {
    ...(field === undefined ? {} : { fieldErrors: { [field]: [message] } }),
    ...(reason === undefined ? {} : { reason }),
    ...(reason === 'illegal_transition' ? transitionOf(cause) : {}),
  }
  return new AppError(code, message, { cause, details })
}

/** The trigger that guards a machine says `{"from": …, "to": …}` in the error's detail. */
function transitionOf({ detail }: Partial<DatabaseError>): { from?: unknown; to?: unknown } {
  if (!detail?.startsWith('{')) return {}
  const { from, to } = JSON.parse(detail) as { from?: unknown; to?: unknown }
  return { from, to }
}
