import type { In } from '@tour-ops/contract/callable'
import { staffPerformance } from '@tour-ops/contract/reports/reports'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { endForgottenDuty } from '../../platform/operations/duty.ts'
import { answerFeedback, exportedRows, july, reportSeason, sumOf, valuesOf } from '../../../testing/report-season.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { reportsVerbs } from './reports-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(reportsVerbs)

interface Duty {
  from: string
  /** Open without. */
  to?: string
  /** From and to of a break. */
  pause?: readonly [string, string]
  departureId?: string | undefined
}

/** Somebody was on duty, or still is: begun as duty begins, and then ended. */
const beOnDuty = (caller: TestCaller, staffId: string, { from, to, pause, departureId }: Duty) =>
  caller.transaction(async (tx) => {
    const id = newId()
    await sql`insert into duty_sessions (org_id, id, staff_id, departure_id, started_at)
      values (${caller.orgId}, ${id}, ${staffId}, ${departureId ?? null}, ${from})`.execute(tx)
    if (pause)
      await sql`update duty_sessions set breaks = tstzmultirange(tstzrange(${pause[0]}, ${pause[1]}))
        where org_id = ${caller.orgId} and id = ${id}`.execute(tx)
    if (to)
      await sql`update duty_sessions set status = 'closed', ended_at = ${to}, ended_by = 'person'
        where org_id = ${caller.orgId} and id = ${id}`.execute(tx)
  })

/** Hours on duty of a period: in all, in the period before, and of each person who has any. */
async function hoursOnDuty(caller: TestCaller, asked: In<typeof staffPerformance> = july) {
  const report = await caller.call(verbOf(staffPerformance), { ...asked, compare: 'previous' })
  const figureOf = (figures: (typeof report)['figures']) => figures.find(({ metric }) => metric === 'hours_on_duty')
  const people = report.rows.map((row) => [row.id, figureOf(row.figures)?.value] as const)
  return {
    total: figureOf(report.figures)?.value,
    before: figureOf(report.figures)?.before,
    people: Object.fromEntries(people.filter(([, hours]) => hours)),
  }
}

test('the staff report agrees with its exported assignments, people without one included', async () => {
  const { caller, björn } = await reportSeason(world)
  await caller.transaction(async (tx) => {
    await sql`update field_staff set contracted_hours_per_week = 40 where org_id = ${caller.orgId} and id = ${björn}`.execute(
      tx,
    )
    await sql`insert into field_staff (org_id, id, code, first_name, last_name, contracted_hours_per_week)
      values (${caller.orgId}, ${newId()}, 'IDLE', 'Idle', 'Person', 20)`.execute(tx)
  })
  await beOnDuty(caller, björn, { from: '2030-07-02T08:00Z', to: '2030-07-02T17:30Z' })
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
    hours_on_duty: sumOf(rows, 'hours_on_duty'),
    utilisation: expect.closeTo(sumOf(contracted, 'hours') / promised, 10),
  })
  expect(report.rows.map((row) => [row.label, row.figures[0]?.value])).toEqual([
    ['Björn Ólafsson', expect.any(Number)],
    ['Björn Ólafsson', expect.any(Number)],
    ['Idle Person', 0],
  ])
  expect(report.figures.find(({ metric }) => metric === 'hours_assigned')?.value).toBe(24)
  const stated = rows.flatMap((row) => row['hours_on_duty'] || [])
  expect(stated.toSorted((a, b) => Number(b) - Number(a))).toEqual(['9.5', '0', '0'])
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

test('duty across the border of the period counts on both sides, cut by the days of the organization', async () => {
  const { caller, clock, björn } = await reportSeason(world)
  await caller.transaction((tx) =>
    sql`update org_settings set time_zone = 'Pacific/Auckland' where org_id = ${caller.orgId}`.execute(tx),
  )
  clock.set(new Date('2030-08-10T08:00:00Z'))
  // July is from noon of 30 June to noon of 31 July there
  await beOnDuty(caller, björn, { from: '2030-06-30T10:00Z', to: '2030-06-30T15:00Z' })
  await beOnDuty(caller, björn, { from: '2030-07-31T11:00Z', to: '2030-07-31T17:00Z' })
  expect(await hoursOnDuty(caller)).toEqual({ total: 4, before: 2, people: { [björn]: 4 } })
  expect(await hoursOnDuty(caller, { from: '2030-08-01', to: '2030-08-31' })).toMatchObject({ total: 5, before: 4 })
})

test('duty across midnight is whole in the period, and shared by the two days', async () => {
  const { caller, björn } = await reportSeason(world)
  await beOnDuty(caller, björn, { from: '2030-07-05T21:00Z', to: '2030-07-06T05:00Z' })
  expect(await hoursOnDuty(caller)).toEqual({ total: 8, before: 0, people: { [björn]: 8 } })
  expect(await hoursOnDuty(caller, { from: '2030-07-06', to: '2030-07-06' })).toMatchObject({ total: 5, before: 3 })
})

