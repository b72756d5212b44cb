import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, CsvFile, Id, Instant, Language, LocalDate } from '../fields.ts'
import { anyOf } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { comparisons, periodChecks } from './report-period.ts'

/** Every figure has one definition; its texts are in the messages under `reports_metric_{key}`. See docs/domain.md, "Figures of the reports". */
export const reportMetrics = [
  'departures_run',
  'pax_carried',
  'load_factor',
  'cancellation_rate',
  'no_show_rate',
  'net_revenue',
  'revenue_per_pax',
  'on_time_start',
  'mean_delay',
  'stop_adherence',
  'nps',
  'incident_rate',
  'time_to_resolve',
  'departures_led',
  'hours_assigned',
  'hours_on_duty',
  'utilisation',
  'acceptance',
  'guide_rating',
  'travelers',
  'new_travelers',
  'repeat_rate',
] as const
export type ReportMetric = (typeof reportMetrics)[number]

/** How a value is written: shares as 0 to 1, money in minor units of `currency`, durations in seconds, ratings as 1 to 5, points as -100 to 100. */
export const metricUnits = ['count', 'share', 'per_thousand', 'money', 'seconds', 'hours', 'rating', 'points'] as const

export const Figure = z.object({
  metric: z.enum(reportMetrics),
  unit: z.enum(metricUnits),
  /** Null when there is nothing to divide by. */
  value: z.nullable(z.number()),
  /** What is counted or summed, and what it is divided by; one of them alone for plain sums. */
  top: z.number(),
  bottom: z.nullable(z.number()),
  /** The range that contains the value with 90 % certainty, for ratings. */
  range: z.nullable(z.object({ low: z.number(), high: z.number() })),
  currency: z.nullable(z.string()),
  /** The same figure in the period compared with; null without one. */
  before: z.nullable(z.number()),
  /** Money in other currencies than `currency`, each by itself: no rate is known, so nothing is converted or added up. */
  others: z.array(z.object({ currency: z.string(), value: z.number(), before: z.nullable(z.number()) })),
})
export type Figure = z.output<typeof Figure>

const reportParams = {
  /** Local start day of the departures, both included. */
  from: LocalDate,
  to: LocalDate,
  compare: z._default(z.enum(comparisons), 'none'),
  tourId: anyOf(Id),
  staffId: anyOf(Id),
  language: anyOf(Language),
}

const reportInput = z.object(reportParams).check(...periodChecks)

/** A row of a report: a label, what is next to it, and its figures in the order of the columns. */
export const ReportRow = z.object({
  id: z.string(),
  label: z.string(),
  detail: z.nullable(z.string()),
  figures: z.array(Figure),
})
export type ReportRow = z.output<typeof ReportRow>

export const Report = z.object({
  asOf: Instant,
  /** Zone of the office; days are the local days of each departure. */
  timeZone: z.string(),
  from: LocalDate,
  to: LocalDate,
  comparedWith: z.nullable(z.object({ from: LocalDate, to: LocalDate })),
  columns: z.array(z.enum(reportMetrics)),
  /** Over the whole period. */
  figures: z.array(Figure),
  rows: z.array(ReportRow),
  /** The figures of each day, week or month. */
  trend: z.array(z.object({ from: LocalDate, figures: z.array(Figure) })),
  /** Parts of a whole: nationality, channel and so on; groups under five are merged under `merged`. */
  mixes: z.array(z.object({ of: z.string(), parts: z.array(z.object({ key: z.string(), n: Count })) })),
  /** Minutes after the plan that still count as on time. */
  onTimeMinutes: z.int(),
})
export type Report = z.output<typeof Report>

/** Whose course the tour report draws. */
export const drawnMetric = 'pax_carried' satisfies ReportMetric

/** Smallest group that is shown by itself. See docs/domain.md, "Figures of the reports". */
export const smallestGroup = 5
export const mergedGroup = 'merged'

export const tourPerformance = callable({
  name: 'reports-tour-performance',
  kind: 'read',
  permission: 'reports:read',
  summary: 'Departures run, guests, load, revenue and punctuality, per tour; guides see their own departures.',
  input: reportInput,
  output: Report,
  topics: [],
})

export const staffPerformance = callable({
  name: 'reports-staff-performance',
  kind: 'read',
  permission: 'reports:read',
  summary: 'Departures led, punctuality, acceptance, hours planned and on duty, per person; guides see themselves.',
  input: reportInput,
  output: Report,
  topics: [],
})

export const travelerInsights = callable({
  name: 'reports-traveler-insights',
  kind: 'read',
  permission: 'reports:read',
  summary: 'New and repeat travelers, nationalities, languages, ages, channels; groups under five are merged.',
  input: reportInput,
  output: Report,
  topics: [],
})

export const reportNames = ['tour-performance', 'staff-performance', 'traveler-insights'] as const
export type ReportName = (typeof reportNames)[number]

export const exportReport = callable({
  name: 'reports-export',
  kind: 'read',
  permission: 'reports:export',
  summary:
    'The rows behind a report as CSV: departures, assignments or groups. Every figure can be computed from them.',
  input: z.object({ report: z.enum(reportNames), ...reportParams }).check(...periodChecks),
  output: CsvFile,
  topics: [],
})

/** One departure as the tour report counts it. */
export const ReportDeparture = z.object({
  id: Id,
  code: z.string(),
  tourId: Id,
  tourName: z.string(),
  localDate: LocalDate,
  status: z.enum(statusesOf('departures')),
  capacity: Count,
  paxCarried: Count,
  noShow: Count,
  /** Confirmed and completed bookings by currency, and the guests carried who paid in it. */
  money: z.array(z.object({ currency: z.string(), revenueMinor: z.int(), paxCarried: Count })),
  /** Null while it has not started; early is negative. */
  startDelaySeconds: z.nullable(z.int()),
  stopsPlanned: Count,
  stopsVisited: Count,
  /** Parties that answered whether they would recommend us, those who gave 9 or 10, and those who gave 6 or less. */
  npsAnswers: Count,
  promoters: Count,
  detractors: Count,
  /** Incidents that are more than minor, those of them that are resolved, and how long these took in all. */
  incidents: Count,
  incidentsResolved: Count,
  resolveSeconds: Count,
})
export type ReportDeparture = z.output<typeof ReportDeparture>

/** Rows of a drill-down at most; the export has them all. */
export const maxReportRows = 1000

export const reportDepartures = callable({
  name: 'reports-departures',
  kind: 'read',
  permission: 'reports:read',
  summary: 'The departures that the figures were computed from, newest first.',
  input: reportInput,
  output: z.object({ rows: z.array(ReportDeparture), total: Count, currency: z.string() }),
  topics: [],
})
