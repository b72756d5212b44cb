import { m } from '../../../paraglide/messages.js'
import { formatList, formatLocalDate, formatWeekday } from '../../../ui/format.ts'
import { runsOf, type ScheduleFields, type ScheduleGap } from './schedule-rule.ts'

const gapLabels: Record<ScheduleGap, () => string> = {
  weekdays: m.tours_gap_weekdays,
  times: m.tours_gap_times,
  dates: m.tours_gap_dates,
  order: m.tours_gap_order,
}

export const gapLabel = (gap: ScheduleGap): string => gapLabels[gap]()

function daysOf({ repeats, interval, weekdays }: ScheduleFields): string {
  if (repeats === 'daily') return interval > 1 ? m.tours_rule_every_days({ count: interval }) : m.tours_rule_daily()
  const days = formatList(
    runsOf(weekdays).map(([first, last]) =>
      first === last
        ? formatWeekday(first)
        : last === first + 1
          ? formatList([formatWeekday(first), formatWeekday(last)])
          : m.tours_rule_run({ first: formatWeekday(first), last: formatWeekday(last) }),
    ),
  )
  return interval > 1 ? m.tours_rule_every_weeks({ days, count: interval }) : days
}

/** The rule as one sentence: "Mon to Sat at 09:00, 1 Dec 2026 to 31 Mar 2027, except 7 days." */
export function sentenceOf(fields: ScheduleFields): string {
  const sentence = m.tours_rule_sentence({
    days: daysOf(fields),
    times: formatList([...fields.startTimes].toSorted()),
    from: formatLocalDate(fields.from),
    to: formatLocalDate(fields.to),
  })
  const count = fields.exceptDates.filter((date) => date >= fields.from && date <= fields.to).length
  return count > 0 ? `${sentence} ${m.tours_rule_except({ count })}` : sentence
}
