import {
  exportReport,
  maxReportRows,
  type ReportName,
  type ReportRow,
  reportDepartures,
  staffPerformance,
  tourPerformance,
  travelerInsights,
} from '@tour-ops/contract/reports/reports'
import type { MemberCall } from '../../context.ts'
import { compared } from '../../platform/reports/figures.ts'
import { readTourReport, readTravelerReport } from '../../platform/reports/read-reports.ts'
import { metricsOf, prepareReport, type ReportAsked } from '../../platform/reports/report-frame.ts'
import { daysIn, type Period } from '../../platform/reports/report-period.ts'
import { selectDepartureFacts, selectOffice } from '../../platform/reports/report-store.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { exportRows } from './report-export.ts'
import { ratingsOf, staffFigures, type StaffFacts } from './staff-figures.ts'
import { selectAssignmentFacts, selectStaff } from './staff-store.ts'
import { selectTimeOnDuty } from './time-on-duty.ts'

const tours = verb(tourPerformance, (call, asked) => readTourReport(call, asked))

const selectStaffFacts = async (call: MemberCall, period: Period, asked: ReportAsked): Promise<StaffFacts> => ({
  assignments: await selectAssignmentFacts(call, period, asked),
  onDuty: await selectTimeOnDuty(call, period, asked),
})

const staff = verb(staffPerformance, async (call, asked) => {
  const { frame, period, before, figures } = await prepareReport(call, asked)
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

const travelers = verb(travelerInsights, readTravelerReport)

const exportAll = verb(exportReport, (call, { report, ...asked }) =>
  exportRows[report satisfies ReportName](call, asked),
)

const departures = verb(reportDepartures, async (call, asked) => {
  const { currency } = await selectOffice(call)
  const facts = await selectDepartureFacts(call, asked, asked)
  return { rows: facts.toReversed().slice(0, maxReportRows), total: facts.length, currency }
})

export const reportsVerbs: Verb[] = [tours, staff, travelers, exportAll, departures]
