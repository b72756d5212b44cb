import type { Figure, Report } from '@tour-ops/contract/reports/reports'
import {
  exportReport,
  mergedGroup,
  reportDepartures,
  staffPerformance,
  tourPerformance,
  travelerInsights,
} from '@tour-ops/contract/reports/reports'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { addDeparture, assignGuide, book, publishedTour } from '../../../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { reportsVerbs } from './reports-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(reportsVerbs)
const july = { from: '2030-07-01', to: '2030-07-31' }

interface Course {
  noShow?: number
  delaySeconds?: number
  stopsVisited?: number
}

/** Lives through a departure: everybody boards but the first `noShow`, it starts late and ends. */
async function run(caller: TestCaller, id: string, { noShow = 0, delaySeconds = 0, stopsVisited = 4 }: Course = {}) {
  await caller.transaction(async (tx) => {
    const all = sql`org_id = ${caller.orgId} and departure_id = ${id} and status = `
    await sql`update departures set status = 'boarding' where org_id = ${caller.orgId} and id = ${id}`.execute(tx)
    await sql`update manifest_entries set status = 'no_show' where ${all} 'expected' and id in (
      select id from manifest_entries where ${all} 'expected' order by id limit ${noShow})`.execute(tx)
    await sql`update manifest_entries set status = 'checked_in' where ${all} 'expected'`.execute(tx)
    await sql`update manifest_entries set status = 'on_tour' where ${all} 'checked_in'`.execute(tx)
    await sql`update departures set status = 'in_progress', actual_start_at = starts_at + make_interval(secs => ${delaySeconds})
      where org_id = ${caller.orgId} and id = ${id}`.execute(tx)
    await sql`update departure_stops set status = 'arrived' where ${all} 'planned' and stop_order <= ${stopsVisited}`.execute(
      tx,
    )
    await sql`update manifest_entries set status = 'finished' where ${all} 'on_tour'`.execute(tx)
    await sql`update departures set status = 'completed', actual_end_at = ends_at where org_id = ${caller.orgId} and id = ${id}`.execute(
      tx,
    )
  })
}

/** Two tours in July: three departures that ran, one cancelled, one ahead; and one in June. */
async function season() {
  const clock = movableClock(new Date('2030-06-01T08:00:00Z'))
  const caller = await world.as('operations_manager', { clock })
  const golden = await publishedTour(caller, { name: 'Golden Circle' })
  const south = await publishedTour(caller, { name: 'South Coast', defaultCapacity: 10 })
  const june = await addDeparture(caller, golden.tourId, { localDate: '2030-06-20' })
  const first = await addDeparture(caller, golden.tourId, { localDate: '2030-07-02' })
  const second = await addDeparture(caller, golden.tourId, { localDate: '2030-07-09' })
  const third = await addDeparture(caller, south.tourId, { localDate: '2030-07-09' })
  const cancelled = await addDeparture(caller, south.tourId, { localDate: '2030-07-10' })
  const ahead = await addDeparture(caller, golden.tourId, { localDate: '2030-07-30' })
  await book(caller, june, 4)
  await book(caller, first, 6)
  await book(caller, second, 10)
  await book(caller, third, 5)
  await book(caller, ahead, 2)
  await book(caller, first, 3, { mode: 'hold' })
  const björn = await assignGuide(caller, first)
  await assignGuide(caller, second, { staffId: björn })
  const ana = await assignGuide(caller, third)
  await run(caller, june)
  await run(caller, first, { noShow: 1, delaySeconds: 240, stopsVisited: 3 })
  await run(caller, second, { delaySeconds: 1200 })
  await run(caller, third, { delaySeconds: -60 })
  await caller.transaction((tx) =>
    sql`update departures set status = 'cancelled', cancel_reason = 'weather' where org_id = ${caller.orgId} and id = ${cancelled}`.execute(
      tx,
    ),
  )
  clock.set(new Date('2030-07-20T08:00:00Z'))
  return { caller, clock, björn, ana, tourId: golden.tourId, ran: [first, second, third] }
}

const valuesOf = (figures: readonly Figure[]): Record<string, number | null> =>
  Object.fromEntries(figures.map(({ metric, value }) => [metric, value]))

async function exported(caller: TestCaller, report: 'tour-performance' | 'staff-performance' | 'traveler-insights') {
  const { csv } = await caller.call(verbOf(exportReport), { report, ...july })
  const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true })
  return rows
}

const sum = (rows: readonly Record<string, string>[], column: string): number =>
  rows.reduce((total, row) => total + Number(row[column]), 0)

