import { createAssignment, suggestStaff } from '@tour-ops/contract/field-staff/assignments'
import { listFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { staffPlanner } from '@tour-ops/contract/field-staff/staff-planner'
import { staffPerformance } from '@tour-ops/contract/reports/reports'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { kilometers, travelHours } from '../../platform/operations/rest.ts'
import {
  call,
  departure,
  lisbon,
  person,
  placeAt,
  planningOffice,
  reykjavik,
  role,
  said,
} from '../../../testing/crew-planning.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const office = () => planningOffice(world)

test('rest counts to the duty after and from the duty before, report and release included', async () => {
  const ops = await office()
  const staffId = await person(ops)
  const evening = await departure(ops, '2030-07-11T20:30:00Z', '2030-07-12T02:00:00Z')
  await call(ops, createAssignment, { departureId: evening, staffId, role })
  const sameDay = await departure(ops, '2030-07-11T08:00:00Z', '2030-07-11T18:30:00Z')
  expect((await said(ops, sameDay, staffId)).reasons['rest']).toMatchObject({ ok: false, hours: 1, limitHours: 11 })
  // From the release at 02:30 to the report at 12:30 are ten hours, though eleven are between the departures.
  const nextDay = await departure(ops, '2030-07-12T13:00:00Z', '2030-07-12T17:00:00Z')
  expect((await said(ops, nextDay, staffId)).reasons['rest']).toMatchObject({ ok: false, hours: 10 })
  const rested = await departure(ops, '2030-07-12T14:00:00Z', '2030-07-12T17:00:00Z')
  expect((await said(ops, rested, staffId)).reasons['rest']).toEqual({ ok: true, reason: 'rest' })
})

test('leave right before a duty is rest', async () => {
  const ops = await office()
  const staffId = await person(ops)
  await ops.transaction((tx) =>
    sql`insert into staff_calendar_entries (org_id, id, staff_id, during, kind, status)
      values (${ops.orgId}, ${newId()}, ${staffId}, '[2030-07-10T00:00:00Z,2030-07-11T07:00:00Z)', 'time_off', 'approved')`.execute(
      tx,
    ),
  )
  const departureId = await departure(ops, '2030-07-11T08:00:00Z', '2030-07-11T16:00:00Z')
  expect((await said(ops, departureId, staffId)).reasons['rest']?.ok).toBe(true)
})

test('the way from the place of the duty before counts, and nobody is suggested who cannot arrive', async () => {
  const ops = await office()
  const staffId = await person(ops)
  const inLisbon = await departure(ops, '2030-07-11T10:00:00Z', '2030-07-11T13:00:00Z', lisbon)
  await call(ops, createAssignment, { departureId: inLisbon, staffId, role })
  const soon = await departure(ops, '2030-07-11T19:00:00Z', '2030-07-11T22:00:00Z')
  expect((await said(ops, soon, staffId)).impossible).toMatchObject({ because: 'travel' })
  // Released at 13:30 and reporting at 04:30: fifteen hours, of which the flight takes eight.
  const nextDay = await departure(ops, '2030-07-12T05:00:00Z', '2030-07-12T09:00:00Z')
  const { rest } = (await said(ops, nextDay, staffId)).reasons
  expect(rest).toMatchObject({ ok: false, hours: expect.closeTo(15 - travelHours(lisbon, reykjavik, null), 5) })
  expect(
    (await said(ops, await departure(ops, '2030-07-12T05:00:00Z', '2030-07-12T09:00:00Z', lisbon), staffId)).reasons[
      'rest'
    ]?.ok,
  ).toBe(true)
})

test('the way by road counts where the router has given it, in its direction, and a flight where that is sooner', async () => {
  const ops = await office()
  const vik = { lat: 63.4194, lng: -19.006 }
  const store = (from: typeof vik, to: typeof vik, hours: number) =>
    ops.transaction((tx) =>
      sql`insert into road_ways (org_id, mode, from_lat, from_lng, to_lat, to_lng, seconds, meters)
        values (${ops.orgId}, 'drive', ${from.lat}, ${from.lng}, ${to.lat}, ${to.lng}, ${hours * 3600}, 187000)
        on conflict (org_id, mode, from_lat, from_lng, to_lat, to_lng) do update set seconds = excluded.seconds`.execute(
        tx,
      ),
    )
  const staffId = await person(ops, { homeBasePlaceId: await placeAt(ops, 'Vík', vik) })
  const inVik = await departure(ops, '2030-07-11T10:00:00Z', '2030-07-11T16:30:00Z', vik)
  await call(ops, createAssignment, { departureId: inVik, staffId, role })
  // from the release at 17:00 to the report at 04:30
  const next = await departure(ops, '2030-07-12T05:00:00Z', '2030-07-12T09:00:00Z')
  const straight = (await said(ops, next, staffId)).reasons
  expect(straight['rest']).toMatchObject({ hours: expect.closeTo(11.5 - travelHours(vik, reykjavik, null), 5) })
  await store(vik, reykjavik, 2.5)
  // the other way takes longer
  await store(reykjavik, vik, 3)
  const byRoad = (await said(ops, next, staffId)).reasons
  expect(byRoad['rest']).toMatchObject({ ok: false, hours: 9 })
  expect(byRoad['base']).toMatchObject({ hours: 2.5 })
  // and to the duty after: released at 07:30, reporting in Vík at 09:30
  const before = await departure(ops, '2030-07-11T02:00:00Z', '2030-07-11T05:00:00Z')
  expect((await said(ops, before, staffId)).reasons['rest']).toMatchObject({ ok: false, hours: 1 })
  await store(vik, reykjavik, 9)
  const flight = travelHours(vik, reykjavik, 9 * 3600)
  expect(flight).toBeCloseTo(4 + kilometers(vik, reykjavik) / 700, 5)
  expect((await said(ops, next, staffId)).reasons['base']).toMatchObject({ hours: expect.closeTo(flight, 5) })
})

test('people who live near come before people who live far away, who are not offered as if near', async () => {
  const ops = await office()
  const far = await person(ops, { homeBasePlaceId: await placeAt(ops, 'Arco da Rua Augusta', lisbon) })
  const unknown = await person(ops)
  const near = await person(ops, { homeBasePlaceId: await placeAt(ops, 'BSÍ', { lat: 64.14, lng: -21.9 }) })
  const departureId = await departure(ops, '2030-07-11T08:00:00Z', '2030-07-11T16:00:00Z')
  const { fits } = await call(ops, suggestStaff, { departureId, role })
  expect(fits.map((fit) => fit.staffId)).toEqual([near, unknown, far])
  expect(fits[2]?.reasons).toContainEqual({
    ok: false,
    reason: 'base',
    place: 'Arco da Rua Augusta',
    distanceKm: Math.round(kilometers(lisbon, reykjavik)),
    hours: expect.closeTo(8.2, 0),
  })
})

test('hours are the same figure in suggestion, planner, roster and report', async () => {
  const ops = await office()
  const staffId = await person(ops, { contractedHoursPerWeek: 30 })
  // A day, a standby that is no work, an evening over midnight, and a journey of three days: 9 + 6.5 + 3 × 10 hours.
  await call(ops, createAssignment, {
    departureId: await departure(ops, '2030-07-08T09:00:00Z', '2030-07-08T17:00:00Z'),
    staffId,
    role,
  })
  await call(ops, createAssignment, {
    departureId: await departure(ops, '2030-07-09T12:00:00Z', '2030-07-09T13:00:00Z'),
    staffId,
    role: 'backup',
  })
  await call(ops, createAssignment, {
    departureId: await departure(ops, '2030-07-10T20:30:00Z', '2030-07-11T02:00:00Z'),
    staffId,
    role,
  })
  const journey = await departure(ops, '2030-07-12T07:00:00Z', '2030-07-14T17:00:00Z')
  await call(ops, createAssignment, { departureId: journey, staffId, role, overrideReason: 'Asked for it' })
  const hours = 9 + 6.5 + 30
  const roster = await call(ops, listFieldStaff, {})
  expect(roster.rows[0]?.hoursThisWeek).toBe(hours)
  const planner = await call(ops, staffPlanner, { from: '2030-07-08', days: 7 })
  expect(planner.people[0]?.hours).toBe(hours)
  const report = await call(ops, staffPerformance, { from: '2030-07-08', to: '2030-07-14' })
  expect(report.figures.find(({ metric }) => metric === 'hours_assigned')?.value).toBe(hours)
  const more = await departure(ops, '2030-07-09T09:00:00Z', '2030-07-09T11:00:00Z')
  expect((await said(ops, more, staffId)).reasons['hours']).toEqual({
    ok: false,
    reason: 'hours',
    hours,
    addedHours: 3,
    limitHours: 30,
  })
})
