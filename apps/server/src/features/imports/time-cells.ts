import type { Cell } from './cell-reader.ts'
import { isFractionOfDay, timeOfFraction } from './day-numbers.ts'
import { readTime } from './import-dates.ts'

/** The time of day that a cell says: as a clock shows it, or as part of a day in a column of those. */
export function timeIn({ text, header, context }: Cell): string | undefined {
  const { epoch, fractions } = context.numbers
  if (!fractions.has(header) || !(text === '0' || isFractionOfDay(text))) return readTime(text)
  return epoch === null ? undefined : timeOfFraction(text)
}