test('the tour report counts what ran, and holds are nobody’s guests', async () => {
  const { caller } = await season()
  const report = await caller.call(verbOf(tourPerformance), { ...july, compare: 'previous' })
  expect(report).toMatchObject({
    ...july,
    asOf: '2030-07-20T08:00:00.000Z',
    timeZone: 'UTC',
    comparedWith: { from: '2030-05-31', to: '2030-06-30' },
    onTimeMinutes: 5,
  })
  expect(valuesOf(report.figures)).toEqual({
    departures_run: 3,
    pax_carried: 20,
    load_factor: 20 / 50,
    net_revenue: 23 * 8900,
    revenue_per_pax: (21 * 8900) / 20,
    on_time_start: 2 / 3,
    mean_delay: (240 + 1200 + 0) / 3,
    stop_adherence: 11 / 12,
    nps: null,
    incident_rate: 0,
    time_to_resolve: null,
    cancellation_rate: 1 / 5,
    no_show_rate: 1 / 21,
  })
  expect(report.figures.find(({ metric }) => metric === 'pax_carried')?.before).toBe(4)
  expect(report.rows.map(({ label, figures }) => [label, figures[0]?.value, figures[1]?.value])).toEqual([
    ['Golden Circle', 2, 15],
    ['South Coast', 1, 5],
  ])
  expect(report.trend).toHaveLength(31)
  expect(report.trend[8]).toMatchObject({ from: '2030-07-09' })
  expect(valuesOf(report.trend[8]?.figures ?? [])).toMatchObject({ departures_run: 2, pax_carried: 15 })
})

test('every figure of the tour report can be computed from its exported rows', async () => {
  const { caller } = await season()
  const report = await caller.call(verbOf(tourPerformance), july)
  const rows = await exported(caller, 'tour-performance')
  const ran = rows.filter((row) => row['status'] === 'completed' || row['status'] === 'aborted')
  const delays = ran.filter((row) => row['start_delay_seconds'] !== '').map((row) => Number(row['start_delay_seconds']))
  expect(valuesOf(report.figures)).toEqual({
    departures_run: ran.length,
    pax_carried: sum(ran, 'pax_carried'),
    load_factor: sum(ran, 'pax_carried') / sum(ran, 'capacity'),
    net_revenue: sum(rows, 'revenue_minor_eur'),
    revenue_per_pax: sum(ran, 'revenue_minor_eur') / sum(ran, 'pax_carried_eur'),
    on_time_start: delays.filter((delay) => delay <= report.onTimeMinutes * 60).length / delays.length,
    mean_delay: delays.reduce((total, delay) => total + Math.max(0, delay), 0) / delays.length,
    stop_adherence: sum(ran, 'stops_visited') / sum(ran, 'stops_planned'),
    nps: null,
    incident_rate: (sum(ran, 'incidents') * 1000) / sum(ran, 'pax_carried'),
    time_to_resolve: null,
    cancellation_rate: rows.filter((row) => row['status'] === 'cancelled').length / rows.length,
    no_show_rate: sum(ran, 'no_show') / (sum(ran, 'no_show') + sum(ran, 'pax_carried')),
  })
  const drilled = await caller.call(verbOf(reportDepartures), july)
  expect(drilled.total).toBe(rows.length)
  expect(new Set(drilled.rows.map((row) => row.code))).toEqual(new Set(rows.map((row) => row['departure_code'])))
})

test('a filter narrows figures and rows alike, and an empty period says nothing instead of zero per cent', async () => {
  const { caller, tourId, ana } = await season()
  const golden = await caller.call(verbOf(tourPerformance), { ...july, tourId: [tourId] })
  expect(valuesOf(golden.figures)).toMatchObject({ departures_run: 2, pax_carried: 15, load_factor: 15 / 40 })
  const led = await caller.call(verbOf(reportDepartures), { ...july, staffId: [ana] })
  expect(led.rows.map((row) => row.tourName)).toEqual(['South Coast'])
  const empty = await caller.call(verbOf(tourPerformance), { from: '2029-01-01', to: '2029-01-31' })
  expect(valuesOf(empty.figures)).toMatchObject({ departures_run: 0, load_factor: null, on_time_start: null })
  expect(empty.rows).toEqual([])
})

