import type { Departure, HistoryEntry } from '@tour-ops/contract/departures/departures'
import type { Manifest } from '@tour-ops/contract/bookings/manifest'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import { m } from '../../paraglide/messages.js'
import { guestStatusLabels } from '../../records/guest-status-labels.ts'
import { formatDayTime } from '../../ui/format.ts'
import { bookingStatusLabel, paymentLabel, reasonLabel } from '../bookings/index.ts'
import { assignmentLabel, roleLabel } from '../field-staff/index.ts'
import { salesLabel } from './sales-labels.ts'
import { serviceStatusLabel } from './service-labels.ts'
import { cancelReasonLabels, type StoredCancelReason, storedStatusLabel } from './status-labels.ts'

/** Labels of the audit log's tables. */
const subjects: Record<string, () => string> = {
  departures: m.departures_history_departure,
  departure_stops: m.departures_history_stop,
  bookings: m.departures_history_booking,
  assignments: m.departures_history_assignment,
  manifest_entries: m.departures_history_guest,
  departure_services: m.departures_history_service,
}

/** Actions that have a sentence of their own, by the callable behind them. */
const actions: Record<string, () => string> = {
  'departures-schedule': m.departures_did_schedule,
  'departures-create': m.departures_did_schedule,
  'departures-update': m.departures_did_update,
  'departures-note': m.departures_did_note,
  'departures-set-status': m.departures_did_status,
  'departures-set-sales': m.departures_did_sales,
  'departures-mark-stop': m.departures_did_mark,
  'departures-arrivals': m.departures_did_positions,
  'departures-record-headcount': m.departures_did_count,
  'departures-see-run-sheet': m.departures_did_see,
  'bookings-create': m.departures_did_book,
  'bookings-confirm': m.departures_did_confirm,
  'bookings-cancel': m.departures_did_cancel,
  'bookings-restore': m.departures_did_restore,
  'bookings-split': m.departures_did_split,
  'bookings-move-some': m.departures_did_move_some,
  'bookings-bring-some-back': m.departures_did_bring_some_back,
  'bookings-join': m.departures_did_join,
  'bookings-restore-join': m.departures_did_restore_join,
  'bookings-restore-names': m.departures_did_restore_names,
  'bookings-restore-party': m.departures_did_restore_party,
  'bookings-restore-revision': m.departures_did_restore_revision,
  'bookings-restore-status': m.departures_did_restore_status,
  'bookings-revise': m.departures_did_revise,
  'bookings-move': m.departures_did_move,
  'bookings-offer': m.departures_did_offer,
  'bookings-extend-hold': m.departures_did_extend,
  'bookings-update': m.departures_did_booking_update,
  'bookings-name-guests': m.departures_did_name_guests,
  'share-confirm': m.departures_did_confirm_details,
  'share-offer': m.departures_did_answer_offer,
  'departures-combine': m.departures_did_combine,
  'departures-separate': m.departures_did_separate,
  'proposals-send': m.departures_did_propose,
  'proposals-answer': m.departures_did_answer_proposal,
  'share-proposal': m.departures_did_guest_chose,
  'manifest-check-in': m.departures_did_check_in,
  'manifest-undo': m.departures_did_undo,
  'manifest-no-show': m.departures_did_no_show,
  'manifest-set-status': m.departures_did_guest_status,
  'assignments-create': m.departures_did_assign,
  'assignments-offer': m.departures_did_offer_role,
  'assignments-accept': m.departures_did_accept,
  'assignments-decline': m.departures_did_decline,
  'assignments-withdraw': m.departures_did_withdraw,
  'assignments-release': m.departures_did_release,
  'services-create': m.departures_did_service,
  'services-set-status': m.departures_did_service_status,
  'suppliers-write': m.departures_did_write_supplier,
}

/** Labels of the fields worth reading; ids, versions and computed columns are left out. */
const fields: Record<string, () => string> = {
  status: m.departures_field_status,
  sales_status: m.departures_field_sales,
  capacity: m.departures_field_capacity,
  min_pax: m.departures_field_min_pax,
  overbook_limit: m.departures_field_overbook,
  decide_by: m.departures_field_decide_by,
  private: m.departures_field_private,
  seats_confirmed: m.departures_field_seats_confirmed,
  seats_held: m.departures_field_seats_held,
  waitlist_count: m.departures_field_waitlist,
  language: m.departures_field_language,
  weather_note: m.departures_field_weather,
  internal_note: m.departures_field_note,
  cancel_reason: m.departures_field_cancel_reason,
  actual_start_at: m.departures_field_started,
  actual_end_at: m.departures_field_ended,
  actual_arrive_at: m.departures_field_arrived,
  actual_depart_at: m.departures_field_departed,
  skip_reason: m.departures_field_skip_reason,
  headcount_actual: m.departures_field_counted,
  headcount_expected: m.departures_field_expected,
  booking_ref: m.departures_field_booking_ref,
  contact_name: m.departures_field_contact,
  pax: m.departures_field_pax,
  expires_at: m.departures_field_expires,
  pickup_at: m.departures_field_pickup,
  payment_status: m.departures_field_payment,
  role: m.departures_field_role,
  respond_by: m.departures_field_respond_by,
  release_reason: m.departures_field_release_reason,
  decline_reason: m.departures_field_decline_reason,
  override_reason: m.departures_field_override_reason,
  check_in_at: m.departures_field_check_in,
  details_confirmed_at: m.departures_field_details_confirmed,
  description: m.departures_field_description,
  confirmation_ref: m.departures_field_reference,
  notes: m.departures_field_note,
  note: m.departures_field_note,
}

