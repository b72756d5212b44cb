import { staffPerformance } from '@tour-ops/contract/reports/reports'
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

test('the staff report agrees with its exported assignments, people without one included', async () => {
  const { caller, björn } = await reportSeason(world)
  await caller.transaction(async (tx) => {
    await sql`update field_staff set contracted_hours_per_week = 40 where org_id = ${caller.orgId} and id = ${björn}`.execute(
      tx,
    )
    await sql`insert into field_staff (org_id, id, code, first_name, last_name, contracted_hours_per_week)
      values (${caller.orgId}, ${newId()}, 'IDLE', 'Idle', 'Person', 20)`.execute(tx)
  })
  const report = await caller.call(verbOf(staffPerformance), july)
  const rows = await exportedRows(caller, 'staff-performance')
  const working = rows.filter((row) => ['accepted', 'on_duty', 'completed'].includes(row['assignment_status'] ?? ''))
  const led = working.filter((row) => row['role'] === 'lead_guide' && row['departure_status'] === 'completed')
  const delays = led.map((row) => Number(row['start_delay_seconds']))
  const contracted = rows.filter((row) => row['contracted_hours_per_week'] !== '')
  const contracts = new Map(contracted.map((row) => [row['staff_code'], Number(row['contracted_hours_per_week'])]))
  const promised = [...contracts.values()].reduce((total, hours) => total + (hours * 31) / 7, 0)
  expect(valuesOf(report.figures)).toEqual({
    departures_led: led.length,
    pax_carried: sumOf(led, 'pax_carried'),
    on_time_start: delays.filter((delay) => delay <= 300).length / delays.length,
    mean_delay: delays.reduce((total, delay) => total + Math.max(0, delay), 0) / delays.length,
    acceptance: null,
    guide_rating: null,
    hours_assigned: sumOf(working, 'hours'),
    utilisation: expect.closeTo(sumOf(contracted, 'hours') / promised, 10),
  })
  expect(report.rows.map((row) => [row.label, row.figures[0]?.value])).toEqual([
    ['Björn Ólafsson', expect.any(Number)],
    ['Björn Ólafsson', expect.any(Number)],
    ['Idle Person', 0],
  ])
  expect(report.figures.find(({ metric }) => metric === 'hours_assigned')?.value).toBe(24)
})

test('a guide’s rating is drawn to the mean of all, has a range of certainty, and is empty under five', async () => {
  const { caller, björn, ana, ran } = await reportSeason(world)
  await answerFeedback(caller, ran[0] ?? '', björn, [
    [5, 10],
    [5, 10],
    [5, 10],
    [4, 10],
    [4, 10],
    [3, 10],
  ])
  await answerFeedback(caller, ran[2] ?? '', ana, [
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
  const rows = await exportedRows(caller, 'staff-performance')
  expect([sumOf(rows, 'guide_rating_sum'), sumOf(rows, 'guide_ratings'), sumOf(rows, 'guide_rating_squares')]).toEqual([
    32, 10, 126,
  ])
  const guide = await world.as('guide', { orgId: caller.orgId, staffId: björn })
  const own = await guide.call(verbOf(staffPerformance), july)
  expect(own.figures.find(({ metric }) => metric === 'guide_rating')).toMatchObject({ bottom: 6 })
})

test('an answer to an offer counts, an open offer does not', async () => {
  const { caller, björn, ran } = await reportSeason(world)
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
