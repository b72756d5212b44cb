import type { Report, ReportRow } from '@tour-ops/contract/reports/reports'
import { compared, partsWithFewAnswers, tourFigures, travelerFigures } from './figures.ts'
import { groupBy, mergeSmall } from './group-mixes.ts'
import { metricsOf, prepareReport, type ReportAsked } from './report-frame.ts'
import { bucketsOf, daysIn, isIn } from './report-period.ts'
import { type ReportReading, selectBookingFacts, selectDepartureFacts, selectTravelerFacts } from './report-store.ts'
import { travelerMixes } from './traveler-mixes.ts'

/** "How did the tours go?" @param fewestAnswers Opinions of fewer parties than these are not shown. */
export async function readTourReport(
  reading: ReportReading,
  asked: ReportAsked,
  fewestAnswers?: number,
): Promise<Report> {
  const { frame, period, before, figures } = await prepareReport(reading, asked, fewestAnswers)
  const now = await selectDepartureFacts(reading, period, asked)
  const then = before && (await selectDepartureFacts(reading, before, asked))
  const beforeDays = before ? daysIn(before) : 0
  const overall = compared(tourFigures(now, figures), then && tourFigures(then, { ...figures, days: beforeDays }))
  const earlier = new Map(groupBy(then ?? [], (fact) => [fact.tourId]).map(({ key, members }) => [key, members]))
  const groups = groupBy(now, (fact) => [fact.tourId])
  const hidden = partsWithFewAnswers(new Map(groups.map(({ key, members }) => [key, members])), figures.fewestAnswers)
  // of the period before by its own answers, and with the tours that ran only then: else the others say what is hidden
  const hiddenThen = partsWithFewAnswers(earlier, figures.fewestAnswers)
  const rows = groups
    .map(({ key, members }): ReportRow => {
      const own = hidden.has(key) ? { ...figures, fewestAnswers: Infinity } : figures
      const past =
        then && tourFigures(earlier.get(key) ?? [], hiddenThen.has(key) ? { ...figures, fewestAnswers: Infinity } : own)
      const label = members[0]?.tourName ?? key
      return { id: key, label, detail: null, figures: compared(tourFigures(members, own), past) }
    })
    .toSorted((a, b) => (b.figures[1]?.top ?? 0) - (a.figures[1]?.top ?? 0) || a.label.localeCompare(b.label))
  const pastBuckets = before ? bucketsOf(before) : []
  const trend = bucketsOf(period).map((bucket, index) => {
    const past = pastBuckets[index]
    const inside = now.filter((fact) => isIn(fact.localDate, bucket))
    const inPast =
      past && then
        ? tourFigures(
            then.filter((fact) => isIn(fact.localDate, past)),
            figures,
          )
        : null
    return { from: bucket.from, figures: compared(tourFigures(inside, figures), inPast) }
  })
  return {
    ...frame,
    columns: metricsOf(overall),
    figures: overall,
    rows,
    trend,
    mixes: [],
  }
}

/** "Who travels with us?" Groups under five are merged. */
export async function readTravelerReport(reading: ReportReading, asked: ReportAsked): Promise<Report> {
  const { frame, period, before } = await prepareReport(reading, asked)
  const now = await selectTravelerFacts(reading, period, asked)
  const then = before && (await selectTravelerFacts(reading, before, asked))
  const overall = compared(travelerFigures(now), then && travelerFigures(then))
  const rows = mergeSmall(groupBy(now, (fact) => [fact.nationality ?? 'unknown'])).map(
    ({ key, members }): ReportRow => ({
      id: key,
      label: key,
      detail: null,
      figures: compared(travelerFigures(members), null),
    }),
  )
  const bookings = await selectBookingFacts(reading, period, asked)
  return {
    ...frame,
    columns: metricsOf(overall),
    figures: overall,
    rows,
    trend: [],
    mixes: travelerMixes(now, bookings),
  }
}
