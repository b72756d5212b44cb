import { maxReportDays, periodRule } from '@tour-ops/contract/reports/report-period'
import { m } from '../../paraglide/messages.js'
import { addDays, formatLocalDate } from '../../ui/format.ts'

/** What is wrong with the end of a period of days (`2026-11-20`), and which days would do; undefined where a report can be made. */
export function periodProblem(period: { from: string; to: string }): string | undefined {
  switch (periodRule(period)) {
    case 'end_before_start':
      return m.reports_end_before_start({ day: formatLocalDate(period.from) })
    case 'two_years_at_once':
      return m.reports_too_long({ day: formatLocalDate(addDays(period.from, maxReportDays - 1)) })
    case null:
      return undefined
  }
}
