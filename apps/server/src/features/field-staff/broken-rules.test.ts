import type { In } from '@tour-ops/contract/callable'
import {
  acceptAssignment,
  createAssignment,
  listAssignments,
  offerAssignment,
  releaseAssignment,
  suggestStaff,
} from '@tour-ops/contract/field-staff/assignments'
import { updateOwnPreferences } from '@tour-ops/contract/settings/settings'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import {
  call,
  departure,
  lisbon,
  person,
  planningClock,
  planningOffice,
  role,
  said,
} from '../../../testing/crew-planning.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const office = () => planningOffice(world)

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
  world.as('guide', { orgId: ops.orgId, staffId, clock: planningClock })

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
