import type { Given } from '@tour-ops/contract/callable'
import type { Report, ReportMetric, tourPerformance } from '@tour-ops/contract/reports/reports'
import { iso } from '../list-query.ts'
import type { FigureFrame } from './figures.ts'
import { comparedPeriod, daysIn, type Period } from './report-period.ts'
import { type ReportReading, selectOffice } from './report-store.ts'

/** A period, what it is compared with, and of what the report is. */
export type ReportAsked = Given<typeof tourPerformance>

export interface ReportSetting {
  /** What every report says of itself. */
  readonly frame: Pick<Report, 'asOf' | 'timeZone' | 'from' | 'to' | 'comparedWith' | 'onTimeMinutes'>
  readonly period: Period
  readonly before: Period | null
  readonly figures: FigureFrame
}

/** @param fewestAnswers Opinions of fewer parties than these are not shown. */
export async function prepareReport(
  reading: ReportReading,
  { from, to, compare }: ReportAsked,
  fewestAnswers = 0,
): Promise<ReportSetting> {
  const { timeZone, currency, onTimeMinutes } = await selectOffice(reading)
  const period = { from, to }
  const before = comparedPeriod(period, compare)
  return {
    frame: { asOf: iso(reading.clock.now()), timeZone, from, to, comparedWith: before, onTimeMinutes },
    period,
    before,
    figures: { currency, onTimeMinutes, days: daysIn(period), fewestAnswers },
  }
}

export const metricsOf = (figures: readonly { metric: ReportMetric }[]): ReportMetric[] =>
  figures.map(({ metric }) => metric)