export interface HistoryLine {
  title: string
  /** What it happened to, where the screen knows its name. */
  subject: string | null
  changes: { field: string; before: string | null; after: string | null }[]
}

/** Names of what belongs to a departure, by id. */
export function namesOf(departure: Departure, manifest: Manifest | undefined): ReadonlyMap<string, string> {
  const parties = manifest?.groups.flatMap((group) => group.parties) ?? []
  return new Map([
    ...departure.stops.map((stop) => [stop.id, stop.placeName] as const),
    ...departure.crew.map((one) => [one.assignmentId, one.name] as const),
    ...departure.services.map((service) => [service.id, service.description] as const),
    ...parties.map((party) => [party.bookingId, party.bookingRef] as const),
    ...parties.flatMap((party) => party.entries.map((entry) => [entry.id, entry.name] as const)),
  ])
}

/** Tables whose rows are also rewritten by computing (estimates, counters): such entries say nothing to a person. */
const computed = ['departure_stops', 'departures']

/** One entry of the audit log as a sentence and the fields that say something to a person; null where none does. */
export function historyLine(entry: HistoryEntry, zone: string, names: ReadonlyMap<string, string>): HistoryLine | null {
  const title = actions[entry.action]?.() ?? subjects[entry.entityType]?.() ?? entry.action
  const changes = entry.changes.flatMap(({ field, before, after }) => {
    const word = fields[field]?.()
    const isBlank = (value: string | null) => value === null || value === '' || value === '0'
    if (word === undefined || (isBlank(before) && isBlank(after))) return []
    const words = (value: string | null) => valueText(entry.entityType, field, value, zone)
    return [{ field: word, before: words(before), after: words(after) }]
  })
  if (changes.length === 0 && computed.includes(entry.entityType)) return null
  return { title, subject: names.get(entry.entityId) ?? null, changes }
}

const stopStatuses: Record<StatusOf<'departure_stops'>, () => string> = {
  planned: m.departures_stop_planned,
  approaching: m.departures_stop_approaching,
  arrived: m.departures_stop_arrived,
  departed: m.departures_stop_departed,
  skipped: m.departures_stop_skipped,
}
/** Takes what the history has written down for a code; an unknown code throws. */
const codeOf =
  <Code extends string>(word: (code: Code) => string) =>
  (value: string): string =>
    word(value as Code)

/** Labels of codes, by table and field. */
const codes: Record<string, (value: string) => string> = {
  'departures.status': codeOf(storedStatusLabel),
  'departures.sales_status': codeOf(salesLabel),
  'departures.cancel_reason': codeOf((value: StoredCancelReason) => cancelReasonLabels[value]()),
  'departure_stops.status': codeOf((value: StatusOf<'departure_stops'>) => stopStatuses[value]()),
  'bookings.status': codeOf(bookingStatusLabel),
  'bookings.payment_status': codeOf(paymentLabel),
  'bookings.cancel_reason': codeOf(reasonLabel),
  'manifest_entries.status': codeOf((value: StatusOf<'manifest_entries'>) => guestStatusLabels[value]()),
  'assignments.status': codeOf(assignmentLabel),
  'assignments.role': codeOf(roleLabel),
  'departure_services.status': codeOf(serviceStatusLabel),
}

const moment = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

/** Times in the tour's zone, codes as labels; a value without a label stays as it is. */
function valueText(table: string, field: string, value: string | null, zone: string): string | null {
  if (value === null || value === '') return null
  if (moment.test(value)) {
    const at = new Date(value.replace(' ', 'T').replace(/\+00$/, 'Z'))
    return Number.isNaN(at.getTime()) ? value : formatDayTime(at, zone)
  }
  try {
    return codes[`${table}.${field}`]?.(value) ?? value
  } catch {
    // A code of an older version that no longer has a label.
    return value
  }
}
