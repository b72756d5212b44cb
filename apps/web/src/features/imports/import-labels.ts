import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import type { ImportField } from '@tour-ops/contract/imports/import-mapping'
import type {
  ImportProblem,
  ImportProblemCode,
  ImportWarning,
  UnreadableCause,
} from '@tour-ops/contract/imports/import-problems'
import { AppError } from '@tour-ops/contract/errors'
import { fileUses, type RefusedFileType } from '@tour-ops/contract/files'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { formatMonthName, formatNumber, formatSizeLimit } from '../../ui/format.ts'
import { statusLabel, unitLabel } from './value-labels.ts'

/** Fields of the profile, and what changes show together. */
export const fieldLabels: Record<ImportField | 'guests' | 'pickup' | 'room' | 'seats', () => string> = {
  booking_ref: m.imports_field_booking_ref,
  status: m.imports_field_status,
  changed_at: m.imports_field_changed_at,
  option: m.imports_field_option,
  start_time: m.imports_field_start_time,
  party: m.imports_field_party,
  adults: m.imports_field_adults,
  youths: m.imports_field_youths,
  children: m.imports_field_children,
  infants: m.imports_field_infants,
  seniors: m.imports_field_seniors,
  students: m.imports_field_students,
  age: m.imports_field_age,
  total: m.imports_field_total,
  external_ref: m.imports_field_external_ref,
  channel: m.imports_field_channel,
  departure_code: m.imports_field_departure_code,
  tour_code: m.imports_field_tour_code,
  start_local: m.imports_field_start_local,
  unit_type: m.imports_field_unit_type,
  full_name: m.imports_field_full_name,
  first_name: m.imports_field_first_name,
  last_name: m.imports_field_last_name,
  gender: m.imports_field_gender,
  date_of_birth: m.imports_field_date_of_birth,
  nationality: m.imports_field_nationality,
  language: m.imports_field_language,
  email: m.imports_field_email,
  phone: m.imports_field_phone,
  dietary: m.imports_field_dietary,
  mobility: m.imports_field_mobility,
  medical_note: m.imports_field_medical_note,
  emergency_name: m.imports_field_emergency_name,
  emergency_phone: m.imports_field_emergency_phone,
  passport_number: m.imports_field_passport_number,
  passport_expiry: m.imports_field_passport_expiry,
  room_key: m.imports_field_room_key,
  room_type: m.imports_field_room_type,
  pickup_place: m.imports_field_pickup_place,
  pickup_time: m.imports_field_pickup_time,
  paid: m.imports_field_paid,
  balance: m.imports_field_balance,
  commission: m.imports_field_commission,
  currency: m.imports_field_currency,
  notes: m.imports_field_notes,
  guests: m.imports_field_guests,
  pickup: m.imports_field_pickup,
  room: m.imports_field_room,
  seats: m.imports_field_seats,
}

export const fieldLabel = (field: string): string =>
  field in fieldLabels ? fieldLabels[field as keyof typeof fieldLabels]() : field

type Amounts = NonNullable<ImportBatch['amounts']>

const amountReasons: Readonly<
  Record<Amounts['reason'], (of: { column: string; other: string; count: number }) => string>
> = {
  header_per_guest: m.imports_amounts_header_guest,
  header_per_booking: m.imports_amounts_header_booking,
  amounts_differ: m.imports_amounts_differ,
  one_line: m.imports_amounts_one_line,
  sum_of: m.imports_amounts_sum_of,
  adds_up_to: m.imports_amounts_adds_up_to,
  nothing: m.imports_amounts_unproven,
}

/** Why amounts are taken for those of a booking or of each guest. */
export const amountReasonText = ({ reason, column, other, parties }: Amounts): string =>
  amountReasons[reason]({ column, other: other ?? '', count: parties })

type Params = Readonly<Record<string, string>>
const of = (params: Params, name: string): string => params[name] ?? ''

const becauseLabels: Readonly<Record<string, () => string>> = {
  paused: m.imports_because_paused,
  closed: m.imports_because_closed,
  cutoff: m.imports_because_cutoff,
}
const endedLabels: Readonly<Record<string, () => string>> = {
  cancelled: m.imports_ended_cancelled,
  expired: m.imports_ended_expired,
  rejected: m.imports_ended_rejected,
}

const value = (say: (inputs: { value: string }) => string) => (params: Params) => say({ value: of(params, 'value') })
const line = (say: (inputs: { line: string }) => string) => (params: Params) => say({ line: of(params, 'line') })

