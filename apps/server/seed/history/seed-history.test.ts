import { staffPerformance, tourPerformance, travelerInsights } from '@tour-ops/contract/reports/reports'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../src/platform/clock.ts'
import { reportsVerbs } from '../../src/features/reports/reports-service.ts'
import { verbsOf } from '../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../testing/world.ts'
import { seedDemo } from '../demo.ts'
import { demandOn } from './demand.ts'

const verbOf = verbsOf(reportsVerbs)
let world: TestWorld
let office: TestCaller
const clock = movableClock(new Date('2030-07-14T10:00:00Z'))
beforeAll(async () => {
  world = await testDatabase()
  await seedDemo({ ...world.services, clock }, true)
  const [demo] = await world.rows<{ id: string }>(`select id from identity.organization where slug = 'aurora-atlas'`)
  office = await world.as('operations_manager', { orgId: demo?.id ?? '', clock })
}, 600_000)
afterAll(() => world?.close())

const numberOf = async (text: string): Promise<number> => (await world.rows<{ count: number }>(text))[0]?.count ?? -1

test('the demo has run departures on each day of the last 25 weeks, and on 90 days of the year before', async () => {
  const days = (from: string, to: string) =>
    numberOf(`select count(distinct local_date)::int as count from departures
      where status = 'completed' and local_date between '${from}' and '${to}'`)
  expect(await days('2030-01-20', '2030-07-13')).toBe(175)
  expect(await days('2029-04-15', '2029-07-14')).toBe(91)
})

test.each([
  ['4 weeks', '2030-06-17', 'previous'],
  ['4 weeks', '2030-06-17', 'last_year'],
  ['12 weeks', '2030-04-22', 'previous'],
  ['12 weeks', '2030-04-22', 'last_year'],
] as const)('all reports of %s, from %s, have figures next to those of %s', async (_, from, compare) => {
  const asked = { from, to: '2030-07-14', compare }
  for (const report of [tourPerformance, staffPerformance, travelerInsights]) {
    const { figures, rows } = await office.call(verbOf(report), asked)
    expect(rows.length).toBeGreaterThan(5)
    for (const { metric, value, before } of figures) {
      expect.soft(value, metric).not.toBeNull()
      expect.soft(before, `${metric} before`).not.toBeNull()
    }
  }
})

test('figures of the history are those of an operator who is doing well, and not all the same', async () => {
  const { figures } = await office.call(verbOf(tourPerformance), { from: '2030-04-15', to: '2030-07-13' })
  const valueOf = (metric: string) => figures.find((figure) => figure.metric === metric)?.value ?? -1
  expect(valueOf('load_factor')).toBeGreaterThan(0.55)
  expect(valueOf('load_factor')).toBeLessThan(0.95)
  expect(valueOf('on_time_start')).toBeGreaterThan(0.7)
  expect(valueOf('on_time_start')).toBeLessThan(0.98)
  expect(valueOf('cancellation_rate')).toBeGreaterThan(0.005)
  expect(valueOf('cancellation_rate')).toBeLessThan(0.2)
  expect(valueOf('no_show_rate')).toBeGreaterThan(0.005)
  expect(valueOf('stop_adherence')).toBeLessThan(1)
  const people = await office.call(verbOf(travelerInsights), { from: '2030-06-17', to: '2030-07-14' })
  const repeat = people.figures.find(({ metric }) => metric === 'repeat_rate')?.value ?? -1
  expect(repeat).toBeGreaterThan(0.1)
  expect(repeat).toBeLessThan(0.9)
})

test('nothing of the history is in the future, left open or waiting for a decision', async () => {
  const before = `d.local_date < '2030-07-08'`
  expect(
    await numberOf(
      `select count(*)::int as count from departures d where ${before} and d.ends_at < '2030-07-13' and d.status not in ('completed', 'cancelled')`,
    ),
  ).toBe(0)
  expect(
    await numberOf(`select count(*)::int as count from bookings b join departures d on d.id = b.departure_id
      where ${before} and d.ends_at < '2030-07-13' and b.status not in ('completed', 'cancelled')`),
  ).toBe(0)
  expect(
    await numberOf(`select count(*)::int as count from manifest_entries m join departures d on d.id = m.departure_id
      where ${before} and d.ends_at < '2030-07-13' and m.status not in ('finished', 'no_show', 'cancelled')`),
  ).toBe(0)
  for (const [table, column] of [
    ['departures', 'actual_end_at'],
    ['departure_stops', 'actual_arrive_at'],
    ['check_ins', 'at'],
    ['duty_sessions', 'ended_at'],
    ['feedback', 'at'],
  ]) {
    expect
      .soft(
        await numberOf(`select count(*)::int as count from ${table} where ${column} > '2030-07-14T10:00:00Z'`),
        table,
      )
      .toBe(0)
    expect
      .soft(await numberOf(`select count(*)::int as count from ${table} where ${column} < '2030-06-01'`), table)
      .toBeGreaterThan(50)
  }
})

