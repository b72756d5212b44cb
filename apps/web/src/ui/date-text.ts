import { addDays, dateFormat } from './format.ts'

// Dates and times as people type them: in the order of the reader's language, or as 2026-11-20, which is what is pasted from elsewhere.

export type DatePart = 'day' | 'month' | 'year'

const numeric = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' } as const
const isPart = (type: string): type is DatePart => type === 'day' || type === 'month' || type === 'year'

/** Day, month and year in the order in which the reader's language writes them. */
export const dateOrder = (): DatePart[] =>
  dateFormat(numeric)
    .formatToParts(0)
    .map(({ type }) => type)
    .filter(isPart)

/** `20/11/2026` or `20.11.2026` of a civil date `2026-11-20`; what is no date stays as it is. */
export const writeDate = (date: string): string =>
  isDate(date) ? dateFormat(numeric).format(new Date(`${date}T12:00:00Z`)) : date

/** Years that a form asks for: of births, certificates and departures. */
const years = { first: 1900, last: 2199 }

/** Whether this is a day of the calendar, written `2026-11-20`. */
export const isDate = (date: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(`${date}T12:00:00Z`)) && addDays(date, 0) === date

interface Reading {
  /** The person has gone on: what is left out is filled in. Before that only what is complete is read. */
  isFinal: boolean
  /** `2026-11-20`; gives the year where none was typed. */
  today: string
}

/**
 * The civil date (`2026-11-20`) in what was typed; null where there is none, or none yet. Any separator may be between the parts, or none
 * (`20112026`). Two digits of a year are the last ones that are at most ten years ahead: `85` is 1985.
 */
export function readDate(typed: string, { isFinal, today }: Reading): string | null {
  const text = typed.trim()
  const iso = /^(\d{4})-(\d\d?)-(\d\d?)(?:T.*)?$/.exec(text)
  if (iso && !isFinal && text.length < 10) return null
  if (iso) return dateOf({ year: iso[1], month: iso[2], day: iso[3] })
  const groups = /^\d+$/.test(text) ? withoutMarks(text) : text.split(/[^\d]+/).filter(Boolean)
  const order = dateOrder()
  const parts = Object.fromEntries(order.map((part, at) => [part, groups[at]])) as Record<DatePart, string | undefined>
  if (groups.length === 2 && isFinal && order.at(-1) === 'year') return dateOf({ ...parts, year: today.slice(0, 4) })
  if (groups.length !== 3) return null
  const year = parts.year ?? ''
  if (year.length === 4) return dateOf(parts)
  return isFinal && year.length === 2 ? dateOf({ ...parts, year: wholeYear(Number(year), today) }) : null
}

/** `20112026` and `201126`, in the reader's order. */
function withoutMarks(digits: string): string[] {
  const yearLength = digits.length - 4
  if (yearLength !== 4 && yearLength !== 2) return [digits]
  let at = 0
  return dateOrder().map((part) => digits.slice(at, (at += part === 'year' ? yearLength : 2)))
}

function wholeYear(short: number, today: string): string {
  const latest = Number(today.slice(0, 4)) + 10
  const year = latest - (latest % 100) + short
  return String(year > latest ? year - 100 : year)
}

function dateOf({ year = '', month = '', day = '' }: Partial<Record<DatePart, string | undefined>>): string | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(date) && Number(year) >= years.first && Number(year) <= years.last ? date : null
}

/** The wall-clock time (`09:30`) in what was typed: `9:30`, `9.30`, `0930`, `9 h`, `9:30 pm`; null where there is none, or none yet. */
export function readTime(typed: string, { isFinal }: Pick<Reading, 'isFinal'>): string | null {
  const text = typed.trim().toLowerCase()
  const found =
    /^(\d{1,2})[:.h ]\s*(\d{2})\s*([ap])?\.?\s?m?\.?$/.exec(text) ??
    /^(\d{2})(\d{2})$/.exec(text) ??
    (isFinal ? (/^(\d)(\d{2})$/.exec(text) ?? /^(\d{1,2})()\s*(?:h|([ap])\.?\s?m\.?)?$/.exec(text)) : null)
  if (!found) return null
  const [, hours = '', minutes = '', half] = found
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0)
  if (hour > 23 || Number(minutes) > 59 || (half !== undefined && Number(hours) > 12)) return null
  return `${String(hour).padStart(2, '0')}:${minutes.padStart(2, '0')}`
}

/** Minutes between the times that are offered to choose from. */
const offeredStepMin = 15

/** The times of a day that are offered, `00:00` … `23:45`. */
export const offeredTimes: readonly string[] = Array.from({ length: (24 * 60) / offeredStepMin }, (_, at) =>
  stepTime('00:00', 'minute', at * offeredStepMin),
)

/** Which of the offered times is the last one up to a time; nine in the morning without one. */
export function offeredNear(time: string | null): number {
  const [hour = 0, minute = 0] = (time ?? '09:00').split(':').map(Number)
  return Math.floor((hour * 60 + minute) / offeredStepMin)
}

/** A time moved by hours or minutes, around midnight. */
export function stepTime(time: string, part: 'hour' | 'minute', by: number): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const total = (hour * 60 + minute + by * (part === 'hour' ? 60 : 1) + 1440) % 1440
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`
}

/** A civil date moved by days, months or years; the end of a shorter month is its last day. */
export function stepDate(date: string, part: DatePart, by: number): string {
  if (part === 'day') return addDays(date, by)
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const months = by * (part === 'year' ? 12 : 1)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0, 12))
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(day, last.getUTCDate()), 12))
    .toISOString()
    .slice(0, 10)
}

export interface Segment {
  /** Which of the parts, from 0. */
  readonly at: number
  readonly start: number
  readonly end: number
}

/** The group of digits that the caret is in or behind. */
export function segmentAt(text: string, caret: number): Segment {
  const groups = [...text.matchAll(/\d+/g)].map(({ index, 0: digits }) => ({
    start: index,
    end: index + digits.length,
  }))
  const at = Math.max(
    0,
    groups.findLastIndex(({ start }) => start <= caret),
  )
  const { start, end } = groups[at] ?? { start: 0, end: 0 }
  return { at, start, end }
}
