import type { TourWizard } from '@tour-ops/contract/tours/tours'
import { addDays } from '../../../ui/format.ts'

/** What a person fills in to say when a tour runs. */
export interface ScheduleFields {
  repeats: 'daily' | 'weekly'
  /** The interval in days or weeks. */
  interval: number
  /** 1 Monday … 7 Sunday; only for `weekly`. */
  weekdays: readonly number[]
  startTimes: readonly string[]
  from: string
  to: string
  exceptDates: readonly string[]
  /** Seats of each departure; the tour's own number when null. */
  capacity: number | null
}

type Rule = NonNullable<TourWizard['schedule']>

const dayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

/** A new rule: every day for a month, from tomorrow on. */
export const freshSchedule = (today: string, startTimes: readonly string[] = ['09:00']): ScheduleFields => ({
  repeats: 'daily',
  interval: 1,
  weekdays: [1, 2, 3, 4, 5],
  startTimes,
  from: addDays(today, 1),
  to: addDays(today, 31),
  exceptDates: [],
  capacity: null,
})

/** The fields as the server's rule: RFC 5545 without DTSTART and UNTIL. */
export function ruleOf(fields: ScheduleFields): Rule {
  const { repeats, interval, weekdays, startTimes, exceptDates, from, to, capacity } = fields
  const every = interval > 1 ? `;INTERVAL=${interval}` : ''
  const days = weekdays.toSorted((a, b) => a - b).map((day) => dayCodes[day - 1])
  return {
    rrule: repeats === 'daily' ? `FREQ=DAILY${every}` : `FREQ=WEEKLY${every};BYDAY=${days.join(',')}`,
    from,
    to,
    startTimesLocal: [...startTimes].toSorted(),
    exceptDates: [...exceptDates].toSorted(),
    capacity,
  }
}

/** A stored rule as fields again; what these fields cannot say (yearly, the first Sunday) falls back to every day. */
export function fieldsOf(rule: Rule): ScheduleFields {
  const { rrule, startTimesLocal, ...rest } = rule
  const parts = Object.fromEntries(rrule.split(';').map((part) => part.split('=') as [string, string]))
  const weekdays = (parts['BYDAY'] ?? '')
    .split(',')
    .map((code) => dayCodes.indexOf(code as (typeof dayCodes)[number]) + 1)
    .filter((day) => day > 0)
  return {
    ...rest,
    repeats: parts['FREQ'] === 'WEEKLY' ? 'weekly' : 'daily',
    interval: Number(parts['INTERVAL'] ?? 1),
    weekdays,
    startTimes: startTimesLocal,
  }
}

export type ScheduleGap = 'weekdays' | 'times' | 'dates' | 'order'

/** What is missing before the rule names any day; null when it is whole. */
export function gapOf({ repeats, weekdays, startTimes, from, to }: ScheduleFields): ScheduleGap | null {
  if (from === '' || to === '') return 'dates'
  if (to < from) return 'order'
  if (repeats === 'weekly' && weekdays.length === 0) return 'weekdays'
  return startTimes.length === 0 || startTimes.includes('') ? 'times' : null
}

/** Neighbouring weekdays as runs: [1,2,3,6] → [[1,3],[6,6]]. */
export function runsOf(weekdays: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = []
  for (const day of weekdays.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && last[1] === day - 1) last[1] = day
    else runs.push([day, day])
  }
  return runs
}

/** With a date added, or taken out when it was there. */
export const toggleDate = (dates: readonly string[], date: string): string[] =>
  dates.includes(date) ? dates.filter((each) => each !== date) : [...dates, date].toSorted()
