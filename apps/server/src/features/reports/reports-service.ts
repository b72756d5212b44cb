import type { Given } from '@tour-ops/contract/callable'
import {
  exportReport,
  maxReportRows,
  type Report,
  type ReportMetric,
  type ReportName,
  type ReportRow,
  reportDepartures,
  staffPerformance,
  tourPerformance,
  travelerInsights,
} from '@tour-ops/contract/reports/reports'
import type { MemberCall } from '../../context.ts'
import { iso } from '../../platform/list-query.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import {
  compared,
  type FigureFrame,
  ratingsOf,
  staffFigures,
  type StaffFacts,
  tourFigures,
  travelerFigures,
} from './figures.ts'
import { groupBy, mergeSmall } from './group-mixes.ts'
import { exportRows } from './report-export.ts'
import { bucketsOf, comparedPeriod, daysIn, isIn, type Period } from './report-period.ts'
import {
  selectAssignmentFacts,
  selectBookingFacts,
  selectDepartureFacts,
  selectOffice,
  selectStaff,
  selectTravelerFacts,
} from './report-store.ts'
import { selectTimeOnDuty } from './time-on-duty.ts'
import { travelerMixes } from './traveler-mixes.ts'

type Asked = Given<typeof tourPerformance>
type Frame = Pick<Report, 'asOf' | 'timeZone' | 'from' | 'to' | 'comparedWith' | 'onTimeMinutes'>

interface Setting {
  readonly frame: Frame
  readonly period: Period
  readonly before: Period | null
  readonly figures: FigureFrame
}

async function prepare(call: MemberCall, { from, to, compare }: Asked): Promise<Setting> {
  const { timeZone, currency, onTimeMinutes } = await selectOffice(call)
  const period = { from, to }
  const before = comparedPeriod(period, compare)
  return {
    frame: { asOf: iso(call.clock.now()), timeZone, from, to, comparedWith: before, onTimeMinutes },
    period,
    before,
    figures: { currency, onTimeMinutes, days: daysIn(period) },
  }
}

const metricsOf = (figures: readonly { metric: ReportMetric }[]): ReportMetric[] => figures.map(({ metric }) => metric)

const tours = verb(tourPerformance, async (call, asked) => {
  const { frame, period, before, figures } = await prepare(call, asked)
  const now = await selectDepartureFacts(call, period, asked)
  const then = before && (await selectDepartureFacts(call, before, asked))
  const beforeDays = before ? daysIn(before) : 0
  const overall = compared(tourFigures(now, figures), then && tourFigures(then, { ...figures, days: beforeDays }))
  const earlier = new Map(groupBy(then ?? [], (fact) => [fact.tourId]).map(({ key, members }) => [key, members]))
  const rows = groupBy(now, (fact) => [fact.tourId])
    .map(({ key, members }): ReportRow => {
      const past = then && tourFigures(earlier.get(key) ?? [], figures)
      const label = members[0]?.tourName ?? key
      return { id: key, label, detail: null, figures: compared(tourFigures(members, figures), past) }
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
})

const selectStaffFacts = async (call: MemberCall, period: Period, asked: Asked): Promise<StaffFacts> => ({
  assignments: await selectAssignmentFacts(call, period, asked),
  onDuty: await selectTimeOnDuty(call, period, asked),
})

const staff = verb(staffPerformance, async (call, asked) => {
  const { frame, period, before, figures } = await prepare(call, asked)
  const now = await selectStaffFacts(call, period, asked)
  const then = before && (await selectStaffFacts(call, before, asked))
  const people = await selectStaff(
    call,
    asked,
    [...now.assignments, ...now.onDuty].map((fact) => fact.staffId),
  )
  const past = { ...figures, days: before ? daysIn(before) : 0 }
  const [all, allThen] = [ratingsOf(now.assignments), ratingsOf(then?.assignments ?? [])]
  const overall = compared(staffFigures(now, people, all, figures), then && staffFigures(then, people, allThen, past))
  const rows = people.map((person): ReportRow => {
    const own = ({ assignments, onDuty }: StaffFacts): StaffFacts => ({
      assignments: assignments.filter((fact) => fact.staffId === person.staffId),
      onDuty: onDuty.filter((time) => time.staffId === person.staffId),
    })
    return {
      id: person.staffId,
      label: person.name,
      detail: person.code,
      figures: compared(
        staffFigures(own(now), [person], all, figures),
        then && staffFigures(own(then), [person], allThen, past),
      ),
    }
  })
  return { ...frame, columns: metricsOf(overall), figures: overall, rows, trend: [], mixes: [] }
})

const travelers = verb(travelerInsights, async (call, asked) => {
  const { frame, period, before } = await prepare(call, asked)
  const now = await selectTravelerFacts(call, period, asked)
  const then = before && (await selectTravelerFacts(call, before, asked))
  const overall = compared(travelerFigures(now), then && travelerFigures(then))
  const rows = mergeSmall(groupBy(now, (fact) => [fact.nationality ?? 'unknown'])).map(
    ({ key, members }): ReportRow => ({
      id: key,
      label: key,
      detail: null,
      figures: compared(travelerFigures(members), null),
    }),
  )
  const bookings = await selectBookingFacts(call, period, asked)
  return {
    ...frame,
    columns: metricsOf(overall),
    figures: overall,
    rows,
    trend: [],
    mixes: travelerMixes(now, bookings),
  }
})

const exportAll = verb(exportReport, (call, { report, ...asked }) =>
  exportRows[report satisfies ReportName](call, asked),
)

const departures = verb(reportDepartures, async (call, asked) => {
  const { currency } = await selectOffice(call)
  const facts = await selectDepartureFacts(call, asked, asked)
  return { rows: facts.toReversed().slice(0, maxReportRows), total: facts.length, currency }
})

export const reportsVerbs: Verb[] = [tours, staff, travelers, exportAll, departures]