const problemTexts: Record<ImportProblemCode, (params: Params) => string> = {
  cells_differ: (params) =>
    m.imports_problem_cells_differ({ found: of(params, 'found'), expected: of(params, 'expected') }),
  name_missing: () => m.imports_problem_name_missing(),
  text_too_long: (params) => m.imports_problem_text_too_long({ max: of(params, 'max') }),
  date_unreadable: value(m.imports_problem_date_unreadable),
  date_impossible: value(m.imports_problem_date_impossible),
  date_order_unknown: value(m.imports_problem_date_order_unknown),
  date_out_of_range: value(m.imports_problem_date_out_of_range),
  time_unreadable: value(m.imports_problem_time_unreadable),
  phone_too_short: value(m.imports_problem_phone_too_short),
  phone_invalid: value(m.imports_problem_phone_invalid),
  phone_without_country: value(m.imports_problem_phone_without_country),
  email_invalid: value(m.imports_problem_email_invalid),
  nationality_unknown: value(m.imports_problem_nationality_unknown),
  language_unknown: value(m.imports_problem_language_unknown),
  gender_unknown: value(m.imports_problem_gender_unknown),
  unit_unknown: value(m.imports_problem_unit_unknown),
  room_type_unknown: value(m.imports_problem_room_type_unknown),
  amount_unreadable: value(m.imports_problem_amount_unreadable),
  status_unknown: value(m.imports_problem_status_unknown),
  status_open: value(m.imports_problem_status_open),
  cancelled_unknown: () => m.imports_problem_cancelled_unknown(),
  cancel_not_confirmed: (params) =>
    m.imports_problem_cancel_not_confirmed({ status: statusLabel(of(params, 'status')) }),
  cancel_aboard: () => m.imports_problem_cancel_aboard(),
  party_unreadable: value(m.imports_problem_party_unreadable),
  count_unreadable: value(m.imports_problem_count_unreadable),
  names_in_note: value(m.imports_problem_names_in_note),
  age_not_date: () => m.imports_problem_age_not_date(),
  currency_unknown: value(m.imports_problem_currency_unknown),
  reference_invalid: () => m.imports_problem_reference_invalid(),
  party_too_large: (params) => m.imports_problem_party_too_large({ max: of(params, 'max') }),
  tour_unknown: value(m.imports_problem_tour_unknown),
  departure_missing: () => m.imports_problem_departure_missing(),
  departure_unknown: () => m.imports_problem_departure_unknown(),
  departure_not_made: () => m.imports_problem_departure_not_made(),
  departure_time_needed: () => m.imports_problem_departure_time_needed(),
  departure_past: () => m.imports_problem_departure_past(),
  departure_no_such_time: () => m.imports_problem_departure_no_such_time(),
  departure_code_taken: (params) => m.imports_problem_departure_code_taken({ code: of(params, 'code') }),
  departures_too_many: (params) => m.imports_problem_departures_too_many({ max: of(params, 'max') }),
  tour_not_published: value(m.imports_problem_tour_not_published),
  departure_date_impossible: (params) =>
    m.imports_problem_departure_date_impossible({
      month: formatMonthName(Number(of(params, 'month'))),
      days: of(params, 'days'),
    }),
  departure_ambiguous: ({ code = '', fits = code }) => m.imports_problem_departure_ambiguous({ fits }),
  departure_not_on_sale: (params) =>
    m.imports_problem_departure_not_on_sale({
      because: (becauseLabels[of(params, 'because')] ?? m.imports_because_over)(),
    }),
  unit_not_sold: (params) => m.imports_problem_unit_not_sold({ unit: unitLabel(of(params, 'unit')) }),
  needs_adult: () => m.imports_problem_needs_adult(),
  no_seat: (params) => m.imports_problem_no_seat({ left: of(params, 'left'), asked: of(params, 'asked') }),
  no_seat_same_party: line(m.imports_problem_no_seat_same_party),
  same_party: line(m.imports_problem_same_party),
  likely_duplicate: (params) =>
    params['line'] === undefined
      ? m.imports_problem_likely_duplicate({ bookingRef: of(params, 'bookingRef') })
      : m.imports_problem_likely_duplicate_line({ line: of(params, 'line') }),
  line_superseded: line(m.imports_problem_line_superseded),
  party_disagrees: line(m.imports_problem_party_disagrees),
  person_disagrees: line(m.imports_problem_person_disagrees),
  booking_elsewhere: (params) => m.imports_problem_booking_elsewhere({ code: of(params, 'code') }),
  booking_ended: (params) =>
    m.imports_problem_booking_ended({
      status: (endedLabels[of(params, 'status')] ?? m.imports_ended_cancelled)(),
    }),
  booking_ref_differs: (params) => m.imports_problem_booking_ref_differs({ bookingRef: of(params, 'bookingRef') }),
  booking_ref_taken: (params) => m.imports_problem_booking_ref_taken({ bookingRef: of(params, 'bookingRef') }),
  traveler_twice: line(m.imports_problem_traveler_twice),
  traveler_booked_already: (params) =>
    m.imports_problem_traveler_booked_already({ bookingRef: of(params, 'bookingRef') }),
  traveler_ambiguous: () => m.imports_problem_traveler_ambiguous(),
  pickup_unknown: value(m.imports_problem_pickup_unknown),
  room_without_nights: () => m.imports_problem_room_without_nights(),
  currency_not_departure: (params) =>
    m.imports_problem_currency_not_departure({ currency: of(params, 'currency'), expected: of(params, 'expected') }),
  currency_differs: (params) => m.imports_problem_currency_differs({ currency: of(params, 'currency') }),
}

