import type { Figure, Report } from '@tour-ops/contract/reports/reports'
import {
  exportReport,
  mergedGroup,
  reportDepartures,
  staffPerformance,
  tourPerformance,
  travelerInsights,
} from '@tour-ops/contract/reports/reports'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { answerFeedback, exportedRows, july, reportSeason, sumOf, valuesOf } from '../../../testing/report-season.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { reportsVerbs } from './reports-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(reportsVerbs)

test('the tour report counts what ran, and holds are nobody’s guests', async () => {
  const { caller } = await reportSeason(world)
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
  const { caller } = await reportSeason(world)
  const report = await caller.call(verbOf(tourPerformance), july)
  const rows = await exportedRows(caller, 'tour-performance')
  const ran = rows.filter((row) => row['status'] === 'completed' || row['status'] === 'aborted')
  const delays = ran.filter((row) => row['start_delay_seconds'] !== '').map((row) => Number(row['start_delay_seconds']))
  expect(valuesOf(report.figures)).toEqual({
    departures_run: ran.length,
    pax_carried: sumOf(ran, 'pax_carried'),
    load_factor: sumOf(ran, 'pax_carried') / sumOf(ran, 'capacity'),
    net_revenue: sumOf(rows, 'revenue_minor_eur'),
    revenue_per_pax: sumOf(ran, 'revenue_minor_eur') / sumOf(ran, 'pax_carried_eur'),
    on_time_start: delays.filter((delay) => delay <= report.onTimeMinutes * 60).length / delays.length,
    mean_delay: delays.reduce((total, delay) => total + Math.max(0, delay), 0) / delays.length,
    stop_adherence: sumOf(ran, 'stops_visited') / sumOf(ran, 'stops_planned'),
    nps: null,
    incident_rate: (sumOf(ran, 'incidents') * 1000) / sumOf(ran, 'pax_carried'),
    time_to_resolve: null,
    cancellation_rate: rows.filter((row) => row['status'] === 'cancelled').length / rows.length,
    no_show_rate: sumOf(ran, 'no_show') / (sumOf(ran, 'no_show') + sumOf(ran, 'pax_carried')),
  })
  const drilled = await caller.call(verbOf(reportDepartures), july)
  expect(drilled.total).toBe(rows.length)
  expect(new Set(drilled.rows.map((row) => row.code))).toEqual(new Set(rows.map((row) => row['departure_code'])))
})

test('a filter narrows figures and rows alike, and an empty period says nothing instead of zero per cent', async () => {
  const { caller, tourId, ana } = await reportSeason(world)
  const golden = await caller.call(verbOf(tourPerformance), { ...july, tourId: [tourId] })
  expect(valuesOf(golden.figures)).toMatchObject({ departures_run: 2, pax_carried: 15, load_factor: 15 / 40 })
  const led = await caller.call(verbOf(reportDepartures), { ...july, staffId: [ana] })
  expect(led.rows.map((row) => row.tourName)).toEqual(['South Coast'])
  const empty = await caller.call(verbOf(tourPerformance), { from: '2029-01-01', to: '2029-01-31' })
  expect(valuesOf(empty.figures)).toMatchObject({ departures_run: 0, load_factor: null, on_time_start: null })
  expect(empty.rows).toEqual([])
})

test('each currency is summed by itself, and guests are divided by what they paid in', async () => {
  const { caller, ran } = await reportSeason(world)
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
  const rows = await exportedRows(caller, 'tour-performance')
  expect([sumOf(rows, 'revenue_minor_eur'), sumOf(rows, 'revenue_minor_isk')]).toEqual([18 * 8900, 15_000])
  expect([sumOf(rows, 'pax_carried_eur'), sumOf(rows, 'pax_carried_isk')]).toEqual([15, 5])
})

test('the incident rate counts what is not minor, for a thousand guests carried and what was merged once, and says how long it took', async () => {
  const { caller, ran } = await reportSeason(world)
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
  const { caller, björn, ran } = await reportSeason(world)
  await answerFeedback(caller, ran[0] ?? '', björn, [
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
  const rows = await exportedRows(caller, 'tour-performance')
  expect([sumOf(rows, 'nps_promoters'), sumOf(rows, 'nps_detractors'), sumOf(rows, 'nps_answers')]).toEqual([2, 1, 4])
})

test('a guide sees the own departures and the own row, and does not export', async () => {
  const { caller, clock, björn } = await reportSeason(world)
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
  const { caller } = await reportSeason(world)
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
  const rows = (await exportedRows(caller, 'traveler-insights')).filter((row) => row['group_of'] === 'nationality')
  expect(sumOf(rows, 'count')).toBe(figures['travelers'])
  expect(sumOf(rows, 'new_travelers')).toBe(figures['new_travelers'])
  expect(sumOf(rows, 'repeat_travelers') / sumOf(rows, 'count')).toBe(figures['repeat_rate'])
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