test('each currency is summed by itself, and guests are divided by what they paid in', async () => {
  const { caller, ran } = await season()
  await caller.transaction((tx) =>
    sql`update bookings set currency = 'ISK', amount_total_minor = 15000 where org_id = ${caller.orgId} and departure_id = ${ran[2]}`.execute(
      tx,
    ),
  )
  const report = await caller.call(verbOf(tourPerformance), july)
  const moneyOf = (figures: readonly Figure[]) =>
    figures.filter(({ unit }) => unit === 'money').map(({ value, currency, others }) => ({ value, currency, others }))
  expect(moneyOf(report.figures)).toEqual([
    { value: 18 * 8900, currency: 'EUR', others: [{ currency: 'ISK', value: 15_000, before: null }] },
    { value: (16 * 8900) / 15, currency: 'EUR', others: [{ currency: 'ISK', value: 15_000 / 5, before: null }] },
  ])
  expect(moneyOf(report.rows.find(({ label }) => label === 'South Coast')?.figures ?? [])).toEqual([
    { value: 0, currency: 'EUR', others: [{ currency: 'ISK', value: 15_000, before: null }] },
    { value: null, currency: 'EUR', others: [{ currency: 'ISK', value: 3000, before: null }] },
  ])
  const rows = await exported(caller, 'tour-performance')
  expect([sum(rows, 'revenue_minor_eur'), sum(rows, 'revenue_minor_isk')]).toEqual([18 * 8900, 15_000])
  expect([sum(rows, 'pax_carried_eur'), sum(rows, 'pax_carried_isk')]).toEqual([15, 5])
})

test('the staff report agrees with its exported assignments, people without one included', async () => {
  const { caller, björn } = await season()
  await caller.transaction(async (tx) => {
    await sql`update field_staff set contracted_hours_per_week = 40 where org_id = ${caller.orgId} and id = ${björn}`.execute(
      tx,
    )
    await sql`insert into field_staff (org_id, id, code, first_name, last_name, contracted_hours_per_week)
      values (${caller.orgId}, ${newId()}, 'IDLE', 'Idle', 'Person', 20)`.execute(tx)
  })
  const report = await caller.call(verbOf(staffPerformance), july)
  const rows = await exported(caller, 'staff-performance')
  const working = rows.filter((row) => ['accepted', 'on_duty', 'completed'].includes(row['assignment_status'] ?? ''))
  const led = working.filter((row) => row['role'] === 'lead_guide' && row['departure_status'] === 'completed')
  const delays = led.map((row) => Number(row['start_delay_seconds']))
  const contracted = rows.filter((row) => row['contracted_hours_per_week'] !== '')
  const contracts = new Map(contracted.map((row) => [row['staff_code'], Number(row['contracted_hours_per_week'])]))
  const promised = [...contracts.values()].reduce((total, hours) => total + (hours * 31) / 7, 0)
  expect(valuesOf(report.figures)).toEqual({
    departures_led: led.length,
    pax_carried: sum(led, 'pax_carried'),
    on_time_start: delays.filter((delay) => delay <= 300).length / delays.length,
    mean_delay: delays.reduce((total, delay) => total + Math.max(0, delay), 0) / delays.length,
    acceptance: null,
    guide_rating: null,
    hours_assigned: sum(working, 'hours'),
    utilisation: expect.closeTo(sum(contracted, 'hours') / promised, 10),
  })
  expect(report.rows.map((row) => [row.label, row.figures[0]?.value])).toEqual([
    ['Björn Ólafsson', expect.any(Number)],
    ['Björn Ólafsson', expect.any(Number)],
    ['Idle Person', 0],
  ])
  expect(report.figures.find(({ metric }) => metric === 'hours_assigned')?.value).toBe(24)
})

/** What parties of a departure answered, each 1 to 5 about the guide and 0 to 10 about recommending us. */
const hear = (
  caller: TestCaller,
  departureId: string,
  staffId: string,
  opinions: readonly (readonly [number, number])[],
) =>
  caller.transaction(async (tx) => {
    for (const [guideRating, nps] of opinions) {
      await sql`insert into feedback (org_id, id, departure_id, staff_id, guide_rating, nps)
        values (${caller.orgId}, ${newId()}, ${departureId}, ${staffId}, ${guideRating}, ${nps})`.execute(tx)
    }
  })