/** Why a row is refused, in the reader's language. */
export const problemText = ({ code, params }: ImportProblem): string => problemTexts[code](params)

const resultTexts: Readonly<Record<ImportWarning['result'], () => string>> = {
  note: m.imports_warning_note,
  cut: m.imports_warning_cut,
  left_out: m.imports_warning_left_out,
  taken: m.imports_warning_taken,
}

/** What became of a cell that was not understood. */
export const warningResultText = (result: ImportWarning['result']): string => resultTexts[result]()

const limitOf = (params: Params): string => formatNumber(Number(of(params, 'max')))

const unreadableTexts: Readonly<Record<UnreadableCause, (params: Params) => string>> = {
  no_rows: () => m.imports_unreadable_no_rows(),
  too_many_rows: (params) => m.imports_unreadable_too_many_rows({ max: limitOf(params) }),
  too_many_blank_rows: (params) => m.imports_unreadable_too_many_blank_rows({ max: limitOf(params) }),
  too_many_columns: (params) => m.imports_unreadable_too_many_columns({ max: limitOf(params) }),
  too_many_cells: (params) => m.imports_unreadable_too_many_cells({ max: limitOf(params) }),
  too_much_text: (params) => m.imports_unreadable_too_much_text({ max: limitOf(params) }),
  cell_too_long: (params) => m.imports_unreadable_cell_too_long({ line: of(params, 'line'), max: limitOf(params) }),
  header_too_long: (params) => m.imports_unreadable_header_too_long({ max: limitOf(params) }),
  quote_open: (params) => m.imports_unreadable_quote_open({ line: of(params, 'line') }),
  workbook_damaged: () => m.imports_unreadable_workbook_damaged(),
  workbook_too_large: (params) => m.imports_unreadable_workbook_too_large({ max: limitOf(params) }),
  workbook_too_many_parts: (params) => m.imports_unreadable_workbook_too_many_parts({ max: limitOf(params) }),
  workbook_too_many_tags: (params) => m.imports_unreadable_workbook_too_many_tags({ max: limitOf(params) }),
  workbook_too_many_styles: (params) => m.imports_unreadable_workbook_too_many_styles({ max: limitOf(params) }),
  workbook_too_many_links: (params) => m.imports_unreadable_workbook_too_many_links({ max: limitOf(params) }),
  workbook_too_many_merged: (params) => m.imports_unreadable_workbook_too_many_merged({ max: limitOf(params) }),
  workbook_repeats: () => m.imports_unreadable_workbook_repeats(),
  workbook_nested: (params) => m.imports_unreadable_workbook_nested({ max: limitOf(params) }),
  workbook_long_text: (params) => m.imports_unreadable_workbook_long_text({ max: limitOf(params) }),
  no_sheet: () => m.imports_unreadable_no_sheet(),
  takes_too_much_memory: (params) => m.imports_unreadable_takes_too_much_memory({ max: limitOf(params) }),
  takes_too_long: (params) => m.imports_unreadable_takes_too_long({ max: limitOf(params) }),
  reader_failed: () => m.imports_unreadable_reader_failed(),
  markup: () => m.imports_unreadable_markup(),
}

const seatsExhausted = (params: Params) =>
  m.imports_failed_seats_exhausted({ code: of(params, 'code'), left: of(params, 'left'), asked: of(params, 'asked') })
const salesClosed = (params: Params) => m.imports_failed_sales_closed({ code: of(params, 'code') })

const failedTexts: Readonly<Record<string, (params: Params) => string>> = {
  import_seats_exhausted: seatsExhausted,
  import_sales_closed: salesClosed,
  changed_since_check: () => m.imports_failed_changed_since_check(),
  // as earlier versions stored them
  seats_exhausted: seatsExhausted,
  sales_closed: salesClosed,
  ...unreadableTexts,
}

/** Why the last attempt wrote nothing. */
export const failureText = ({ reason, params, message }: NonNullable<ImportBatch['error']>): string =>
  failedTexts[reason]?.(params) ?? refusalText(new AppError('aborted', message, { details: { ...params, reason } }))

/** What to do with kinds of files that people have instead. */
const refusedTexts: Readonly<Partial<Record<RefusedFileType, () => string>>> = {
  pdf: m.imports_file_is_pdf,
  xls: m.imports_file_is_xls,
  ods: m.imports_file_is_ods,
  locked: m.imports_file_is_locked,
}

/** Why a file could not be uploaded or read. */
export function uploadErrorText(error: Error): string {
  if (!(error instanceof AppError)) return refusalText(error)
  const { reason, because, params } = error.details
  const unreadable = unreadableTexts[because as UnreadableCause] as ((params: Params) => string) | undefined
  if (unreadable) return unreadable((params as Params | undefined) ?? {})
  if (reason === 'file_too_large') return m.imports_file_too_large({ size: formatSizeLimit(fileUses.import.maxBytes) })
  if (reason === 'file_type') {
    return (refusedTexts[error.details['found'] as RefusedFileType] ?? m.imports_file_wrong_type)()
  }
  if (reason === 'too_many_at_work') return m.imports_file_too_many()
  return refusalText(error)
}
