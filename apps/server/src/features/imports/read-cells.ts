import type { ImportField } from '@tour-ops/contract/imports/import-mapping'
import type { UnitType } from '@tour-ops/contract/units'
import { amount, commission, currency } from './amount-cells.ts'
import { type CellReader, keep, known, tooLong } from './cell-reader.ts'
import { email, phone } from './contact-cells.ts'
import { changedAt, dateOfBirth, passportExpiry, start } from './date-cells.ts'
import { problem, type Problem } from './import-problems.ts'
import { keptLine, noteLength } from './kept-cells.ts'
import { dietary, mobility } from './need-cells.ts'
import { countOf, maxGuests, partyOf, sumOf } from './party-text.ts'
import { nameOf } from './plan-types.ts'
import {
  channelWords,
  countryOf,
  genderWords,
  languageOf,
  meaningOf,
  roomWords,
  statusWords,
  unitWords,
} from './recognized-values.ts'
import type { RowValues } from './row-values.ts'
import { maxName, namesIn } from './several-names.ts'
import { timeIn } from './time-cells.ts'
import { option, startTime, tour } from './tour-cells.ts'

type TextKey = 'departureCode' | 'firstName' | 'lastName' | 'emergencyName' | 'roomKey' | 'pickupPlace'

const textOf =
  (key: TextKey, max: number, change: (text: string) => string = (text) => text): CellReader =>
  ({ text, header, values }) => {
    const line = change(text)
    const problem = tooLong(line, max, header)
    if (!problem) values[key] = line
    return problem
  }

const reference =
  (key: 'bookingRef' | 'externalRef', min: number, max: number): CellReader =>
  ({ text, header, values }) => {
    if (text.length < min || text.length > max) return problem('reference_invalid', header)
    values[key] = key === 'bookingRef' ? text.toUpperCase() : text
    return undefined
  }

/** Agents' names are not channels: an unknown word is the seller, and the channel is "agent". */
const channel: CellReader = ({ text, values, context }) => {
  const known = meaningOf(channelWords, text, context.mapping.words)
  values.channel = known ?? 'agent'
  const isPlainWord = known !== undefined && text.toLowerCase().replaceAll(/[ -]/g, '_') === known
  if (!isPlainWord) values.sellerName = text.slice(0, 120)
  return undefined
}

/**
 * The names whole, as one column has them. Each is a guest; where that is not certain only the first is, the others are counted, and kept in
 * the note.
 */
const fullName: CellReader = ({ text, header, values }) => {
  const { names, isCertain } = namesIn(text, header)
  const [first, ...others] = names
  if (!first) return undefined
  const { firstName, lastName } = first
  const problem = tooLong(firstName.length > lastName.length ? firstName : lastName, maxName, header)
  if (problem) return problem
  if (firstName !== '') values.firstName = firstName
  values.lastName = lastName
  if (others.length === 0) return undefined
  // a smaller number of guests says that some of them are none
  const said = sumOf(values.units ?? {}) || (values.guests ?? names.length)
  if (isCertain && names.length <= said && names.length <= maxGuests) {
    values.others = others
    return undefined
  }
  values.guests = Math.max(values.guests ?? 0, names.length)
  return severalNames(header, nameOf(values))
}

const severalNames = (header: string, value: string): Problem => problem('names_in_note', header, { value })

/** What is not confirmed yet would take seats that nobody has sold; a guest who did not come is a booking all the same. */
const status: CellReader = ({ text, header, values, context }) => {
  const known = meaningOf(statusWords, text, context.mapping.words)
  if (known === undefined) return problem('status_unknown', header, { value: text })
  if (known === 'pending' || known === 'on_hold') return problem('status_open', header, { value: text })
  values.status = known === 'cancelled' ? 'cancelled' : 'confirmed'
  if (known === 'no_show') keep(values, keptLine(header, text))
  return undefined
}

/** No birth date follows from an age. */
const age: CellReader = ({ text, header, values }) => {
  keep(values, keptLine(header, text, nameOf(values)))
  return undefined
}

/** `2 Adults, 1 Child (8)` or a number. The text is kept where it says more than counts. */
const party: CellReader = ({ text, header, values, context }) => {
  const read = partyOf(text, context.mapping.words)
  if (!read) return problem('party_unreadable', header, { value: text })
  values.units = { ...values.units, ...read.units }
  if (read.guests > 0) values.guests = Math.max(values.guests ?? 0, read.guests)
  if (/\([^)]*\d[^)]*\)/.test(text)) keep(values, keptLine(header, text))
  return undefined
}