test('the incident rate counts what is not minor, for a thousand guests carried and what was merged once, and says how long it took', async () => {
  const { caller, ran } = await season()
  const started = new Date('2030-07-09T10:00:00Z')
  await caller.transaction(async (tx) => {
    for (const [number, severity, resolvedAfterMin] of [
      ['I-1', 1, 60],
      ['I-2', 3, null],
      ['I-3', 4, 5],
      ['I-4', 1, 5],
    ] as const) {
      await sql`insert into incidents (org_id, id, number, title, category, severity, status, departure_id, created_at, closed_at)
        values (${caller.orgId}, ${newId()}, ${number}, 'Flat tire', 'vehicle', ${severity}, 'reported',
          ${ran[0]}, ${started}, ${started}::timestamptz + make_interval(mins => ${resolvedAfterMin}::int))`.execute(tx)
    }
    // the same as the first: it is not counted again
    await sql`update incidents set status = 'merged', merged_into_id = (select id from incidents where number = 'I-1') where number = 'I-4'`.execute(
      tx,
    )
  })
  const { figures, rows } = await caller.call(verbOf(tourPerformance), july)
  expect(valuesOf(figures)).toMatchObject({ pax_carried: 20, incident_rate: 100, time_to_resolve: 3600 })
  expect(rows.map(({ label, figures: own }) => [label, valuesOf(own)['time_to_resolve']])).toEqual([
    ['Golden Circle', 3600],
    ['South Coast', null],
  ])
})

test('a recommendation is those who would less those who would not, of all who answered', async () => {
  const { caller, björn, ran } = await season()
  await hear(caller, ran[0] ?? '', björn, [
    [5, 10],
    [5, 9],
    [4, 8],
    [2, 6],
  ])
  const report = await caller.call(verbOf(tourPerformance), { ...july, compare: 'previous' })
  const nps = (figures: readonly Figure[]) => figures.find(({ metric }) => metric === 'nps')
  expect(nps(report.figures)).toMatchObject({ value: 25, bottom: 4, before: null })
  expect(report.rows.map(({ label, figures }) => [label, nps(figures)?.value])).toEqual([
    ['Golden Circle', 25],
    ['South Coast', null],
  ])
  const rows = await exported(caller, 'tour-performance')
  expect([sum(rows, 'nps_promoters'), sum(rows, 'nps_detractors'), sum(rows, 'nps_answers')]).toEqual([2, 1, 4])
})

test('a guide’s rating is drawn to the mean of all, has a range of certainty, and is empty under five', async () => {
  const { caller, björn, ana, ran } = await season()
  await hear(caller, ran[0] ?? '', björn, [
    [5, 10],
    [5, 10],
    [5, 10],
    [4, 10],
    [4, 10],
    [3, 10],
  ])
  await hear(caller, ran[2] ?? '', ana, [
    [1, 0],
    [1, 0],
    [2, 0],
    [2, 0],
  ])
  // a second role on the same departure does not count an answer twice
  const entryId = newId()
  await caller.transaction(async (tx) => {
    await sql`insert into staff_calendar_entries (org_id, id, staff_id, during, kind)
      values (${caller.orgId}, ${entryId}, ${björn}, tstzrange('2030-07-28T08:00:00Z', '2030-07-28T09:00:00Z'), 'assignment')`.execute(
      tx,
    )
    await sql`insert into assignments (org_id, id, calendar_entry_id, departure_id, staff_id, role, status)
      values (${caller.orgId}, ${newId()}, ${entryId}, ${ran[0]}, ${björn}, 'driver', 'offered')`.execute(tx)
  })
  const report = await caller.call(verbOf(staffPerformance), july)
  const ratingOf = (staffId: string) =>
    report.rows.find(({ id }) => id === staffId)?.figures.find(({ metric }) => metric === 'guide_rating')
  const mean = (26 + 6) / 10
  const drawn = (mean * 10 + 26) / 16
  const aside = (1.645 * Math.sqrt((116 + 10) / 10 - mean ** 2)) / Math.sqrt(16)
  expect(ratingOf(björn)).toMatchObject({
    value: expect.closeTo(drawn, 10),
    bottom: 6,
    range: { low: expect.closeTo(drawn - aside, 10), high: expect.closeTo(drawn + aside, 10) },
  })
  expect(ratingOf(ana)).toMatchObject({ value: null, bottom: 4, range: null })
  expect(report.figures.find(({ metric }) => metric === 'guide_rating')).toMatchObject({
    value: expect.closeTo(mean, 10),
    bottom: 10,
  })
  const rows = await exported(caller, 'staff-performance')
  expect([sum(rows, 'guide_rating_sum'), sum(rows, 'guide_ratings'), sum(rows, 'guide_rating_squares')]).toEqual([
    32, 10, 126,
  ])
  const guide = await world.as('guide', { orgId: caller.orgId, staffId: björn })
  const own = await guide.call(verbOf(staffPerformance), july)
  expect(own.figures.find(({ metric }) => metric === 'guide_rating')).toMatchObject({ bottom: 6 })
})

