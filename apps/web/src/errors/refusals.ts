import { said, type Sentence } from '@tour-ops/contract/refusal-shapes'
import type { Reason, RefusalParams } from '@tour-ops/contract/refusals'
import { m } from '../paraglide/messages.js'
import { formatSpan } from '../ui/format-span.ts'
import { formatBytes, formatDayTime, formatList, formatMoment, formatSizeLimit } from '../ui/format.ts'
import { guardSentences } from './guard-text.ts'
import { missingRecords } from './record-texts.ts'

export { fieldIssueText } from '../ui/form/field-errors.ts'
export { authErrors, storageErrors } from './service-errors.ts'

function staffBusy({ name, code, kind, from, to }: RefusalParams<'staff_busy'>): string {
  if (name === undefined || from === undefined || to === undefined) return m.errors_refused_staff_busy()
  const when = formatSpan(from, to)
  if (code) return m.errors_refused_staff_busy_with({ name, code, when })
  return kind === 'time_off'
    ? m.errors_refused_staff_on_leave({ name, when })
    : m.errors_refused_staff_busy_during({ name, when })
}

function vehicleBusy({ name, code, kind }: RefusalParams<'vehicle_busy'>): string {
  if (name === undefined) return m.errors_refused_vehicle_busy()
  if (kind === 'maintenance') return m.errors_refused_vehicle_in_maintenance({ name })
  if (kind === 'hire') return m.errors_refused_vehicle_on_hire({ name })
  return code ? m.errors_refused_vehicle_busy_with({ name, code }) : m.errors_refused_vehicle_busy_named({ name })
}

function salesClosed({ because, code }: RefusalParams<'sales_closed'>): string {
  switch (because) {
    case 'paused':
      return m.errors_refused_sales_paused({ code })
    case 'closed':
      return m.errors_refused_sales_ended({ code })
    case 'cutoff':
      return m.errors_refused_sales_cutoff({ code })
    case 'status':
    case 'open':
      return m.errors_refused_sales_status({ code })
  }
}

const changed = () => m.errors_refused_changed()
const uploadBroken = () => m.errors_refused_upload_broken()
const brieflyAway = () => m.errors_unavailable()
const notToBeChanged = () => m.errors_refused_read_only_record()

/**
 * The sentence for every reason of a refusal, in the reader's language, from the parameters sent with it. The compiler asks for
 * each reason of the contract, and a test says all of them in all languages.
 */
