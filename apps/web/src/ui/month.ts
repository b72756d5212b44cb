import { addDays, firstWeekday } from './format.ts'

/** ISO weekday of a civil date: 1 Monday … 7 Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T12:00:00Z`).getUTCDay() || 7

/** `2026-11` moved by months. */
export function addMonths(month: string, by: number): string {
  const [year = 0, index = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, index - 1 + by, 1, 12)).toISOString().slice(0, 7)
}

/** First day of the week that contains a civil date. */
export const weekStartOf = (date: string, firstDay = firstWeekday()): string =>
  addDays(date, -((weekdayOf(date) - firstDay + 7) % 7))

/** Weeks of seven civil dates that cover a month, from the first weekday of the reader's language. */
export function weeksOf(month: string, firstDay = firstWeekday()): string[][] {
  const first = `${month}-01`
  let start = weekStartOf(first, firstDay)
  const weeks: string[][] = []
  while (start.slice(0, 7) <= month) {
    weeks.push(Array.from({ length: 7 }, (_, day) => addDays(start, day)))
    start = addDays(start, 7)
  }
  return weeks
}
