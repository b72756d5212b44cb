import type { ReportOfLink } from '@tour-ops/contract/links/report-of-link'
import type { SharedReport } from '@tour-ops/contract/links/shared-report'
import { drawnMetric, type Figure, type Report, smallestGroup } from '@tour-ops/contract/reports/reports'
import type { Call } from '../../context.ts'
import { addDays, localDateOf } from '../../platform/local-time.ts'
import type { AnyLink } from '../../platform/operations/open-link.ts'
import { readTourReport, readTravelerReport } from '../../platform/reports/read-reports.ts'
import type { ReportAsked } from '../../platform/reports/report-frame.ts'
import type { Period } from '../../platform/reports/report-period.ts'
import type { ReportReading } from '../../platform/reports/report-store.ts'
import { headOf, selectOffice } from './share-facts.ts'

/** So old figures may be; an open page asks every few seconds, for the sake of links that end. */
const maxAgeMs = 60_000

const readers: Readonly<Record<ReportOfLink['name'], (reading: ReportReading, asked: ReportAsked) => Promise<Report>>> =
  {
    // what one party says of its tour is nobody else's business: opinions are shown of as many as are a group
    'tour-performance': (reading, asked) => readTourReport(reading, asked, smallestGroup),
    'traveler-insights': readTravelerReport,
  }

/** The report of a link as it is now, without money unless the scopes allow it. */
export async function selectSharedReport(
  call: Call,
  link: AnyLink,
  now: Date,
): Promise<Omit<SharedReport, 'isPreview'> | undefined> {
  const { orgId, report: chosen, scopes } = link
  const office = await selectOffice(call.tx, orgId)
  if (!office || !chosen) return undefined
  const period = periodOf(chosen, localDateOf(now, office.officeZone))
  const asked = { ...period, compare: chosen.compare }
  const report = await call.answersForAWhile.answer([orgId, chosen.name, asked], now.getTime(), maxAgeMs, () =>
    readers[chosen.name]({ tx: call.tx, orgId, clock: call.clock }, asked),
  )
  return {
    kind: 'report',
    ...headOf(office, office.officeZone, link, now),
    timeZone: office.officeZone,
    name: chosen.name,
    report: drawn(scopes.money ? report : withoutMoney(report)),
  }
}

/** @param today By the calendar of the organization. */
const periodOf = ({ period }: ReportOfLink, today: string): Period =>
  period.kind === 'dates' ? period : { from: addDays(today, 1 - period.days), to: today }

const noMoney = (figures: readonly Figure[]): Figure[] => figures.filter(({ unit }) => unit !== 'money')

/** Of the course only what the page draws: the days of a small tour would say what single parties did and said. */
const drawn = (report: Report): Report => ({
  ...report,
  trend: report.trend.map(({ from, figures }) => ({
    from,
    figures: figures.filter(({ metric }) => metric === drawnMetric),
  })),
})

function withoutMoney(report: Report): Report {
  const left = new Set(noMoney(report.figures).map(({ metric }) => metric))
  return {
    ...report,
    columns: report.columns.filter((metric) => left.has(metric)),
    figures: noMoney(report.figures),
    rows: report.rows.map((row) => ({ ...row, figures: noMoney(row.figures) })),
  }
}
