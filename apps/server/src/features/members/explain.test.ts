import type { Permission } from '@tour-ops/contract/identity/access'
import {
  explainAccess,
  inviteMembers,
  linkMemberStaff,
  removeMember,
  setMemberRole,
} from '@tour-ops/contract/members/members'
import { getSession } from '@tour-ops/contract/identity/session'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { judge } from './explain-service.ts'
import { membersWorld, type MembersWorld, type Person, rowOf } from '../../../testing/members.ts'

let world: TestWorld
let people: MembersWorld

beforeAll(async () => {
  world = await testDatabase()
  people = membersWorld(world)
})
afterAll(() => world.close())

test('why somebody may do something is answered with the role and who gave it', async () => {
  const [admin, viewer] = await people.two('admin', 'viewer')
  const { version } = await rowOf(admin, viewer.userId)
  await admin.call(setMemberRole, { userId: viewer.userId, version, role: 'dispatcher' })
  const ask = (permission: Permission) => admin.call(explainAccess, { userId: viewer.userId, permission })
  expect(await ask('bookings:manage')).toMatchObject({
    answer: 'yes',
    reason: 'role_grants',
    scope: 'all',
    member: { role: 'dispatcher' },
    roleGiven: { by: 'Person admin' },
  })
  expect(await ask('audit:read')).toMatchObject({ answer: 'no', reason: 'role_lacks', scope: null })
  expect(await ask('travelers_sensitive:read')).toMatchObject({ answer: 'depends', reason: 'choose_departure' })
  await expect(
    admin.callWrongly(explainAccess, { userId: viewer.userId, permission: 'nothing:real' }),
  ).rejects.toMatchObject({ code: 'invalid-argument' })
})

test('for a member who joined by an invitation, the person who invited them gave the role; without one nobody is named', async () => {
  const [admin, viewer] = await people.two('admin', 'viewer')
  const guest = await people.site.person('Invited Viewer')
  const { invited } = await admin.call(inviteMembers, { emails: [guest.email], role: 'viewer' })
  await guest.browser.post('/api/auth/organization/accept-invitation', { invitationId: invited[0]?.id })
  const given = async (userId: string) =>
    (await admin.call(explainAccess, { userId, permission: 'tours:read' })).roleGiven
  expect(await given(guest.userId)).toMatchObject({ by: 'Person admin' })
  await world.rows('delete from invitations where org_id = $1', [admin.orgId])
  expect(await given(guest.userId)).toMatchObject({ by: null })
  expect(await given(admin.userId)).not.toMatchObject({ by: 'Person admin' })
  expect(await given(viewer.userId)).not.toMatchObject({ by: 'Person viewer' })
})

test('a second factor that is required and missing is the reason, for those who may know who has one', async () => {
  const [admin, viewer] = await people.two('admin', 'viewer')
  const ask = async (who: Person) =>
    (await who.call(explainAccess, { userId: viewer.userId, permission: 'tours:read' })).reason
  const demandFactor = (from: string) =>
    world.rows(`update org_settings set second_factor_roles = '{viewer}', second_factor_from = $2 where org_id = $1`, [
      admin.orgId,
      from,
    ])
  await demandFactor('2100-01-01')
  expect(await ask(admin)).toBe('role_grants')
  await demandFactor('2026-01-01')
  expect(await ask(admin)).toBe('second_factor_missing')
  const { version } = await rowOf(admin, viewer.userId)
  await admin.call(setMemberRole, { userId: viewer.userId, version, role: 'dispatcher' })
  expect(await ask(admin)).toBe('role_grants')
})

test('access that depends on time or on the own departure is judged by them', () => {
  const departure = {
    startsAt: new Date('2026-11-21T21:00Z'),
    endsAt: new Date('2026-11-22T01:30Z'),
    isOut: false,
    isOwn: false,
  }
  const dispatcher = { role: 'dispatcher', status: 'active', staffId: null, lacksFactor: false } as const
  const at = (now: string) => judge(dispatcher, 'travelers_sensitive:read', 'all', departure, new Date(now))
  expect(at('2026-11-21T13:52Z')).toEqual({
    answer: 'for_now',
    reason: 'near_tour',
    window: { from: '2026-11-19T21:00:00.000Z', until: '2026-11-22T01:30:00.000Z' },
  })
  expect(at('2026-11-25T00:00Z')).toMatchObject({ answer: 'no', reason: 'not_near_tour' })
  const late = { ...departure, isOut: true }
  expect(judge(dispatcher, 'travelers_sensitive:read', 'all', late, new Date('2026-11-25T00:00Z')).answer).toBe(
    'for_now',
  )
  const guide = { role: 'guide', status: 'active', staffId: 's', lacksFactor: false } as const
  const now = new Date('2026-11-21T13:52Z')
  expect(judge(guide, 'departures:read', 'own', departure, now).reason).toBe('other_departure')
  expect(judge(guide, 'departures:read', 'own', { ...departure, isOwn: true }, now).answer).toBe('yes')
  expect(judge({ ...guide, staffId: null }, 'departures:read', 'own', departure, now).reason).toBe('no_staff_record')
  expect(judge({ ...guide, status: 'suspended' }, 'departures:read', 'own', departure, now).reason).toBe('suspended')
  const without = judge({ ...guide, lacksFactor: true }, 'departures:read', 'own', { ...departure, isOwn: true }, now)
  expect(without).toMatchObject({ answer: 'no', reason: 'second_factor_missing' })
})

test('the session tells user, organization, permissions and own staff record, and nothing of an organization that is over', async () => {
  const [admin, guide] = await people.two('admin', 'guide')
  const staffId = await people.staffOf(admin)
  const { version } = await rowOf(admin, guide.userId)
  await admin.call(linkMemberStaff, { userId: guide.userId, version, staffId })
  const session = await guide.call(getSession, {})
  expect(session).toMatchObject({
    user: { id: guide.userId, firstName: 'Person', lastName: 'guide', fullName: 'Person guide', email: guide.email },
    organization: { id: guide.orgId, role: 'guide', memberCount: 2 },
    staffId,
    settings: { units: 'metric', onTimeToleranceMin: 5, atRiskMin: 45 },
  })
  expect(session.permissions).toContain('checkin:write')
  const office = await world.as('admin', { orgId: guide.orgId })
  await office.transaction((tx) =>
    sql`update org_settings set on_time_tolerance_minutes = 8, tour_rules = '{"atRiskMin": 20}' where org_id = ${guide.orgId}`.execute(
      tx,
    ),
  )
  expect((await guide.call(getSession, {})).settings).toMatchObject({ onTimeToleranceMin: 8, atRiskMin: 20 })
  await admin.call(removeMember, { userId: guide.userId, version: (await rowOf(admin, guide.userId)).version })
  expect(await guide.call(getSession, {})).toMatchObject({ organization: null, permissions: [], staffId: null })
})
