/** The first day of a workbook's calendar: 1900, or 1904 in those of old Macintosh programs. */
export type DayEpoch = 1900 | 1904

export type DateStyle = 'none' | 'date' | 'time' | 'datetime'

const minutesPerDay = 1440

/** 9999-12-31, in days since 1970: the last day of a sheet. */
const lastDay = 2_932_896

/** Days since the epoch, with the time of day as their fraction, as a number. The year 1900 has a 29 February there. */
export function momentOf(serial: number, style: DateStyle, epoch: DayEpoch): string | undefined {
  if (!Number.isFinite(serial) || serial < 0) return undefined
  const minutes = Math.round((serial % 1) * minutesPerDay)
  const carried = minutes === minutesPerDay ? 1 : 0
  const days = Math.floor(serial) + carried
  const minute = minutes % minutesPerDay
  const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  if (style === 'time' && days === 0) return time
  const since1970 = epoch === 1904 ? days - 24_107 : days - (days > 59 ? 25_569 : 25_568)
  if (since1970 > lastDay) return undefined
  const date = new Date(since1970 * 86_400_000).toISOString().slice(0, 10)
  return style === 'date' || (style === 'datetime' && minute === 0) ? date : `${date} ${time}`
}

/** Five digits are the days from 1927 on; fewer could be a year or an age, more a date without separators. */
const dayForm = /^[1-9]\d{4}(?:[.,]\d+)?$/
/** Part of a day. */
const fractionForm = /^0?[.,]\d+$/

const numberOf = (text: string): number => Number(text.replace(',', '.'))

/** Whether a text can be the number of a day, with the time of day behind the decimal mark or without. */
export const isDayNumber = (text: string): boolean => dayForm.test(text)

export const isFractionOfDay = (text: string): boolean => fractionForm.test(text)

/** A fraction that cannot be a time with a point in it: `0.25` may be 00:25, `0.375` and `0.5` may not. */
export const isNothingButFraction = (text: string): boolean => isFractionOfDay(text) && !/[.,][0-5]\d$/.test(text)

/** `46350.375` → 2026-11-24 09:00; undefined for what is no number of a day. */
export function dayOfNumber(text: string, epoch: DayEpoch): { date: string; time: string | null } | undefined {
  const [date, time = null] = isDayNumber(text) ? (momentOf(numberOf(text), 'datetime', epoch)?.split(' ') ?? []) : []
  return date === undefined ? undefined : { date, time }
}

/** `0.375` → 09:00; undefined for what is no part of a day. */
export const timeOfFraction = (text: string): string | undefined =>
  text === '0' || isFractionOfDay(text) ? momentOf(numberOf(text), 'time', 1900)?.slice(-5) : undefined
