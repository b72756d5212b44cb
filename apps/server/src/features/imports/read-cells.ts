import type { ImportField } from '@tour-ops/contract/imports/imports'
import type { UnitType } from '@tour-ops/contract/units'
import { parsePhoneNumberFromString, validatePhoneNumberLength, type CountryCode } from 'libphonenumber-js/min'
import { readDate, readTime } from './import-dates.ts'
import { problem, type Problem } from './import-problems.ts'
import { keptLine, noteLength } from './kept-cells.ts'
import { countOf, partyOf } from './party-text.ts'
import { nameOf } from './plan-types.ts'
import {
  channelWords,
  countryOf,
  dietWords,
  genderWords,
  languageOf,
  meaningOf,
  meansNothing,
  mobilityWords,
  roomWords,
  statusWords,
  unitWords,
} from './recognized-values.ts'
import type { ReadContext } from './read-context.ts'
import type { RowValues } from './row-values.ts'
import { namesIn } from './several-names.ts'

/** A cell that says something, on its way into the values of its row. */
export interface Cell {
  readonly text: string
  readonly header: string
  readonly values: RowValues
  readonly context: ReadContext
}

/** Writes what a cell says into the row, or says why it cannot. */
type CellReader = (cell: Cell) => Problem | undefined

type TextKey = 'departureCode' | 'firstName' | 'lastName' | 'emergencyName' | 'roomKey' | 'pickupPlace'

const textOf =
  (key: TextKey, max: number, change: (text: string) => string = (text) => text): CellReader =>
  ({ text, header, values }) => {
    const line = change(text)
    if (line.length > max) return problem('text_too_long', header, { max: String(max) })
    values[key] = line
    return undefined
  }

const reference =
  (key: 'bookingRef' | 'externalRef', min: number, max: number): CellReader =>
  ({ text, header, values }) => {
    if (text.length < min || text.length > max) return problem('reference_invalid', header)
    values[key] = key === 'bookingRef' ? text.toUpperCase() : text
    return undefined
  }

/** Lowest year of birth. Source: schema, `traveler_private_birth_range`. */
const oldestBirth = '1900-01-01'

const dateOfBirth: CellReader = ({ text, header, values, context }) => {
  // rooming lists of Tourplan have ages there, and 0 for what is not known
  if (text === '0') return undefined
  if (/^\d{1,3}$/.test(text)) return problem('age_not_date', header, { value: text })
  const read = readDate(text, context.mapping.dateOrder, Number(context.today.slice(0, 4)))
  if ('problem' in read) return problem(read.problem, header, { value: text })
  if (read.date < oldestBirth || read.date > context.today) return problem('date_out_of_range', header, { value: text })
  values.dateOfBirth = read.date
  return undefined
}

const passportExpiry: CellReader = ({ text, header, values, context }) => {
  const read = readDate(text, context.mapping.dateOrder, Number(context.today.slice(0, 4)) + 20)
  if ('problem' in read) return problem(read.problem, header, { value: text })
  values.passportExpiry = read.date
  return undefined
}

