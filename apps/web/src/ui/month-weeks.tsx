import { Fragment, type ReactNode } from 'react'
import { formatWeekday } from './format.ts'
import { weekdayOf, weeksOf } from './month.ts'

interface MonthWeeksProps {
  /** `2026-11`. */
  month: string
  /** Of the names of the weekdays. */
  headClass: string
  /** Weekdays are shown by their first letter, and read out in full. */
  initials?: boolean
  /** The cell of a day, also of days outside the month. */
  children: (date: string) => ReactNode
}

/** Head and body of a table that shows a month: weekdays as columns from the organization's first one, weeks as rows. */
export function MonthWeeks({ month, headClass, initials = false, children }: MonthWeeksProps) {
  const weeks = weeksOf(month)
  return (
    <>
      <thead>
        <tr>
          {weeks[0]?.map((date) => {
            const weekday = formatWeekday(weekdayOf(date))
            return (
              <th key={date} scope="col" className={headClass} aria-label={initials ? weekday : undefined}>
                {initials ? weekday.slice(0, 1) : weekday}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((date) => (
              <Fragment key={date}>{children(date)}</Fragment>
            ))}
          </tr>
        ))}
      </tbody>
    </>
  )
}
