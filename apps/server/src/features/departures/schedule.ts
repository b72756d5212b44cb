import { maxScheduleRows } from '@tour-ops/contract/departures/departure-schedule'
import { fieldError } from '@tour-ops/contract/field-rules'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { daysBetween } from '../../platform/local-time.ts'

export interface Recurrence {
  /** RFC 5545 without DTSTART and UNTIL, `FREQ=WEEKLY;BYDAY=MO,WE`. */
  readonly rrule: string
  readonly from: string
  readonly to: string
  readonly startTimesLocal: readonly string[]
  readonly exceptDates: readonly string[]
}

/** Days of one batch at most: two years. */
const maxDays = 731

/**
 * Local dates and times that a rule names, in order. The rule is read as dates of the calendar; the clock of a place, which may
 * skip an hour, comes later.
 *
 * @throws AppError `invalid-argument` by field for a rule that cannot be read, a period that ends before it starts, or more
 *   rows than a batch holds.
 */
export function occurrences(rule: Recurrence): { localDate: string; startTimeLocal: string }[] {
  if (rule.to < rule.from) throw fieldError('to', 'end_before_start')
  if (daysBetween(rule.from, rule.to) > maxDays) throw fieldError('to', 'schedule_too_long')
  const except = new Set(rule.exceptDates)
  const times = [...new Set(rule.startTimesLocal)].toSorted()
  const rows = datesOf(rule)
    .filter((date) => !except.has(date))
    .flatMap((localDate) => times.map((startTimeLocal) => ({ localDate, startTimeLocal })))
  if (rows.length > maxScheduleRows) {
    throw fieldError('to', 'schedule_too_large', { count: rows.length, max: maxScheduleRows })
  }
  return rows
}

function datesOf({ rrule, from, to }: Recurrence): string[] {
  const dtstart = Temporal.PlainDate.from(from).toZonedDateTime({ timeZone: 'UTC', plainTime: '12:00' })
  const until = Temporal.PlainDate.from(to).toZonedDateTime({ timeZone: 'UTC', plainTime: '23:59' })
  try {
    const rule = new RRuleTemporal({ rruleString: rrule, dtstart, temporal: Temporal })
    return rule.between(dtstart, until, true).map((at) => at.toPlainDate().toString())
  } catch (error) {
    if (error instanceof TypeError) throw error
    throw fieldError('rrule', 'rrule_form')
  }
}
