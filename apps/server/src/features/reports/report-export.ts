import type { CsvFile } from '@tour-ops/contract/fields'
import type { Given } from '@tour-ops/contract/callable'
import { type ReportName, tourPerformance } from '@tour-ops/contract/reports/reports'
import type * as z from 'zod/mini'
import type { MemberCall } from '../../context.ts'
import { csvFile } from '../../platform/csv.ts'
import { travelerFigures } from '../../platform/reports/figures.ts'
import { groupBy, mergeSmall } from '../../platform/reports/group-mixes.ts'
import {
  type DepartureFact,
  selectBookingFacts,
  selectDepartureFacts,
  selectOffice,
  selectTravelerFacts,
} from '../../platform/reports/report-store.ts'
import { travelerMixes } from '../../platform/reports/traveler-mixes.ts'
import { selectAssignmentFacts, selectStaff } from './staff-store.ts'
import { selectTimeOnDuty } from './time-on-duty.ts'

type Asked = Given<typeof tourPerformance>
type Export = (call: MemberCall, asked: Asked) => Promise<z.output<typeof CsvFile>>

const nameOf = (report: ReportName, { from, to }: Asked): string => `${report}-${from}-${to}`

type Columns<R> = Parameters<typeof csvFile<R>>[1]

/** Two columns for every currency taken, so that each sum stays in one: `revenue_minor_isk`, `pax_carried_isk`. */
function moneyColumns(facts: readonly DepartureFact[], own: string): Columns<DepartureFact> {
  const currencies = new Set([own, ...facts.flatMap(({ money }) => money.map(({ currency }) => currency))])
  const purse = (fact: DepartureFact, currency: string) => fact.money.find((each) => each.currency === currency)
  return Object.fromEntries(
    [...currencies].flatMap((currency): [string, Columns<DepartureFact>[string]][] => [
      [`revenue_minor_${currency.toLowerCase()}`, (fact) => purse(fact, currency)?.revenueMinor ?? 0],
      [`pax_carried_${currency.toLowerCase()}`, (fact) => purse(fact, currency)?.paxCarried ?? 0],
    ]),
  )
}

const tours: Export = async (call, asked) => {
  const { currency } = await selectOffice(call)
  const facts = await selectDepartureFacts(call, asked, asked)
  return csvFile(
    nameOf('tour-performance', asked),
    {
      departure_code: (fact) => fact.code,
      tour: (fact) => fact.tourName,
      local_date: (fact) => fact.localDate,
      status: (fact) => fact.status,
      capacity: (fact) => fact.capacity,
      pax_carried: (fact) => fact.paxCarried,
      no_show: (fact) => fact.noShow,
      ...moneyColumns(facts, currency),
      start_delay_seconds: (fact) => fact.startDelaySeconds,
      stops_planned: (fact) => fact.stopsPlanned,
      stops_visited: (fact) => fact.stopsVisited,
      nps_answers: (fact) => fact.npsAnswers,
      nps_promoters: (fact) => fact.promoters,
      nps_detractors: (fact) => fact.detractors,
      incidents: (fact) => fact.incidents,
      incidents_resolved: (fact) => fact.incidentsResolved,
      incident_resolve_seconds: (fact) => fact.resolveSeconds,
    },
    facts,
  )
}

const staff: Export = async (call, asked) => {
  const facts = await selectAssignmentFacts(call, asked, asked)
  const onDuty = await selectTimeOnDuty(call, asked, asked)
  const people = await selectStaff(
    call,
    asked,
    [...facts, ...onDuty].map((fact) => fact.staffId),
  )
  const idle = people.filter((person) => !facts.some((fact) => fact.staffId === person.staffId))
  const rows = [
    ...facts.map((fact) => ({ fact, person: people.find((person) => person.staffId === fact.staffId) })),
    ...idle.map((person) => ({ fact: undefined, person })),
  ]
  // on the first line of each person, so that the column adds up
  const dutyOf = new Map(onDuty.map(({ staffId, hours }) => [staffId, hours]))
  const firstOf = new Map(rows.toReversed().map((row) => [row.person?.staffId, row]))
  return csvFile(
    nameOf('staff-performance', asked),
    {
      staff_code: ({ person }) => person?.code ?? null,
      name: ({ person }) => person?.name ?? null,
      contracted_hours_per_week: ({ person }) => person?.contractedHoursPerWeek ?? null,
      departure_code: ({ fact }) => fact?.code ?? null,
      local_date: ({ fact }) => fact?.localDate ?? null,
      departure_status: ({ fact }) => fact?.departureStatus ?? null,
      role: ({ fact }) => fact?.role ?? null,
      assignment_status: ({ fact }) => fact?.status ?? null,
      offered: ({ fact }) => fact?.offered ?? null,
      pax_carried: ({ fact }) => fact?.paxCarried ?? null,
      start_delay_seconds: ({ fact }) => fact?.startDelaySeconds ?? null,
      hours: ({ fact }) => fact?.hours ?? null,
      hours_on_duty: (row) =>
        row.person && firstOf.get(row.person.staffId) === row ? (dutyOf.get(row.person.staffId) ?? 0) : null,
      guide_ratings: ({ fact }) => fact?.ratings ?? null,
      guide_rating_sum: ({ fact }) => fact?.ratingSum ?? null,
      guide_rating_squares: ({ fact }) => fact?.ratingSquares ?? null,
    },
    rows,
  )
}

/** Groups only: a row of one person would say who it is. */
const travelers: Export = async (call, asked) => {
  const people = await selectTravelerFacts(call, asked, asked)
  const mixes = travelerMixes(people, await selectBookingFacts(call, asked, asked))
  const nations = mergeSmall(groupBy(people, (person) => [person.nationality ?? 'unknown'])).map(({ key, members }) => {
    const top = new Map(travelerFigures(members).map((figure) => [figure.metric, figure.top]))
    return { of: 'nationality', key, n: members.length, top }
  })
  const others = mixes
    .filter(({ of }) => of !== 'nationality')
    .flatMap(({ of, parts }) => parts.map(({ key, n }) => ({ of, key, n, top: undefined })))
  return csvFile(
    nameOf('traveler-insights', asked),
    {
      group_of: (row) => row.of,
      group: (row) => row.key,
      count: (row) => row.n,
      new_travelers: (row) => row.top?.get('new_travelers') ?? null,
      repeat_travelers: (row) => row.top?.get('repeat_rate') ?? null,
    },
    [...nations, ...others],
  )
}

/** The rows behind each report. */
export const exportRows: Readonly<Record<ReportName, Export>> = {
  'tour-performance': tours,
  'staff-performance': staff,
  'traveler-insights': travelers,
}