const count =
  (unit: UnitType): CellReader =>
  ({ text, header, values }) => {
    const read = countOf(text)
    if (read === undefined) return problem('count_unreadable', header, { value: text })
    if (read > 0) values.units = { ...values.units, [unit]: read }
    return undefined
  }

/** `English - Guide` was sold in English. */
const spoken = (text: string, words: Readonly<Record<string, string>>): string | undefined =>
  languageOf(text, words) ?? languageOf(text.split(/\s[-–]\s|[(:/|,]/)[0] ?? '', words)

const notes: CellReader = ({ text, header, values }) => {
  values.notes = text.slice(0, noteLength)
  return tooLong(text, noteLength, header)
}

const passport: CellReader = ({ text, header, values, context }) => {
  const number = text.replaceAll(/[\s-]/g, '').toUpperCase()
  const problem = tooLong(number, 60, header)
  if (!problem) values.passport = { sealed: context.seal.seal(number), last4: number.slice(-4) }
  return problem
}

const medicalNote: CellReader = ({ text, header, values, context }) => {
  values.medicalNote = { sealed: context.seal.seal(text.slice(0, noteLength)) }
  return tooLong(text, noteLength, header)
}

/** One reader per field of the profile. See docs/domain.md, "Imports". */
export const cellReaders: Readonly<Record<ImportField, CellReader>> = {
  booking_ref: reference('bookingRef', 3, 60),
  external_ref: reference('externalRef', 1, 80),
  channel,
  status,
  changed_at: changedAt,
  departure_code: textOf('departureCode', 60, (text) => text.toUpperCase()),
  tour_code: tour,
  option,
  start_local: start,
  start_time: startTime,
  party,
  adults: count('adult'),
  youths: count('youth'),
  children: count('child'),
  infants: count('infant'),
  seniors: count('senior'),
  students: count('student'),
  unit_type: known(
    'unitType',
    ({ text, context }) => meaningOf(unitWords, text, context.mapping.words),
    'unit_unknown',
  ),
  full_name: fullName,
  first_name: textOf('firstName', maxName),
  last_name: textOf('lastName', maxName),
  gender: known('gender', ({ text, context }) => meaningOf(genderWords, text, context.mapping.words), 'gender_unknown'),
  date_of_birth: dateOfBirth,
  age,
  nationality: known(
    'nationality',
    ({ text, context }) => countryOf(text, context.mapping.words),
    'nationality_unknown',
  ),
  language: known('language', ({ text, context }) => spoken(text, context.mapping.words), 'language_unknown'),
  email,
  phone: phone('phone'),
  dietary,
  mobility,
  medical_note: medicalNote,
  emergency_name: textOf('emergencyName', 120),
  emergency_phone: phone('emergencyPhone'),
  passport_number: passport,
  passport_expiry: passportExpiry,
  room_key: textOf('roomKey', 40),
  room_type: known(
    'roomType',
    ({ text, context }) => meaningOf(roomWords, text, context.mapping.words),
    'room_type_unknown',
  ),
  pickup_place: textOf('pickupPlace', 200),
  pickup_time: known('pickupTime', timeIn, 'time_unreadable'),
  total: amount('total'),
  paid: amount('paid'),
  balance: amount('balance'),
  commission,
  currency,
  notes,
}

/** What an empty cell takes away, where the mapping says that empty cells clear. References, names and documents are never cleared. */
export const clearedBy: Readonly<Partial<Record<ImportField, (values: RowValues) => void>>> = {
  gender: (values) => void (values.gender = null),
  date_of_birth: (values) => void (values.dateOfBirth = null),
  nationality: (values) => void (values.nationality = null),
  language: (values) => void (values.language = null),
  email: (values) => void (values.email = null),
  phone: (values) => void (values.phone = null),
  dietary: (values) => void Object.assign(values, { dietary: null, dietaryNote: null }),
  mobility: (values) => void Object.assign(values, { mobility: null, mobilityNote: null }),
  medical_note: (values) => void (values.medicalNote = null),
  emergency_name: (values) => void (values.emergencyName = null),
  emergency_phone: (values) => void (values.emergencyPhone = null),
  room_key: (values) => void (values.roomKey = null),
  pickup_place: (values) => void (values.pickupPlace = null),
  pickup_time: (values) => void (values.pickupTime = null),
  notes: (values) => void (values.notes = null),
}
