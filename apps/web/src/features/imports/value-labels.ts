import { importLanguages } from '@tour-ops/contract/imports/import-corrections'
import { travelerFlags, type TravelerFlag } from '@tour-ops/contract/bookings/manifest'
import { dietaryNeeds } from '@tour-ops/contract/travelers/needs'
import { roomLabels } from '../../records/room-labels.ts'
import { saleChannelLabels } from '../../records/sale-channel-labels.ts'
import { dietLabel, travelerFlagLabel } from '../../records/traveler-flags.tsx'
import { unitLabels } from '../../records/unit-labels.ts'
import { m } from '../../paraglide/messages.js'
import { formatCountry, formatLanguage, formatLocalDate, formatMoney, formatNumber } from '../../ui/format.ts'

type Labels = Readonly<Record<string, () => string>>

const genders: Labels = {
  female: m.travelers_gender_female,
  male: m.travelers_gender_male,
  other: m.travelers_gender_other,
}
const word = (labels: Labels, code: string): string => labels[code]?.() ?? code

const statuses: Labels = {
  confirmed: m.bookings_status_confirmed,
  cancelled: m.bookings_status_cancelled,
  pending: m.imports_status_pending,
  on_hold: m.bookings_status_on_hold,
  no_show: m.imports_status_no_show,
  requested: m.bookings_status_requested,
  waitlisted: m.bookings_status_waitlisted,
  completed: m.bookings_status_completed,
}

/** What a file may say about a booking. */
export const statusOptions = (): { value: string; label: string }[] =>
  ['confirmed', 'cancelled', 'pending', 'on_hold', 'no_show'].map((code) => ({
    value: code,
    label: word(statuses, code),
  }))
export const statusLabel = (code: string): string => word(statuses, code)
export const unitLabel = (code: string): string => word(unitLabels, code)

interface Option {
  value: string
  label: string
}

const optionsOf = (labels: Labels): Option[] =>
  Object.keys(labels).map((code) => ({ value: code, label: word(labels, code) }))
export const unitOptions = (): Option[] => optionsOf(unitLabels)
export const channelOptions = (): Option[] => optionsOf(saleChannelLabels)
export const dietOptions = (): Option[] => dietaryNeeds.map((need) => ({ value: need, label: dietLabel(need) }))
export const genderOptions = (): Option[] => optionsOf(genders)
export const roomOptions = (): Option[] => optionsOf(roomLabels)
export const languageOptions = (): Option[] =>
  importLanguages
    .map((code) => ({ value: code, label: formatLanguage(code) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))

/** What a word of a mapping means; the list is one for all columns, and its codes tell the kinds of meanings apart. */
export function meaningLabel(code: string): string {
  if (/^[A-Z]{2}$/.test(code)) return formatCountry(code)
  const labels = [unitLabels, statuses, genders, roomLabels, saleChannelLabels].find((each) =>
    Object.hasOwn(each, code),
  )
  if (labels) return word(labels, code)
  const need = dietaryNeeds.find((each) => each === code)
  if (need) return dietLabel(need)
  return importLanguages.includes(code) ? formatLanguage(code) : code
}

const isFlag = (code: string): code is TravelerFlag => (travelerFlags as readonly string[]).includes(code)

/** `vegan, nut_allergy, only rice`: words for what has one, and the remark as it was written. */
const needs = (codes: string, other: TravelerFlag): string =>
  codes
    .split(', ')
    .map((code) => (code === 'other' ? travelerFlagLabel(other) : isFlag(code) ? travelerFlagLabel(code) : code))
    .join(', ')

/** `4900 EUR`. */
function money(text: string): string {
  const [minor = '', currency = ''] = text.split(' ')
  return currency === '' ? text : formatMoney(Number(minor), currency)
}

/** `R1 TWN` → `R1, Twin`. */
function room(text: string): string {
  const at = text.lastIndexOf(' ')
  const type = text.slice(at + 1)
  return at > 0 && type in roomLabels ? `${text.slice(0, at)}, ${word(roomLabels, type)}` : text
}

/** `2 adult`. */
function counted(text: string): string {
  const [count = '', unit = ''] = text.split(' ')
  return `${formatNumber(Number(count))} ${unitLabel(unit)}`
}

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)
const date = (text: string): string => (isDate(text) ? formatLocalDate(text) : text)

const readers: Readonly<Record<string, (text: string) => string>> = {
  date_of_birth: date,
  passport_expiry: date,
  start_local: (text) => (isDate(text.slice(0, 10)) ? `${formatLocalDate(text.slice(0, 10))}${text.slice(10)}` : text),
  nationality: formatCountry,
  language: (text) => text.split(', ').map(formatLanguage).join(', '),
  gender: (text) => word(genders, text),
  unit_type: unitLabel,
  status: statusLabel,
  channel: (text) => word(saleChannelLabels, text),
  dietary: (text) => needs(text, 'other_diet'),
  mobility: (text) => (text === 'none' ? m.travelers_mobility_none() : needs(text, 'other_mobility')),
  party: (text) => text.split(', ').map(counted).join(', '),
  room_type: (text) => word(roomLabels, text),
  room,
  total: money,
  paid: money,
  balance: money,
  seats: (text) => formatNumber(Number(text)),
}

/** A value of a field as people read it. */
export const valueLabel = (field: string, text: string): string => readers[field]?.(text) ?? text
