import type { Callable, In, Out } from '@tour-ops/contract/callable'
import {
  acceptAssignment,
  createAssignment,
  listAssignments,
  offerAssignment,
  releaseAssignment,
  suggestStaff,
} from '@tour-ops/contract/field-staff/assignments'
import { createFieldStaff, listFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { staffPlanner } from '@tour-ops/contract/field-staff/staff-planner'
import { staffPerformance } from '@tour-ops/contract/reports/reports'
import { updateOwnPreferences } from '@tour-ops/contract/settings/settings'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { kilometers, travelHours } from '../../platform/operations/rest.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const call = <C extends Callable>(who: TestCaller, callable: C, input: In<C>): Promise<Out<C>> =>
  who.call(verbOf(callable), input)

const reykjavik = { lat: 64.1375, lng: -21.935 }
const lisbon = { lat: 38.7084, lng: -9.1368 }

/** A dispatcher's organization, on a Wednesday. */
const office = () => world.as('operations_manager', { clock: movableClock(new Date('2030-07-10T08:00:00Z')) })

async function place(who: TestCaller, name: string, { lat, lng }: { lat: number; lng: number }): Promise<string> {
  const id = newId()
  await who.transaction((tx) =>
    sql`insert into places (org_id, id, name, kind, lat, lng) values (${who.orgId}, ${id}, ${name}, 'depot', ${lat}, ${lng})`.execute(
      tx,
    ),
  )
  return id
}

/** A departure from and back to a place, Reykjavik unless given. Crew report and are released half an hour around it. */
async function departure(who: TestCaller, startsAt: string, endsAt: string, at = reykjavik): Promise<string> {
  const placeId = await place(who, 'Start', at)
  const [tourId, revisionId, id] = [newId(), newId(), newId()]
  const code = `T${id.slice(-6).toUpperCase()}`
  await who.transaction(async (tx) => {
    await sql`insert into tours (org_id, id, code, name, status) values (${who.orgId}, ${tourId}, ${code}, 'Test tour', 'draft')`.execute(
      tx,
    )
    await sql`insert into tour_revisions (org_id, id, tour_id, number, content) values (${who.orgId}, ${revisionId}, ${tourId}, 1, '{}')`.execute(
      tx,
    )
    await sql`insert into departures (org_id, id, code, tour_id, revision_id, status, starts_at, ends_at, time_zone, local_date, local_start_time, language, capacity)
      values (${who.orgId}, ${id}, ${code}, ${tourId}, ${revisionId}, 'scheduled', ${startsAt}, ${endsAt}, 'UTC', (${startsAt}::timestamptz)::date,
        (${startsAt}::timestamptz)::time, 'en', 10)`.execute(tx)
    await sql`insert into departure_stops (org_id, id, departure_id, stop_order, place_id, kind, planned_arrive_at, planned_depart_at)
      values (${who.orgId}, ${newId()}, ${id}, 1, ${placeId}, 'start', ${startsAt}, ${startsAt}),
        (${who.orgId}, ${newId()}, ${id}, 2, ${placeId}, 'end', ${endsAt}, ${endsAt})`.execute(tx)
  })
  return id
}

let people = 0
function person(who: TestCaller, change: Partial<In<typeof createFieldStaff>> = {}): Promise<string> {
  people += 1
  return call(who, createFieldStaff, {
    firstName: 'Person',
    lastName: `Number ${people}`,
    kinds: ['guide'],
    employment: 'employee',
    languages: [{ tag: 'en', level: 'C1' }],
    ...change,
  }).then(({ id }) => id)
}

const role = 'guide' as const

/** What the suggestion says of a person on a departure. */
async function said(who: TestCaller, departureId: string, staffId: string) {
  const { fits, notPossible } = await call(who, suggestStaff, { departureId, role })
  const fit = fits.find((one) => one.staffId === staffId)
  return {
    reasons: Object.fromEntries((fit?.reasons ?? []).map((reason) => [reason.reason, reason])),
    impossible: notPossible.find((one) => one.staffId === staffId),
  }
}

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
  const staffId = await person(ops, { homeBasePlaceId: await place(ops, 'Vík', vik) })
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
  const far = await person(ops, { homeBasePlaceId: await place(ops, 'Arco da Rua Augusta', lisbon) })
  const unknown = await person(ops)
  const near = await person(ops, { homeBasePlaceId: await place(ops, 'BSÍ', { lat: 64.14, lng: -21.9 }) })
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

test('a broken rule takes a reason, which stays with the assignment and in the audit log', async () => {
  const ops = await office()
  const staffId = await person(ops, { languages: [{ tag: 'is', level: 'C2' }] })
  const departureId = await departure(ops, '2030-07-11T08:00:00Z', '2030-07-11T16:00:00Z')
  const wanted = { departureId, staffId, role }
  const refused = { code: 'invalid-argument', details: { fieldErrors: { overrideReason: ['Give a reason.'] } } }
  await expect(call(ops, createAssignment, wanted)).rejects.toMatchObject(refused)
  const offered = { departureId, role, staffIds: [staffId], respondBy: '2030-07-10T12:00:00Z' }
  await expect(call(ops, offerAssignment, offered)).rejects.toMatchObject(refused)
  const overrideReason = 'All guests understand Icelandic'
  const { brokenRules } = await call(ops, createAssignment, { ...wanted, overrideReason })
  expect(brokenRules).toEqual(['language'])
  const { rows } = await call(ops, listAssignments, { filters: { staffId: [staffId] } })
  expect(rows).toMatchObject([{ brokenRules: ['language'], overrideReason }])
  const audit = await ops.transaction((tx) =>
    sql<{ reason: string; by: string }>`select diff->>'override_reason' as reason, actor_id as by from audit_entries
      where org_id = ${ops.orgId} and entity_type = 'assignments'`.execute(tx),
  )
  expect(audit.rows).toEqual([{ reason: overrideReason, by: ops.userId }])
})

test('a reason is stored only where a rule is broken, and the database asks for one there', async () => {
  const ops = await office()
  const staffId = await person(ops)
  const departureId = await departure(ops, '2030-07-11T08:00:00Z', '2030-07-11T16:00:00Z')
  await call(ops, createAssignment, { departureId, staffId, role, overrideReason: 'Not needed' })
  const { rows } = await call(ops, listAssignments, { filters: { staffId: [staffId] } })
  expect(rows).toMatchObject([{ brokenRules: [], overrideReason: null }])
  await expect(
    ops.transaction((tx) =>
      sql`update assignments set broken_rules = '{rest}' where org_id = ${ops.orgId} and staff_id = ${staffId}`.execute(
        tx,
      ),
    ),
  ).rejects.toThrow('assignments_override_has_reason')
})

/** What is answered to a direct assignment, and to an offer to the same person. */
async function refusedBoth(
  ops: TestCaller,
  departureId: string,
  staffId: string,
  wanted: typeof role | 'driver' = role,
) {
  const overrideReason = 'Because I say so'
  const respondBy = '2030-07-10T12:00:00Z'
  const answer = (asked: Promise<unknown>) =>
    asked.then(
      () => 'done',
      (error: unknown) => error,
    )
  const duty = { departureId, role: wanted, overrideReason }
  return [
    await answer(call(ops, createAssignment, { ...duty, staffId })),
    await answer(call(ops, offerAssignment, { ...duty, staffIds: [staffId], respondBy })),
  ]
}

test('no reason puts somebody on a duty whose licence has ended by then, neither at once, nor by an offer, nor by a yes', async () => {
  const ops = await office()
  const departureId = await departure(ops, '2030-07-12T08:00:00Z', '2030-07-12T16:00:00Z')
  const expired = {
    code: 'aborted',
    message: expect.stringMatching(/^The licence of Person Number \d+ has expired by then\./),
    details: { reason: 'licence_expired' },
  }
  const staffId = await person(ops, {
    certificates: [{ kind: 'national_guide_licence', validUntil: '2030-07-11' }],
  })
  for (const answer of await refusedBoth(ops, departureId, staffId)) expect(answer).toMatchObject(expired)
  const asked = await person(ops, { certificates: [{ kind: 'national_guide_licence', validUntil: '2030-12-31' }] })
  const offer = await offered(ops, departureId, asked)
  await ops.transaction((tx) =>
    sql`update staff_certificates set valid_until = '2030-07-11' where staff_id = ${asked}`.execute(tx),
  )
  const yes = { ...offer, overrideReason: 'Because I say so' }
  await expect(call(ops, acceptAssignment, yes)).rejects.toMatchObject(expired)
  await expect(call(await guideOf(ops, asked), acceptAssignment, offer)).rejects.toMatchObject(expired)
})

test('a licence counts for the work that needs it, by its newest: who drove once may guide, and a renewal holds', async () => {
  const ops = await office()
  const departureId = await departure(ops, '2030-07-12T08:00:00Z', '2030-07-12T16:00:00Z')
  const renewed = await person(ops, {
    certificates: [
      { kind: 'national_guide_licence', validUntil: '2028-07-11' },
      { kind: 'national_guide_licence', validUntil: '2032-07-11' },
    ],
  })
  expect(await said(ops, departureId, renewed)).toMatchObject({ impossible: undefined })
  expect((await said(ops, departureId, renewed)).reasons['certificate']).toBeUndefined()
  const driver = await person(ops, {
    kinds: ['driver_guide'],
    certificates: [{ kind: 'driving_D', validUntil: '2028-07-11' }],
  })
  const asDriver = await call(ops, suggestStaff, { departureId, role: 'driver' })
  expect(asDriver.notPossible).toMatchObject([{ staffId: driver, because: 'licence' }])
  for (const answer of await refusedBoth(ops, departureId, driver, 'driver'))
    expect(answer).toMatchObject({ details: { reason: 'licence_expired' } })
  const asGuide = await said(ops, departureId, driver)
  expect(asGuide.impossible).toBeUndefined()
  expect(asGuide.reasons['certificate']?.ok).toBe(false)
})

test('whose work a role is not takes a reason, and is not suggested for it', async () => {
  const ops = await office()
  const departureId = await departure(ops, '2030-07-12T08:00:00Z', '2030-07-12T16:00:00Z')
  const [guide, porter, skipper] = [
    await person(ops),
    await person(ops, { kinds: ['porter'] }),
    await person(ops, { kinds: ['skipper'] }),
  ]
  const suggested = async (wanted: In<typeof suggestStaff>['role']) =>
    (await call(ops, suggestStaff, { departureId, role: wanted })).fits.map(({ staffId }) => staffId)
  expect(await suggested('lead_guide')).toEqual([guide])
  expect(await suggested('driver')).toEqual([skipper])
  expect((await suggested('backup')).toSorted()).toEqual([guide, porter, skipper].toSorted())
  const asDriver = { departureId, staffId: guide, role: 'driver' as const }
  await expect(call(ops, createAssignment, asDriver)).rejects.toMatchObject({
    details: {
      fieldErrors: { overrideReason: ['Give a reason.'] },
      against: [{ staffId: guide, name: expect.stringMatching(/^Person/), reasons: [{ ok: false, reason: 'kind' }] }],
    },
  })
  const { brokenRules } = await call(ops, createAssignment, { ...asDriver, overrideReason: 'Has the licence' })
  expect(brokenRules).toEqual(['kind'])
})

test('the driver of a transfer leads it', async () => {
  const ops = await office()
  const departureId = await departure(ops, '2030-07-12T08:00:00Z', '2030-07-12T16:00:00Z')
  await ops.transaction((tx) =>
    sql`update tours set kind = 'transfer' where id = (select tour_id from departures where id = ${departureId})`.execute(
      tx,
    ),
  )
  const staffId = await person(ops, { kinds: ['driver'] })
  const { brokenRules } = await call(ops, createAssignment, { departureId, staffId, role: 'lead_guide' })
  expect(brokenRules).toEqual([])
})

test('somebody on leave or on another duty is not asked either; who cannot arrive by our estimate takes a reason that names it', async () => {
  const ops = await office()
  const departureId = await departure(ops, '2030-07-11T19:00:00Z', '2030-07-11T22:00:00Z')
  const [onLeave, busy, away] = [await person(ops), await person(ops), await person(ops)]
  await ops.transaction((tx) =>
    sql`insert into staff_calendar_entries (org_id, id, staff_id, during, kind, status)
      values (${ops.orgId}, ${newId()}, ${onLeave}, '[2030-07-11T00:00:00Z,2030-07-12T00:00:00Z)', 'time_off', 'approved')`.execute(
      tx,
    ),
  )
  const sameTime = await departure(ops, '2030-07-11T18:00:00Z', '2030-07-11T23:00:00Z')
  await call(ops, createAssignment, { departureId: sameTime, staffId: busy, role })
  for (const staffId of [onLeave, busy])
    for (const answer of await refusedBoth(ops, departureId, staffId))
      expect(answer).toMatchObject({ code: 'aborted', details: { reason: 'staff_busy' } })
  const inLisbon = await departure(ops, '2030-07-11T10:00:00Z', '2030-07-11T13:00:00Z', lisbon)
  await call(ops, createAssignment, { departureId: inLisbon, staffId: away, role })
  const wanted = { departureId, staffId: away, role }
  await expect(call(ops, createAssignment, wanted)).rejects.toMatchObject({
    details: {
      against: [{ reasons: [{ ok: false, reason: 'travel', code: expect.stringMatching(/^T[\dA-F]{6}$/) }] }],
    },
  })
  const overrideReason = 'Flies with the charter'
  expect((await call(ops, createAssignment, { ...wanted, overrideReason })).brokenRules).toEqual(['travel'])
})

const guideOf = (ops: TestCaller, staffId: string) =>
  world.as('guide', { orgId: ops.orgId, staffId, clock: movableClock(new Date('2030-07-10T08:00:00Z')) })

async function offered(ops: TestCaller, departureId: string, staffId: string, overrideReason: string | null = null) {
  const respondBy = '2030-07-11T12:00:00Z'
  const { ids } = await call(ops, offerAssignment, {
    departureId,
    role,
    staffIds: [staffId],
    respondBy,
    overrideReason,
  })
  return { id: ids[0] ?? '', version: 1 }
}

const assignmentsOf = async (ops: TestCaller, departureId: string) =>
  (await call(ops, listAssignments, { filters: { departureId: [departureId] } })).rows

test('an acceptance is checked again: a duty that came since the offer is named with its figures, and the office may decide', async () => {
  const ops = await office()
  const staffId = await person(ops)
  const guide = await guideOf(ops, staffId)
  const morning = await departure(ops, '2030-07-12T08:00:00Z', '2030-07-12T12:00:00Z')
  const offer = await offered(ops, morning, staffId)
  const evening = await departure(ops, '2030-07-11T18:00:00Z', '2030-07-11T22:00:00Z')
  await call(ops, createAssignment, { departureId: evening, staffId, role })
  const refused = {
    code: 'aborted',
    details: { reason: 'no_longer_fits', reasons: [{ ok: false, reason: 'rest', hours: 9, limitHours: 11 }] },
  }
  await expect(call(guide, acceptAssignment, offer)).rejects.toMatchObject(refused)
  // A reason that people give themselves is not a decision of the office.
  await expect(call(guide, acceptAssignment, { ...offer, overrideReason: 'I am fit' })).rejects.toMatchObject(refused)
  await expect(call(ops, acceptAssignment, offer)).rejects.toMatchObject(refused)
  await call(ops, acceptAssignment, { ...offer, overrideReason: 'Asked by phone' })
  expect(await assignmentsOf(ops, morning)).toMatchObject([
    { status: 'accepted', brokenRules: ['rest'], overrideReason: 'Asked by phone' },
  ])
})

test('what was overridden with the offer is not asked again, and is forgotten where it no longer holds', async () => {
  const ops = await office()
  const staffId = await person(ops)
  const guide = await guideOf(ops, staffId)
  const evening = await departure(ops, '2030-07-11T18:00:00Z', '2030-07-11T22:00:00Z')
  await call(ops, createAssignment, { departureId: evening, staffId, role })
  const morning = await departure(ops, '2030-07-12T08:00:00Z', '2030-07-12T12:00:00Z')
  const first = await offered(ops, morning, staffId, 'Nobody else')
  await call(guide, acceptAssignment, first)
  expect(await assignmentsOf(ops, morning)).toMatchObject([{ brokenRules: ['rest'], overrideReason: 'Nobody else' }])
  const late = await departure(ops, '2030-07-12T20:00:00Z', '2030-07-12T23:00:00Z')
  const second = await offered(ops, late, staffId, 'Nobody else')
  expect(await assignmentsOf(ops, late)).toMatchObject([{ brokenRules: ['rest'] }])
  await call(ops, releaseAssignment, { id: first.id, version: 2, reason: 'Ill' })
  await call(guide, acceptAssignment, second)
  expect(await assignmentsOf(ops, late)).toMatchObject([{ status: 'accepted', brokenRules: [], overrideReason: null }])
})

test('a certificate that ends between offer and yes, and a suspended person, are named', async () => {
  const ops = await office()
  const staffId = await person(ops, { certificates: [{ kind: 'first_aid', validUntil: '2030-12-31' }] })
  const guide = await guideOf(ops, staffId)
  const departureId = await departure(ops, '2030-07-12T08:00:00Z', '2030-07-12T12:00:00Z')
  const offer = await offered(ops, departureId, staffId)
  const since = (change: RawBuilder<unknown>) => ops.transaction((tx) => change.execute(tx))
  await since(sql`update staff_certificates set valid_until = '2030-07-11' where staff_id = ${staffId}`)
  await expect(call(guide, acceptAssignment, offer)).rejects.toMatchObject({
    details: { reason: 'no_longer_fits', reasons: [{ ok: false, reason: 'certificate' }] },
  })
  await since(sql`update field_staff set status = 'suspended' where id = ${staffId}`)
  await expect(call(guide, acceptAssignment, offer)).rejects.toMatchObject({ details: { reason: 'staff_not_active' } })
})

test('a person who gets an offer is addressed as Sie and usted', async () => {
  const ops = await office()
  const asked = async (language: 'de' | 'es') => {
    const staffId = await person(ops)
    const guide = await guideOf(ops, staffId)
    await call(guide, updateOwnPreferences, { settings: { events: {}, language } })
    await offered(ops, await departure(ops, '2030-07-12T08:00:00Z', '2030-07-12T12:00:00Z'), staffId)
    const { rows } = await guide.transaction((tx) =>
      sql<{ text: string }>`select (data->>'title') || ' ' || (data->>'body') as text from documents
        where path like ${`users/${guide.userId}/inbox/%`}`.execute(tx),
    )
    return rows[0]?.text
  }
  expect(await asked('de')).toMatch(/^Einsatzangebot: .* Bitte antworten Sie bis 11\.07\.2030/)
  expect(await asked('es')).toMatch(/^Oferta de asignación: .* Responda antes del 11 jul 2030/)
})
