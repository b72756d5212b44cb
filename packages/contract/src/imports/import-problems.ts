import * as z from 'zod/mini'

/** Why a row is refused. Screens have their own words for each; `reason` says it in English for files and other callers. */
export const importProblemCodes = [
  'cells_differ',
  'name_missing',
  'text_too_long',
  'date_unreadable',
  'date_impossible',
  'date_order_unknown',
  'date_out_of_range',
  'time_unreadable',
  'phone_too_short',
  'phone_invalid',
  'phone_without_country',
  'email_invalid',
  'nationality_unknown',
  'language_unknown',
  'gender_unknown',
  'unit_unknown',
  'room_type_unknown',
  'amount_unreadable',
  'status_unknown',
  'status_open',
  'cancelled_unknown',
  'cancel_not_confirmed',
  'cancel_aboard',
  'party_unreadable',
  'count_unreadable',
  'names_in_note',
  'age_not_date',
  'currency_unknown',
  'reference_invalid',
  'party_too_large',
  'tour_unknown',
  'departure_missing',
  'departure_unknown',
  'departure_not_made',
  'departure_time_needed',
  'departure_past',
  'departure_no_such_time',
  'departure_code_taken',
  'departures_too_many',
  'tour_not_published',
  'departure_date_impossible',
  'departure_ambiguous',
  'departure_not_on_sale',
  'unit_not_sold',
  'needs_adult',
  'no_seat',
  'no_seat_same_party',
  'same_party',
  'line_superseded',
  'likely_duplicate',
  'party_disagrees',
  'person_disagrees',
  'booking_elsewhere',
  'booking_ended',
  'booking_ref_differs',
  'booking_ref_taken',
  'traveler_twice',
  'traveler_booked_already',
  'traveler_ambiguous',
  'pickup_unknown',
  'room_without_nights',
  'currency_differs',
  'currency_not_departure',
] as const
export type ImportProblemCode = (typeof importProblemCodes)[number]

export const ImportProblem = z.object({
  /** Header of the column that it is about. */
  column: z.nullable(z.string()),
  code: z.enum(importProblemCodes),
  params: z.record(z.string(), z.string()),
  reason: z.string(),
})
export type ImportProblem = z.output<typeof ImportProblem>

/** What became of a cell that was not understood, or of a line: in the note of the booking, shortened, not imported, or imported all the same. */
export const importWarningResults = ['note', 'cut', 'left_out', 'taken'] as const

/** Something about a line that does not reject it: mostly a cell that was not understood. */
export const ImportWarning = z.object({ ...ImportProblem.shape, result: z.enum(importWarningResults) })
export type ImportWarning = z.output<typeof ImportWarning>

/** Why a file cannot be read: `details.because` of a refusal with the reason `file_unreadable`. */
export const unreadableCauses = [
  'no_rows',
  'too_many_rows',
  'too_many_blank_rows',
  'too_many_columns',
  'too_many_cells',
  'too_much_text',
  'cell_too_long',
  'header_too_long',
  'quote_open',
  'workbook_damaged',
  'workbook_too_large',
  'workbook_too_many_parts',
  'workbook_too_many_tags',
  'workbook_too_many_styles',
  'workbook_too_many_links',
  'workbook_too_many_merged',
  'workbook_repeats',
  'workbook_nested',
  'workbook_long_text',
  'no_sheet',
  'takes_too_much_memory',
  'takes_too_long',
  'reader_failed',
  'markup',
] as const
export type UnreadableCause = (typeof unreadableCauses)[number]
