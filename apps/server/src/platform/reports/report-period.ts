import type { Comparison } from '@tour-ops/contract/reports/report-period'
import { Temporal } from 'temporal-polyfill'
import { addDays, daysBetween } from '../local-time.ts'

/** Civil days, both included. */
export interface Period {
  readonly from: string
  readonly to: string
}

export const daysIn = ({ from, to }: Period): number => daysBetween(from, to) + 1

/** The period that another is compared with: as long and right before, or the same days of the year before. */
export function comparedPeriod(period: Period, compare: Comparison): Period | null {
  if (compare === 'none') return null
  if (compare === 'previous') return { from: addDays(period.from, -daysIn(period)), to: addDays(period.from, -1) }
  const yearBefore = (date: string): string => Temporal.PlainDate.from(date).subtract({ years: 1 }).toString()
  return { from: yearBefore(period.from), to: yearBefore(period.to) }
}

/** Up to a month is shown by the day, up to half a year by the week from its first day, beyond by the month. */
const daysByDay = 31
const daysByWeek = 190

/** Cuts a period into the buckets of a chart; the last may be shorter. */
export function bucketsOf(period: Period): Period[] {
  const days = daysIn(period)
  const next = (from: string): string => {
    if (days <= daysByDay) return addDays(from, 1)
    if (days <= daysByWeek) return addDays(from, 7)
    return Temporal.PlainDate.from(from).with({ day: 1 }).add({ months: 1 }).toString()
  }
  const buckets: Period[] = []
  for (let from = period.from; from <= period.to;) {
    const until = next(from)
    const last = addDays(until, -1)
    buckets.push({ from, to: last < period.to ? last : period.to })
    from = until
  }
  return buckets
}

export const isIn = (date: string, { from, to }: Period): boolean => date >= from && date <= to
