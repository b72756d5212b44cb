import { addDays, localDateOf } from '../../ui/format.ts'

export type DayName = 'yesterday' | 'today' | 'tomorrow'

/** A day in the address: a name that moves with the clock, or a civil date; today when there is none or it cannot be read. */
export const dayPattern = /^(yesterday|tomorrow|\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]))$/

const offsets: Record<DayName, number> = { yesterday: -1, today: 0, tomorrow: 1 }

export interface DayShown {
  /** `2026-11-20`. */
  localDate: string
  /** Null for a day that is none of the three. */
  name: DayName | null
}

/** The civil date for a day in the URL, seen from the organization's own clock. */
export function dayShown(day: string | undefined, now: number, timeZone: string): DayShown {
  const today = localDateOf(now, timeZone)
  const isDate = day !== undefined && /^\d/.test(day)
  const localDate = isDate ? day : addDays(today, offsets[(day as DayName | undefined) ?? 'today'])
  const name = (Object.keys(offsets) as DayName[]).find((each) => addDays(today, offsets[each]) === localDate)
  return { localDate, name: name ?? null }
}
