import * as z from 'zod/mini'
import { LocalDate } from '../fields.ts'
import { comparisons, periodChecks } from '../reports/report-period.ts'

/** Reports that a link can show. Not that of the staff: figures of persons are not for a link. */
export const sharedReportNames = ['tour-performance', 'traveler-insights'] as const
export type SharedReportName = (typeof sharedReportNames)[number]

/** Periods of so many days until today, which move with the days. */
export const rollingDays = [7, 28, 84, 365] as const

/** What a link of the kind `report` shows. */
export const ReportOfLink = z.object({
  name: z.enum(sharedReportNames),
  period: z.discriminatedUnion('kind', [
    /** The last days until today, by the organization's calendar. */
    z.object({ kind: z.literal('days'), days: z.literal(rollingDays) }),
    /** Both included. */
    z.object({ kind: z.literal('dates'), from: LocalDate, to: LocalDate }).check(...periodChecks),
  ]),
  compare: z._default(z.enum(comparisons), 'none'),
})
export type ReportOfLink = z.output<typeof ReportOfLink>
