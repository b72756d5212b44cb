import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { sql } from 'kysely'
import {
  suggestStaff,
  acceptAssignment,
  createAssignment,
  offerAssignment,
  listAssignments,
} from '@tour-ops/contract/field-staff/assignments'
import {
  createFieldStaff,
  getFieldStaff,
  listFieldStaff,
  setFieldStaffStatus,
  updateFieldStaff,
  exportFieldStaff,
} from '@tour-ops/contract/field-staff/field-staff'
import { staffPlanner, addLeave } from '@tour-ops/contract/field-staff/staff-planner'
import type { Callable, In, Out } from '@tour-ops/contract/callable'
import type { Verb } from '../../platform/verb.ts'
import { fieldStaffVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

/** Calls by callable, the way a screen does. */
function call<C extends Callable>(who: TestCaller, callable: C, input: In<C>): Promise<Out<C>> {
  const target = fieldStaffVerbs.find((one) => one.callable.name === callable.name)
  if (!target) throw new Error(`No verb for ${callable.name}`)
  return who.call(target as unknown as Verb<C>, input)
}

const bjorn = {
  firstName: 'Björn',
  lastName: 'Ólafsson',
  kinds: ['driver_guide' as const],
  employment: 'employee' as const,
  phone: '+44 7700 900118',
  languages: [{ tag: 'en', level: 'C1' as const }],
}

/** A departure tomorrow at 09:00 UTC for eight hours, later by this many hours. */
async function departure(who: TestCaller, laterHours = 0): Promise<string> {
  return who.transaction(async (tx) => {
    const [tourId, revisionId, id] = [newId(), newId(), newId()]
    const code = `T${id.slice(-6).toUpperCase()}`
    await sql`insert into tours (org_id, id, code, name, status, required_roles) values (${who.orgId}, ${tourId}, ${code}, 'Test tour', 'draft', '["lead_guide"]')`.execute(
      tx,
    )
    await sql`insert into tour_revisions (org_id, id, tour_id, number, content) values (${who.orgId}, ${revisionId}, ${tourId}, 1, '{}')`.execute(
      tx,
    )
    const start = sql`date_trunc('day', now()) + interval '1 day 9 hours' + make_interval(hours => ${laterHours})`
    await sql`insert into departures (org_id, id, code, tour_id, revision_id, status, starts_at, ends_at, time_zone, local_date, local_start_time, language, capacity)
      values (${who.orgId}, ${id}, ${code}, ${tourId}, ${revisionId}, 'scheduled', ${start}, ${start} + interval '8 hours', 'UTC', (${start})::date, '09:00', 'en', 10)`.execute(
      tx,
    )
    return id
  })
}

test('a person is added with a code made from the name, found without accents, and changed', async () => {
  const ops = await world.as('operations_manager')
  const { id, version } = await call(ops, createFieldStaff, {
    ...bjorn,
    certificates: [{ kind: 'first_aid', validUntil: '2020-01-01' }],
  })
  const { rows, total } = await call(ops, listFieldStaff, { q: 'bjorn olaf' })
  expect(total).toBe(1)
  expect(rows[0]).toMatchObject({
    id,
    code: 'BJO',
    name: 'Björn Ólafsson',
    phone: '+447700900118',
    certificates: 'expired',
    dutyState: 'off_duty',
  })
  const saved = await call(ops, updateFieldStaff, { id, version, ...bjorn, lastName: 'Ólafsson Holm' })
  expect((await call(ops, getFieldStaff, { id })).lastName).toBe('Ólafsson Holm')
  await expect(call(ops, updateFieldStaff, { id, version, ...bjorn })).rejects.toMatchObject({
    code: 'aborted',
    details: { reason: 'version_conflict', current: saved.version },
  })
})

test('a second Björn gets a code of his own', async () => {
  const ops = await world.as('operations_manager')
  await call(ops, createFieldStaff, bjorn)
  await call(ops, createFieldStaff, bjorn)
  const { csv } = await call(ops, exportFieldStaff, { columns: ['code'] })
  expect(csv).toBe('\uFEFFcode\r\nBJO\r\nBJO2\r\n')
})

test('people of the same letters, created at once, get codes of their own', async () => {
  const ops = await world.as('operations_manager')
  await Promise.all(Array.from({ length: 6 }, () => call(ops, createFieldStaff, bjorn)))
  const { rows } = await call(ops, listFieldStaff, {})
  expect(new Set(rows.map(({ code }) => code))).toEqual(new Set(['BJO', 'BJO2', 'BJO3', 'BJO4', 'BJO5', 'BJO6']))
})

test('a viewer sees the roster without phones and may not add', async () => {
  const ops = await world.as('operations_manager')
  await call(ops, createFieldStaff, bjorn)
  const viewer = await world.as('viewer', { orgId: ops.orgId })
  expect((await call(viewer, listFieldStaff, {})).rows[0]?.phone).toBeNull()
  await expect(call(viewer, createFieldStaff, bjorn)).rejects.toMatchObject({ code: 'permission-denied' })
})

test('a guide sees only themselves', async () => {
  const ops = await world.as('operations_manager')
  const own = await call(ops, createFieldStaff, bjorn)
  const other = await call(ops, createFieldStaff, { ...bjorn, firstName: 'Freja', lastName: 'Holm' })
  const guide = await world.as('guide', { orgId: ops.orgId, staffId: own.id })
  expect((await call(guide, listFieldStaff, {})).rows.map((row) => row.id)).toEqual([own.id])
  await expect(call(guide, getFieldStaff, { id: other.id })).rejects.toMatchObject({ code: 'not-found' })
})

test('one organization never sees the people of another', async () => {
  const ops = await world.as('operations_manager')
  const { id } = await call(ops, createFieldStaff, bjorn)
  const foreign = await world.as('admin')
  expect(await call(foreign, listFieldStaff, {})).toEqual({ rows: [], total: 0 })
  await expect(call(foreign, getFieldStaff, { id })).rejects.toMatchObject({ code: 'not-found' })
})

test('spans that end before they begin are refused at their field', async () => {
  const ops = await world.as('operations_manager')
  const { id: staffId } = await call(ops, createFieldStaff, bjorn)
  const departureId = await departure(ops)
  const work = { departureId, staffId, role: 'guide' } as const
  await expect(call(ops, createAssignment, { ...work, releaseAt: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
    details: { fieldErrors: { releaseAt: {} } },
  })
  await expect(call(ops, createAssignment, { ...work, reportAt: '2199-01-01T00:00:00Z' })).rejects.toMatchObject({
    details: { fieldErrors: { reportAt: {} } },
  })
  await expect(
    call(ops, listFieldStaff, { filters: { availableFrom: '2031-06-03', availableTo: '2031-06-01' } }),
  ).rejects.toMatchObject({ details: { fieldErrors: { 'filters.availableTo': {} } } })
})

test('a person on one departure is refused for another at the same time, which is named', async () => {
  const ops = await world.as('operations_manager')
  const { id: staffId } = await call(ops, createFieldStaff, bjorn)
  const [first, second] = [await departure(ops), await departure(ops, 2)]
  expect((await call(ops, createAssignment, { departureId: first, staffId, role: 'lead_guide' })).brokenRules).toEqual(
    [],
  )
  await expect(call(ops, createAssignment, { departureId: second, staffId, role: 'lead_guide' })).rejects.toMatchObject(
    {
      code: 'aborted',
      details: { reason: 'staff_busy', departureId: first },
    },
  )
  const planner = await call(ops, staffPlanner, {
    from: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    days: 2,
  })
  expect(planner.people[0]).toMatchObject({ name: 'Björn Ólafsson', hours: 9 })
  expect(planner.blocks[0]).toMatchObject({
    staffId,
    blocking: true,
    assignment: { departureId: first, status: 'accepted' },
  })
  expect(planner.open.map((role) => role.departureId)).toEqual([second])
  const { fits, notPossible } = await call(ops, suggestStaff, { departureId: second, role: 'lead_guide' })
  expect(fits).toEqual([])
  expect(notPossible[0]).toMatchObject({ staffId, because: 'busy' })
})

test('the first acceptance wins and the other offer is withdrawn', async () => {
  const ops = await world.as('operations_manager')
  const a = await call(ops, createFieldStaff, bjorn)
  const b = await call(ops, createFieldStaff, { ...bjorn, firstName: 'Freja', lastName: 'Holm' })
  const departureId = await departure(ops)
  const respondBy = new Date(Date.now() + 3_600_000).toISOString()
  const { ids } = await call(ops, offerAssignment, {
    departureId,
    role: 'lead_guide',
    staffIds: [a.id, b.id],
    respondBy,
  })
  const guide = await world.as('guide', { orgId: ops.orgId, staffId: a.id })
  await call(guide, acceptAssignment, { id: ids[0] ?? '', version: 1 })
  await expect(call(guide, acceptAssignment, { id: ids[1] ?? '', version: 2 })).rejects.toMatchObject({
    code: 'not-found',
  })
  const { rows } = await call(ops, listAssignments, { filters: { departureId: [departureId] } })
  expect(Object.fromEntries(rows.map((row) => [row.staffName, row.status]))).toEqual({
    'Björn Ólafsson': 'accepted',
    'Freja Holm': 'withdrawn',
  })
})

test('leave and deactivation never take somebody off a departure; they name what blocks it', async () => {
  const ops = await world.as('operations_manager')
  const { id: staffId, version } = await call(ops, createFieldStaff, bjorn)
  const departureId = await departure(ops)
  await call(ops, createAssignment, { departureId, staffId, role: 'lead_guide' })
  const leave = {
    staffId,
    kind: 'time_off' as const,
    startsAt: new Date().toISOString(),
    endsAt: new Date(Date.now() + 3 * 86_400_000).toISOString(),
  }
  await expect(call(ops, addLeave, leave)).rejects.toMatchObject({ details: { reason: 'staff_busy', departureId } })
  await expect(call(ops, setFieldStaffStatus, { id: staffId, version, to: 'inactive' })).rejects.toMatchObject({
    message: 'Still on 1 departure. Give it to somebody else first.',
    details: { reason: 'still_assigned', departures: [{ id: departureId }] },
  })
})
