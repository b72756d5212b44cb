import * as z from 'zod/mini'
import { Country, Currency, optionalText, orNull, recordOf } from '../fields.ts'

/** The column profile of a manifest file. See docs/domain.md, "Imports"; `full_name` for files that know only one. */
export const importFields = [
  'booking_ref',
  'external_ref',
  'channel',
  'status',
  'changed_at',
  'departure_code',
  'tour_code',
  'option',
  'start_local',
  'start_time',
  'party',
  'adults',
  'youths',
  'children',
  'infants',
  'seniors',
  'students',
  'unit_type',
  'full_name',
  'first_name',
  'last_name',
  'gender',
  'date_of_birth',
  'age',
  'nationality',
  'language',
  'email',
  'phone',
  'dietary',
  'mobility',
  'medical_note',
  'emergency_name',
  'emergency_phone',
  'passport_number',
  'passport_expiry',
  'room_key',
  'room_type',
  'pickup_place',
  'pickup_time',
  'total',
  'paid',
  'balance',
  'commission',
  'currency',
  'notes',
] as const
export type ImportField = (typeof importFields)[number]

/** Fields of which a file has one at least: who comes, or how many. */
export const importPartyFields: readonly ImportField[] = [
  'full_name',
  'first_name',
  'last_name',
  'party',
  'adults',
  'youths',
  'children',
  'infants',
  'seniors',
  'students',
]

/** Columns of one file at most. */
const maxImportColumns = 200

/** Words of files that a mapping explains. */
export const maxImportWords = 2_000

/** How a column of dates is written; nothing is guessed when day and month are ambiguous. */
export const dateOrders = ['iso', 'day_month_year', 'month_day_year'] as const

/** How numbers in columns of dates and times are read: as days since 1900 or 1904 and parts of a day, or not at all. */
export const dayNumberReadings = ['1900', '1904', 'refuse'] as const

export const ImportMapping = z.object({
  /** Column of the file (its header, as written) → field of the profile; a column that is not here is left out. */
  columns: recordOf(z.enum(importFields), maxImportColumns, 500),
  dateOrder: orNull(z.enum(dateOrders)),
  /** Null for what the workbook says; 1900 in texts. */
  dayNumbers: orNull(z.enum(dayNumberReadings)),
  /** Words of the file for unit types, channels, languages and the like: `ADT` → `adult`. One list for all columns. */
  words: z._default(recordOf(z.string().check(z.maxLength(200)), maxImportWords), {}),
  /** What comes after a comma in a column of diets: one more need, or a remark. */
  afterComma: z._default(z.enum(['need', 'note']), 'need'),
  /** Whether an empty cell leaves what is there, or removes it. */
  emptyCells: z._default(z.enum(['keep', 'clear']), 'keep'),
  /** Whether the amounts of a line are those of its booking, or of each guest; null for what the file shows. */
  amountsOf: orNull(z.enum(['booking', 'guest'])),
  /** The currency of amounts that have neither a column nor a sign; null for that of their departure. */
  currency: orNull(Currency),
  /** The country of phone numbers without one, where the nationality of the guest does not say it. */
  phoneCountry: orNull(Country),
  /** What happens to amounts in another currency than that of the departure. */
  otherCurrency: z._default(z.enum(['refuse', 'accept']), 'refuse'),
  /**
   * Lines of one booking that say different things: refused, or the last one of the file counts. Where a column says when each was changed, the
   * newest counts.
   */
  repeatedLines: z._default(z.enum(['refuse', 'last']), 'refuse'),
  /** The departure of every line, for files that name none (rooming lists). */
  departureCode: optionalText(60),
})
export type ImportMapping = z.output<typeof ImportMapping>

/** Files that are known by their headers. See docs/domain.md, "Imports". */
export const importPresets = ['tourplan', 'trovatrip'] as const