test('an open duty counts until now, and stands still in a break', async () => {
  const { caller, clock, björn } = await reportSeason(world)
  await beOnDuty(caller, björn, { from: '2030-07-20T05:00Z' })
  expect((await hoursOnDuty(caller)).people).toEqual({ [björn]: 3 })
  clock.set(new Date('2030-07-20T09:30:00Z'))
  expect((await hoursOnDuty(caller)).people).toEqual({ [björn]: 4.5 })
  await caller.transaction((tx) =>
    sql`update duty_sessions set break_started_at = app_now() where org_id = ${caller.orgId} and staff_id = ${björn}`.execute(
      tx,
    ),
  )
  clock.set(new Date('2030-07-20T11:00:00Z'))
  expect((await hoursOnDuty(caller)).people).toEqual({ [björn]: 4.5 })
})

test('a forgotten duty counts until the limit at which it was closed', async () => {
  const { caller, björn, ana } = await reportSeason(world)
  await beOnDuty(caller, björn, { from: '2030-07-18T06:00Z' })
  await beOnDuty(caller, ana, { from: '2030-07-20T06:00Z' })
  const closed = await caller.transaction((tx) => endForgottenDuty(tx, caller.orgId))
  expect(closed).toBe(1)
  expect(await hoursOnDuty(caller)).toEqual({ total: 16, before: 0, people: { [björn]: 14, [ana]: 2 } })
})

test('times that two duties of a person share count once, less the breaks of each', async () => {
  const { caller, björn, ana } = await reportSeason(world)
  await beOnDuty(caller, björn, { from: '2030-07-08T08:00Z', to: '2030-07-08T12:00Z' })
  await beOnDuty(caller, björn, {
    from: '2030-07-08T10:00Z',
    to: '2030-07-08T14:00Z',
    pause: ['2030-07-08T12:30Z', '2030-07-08T13:00Z'],
  })
  await beOnDuty(caller, ana, { from: '2030-07-08T08:00Z', to: '2030-07-08T10:00Z' })
  expect(await hoursOnDuty(caller)).toEqual({ total: 7.5, before: 0, people: { [björn]: 5.5, [ana]: 2 } })
})

test('people who only were on duty and have left since are in the report', async () => {
  const { caller } = await reportSeason(world)
  const left = newId()
  await caller.transaction((tx) =>
    sql`insert into field_staff (org_id, id, code, first_name, last_name) values (${caller.orgId}, ${left}, 'LEFT', 'Left', 'Since')`.execute(
      tx,
    ),
  )
  await beOnDuty(caller, left, { from: '2030-07-03T08:00Z', to: '2030-07-03T09:15Z' })
  await caller.transaction((tx) =>
    sql`update field_staff set archived_at = app_now() where org_id = ${caller.orgId} and id = ${left}`.execute(tx),
  )
  expect(await hoursOnDuty(caller)).toEqual({ total: 1.25, before: 0, people: { [left]: 1.25 } })
  const exported = await exportedRows(caller, 'staff-performance')
  expect(exported.find((row) => row['staff_code'] === 'LEFT')).toMatchObject({ hours_on_duty: '1.25' })
})

test('duty of another organization does not count, and guides see theirs alone', async () => {
  const { caller, clock, björn, ana } = await reportSeason(world)
  const foreign = await reportSeason(world)
  await beOnDuty(foreign.caller, foreign.björn, { from: '2030-07-02T08:00Z', to: '2030-07-02T18:00Z' })
  expect(await hoursOnDuty(caller)).toEqual({ total: 0, before: 0, people: {} })
  await beOnDuty(caller, björn, { from: '2030-07-02T08:00Z', to: '2030-07-02T11:00Z' })
  await beOnDuty(caller, ana, { from: '2030-07-02T08:00Z', to: '2030-07-02T13:00Z' })
  expect((await hoursOnDuty(caller)).total).toBe(8)
  const guide = await world.as('guide', { orgId: caller.orgId, staffId: björn, clock })
  expect(await hoursOnDuty(guide)).toEqual({ total: 3, before: 0, people: { [björn]: 3 } })
})

test('asked for a tour or a language, the report counts duty on its departures alone', async () => {
  const { caller, björn, tourId, ran } = await reportSeason(world)
  await caller.transaction((tx) =>
    sql`update departures set language = 'is' where org_id = ${caller.orgId} and id = ${ran[2]}`.execute(tx),
  )
  await beOnDuty(caller, björn, { from: '2030-07-02T08:00Z', to: '2030-07-02T10:00Z' })
  await beOnDuty(caller, björn, { from: '2030-07-09T08:00Z', to: '2030-07-09T11:00Z', departureId: ran[0] })
  await beOnDuty(caller, björn, { from: '2030-07-10T08:00Z', to: '2030-07-10T12:00Z', departureId: ran[2] })
  expect(await hoursOnDuty(caller)).toMatchObject({ total: 9 })
  expect(await hoursOnDuty(caller, { ...july, tourId: [tourId] })).toMatchObject({ total: 3 })
  expect(await hoursOnDuty(caller, { ...july, language: ['is'] })).toMatchObject({ total: 4 })
})
