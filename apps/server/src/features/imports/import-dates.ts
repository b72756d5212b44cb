import type { dateOrders } from '@tour-ops/contract/imports/import-mapping'
import { monthOf, withoutWeekday } from './calendar-words.ts'

export type DateOrder = (typeof dateOrders)[number]

export type ReadDate =
  | { readonly date: string; readonly time: string | null }
  | { readonly problem: 'date_unreadable' | 'date_impossible' | 'date_order_unknown' }

const isoForm =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}[:.]\d{2})(?:[:.]\d{2})?(?:\.\d+)?\s*([ap]\.?m\.?)?.*)?$/i
const numericForm = /^(\d{1,2})[-/. ]+(\d{1,2})[-/. ]+(\d{4}|\d{2})(?:[T ,]+(\d{1,2}[:.]\d{2}.*))?$/
const timeBehind = String.raw`(?:[T ,]+(?:(?:at|um|a las?|à|alle|ore|alle ore) )?(?<time>\d{1,2}[:.h]\d{2}.*))?$`
const formsInWords = [
  // `3 March 2026`, `03-mrz-26`, `3 de marzo de 2026`, `1er mars 2026`
  String.raw`^(?<day>\d{1,2})(?:st|nd|rd|th|er|º|°)?[-/. ]*(?:(?:de|di|of) )?(?<word>\p{L}{3,})[-/., ]*(?:(?:de|del|of) )?`,
  // `March 3, 2026`, `Mar 3rd 2026`
  String.raw`^(?<word>\p{L}{3,})[-/. ]*(?<day>\d{1,2})(?:st|nd|rd|th)?[-/., ]+`,
].map((front) => new RegExp(String.raw`${front}(?<year>\d{4}|\d{2})${timeBehind}`, 'iu'))

interface DateInWords {
  readonly day: number
  readonly month: number
  /** Four digits or two. */
  readonly year: string
  readonly time: string | undefined
}

/** A date whose month is a word; undefined for anything else. What can be a month is one: `Mar 3, 2026` is no Tuesday. */
function inWords(text: string): DateInWords | undefined {
  const rest = withoutWeekday(text)
  return fromStart(text) ?? (rest === text ? undefined : fromStart(rest))
}

function fromStart(text: string): DateInWords | undefined {
  for (const form of formsInWords) {
    const { day, word = '', year = '', time } = form.exec(text)?.groups ?? {}
    const month = day === undefined ? undefined : monthOf(word)
    if (month !== undefined) return { day: Number(day), month, year, time }
  }
  return undefined
}

/** Programs put narrow and other spaces between the parts of a date. */
const trimmedDate = (text: string): string => text.trim().replaceAll(/[^\S ]+| {2,}/gu, ' ')

/** How a written date can be read, for the question that a column of them may raise. */
export type DateShape = 'iso' | 'day_first' | 'month_first' | 'either' | 'none'

/** A number above 12 cannot be a month; the same number twice is the same either way. */
export function dateShapeOf(text: string): DateShape {
  const trimmed = trimmedDate(text)
  if (isoForm.test(trimmed) || inWords(trimmed)) return 'iso'
  const [, first, second] = numericForm.exec(withoutWeekday(trimmed)) ?? []
  if (first === undefined) return 'none'
  const [a, b] = [Number(first), Number(second)]
  if (a > 12) return b > 12 ? 'none' : 'day_first'
  if (b > 12) return 'month_first'
  return a === b ? 'iso' : 'either'
}

/**
 * Reads a date. Written with the year first, or with the month as a word, it is unambiguous; else `order` must decide
 * it, unless one of the numbers can be no month.
 *
 * @param latestYear Two digits of a year mean the last hundred years up to this one: of birth, today's; of expiry, in twenty years.
 */
export function readDate(text: string, order: DateOrder | null, latestYear: number): ReadDate {
  const trimmed = trimmedDate(text)
  const iso = isoForm.exec(trimmed)
  if (iso) return dated(Number(iso[1]), Number(iso[2]), Number(iso[3]), iso[4] && iso[4] + (iso[5] ?? ''))
  const words = inWords(trimmed)
  if (words) return dated(yearOf(words.year, latestYear), words.month, words.day, words.time)
  const numeric = numericForm.exec(withoutWeekday(trimmed))
  if (!numeric) return { problem: 'date_unreadable' }
  const [first, second] = [Number(numeric[1]), Number(numeric[2])]
  const year = yearOf(numeric[3], latestYear)
  const isDayFirst = order === 'day_month_year' || (order !== 'month_day_year' && first > 12 && second <= 12)
  const isMonthFirst = order === 'month_day_year' || (order !== 'day_month_year' && second > 12 && first <= 12)
  if (isDayFirst || first === second) return dated(year, second, first, numeric[4])
  if (isMonthFirst) return dated(year, first, second, numeric[4])
  return { problem: first > 12 ? 'date_impossible' : 'date_order_unknown' }
}

function yearOf(text: string | undefined, latestYear: number): number {
  const year = Number(text)
  if (text?.length !== 2) return year
  const century = Math.floor(latestYear / 100) * 100
  return century + year > latestYear ? century + year - 100 : century + year
}

function dated(year: number, month: number, day: number, time: string | undefined): ReadDate {
  const at = new Date(Date.UTC(year, month - 1, day))
  const exists = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  if (!exists) return { problem: 'date_impossible' }
  const readTimeOf = time === undefined ? null : readTime(time)
  if (readTimeOf === undefined) return { problem: 'date_unreadable' }
  return { date: at.toISOString().slice(0, 10), time: readTimeOf }
}

const timeForm =
  /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?(?:\.\d+)?\s*(uhr|h|am|pm|a\.m\.|p\.m\.)?(?:z|[+-]\d{2}:?\d{2})?$/i

/** `8:20`, `08.20 Uhr`, `8:20 pm` → `08:20`; undefined for what is no time. */
export function readTime(text: string): string | undefined {
  const [, hours, minutes, suffix] = timeForm.exec(text.trim()) ?? []
  if (hours === undefined || (minutes === undefined && suffix === undefined)) return undefined
  const half = suffix?.toLowerCase().replaceAll('.', '')
  let hour = Number(hours)
  if (half === 'pm' && hour < 12) hour += 12
  if (half === 'am' && hour === 12) hour = 0
  const minute = Number(minutes ?? 0)
  return hour > 23 || minute > 59 ? undefined : `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** `GOLD-261131-0900` names a day that no calendar has: month and its days, for the sentence that says so. */
export function impossibleDayIn(code: string): { month: string; days: string } | undefined {
  const [, year, month, day] = /(?:^|\D)(\d{2})(\d{2})(\d{2})(?:\D|$)/.exec(code) ?? []
  if (year === undefined || month === undefined || Number(month) < 1 || Number(month) > 12) return undefined
  const days = new Date(Date.UTC(2000 + Number(year), Number(month), 0)).getUTCDate()
  return Number(day) > days ? { month, days: String(days) } : undefined
}