const start: CellReader = ({ text, header, values, context }) => {
  const read = readDate(text, context.mapping.dateOrder, Number(context.today.slice(0, 4)) + 50)
  if ('problem' in read) return problem(read.problem, header, { value: text })
  values.startDate = read.date
  values.startTime = read.time ?? values.startTime ?? null
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

/** The names whole, as one column has them. The first is the guest's; the others are counted, and kept in the note. */
const fullName: CellReader = ({ text, header, values }) => {
  const [first, ...others] = namesIn(text)
  if (!first) return undefined
  const { firstName, lastName } = first
  if (firstName.length + lastName.length > 160) return problem('text_too_long', header, { max: '160' })
  if (firstName !== '') values.firstName = firstName
  values.lastName = lastName
  if (others.length === 0) return undefined
  values.guests = Math.max(values.guests ?? 0, others.length + 1)
  return problem('names_in_note', header, { value: nameOf(values) })
}

/** What is not confirmed yet would take seats that nobody has sold; a guest who did not come is a booking all the same. */
const status: CellReader = ({ text, header, values, context }) => {
  const known = meaningOf(statusWords, text, context.mapping.words)
  if (known === undefined) return problem('status_unknown', header, { value: text })
  if (known === 'pending' || known === 'on_hold') return problem('status_open', header, { value: text })
  values.status = known === 'cancelled' ? 'cancelled' : 'confirmed'
  if (known === 'no_show') keep(values, keptLine(header, text))
  return undefined
}

const timeInText = /(?:^|[\s(@,–-])(\d{1,2}(?:[:.h]\d{2}\s*(?:[ap]\.?m\.?|uhr)?|\s*[ap]\.?m\.?))(?=$|[\s),])/i

/** The tour by code or name. */
const tour: CellReader = ({ text, header, values }) => {
  if (text.length > 200) return problem('text_too_long', header, { max: '200' })
  const { name, time } = tourIn(text)
  if (time !== undefined) values.startTime ??= time
  values.tourCode = name
  return undefined
}

/** `Golden Circle (09:00)` names a tour and its start. */
export function tourIn(text: string): { name: string; time: string | undefined } {
  const found = timeInText.exec(text)
  const time = readTime(found?.[1] ?? '')
  if (time === undefined || !found) return { name: text, time: undefined }
  const name = text
    .replace(found[0], ' ')
    .replaceAll(/\(\s*\)|[\s@,()–-]+$/g, '')
    .trim()
  return { name: name === '' ? text : name, time }
}

/** Of `09:00 - 17:00` the start. */
const startTime: CellReader = ({ text, header, values }) => {
  const time = readTime(text) ?? readTime(text.split(/\s*[-–]\s*/)[0] ?? '')
  if (time === undefined) return problem('time_unreadable', header, { value: text })
  values.startTime = time
  return undefined
}

/** The product has no options of tours: what was sold is kept in the note. */
const option: CellReader = ({ text, header, values }) => {
  const time = readTime(timeInText.exec(text)?.[1] ?? '')
  if (time !== undefined) values.startTime ??= time
  keep(values, keptLine(header, text))
  return undefined
}

/** No birth date follows from an age. */
const age: CellReader = ({ text, header, values }) => {
  keep(values, keptLine(header, text, nameOf(values)))
  return undefined
}

const keep = (values: RowValues, line: string): void => void (values.kept = [...(values.kept ?? []), line])

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
const spoken = (text: string): string | undefined =>
  languageOf(text) ?? languageOf(text.split(/\s[-–]\s|[(:/|,]/)[0] ?? '')

/** An address as people have them; whether it exists, only a message can tell. */
const emailForm = /^[^\s@"(),:;<>[\]\\]+@[^\s@.]+(?:\.[^\s@.]+)+$/

const email: CellReader = ({ text, header, values }) => {
  const address = text.toLowerCase()
  if (address.length > 254 || !emailForm.test(address)) return problem('email_invalid', header, { value: text })
  values.email = address
  return undefined
}

/** E.164 with the country code as written, or else that of the guest's nationality where one is given. */
const phone =
  (key: 'phone' | 'emergencyPhone'): CellReader =>
  ({ text, header, values }) => {
    const typed = text.replace(/^00(?=[1-9])/, '+').replace(/^\+?\(0+\)/, '')
    const country = (values.nationality ?? undefined) as CountryCode | undefined
    if (!typed.startsWith('+') && country === undefined) {
      return problem('phone_without_country', header, { value: text })
    }
    if (validatePhoneNumberLength(typed, country) === 'TOO_SHORT') {
      return problem('phone_too_short', header, { value: text })
    }
    const number = parsePhoneNumberFromString(typed, { extract: false, ...(country && { defaultCountry: country }) })
    if (!number?.isPossible() || !/^\+[1-9]\d{6,14}$/.test(number.number)) {
      return problem('phone_invalid', header, { value: text })
    }
    values[key] = number.number
    return undefined
  }

const parts = (text: string): string[] =>
  text
    .split(/[,;/+\n]| and | und | y /)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Known needs become codes; the rest is stored as it was written, and counts as "other". */
const dietary: CellReader = ({ text, values, context }) => {
  if (meansNothing(text)) {
    values.dietary = []
    return undefined
  }
  const [first = '', ...rest] = parts(text)
  const asNeeds = context.mapping.afterComma === 'need' ? [first, ...rest] : [first]
  const needs = new Set<string>()
  const kept = context.mapping.afterComma === 'need' ? [] : rest
  for (const part of asNeeds) {
    if (meansNothing(part)) continue
    const need = meaningOf(dietWords, part)
    if (need) needs.add(need)
    else kept.unshift(part)
  }
  if (kept.length > 0 && needs.size === 0) needs.add('other')
  values.dietary = [...needs]
  values.dietaryNote = kept.length > 0 ? kept.join(', ').slice(0, 500) : null
  return undefined
}

const mobility: CellReader = ({ text, values }) => {
  const known = meaningOf(mobilityWords, text)
  values.mobility = known ?? 'other'
  values.mobilityNote = known === undefined ? text.slice(0, 500) : null
  return undefined
}

const notes: CellReader = ({ text, header, values }) => {
  values.notes = text.slice(0, noteLength)
  return text.length > noteLength ? problem('text_too_long', header, { max: String(noteLength) }) : undefined
}

const passport: CellReader = ({ text, header, values, context }) => {
  const number = text.replaceAll(/[\s-]/g, '').toUpperCase()
  if (number.length > 60) return problem('text_too_long', header, { max: '60' })
  values.passport = { sealed: context.seal.seal(number), last4: number.slice(-4) }
  return undefined
}

const medicalNote: CellReader = ({ text, header, values, context }) => {
  values.medicalNote = { sealed: context.seal.seal(text.slice(0, noteLength)) }
  return text.length > noteLength ? problem('text_too_long', header, { max: String(noteLength) }) : undefined
}

/** `1.234,50`, `1,234.50`, `€89`: the last mark is the decimal one, unless three digits follow it. */
function amountOf(text: string): string | undefined {
  const digits = text.replaceAll(/[\s\u00a0'’]|[A-Za-z]{1,3}|\p{Sc}/gu, '')
  if (!/^\d[\d.,]*$/.test(digits)) return undefined
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const mark = digits[at]
  const isDecimal = at >= 0 && (digits.length - at - 1 !== 3 || digits.includes(mark === '.' ? ',' : '.'))
  const isRepeated = isDecimal && mark !== undefined && digits.indexOf(mark) !== at
  if (isRepeated) return undefined
  const plain = digits.slice(0, isDecimal ? at : undefined).replaceAll(/[.,]/g, '')
  const fraction = isDecimal ? digits.slice(at + 1) : ''
  if (!/^\d{1,12}$/.test(plain) || !/^\d{0,4}$/.test(fraction)) return undefined
  return fraction === '' ? plain : `${plain}.${fraction}`
}

const amount =
  (key: 'total' | 'paid' | 'balance'): CellReader =>
  ({ text, header, values }) => {
    const read = amountOf(text)
    if (read === undefined) return problem('amount_unreadable', header, { value: text })
    values[key] = read
    const currency = currencyIn(text)
    if (currency !== undefined) values.currency ??= currency
    return undefined
  }

const signs: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  $: 'USD',
  us$: 'USD',
  '¥': 'JPY',
  euro: 'EUR',
}
const currencies = new Set(Intl.supportedValuesOf('currency'))

/** The currency next to an amount; a dollar sign is that of many countries. */
const currencyIn = (text: string): string | undefined => {
  const [sign = ''] = /[€£]|\b[A-Z]{3}\b/.exec(text) ?? []
  return signs[sign] ?? (currencies.has(sign) ? sign : undefined)
}

const currency: CellReader = ({ text, header, values }) => {
  const code = signs[text.toLowerCase()] ?? text.toUpperCase()
  if (!currencies.has(code)) return problem('currency_unknown', header, { value: text })
  values.currency = code
  return undefined
}

const known =
  <K extends keyof RowValues>(
    key: K,
    meaning: (cell: Cell) => RowValues[K] | undefined,
    code: Problem['code'],
  ): CellReader =>
  (cell) => {
    const found = meaning(cell)
    if (found === undefined) return problem(code, cell.header, { value: cell.text })
    cell.values[key] = found
    return undefined
  }

/** One reader per field of the profile. See docs/domain.md, "Imports". */
export const cellReaders: Readonly<Record<ImportField, CellReader>> = {
  booking_ref: reference('bookingRef', 3, 60),
  external_ref: reference('externalRef', 1, 80),
  channel,
  status,
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
  first_name: textOf('firstName', 80),
  last_name: textOf('lastName', 80),
  gender: known('gender', ({ text }) => meaningOf(genderWords, text), 'gender_unknown'),
  date_of_birth: dateOfBirth,
  age,
  nationality: known('nationality', ({ text }) => countryOf(text), 'nationality_unknown'),
  language: known('language', ({ text }) => spoken(text), 'language_unknown'),
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
  room_type: known('roomType', ({ text }) => meaningOf(roomWords, text), 'room_type_unknown'),
  pickup_place: textOf('pickupPlace', 200),
  pickup_time: known('pickupTime', ({ text }) => readTime(text), 'time_unreadable'),
  total: amount('total'),
  paid: amount('paid'),
  balance: amount('balance'),
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