test('an answer to an offer counts, an open offer does not', async () => {
  const { caller, björn, ran } = await season()
  await caller.transaction(async (tx) => {
    const answers = { guide: 'accepted', driver: 'declined', porter: 'expired', tour_leader: 'offered' }
    for (const [index, [role, status]] of Object.entries(answers).entries()) {
      const entryId = newId()
      await sql`insert into staff_calendar_entries (org_id, id, staff_id, during, kind)
        values (${caller.orgId}, ${entryId}, ${björn}, tstzrange(${`2030-08-0${index + 1}T08:00:00Z`}, ${`2030-08-0${index + 1}T09:00:00Z`}), 'assignment')`.execute(
        tx,
      )
      const id = newId()
      await sql`insert into assignments (org_id, id, calendar_entry_id, departure_id, staff_id, role, status, offered_at)
        values (${caller.orgId}, ${id}, ${entryId}, ${ran[2]}, ${björn}, ${role}, 'offered', app_now())`.execute(tx)
      if (status !== 'offered')
        await sql`update assignments set status = ${status} where org_id = ${caller.orgId} and id = ${id}`.execute(tx)
    }
  })
  const report = await caller.call(verbOf(staffPerformance), july)
  expect(report.figures.find(({ metric }) => metric === 'acceptance')).toMatchObject({
    top: 1,
    bottom: 3,
    value: 1 / 3,
  })
})

test('a guide sees the own departures and the own row, and does not export', async () => {
  const { caller, clock, björn } = await season()
  const guide = await world.as('guide', { orgId: caller.orgId, staffId: björn, clock })
  expect(valuesOf((await guide.call(verbOf(tourPerformance), july)).figures)).toMatchObject({ departures_run: 2 })
  expect((await guide.call(verbOf(staffPerformance), july)).rows.map((row) => row.id)).toEqual([björn])
  expect((await guide.call(verbOf(reportDepartures), july)).total).toBe(2)
  await expect(guide.call(verbOf(exportReport), { report: 'tour-performance', ...july })).rejects.toMatchObject({
    code: 'permission-denied',
  })
  const unlinked = await world.as('guide', { orgId: caller.orgId, clock })
  expect((await unlinked.call(verbOf(staffPerformance), july)).rows).toEqual([])
  const stranger = await world.as('admin', { clock })
  expect((await stranger.call(verbOf(reportDepartures), july)).rows).toEqual([])
})

test('traveler insights merge groups under five and agree with their export', async () => {
  const { caller } = await season()
  await caller.transaction(async (tx) => {
    await sql`update travelers set nationality = case when n <= 9 then 'DE' when n <= 15 then 'US' else 'FR' end
      from (select id, row_number() over (order by id) as n from travelers where org_id = ${caller.orgId} and id in (
        select m.traveler_id from manifest_entries m where m.org_id = ${caller.orgId} and m.status = 'finished')) numbered
      where travelers.org_id = ${caller.orgId} and travelers.id = numbered.id`.execute(tx)
  })
  const report = await caller.call(verbOf(travelerInsights), july)
  const figures = valuesOf(report.figures)
  expect(figures).toMatchObject({ travelers: 20, new_travelers: 20, repeat_rate: 0 })
  const nationality = report.mixes.find(({ of }) => of === 'nationality')?.parts ?? []
  expect(nationality.every(({ n }) => n >= 5)).toBe(true)
  expect(nationality.reduce((total, { n }) => total + n, 0)).toBe(20)
  expect(report.mixes.find(({ of }) => of === 'party')?.parts).toEqual([{ key: mergedGroup, n: 4 }])
  const rows = (await exported(caller, 'traveler-insights')).filter((row) => row['group_of'] === 'nationality')
  expect(sum(rows, 'count')).toBe(figures['travelers'])
  expect(sum(rows, 'new_travelers')).toBe(figures['new_travelers'])
  expect(sum(rows, 'repeat_travelers') / sum(rows, 'count')).toBe(figures['repeat_rate'])
})

test('a period that ends before it starts or is longer than two years is refused by field', async () => {
  const caller = await world.as('viewer')
  const ask = (period: Pick<Report, 'from' | 'to'>) => caller.call(verbOf(tourPerformance), period)
  for (const period of [
    { from: '2030-07-02', to: '2030-07-01' },
    { from: '2028-07-01', to: '2030-07-31' },
  ]) {
    await expect(ask(period)).rejects.toMatchObject({
      code: 'invalid-argument',
      details: { fieldErrors: { to: [expect.any(String)] } },
    })
  }
})
