import { ReportOfLink, type rollingDays, type SharedReportName } from '@tour-ops/contract/links/report-of-link'
import type { Comparison } from '@tour-ops/contract/reports/report-period'
import { m } from '../paraglide/messages.js'
import { formatLocalDate } from '../ui/format.ts'
import type { SelectOption } from '../ui/field.tsx'

export const reportTitles: Record<SharedReportName, () => string> = {
  'tour-performance': m.app_title_report_tours,
  'traveler-insights': m.app_title_report_travelers,
}

/** Periods of one press, in days until today. */
export const rollingPeriods: readonly { days: (typeof rollingDays)[number]; label: () => string }[] = [
  { days: 7, label: m.reports_days_7 },
  { days: 28, label: m.reports_weeks_4 },
  { days: 84, label: m.reports_weeks_12 },
  { days: 365, label: m.reports_year },
]

const comparisonWords: Record<Comparison, () => string> = {
  none: m.reports_compare_none,
  previous: m.reports_compare_previous,
  last_year: m.reports_compare_last_year,
}

export const comparisonOptions = (): SelectOption[] =>
  Object.entries(comparisonWords).map(([value, label]) => ({ value, label: label() }))

/** Two days and what is between them. */
export const daysText = ({ from, to }: { from: string; to: string }): string =>
  `${formatLocalDate(from)} – ${formatLocalDate(to)}`

/** Which report of which days a link shows. */
export function reportText({ name, period }: ReportOfLink): string {
  if (period.kind === 'dates') return `${reportTitles[name]()} · ${daysText(period)}`
  const label = rollingPeriods.find(({ days }) => days === period.days)?.label() ?? ''
  return `${reportTitles[name]()} · ${m.links_report_rolling({ period: label })}`
}

/** Neither names nor days have it. */
const separator = '.'

/** A report as one parameter of an address, for the dialog that shares it. */
export const reportInAddress = ({ name, period, compare }: ReportOfLink): string =>
  [name, compare, ...(period.kind === 'days' ? [period.days] : [period.from, period.to])].join(separator)

/** The report that such a parameter names; undefined for none. */
export function reportOfAddress(parameter: string | undefined): ReportOfLink | undefined {
  const [name, compare, first, to] = parameter?.split(separator) ?? []
  const period = to === undefined ? { kind: 'days', days: Number(first) } : { kind: 'dates', from: first, to }
  return ReportOfLink.safeParse({ name, compare, period }).data
}