export const refusals: { readonly [R in Reason]: (params: RefusalParams<R>) => string } = {
  version_conflict: changed,
  conflict: changed,
  order_changed: changed,
  published_meanwhile: changed,
  incident_reported_meanwhile: changed,
  preference_changed: changed,

  not_found: ({ what }) => missingRecords[what](),
  reference_missing: () => m.errors_refused_reference_missing(),
  in_use: () => m.errors_refused_in_use(),
  shared_link_over: () => m.errors_refused_link_ended(),
  shared_link_early: ({ opensAt }) => m.errors_refused_link_early({ time: formatDayTime(opensAt) }),
  link_opens_later: ({ opensAt }) => m.errors_refused_link_opens_later({ time: formatDayTime(opensAt) }),
  link_ended: () => m.errors_refused_link_ended(),
  link_passcode_needed: () => m.errors_refused_link_passcode_needed(),

  seats_exhausted: ({ seatsLeft, asked }) =>
    seatsLeft === undefined || asked === undefined
      ? m.errors_refused_seats_exhausted()
      : m.bookings_seats_short({ left: seatsLeft, asked }),
  departure_private: () => m.errors_refused_departure_private(),
  audience_changed: ({ count, seen }) => m.errors_refused_audience_changed({ count, seen }),
  too_many_recipients: ({ max }) => m.errors_refused_too_many_recipients({ max }),
  said_stop: () => m.errors_refused_said_stop(),
  no_guest_address: () => m.errors_refused_no_guest_address(),
  no_own_address: () => m.errors_refused_no_own_address(),
  too_many_webhooks: ({ max }) => m.errors_refused_too_many_webhooks({ max }),
  webhook_off: () => m.errors_refused_webhook_off(),
  sales_closed: salesClosed,
  hold_expired: () => m.errors_refused_hold_expired(),
  traveler_booked_already: ({ name, bookingRef }) => m.errors_refused_booked_already_named({ name, ref: bookingRef }),
  traveler_on_manifest: () => m.errors_refused_on_manifest(),
  guests_aboard: ({ aboard }) => m.errors_refused_aboard({ count: aboard }),
  cancellation_stays: () => m.errors_refused_cancellation_stays(),
  preview_only: () => m.errors_refused_preview_only(),
  proposal_over: () => m.errors_refused_proposal_over(),
  departure_not_cancelled: () => m.errors_refused_departure_not_cancelled(),
  offer_over: () => m.errors_refused_offer_over(),
  link_just_sent: () => m.errors_refused_link_just_sent(),
  link_unreachable: () => m.errors_refused_link_unreachable(),
  supplier_told: () => m.errors_refused_supplier_told(),
  supplier_unreachable: () => m.errors_refused_supplier_unreachable(),
  document_waits: () => m.errors_refused_document_waits(),
  too_many_messages: () => m.errors_refused_too_many_messages(),
  details_closed: () => m.errors_refused_details_closed(),
  check_in_closed: () => m.errors_refused_check_in_closed(),
  checked_in_already: () => m.errors_refused_checked_in_already(),
  too_early: ({ from }) => m.errors_refused_no_show_from({ time: formatMoment(from) }),
  roomed_already: () => m.errors_refused_roomed_already(),
  references_exhausted: () => m.errors_refused_references_exhausted(),
  allotment_exhausted: () => m.errors_refused_allotment(),
  counters_derived: notToBeChanged,
  payment_voided: () => m.errors_refused_payment_voided(),
  payment_refunded: () => m.errors_refused_payment_refunded(),
  payment_differs: changed,
  invoice_in_force: () => m.errors_refused_invoice_in_force(),
  invoice_cancelled: () => m.errors_refused_invoice_cancelled(),
  invoice_not_sold: () => m.errors_refused_invoice_not_sold(),

  staff_busy: staffBusy,
  vehicle_busy: vehicleBusy,
  staff_not_active: ({ name }) => m.errors_refused_staff_inactive_named({ name }),
  licence_expired: ({ name }) => m.errors_refused_licence_expired_named({ name }),
  vehicle_not_active: ({ name }) => m.errors_refused_vehicle_inactive_named({ name }),
  equipment_short: ({ name, free }) =>
    name === undefined || free === undefined
      ? m.errors_refused_equipment_short()
      : m.errors_refused_equipment_short_named({ name, free }),
  equipment_closed: ({ code }) => m.errors_refused_equipment_closed({ code }),
  departure_over: ({ code }) => m.errors_refused_departure_over_named({ code }),
  lead_guide_exists: () => m.errors_refused_lead_guide_exists(),
  role_taken: () => m.errors_refused_role_taken(),
  override_reason_missing: () => m.errors_refused_override_reason(),
  no_longer_fits: () => m.errors_refused_no_longer_fits(),
  still_assigned: ({ departures }) => m.errors_refused_still_assigned_to({ count: departures.length }),
  on_duty_already: () => m.errors_refused_on_duty_already(),
  vehicle_on_duty_already: () => m.errors_refused_vehicle_on_duty(),
  not_on_duty: () => m.errors_refused_not_on_duty(),
  position_not_asked: () => m.errors_refused_position_not_asked(),
  leads_no_departure: () => m.errors_refused_leads_no_departure(),
  link_opens_no_more: () => m.errors_refused_link_opens_no_more(),
  event_too_old: ({ hours }) => m.errors_refused_event_too_old({ count: hours }),
  booking_not_confirmed: () => m.errors_refused_booking_not_confirmed(),
  guest_status_differs: () => m.errors_refused_guest_status(),
  no_staff_record: () => m.errors_refused_no_staff_record(),
  device_not_paired: ({ ended }) =>
    ended === undefined
      ? m.errors_refused_device_not_paired()
      : ended === 'by_office'
        ? m.errors_refused_device_ended()
        : m.errors_refused_device_replaced(),
  pairing_code_over: () => m.errors_refused_pairing_code_over(),

  illegal_transition: () => m.errors_refused_illegal_transition(),
  conditions_unmet: ({ unmet }) =>
    m.errors_refused_conditions({ conditions: unmet.map((guard) => guardSentences[guard]()).join(' ') }),
  not_running: () => m.errors_refused_not_running(),
  headcount_missing: () => m.errors_refused_headcount_missing(),
  headcount_mismatch: ({ expected, counted }) => m.errors_refused_headcount_differs({ expected, counted }),
  earlier_stop_open: ({ placeName }) => m.errors_refused_stop_open_named({ place: placeName }),
  travelers_unaccounted: () => m.errors_refused_unaccounted(),
  reopen_too_late: () => m.errors_refused_reopen_too_late(),
  sales_reopen_too_late: () => m.errors_refused_sales_reopen_too_late(),

  not_published: () => m.errors_refused_not_published(),
  no_draft: () => m.errors_refused_no_draft(),
  no_revision: () => m.errors_refused_no_revision(),
  revision_final: () => m.errors_refused_revision_final(),
  never_published: () => m.errors_refused_never_published(),
  prices_not_whole: () => m.tours_prices_not_whole(),
  not_ready_to_publish: () => m.errors_refused_not_ready_to_publish(),
  has_guests: ({ pax }) => m.tours_archive_refused({ count: pax }),
  departure_not_future: () => m.errors_refused_departure_not_future(),
  departure_exists: ({ code }) => m.errors_refused_departure_exists({ code }),
  nothing_to_create: () => m.errors_refused_nothing_to_create(),
  below_sold: ({ sold }) => m.errors_refused_seats_sold({ count: sold }),

  roll_call_without_departure: () => m.errors_refused_roll_without_departure(),
  roll_call_after_incident: () => m.errors_refused_roll_after_incident(),
  roll_call_of_nobody: () => m.errors_refused_roll_of_nobody(),
  incident_tasks_open: ({ count }) => m.errors_refused_incident_tasks_open({ count }),
  task_done_already: ({ name }) => m.errors_refused_task_done({ name }),
  incident_merged: () => m.errors_refused_incident_merged(),
  incident_over: () => m.errors_refused_incident_over(),
  incident_files_full: ({ max }) => m.errors_refused_incident_files_full({ max }),
  incident_file_of_other: () => m.errors_refused_incident_file_of_other(),
  incident_traveler_listed: () => m.errors_refused_incident_listed(),
  alert_not_mutable: () => m.errors_refused_alert_not_mutable(),
  alert_open_already: () => m.errors_refused_alert_open(),
  answered_already: () => m.errors_refused_answered(),
  sent_already: () => m.errors_refused_sent(),
  audit_append_only: notToBeChanged,
  too_many_no_go_areas: ({ max }) => m.errors_refused_too_many_no_go_areas({ max: max }),
  discount_used_up: () => m.errors_refused_discount_used_up(),
  too_many_forms: ({ max }) => m.errors_refused_too_many_forms({ max }),
  too_many_drafts: () => m.errors_refused_too_many_drafts(),

  already_running: () => m.errors_refused_import_running(),
  not_checked: () => m.errors_refused_import_unchecked(),
  nothing_to_do: () => m.errors_refused_import_nothing(),
  undo_over: () => m.errors_refused_undo_over(),
  import_too_old: () => m.errors_refused_import_too_old(),
  question_open: ({ column }) => m.errors_refused_question_column({ column }),
  departure_missing: () => m.errors_refused_import_departure(),
  name_missing: () => m.errors_refused_import_names(),
  columns_refused: ({ columns }) => m.errors_refused_columns_refused({ columns: formatList(columns) }),
  columns_maybe_sensitive: ({ columns }) => m.errors_refused_columns_sensitive({ columns: formatList(columns) }),
  reading_maybe_sensitive: ({ columns }) => m.errors_refused_reading_sensitive({ columns: formatList(columns) }),
  import_seats_exhausted: ({ code, left, asked }) =>
    m.imports_failed_seats_exhausted({ code, left: String(left), asked: String(asked) }),
  import_sales_closed: ({ code }) =>
    code === null ? m.errors_refused_sales_closed() : m.imports_failed_sales_closed({ code }),
  changed_since_check: () => m.imports_failed_changed_since_check(),
  import_stopped: () => m.errors_refused_import_stopped(),
  export_too_large: () => m.errors_refused_too_many_rows(),
  rejected_rows_too_large: () => m.errors_refused_rejected_too_large(),
  report_too_large: () => m.errors_refused_report_too_large(),
  too_many_at_work: () => m.errors_refused_too_many_at_work(),

  missing_permission: () => m.errors_permission_denied(),
  not_own_assignment: () => m.errors_refused_not_own(),
  no_organization: () => m.errors_refused_no_organization(),
  not_a_member: () => m.errors_refused_not_a_member(),
  second_factor_required: () => m.errors_second_factor_required(),
  sensitive_content: () => m.errors_refused_sensitive_content(),
  outside_duty_window: ({ hours }) => m.errors_refused_duty_window({ count: hours }),
  access_asked_too_often: ({ perDay }) => m.errors_refused_access_asked({ count: perDay }),

  last_admin: () => m.members_refused_last_admin(),
  self_suspend: () => m.errors_refused_self_suspend(),
  self_remove: () => m.errors_refused_self_remove(),
  self_factor_reset: () => m.errors_refused_self_factor_reset(),
  already_member: () => m.errors_refused_already_member(),
  already_invited: () => m.errors_refused_already_invited(),
  invitation_closed: ({ status }) =>
    status === 'accepted' ? m.errors_refused_invitation_accepted() : m.errors_refused_invitation_closed(),
  no_factor: () => m.members_refused_no_factor(),
  member_elsewhere: () => m.members_refused_member_elsewhere(),
  factors_elsewhere: () => m.errors_refused_factors_elsewhere(),
  already_set_up: () => m.errors_refused_already_set_up(),
  signed_out: () => m.errors_refused_signed_out(),
  token_expired: () => m.errors_refused_token_expired(),
  token_invalid: () => m.errors_unauthenticated(),
  app_check: () => m.errors_refused_app_check(),

  file_too_large: ({ maxBytes }) => m.errors_refused_file_too_large_than({ size: formatSizeLimit(maxBytes) }),
  file_type: ({ types }) =>
    m.errors_refused_file_type_of({ types: formatList(types.map((type) => type.toUpperCase())) }),
  file_unreadable: () => m.errors_refused_file_unreadable(),
  upload_incomplete: uploadBroken,
  upload_gap: uploadBroken,
  upload_too_long: uploadBroken,
  body_too_large: ({ limitBytes }) => m.errors_refused_body_larger_than({ size: formatBytes(limitBytes) }),

  idempotency_key_reused: () => m.errors_refused_reload(),
  idempotency_answer_gone: () => m.errors_refused_done_before(),
  idempotency_role_changed: () => m.errors_refused_role_changed(),

  data_key_missing: () => m.errors_refused_data_key_missing(),
  data_key_unknown: () => m.errors_refused_data_key_unknown(),
  sealed_value_broken: () => m.errors_refused_sealed_value_broken(),
  rate_limited: ({ retryAfterSeconds }) => m.errors_refused_rate_limited({ count: retryAfterSeconds }),
  identity_unavailable: brieflyAway,
  database_unreachable: brieflyAway,
  keys_unreachable: brieflyAway,
  server_busy: () => m.errors_refused_server_busy(),
  read_only: () => m.errors_refused_read_only(),
  disk_full: () => m.errors_refused_disk_full(),
  stopped: () => m.errors_deadline_exceeded(),
  entries_refused: () => m.errors_refused_entries(),
  unstorable: () => m.errors_refused_unstorable(),
}

/** The sentence for a reason that came over the wire; undefined for one that this version does not know. */
export function refusalText(reason: string, params: object): string | undefined {
  const sentences: Readonly<Record<string, Sentence>> = refusals
  const sentence = Object.hasOwn(sentences, reason) ? sentences[reason] : undefined
  return sentence && said(sentence, params)
}