test('the log of changes has no entry of what nobody did', async () => {
  const entries = `select count(*)::int as count from audit_entries`
  expect(await numberOf(`${entries} where action = 'demo'`)).toBe(0)
  expect(
    await numberOf(`${entries} a join departures d on d.id::text = a.entity_id where d.local_date < '2030-06-01'`),
  ).toBe(0)
  expect(await numberOf(`${entries} where at < '2030-07-14T10:00:00Z'`)).toBeLessThan(20_000)
})

test('all that guards the tables is there again', async () => {
  expect(
    await world.rows(`select tgrelid::regclass, tgname from pg_trigger where tgenabled <> 'O' and not tgisinternal`),
  ).toEqual([])
})

test.each([
  ['departures', 'departures', 'status'],
  ['departures', 'departure_sales', 'sales_status'],
  ['departure_stops', 'departure_stops', 'status'],
  ['bookings', 'bookings', 'status'],
  ['manifest_entries', 'manifest_entries', 'status'],
  ['assignments', 'assignments', 'status'],
  ['duty_sessions', 'duty_sessions', 'status'],
  ['incidents', 'incidents', 'status'],
])('each status that was written to %s can be reached in the machine %s', async (table, machine, column) => {
  const reached = await world.rows<{ status: string; ok: boolean }>(`
    with recursive reachable as (
      select status from initial_statuses where machine = '${machine}'
      union select t.to_status from reachable r join legal_transitions t on t.machine = '${machine}' and t.from_status = r.status
    ) select distinct ${column} as status, ${column} in (select status from reachable) as ok from ${table}`)
  expect(reached.length).toBeGreaterThan(0)
  expect(reached.filter(({ ok }) => !ok)).toEqual([])
})

test('what is derived from other rows agrees with them', async () => {
  const wrong = {
    seats: `departures d where seats_confirmed <> (select coalesce(sum(pax), 0) from bookings b
      where b.departure_id = d.id and b.status in ('confirmed', 'completed'))`,
    tours: `travelers t where created_at < '2030-05-01' and lifetime_tours <> (select count(*) from manifest_entries m
      join departures d on d.id = m.departure_id where m.traveler_id = t.id and m.status = 'finished' and d.status = 'completed')`,
    calendars: `staff_calendar_entries e join assignments a on a.calendar_entry_id = e.id
      where (e.status = 'confirmed') <> (a.status in ('accepted', 'on_duty', 'completed', 'replaced')) and a.status not in ('draft', 'offered')`,
    duties: `duty_sessions a join duty_sessions b on b.staff_id = a.staff_id and b.id > a.id and a.ended_at <= '2030-07-08'
      and tstzrange(a.started_at, a.ended_at) && tstzrange(b.started_at, b.ended_at)`,
    paid: `bookings where status = 'completed' and payment_status = 'refunded'`,
    aboard: `departure_stops s join departures d on d.id = s.departure_id where d.local_date < '2030-07-08' and d.status = 'completed' and s.headcount_actual
      <> (select count(*) from manifest_entries m where m.departure_id = d.id and m.status = 'finished')`,
  }
  for (const [what, from] of Object.entries(wrong)) {
    expect.soft(await numberOf(`select count(*)::int as count from ${from}`), what).toBe(0)
  }
  const [listed] = await world.rows<{ counted: number; listed: number }>(`
    select (select count(*)::int from travelers where archived_at is null and merged_into_id is null) as listed,
      (select sum(difference)::int from traveler_counts) as counted`)
  expect(listed?.counted).toBe(listed?.listed)
})

test('incidents of the history were acknowledged within minutes, resolved and reviewed', async () => {
  const incidents = await world.rows<{ severity: number; takenMin: number; number: string; isClosed: boolean }>(`
    select severity, number, status = 'reviewed' and closed_at is not null as "isClosed",
      extract(epoch from (select min(at) from incident_entries e where e.incident_id = i.id and e.text = 'triaged') - created_at)::int / 60 as "takenMin"
    from incidents i where created_at < '2030-07-08' order by created_at`)
  expect(incidents.length).toBeGreaterThan(15)
  expect(incidents.every(({ isClosed }) => isClosed)).toBe(true)
  expect(Math.max(...incidents.filter(({ severity }) => severity === 2).map(({ takenMin }) => takenMin))).toBeLessThan(
    10,
  )
  expect(new Set(incidents.map(({ number }) => number)).size).toBe(incidents.length)
})

test('private data of guests of long ago is gone, as the purge would have it', async () => {
  expect(
    await numberOf(`select count(*)::int as count from traveler_private p join travelers t on t.id = p.traveler_id
      where t.lifetime_last_at < '2030-06-13'`),
  ).toBe(0)
})

test('a Saturday in July sells better than a Tuesday in November', () => {
  const tour = { timeZone: 'Europe/Lisbon', demand: 0.85 }
  expect(demandOn(tour, '2030-07-13')).toBeGreaterThan(1.5 * demandOn(tour, '2030-11-12'))
})
