import {
  explainAccess,
  exportMembers,
  inviteMembers,
  linkMemberStaff,
  reactivateMember,
  removeMember,
  setMemberRole,
  suspendMember,
} from '@tour-ops/contract/members/members'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { list, membersWorld, type MembersWorld, rowOf, type Person } from '../../../testing/members.ts'

let world: TestWorld
let people: MembersWorld

beforeAll(async () => {
  world = await testDatabase()
  people = membersWorld(world)
})
afterAll(() => world.close())

test('members and invitations are in one table that is filtered, searched, sorted and paged', async () => {
  const [admin, guide] = await people.two('admin', 'guide')
  await admin.call(inviteMembers, { emails: ['new.face@example.org'], role: 'viewer' })
  const everyone = await list(admin, { sort: [{ by: 'role' }] })
  expect(everyone.total).toBe(3)
  expect(everyone.rows.map((row) => [row.kind, row.role])).toEqual([
    ['member', 'admin'],
    ['member', 'guide'],
    ['invitation', 'viewer'],
  ])
  expect(everyone.rows.find((row) => row.id === admin.userId)?.isSelf).toBe(true)
  expect(everyone.figures).toMatchObject({ active: 2, pending: 1, admins: 1, suspended: 0 })
  expect((await list(admin, { filters: { role: ['guide'] } })).rows.map((row) => row.id)).toEqual([guide.userId])
  expect((await list(admin, { filters: { kind: ['invitation'] } })).rows[0]).toMatchObject({ status: 'pending' })
  expect((await list(admin, { q: 'NEW.fáce' })).total).toBe(1)
  expect((await list(admin, { size: 1, page: 2 })).rows).toHaveLength(1)
  expect((await list(admin, { filters: { away: true } })).total).toBe(0)
})

test('the table is exported as filtered, with the columns asked for', async () => {
  const [admin] = await people.two('admin', 'guide')
  const file = await admin.call(exportMembers, {
    filters: { role: ['guide'] },
    columns: ['name', 'role'],
  })
  expect(file).toMatchObject({ rows: 1, csv: '\uFEFFname,role\r\nPerson guide,guide\r\n' })
})

test('who may not read members gets no list, and nobody sees another organization', async () => {
  const [, guide] = await people.two('admin', 'guide')
  await expect(list(guide)).rejects.toMatchObject({ code: 'permission-denied' })
  const [other] = await people.two('admin', 'viewer')
  expect((await list(other)).rows.map((row) => row.id)).not.toContain(guide.userId)
  await expect(other.call(explainAccess, { userId: guide.userId, permission: 'tours:read' })).rejects.toMatchObject({
    code: 'not-found',
  })
})

test('a changed role counts on the next call', async () => {
  const [admin, dispatcher] = await people.two('admin', 'dispatcher')
  await expect(list(dispatcher)).resolves.toBeTruthy()
  const { version } = await rowOf(admin, dispatcher.userId)
  const answer = await admin.call(setMemberRole, {
    userId: dispatcher.userId,
    version,
    role: 'guide',
  })
  expect(answer.version).toBe(version + 1)
  await expect(list(dispatcher)).rejects.toMatchObject({
    code: 'permission-denied',
    details: { reason: 'missing_permission' },
  })
  expect(await world.rows('select role from identity.member where "userId" = $1', [dispatcher.userId])).toEqual([
    { role: 'guide' },
  ])
  const stale = admin.call(setMemberRole, { userId: dispatcher.userId, version, role: 'viewer' })
  await expect(stale).rejects.toMatchObject({
    code: 'aborted',
    details: { reason: 'version_conflict', current: version + 1 },
  })
  const audit = await world.rows(
    `select action, actor_id, diff from audit_entries where org_id = $1 and entity_type = 'members' and op = 'update'`,
    [admin.orgId],
  )
  expect(audit).toEqual([
    { action: 'members-set-role', actor_id: admin.userId, diff: { role: ['dispatcher', 'guide'] } },
  ])
})

test('the organization keeps an administrator, also when two give it up at once', async () => {
  const [first, second] = await people.two('admin', 'admin')
  const demote = (by: Person, whom: Person, version: number) =>
    by.call(setMemberRole, { userId: whom.userId, version, role: 'viewer' })
  const versions = [(await rowOf(first, first.userId)).version, (await rowOf(first, second.userId)).version] as const
  const results = await Promise.allSettled([demote(first, second, versions[1]), demote(second, first, versions[0])])
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  const admins = await world.rows<{ user_id: string }>(
    `select user_id from members where org_id = $1 and role = 'admin'`,
    [first.orgId],
  )
  expect(admins).toHaveLength(1)
  const last = admins[0]?.user_id === first.userId ? first : second
  const { version } = await rowOf(last, last.userId)
  await expect(demote(last, last, version)).rejects.toMatchObject({
    code: 'aborted',
    message: expect.stringMatching(/administrator/),
  })
})

test('a suspended member is locked out until reactivated, a removed one for good, and each is reported to the streams', async () => {
  const [admin, member] = await people.two('admin', 'dispatcher')
  const told: string[] = []
  const stop = await world.database.listen('membership', (payload) => told.push(payload))
  const { version } = await rowOf(admin, member.userId)
  await expect(admin.call(suspendMember, { userId: admin.userId, version: 1 })).rejects.toMatchObject({
    details: { reason: 'self_suspend' },
  })
  await admin.call(suspendMember, { userId: member.userId, version })
  await expect(list(member)).rejects.toMatchObject({ details: { reason: 'not_a_member' } })
  expect((await list(admin)).figures).toMatchObject({ active: 1, suspended: 1 })
  await admin.call(reactivateMember, { userId: member.userId, version: version + 1 })
  await expect(list(member)).resolves.toBeTruthy()
  await admin.call(removeMember, { userId: member.userId, version: version + 2 })
  await expect(list(member)).rejects.toMatchObject({ details: { reason: 'not_a_member' } })
  await expect(rowOf(admin, member.userId)).rejects.toThrow(/No row/)
  expect(await world.rows('select status from members where user_id = $1', [member.userId])).toEqual([
    { status: 'removed' },
  ])
  await expect
    .poll(() => told.map((payload) => (JSON.parse(payload || '{}') as { status?: string }).status))
    .toEqual(['suspended', 'active', 'removed'])
  await stop()
})

test('managing members is refused without the permission and for people of another organization', async () => {
  const [admin, viewer] = await people.two('admin', 'viewer')
  const [stranger] = await people.two('admin', 'viewer')
  for (const callable of [suspendMember, reactivateMember, removeMember]) {
    const input = { userId: viewer.userId, version: 1 }
    await expect(viewer.call(callable, input)).rejects.toMatchObject({ code: 'permission-denied' })
    await expect(stranger.call(callable, input)).rejects.toMatchObject({ code: 'not-found' })
    await expect(admin.callWrongly(callable, { userId: viewer.userId })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
  }
  const role = { userId: viewer.userId, version: 1, role: 'admin' as const }
  await expect(viewer.call(setMemberRole, role)).rejects.toMatchObject({ code: 'permission-denied' })
  await expect(stranger.call(setMemberRole, role)).rejects.toMatchObject({ code: 'not-found' })
})

test('a member is linked with a field-staff record of the own organization, one at a time', async () => {
  const [admin, guide] = await people.two('admin', 'guide')
  const [stranger] = await people.two('admin', 'viewer')
  const staffId = await people.staffOf(admin)
  const foreign = await people.staffOf(stranger)
  const link = async (userId: string, to: string | null) =>
    admin.call(linkMemberStaff, { userId, version: (await rowOf(admin, userId)).version, staffId: to })
  await link(guide.userId, staffId)
  expect((await rowOf(admin, guide.userId)).staff).toEqual({ id: staffId, name: 'Jonas Berg' })
  await expect(link(admin.userId, staffId)).rejects.toMatchObject({
    details: { fieldErrors: { staffId: [expect.any(String)] } },
  })
  await expect(link(guide.userId, foreign)).rejects.toMatchObject({ code: 'not-found' })
  await link(guide.userId, null)
  expect((await rowOf(admin, guide.userId)).staff).toBeNull()
  expect(await world.rows('select member_user_id from field_staff where id = $1', [staffId])).toEqual([
    { member_user_id: null },
  ])
})

test('linking from the side of the field-staff record links the member too', async () => {
  const [admin, guide] = await people.two('admin', 'guide')
  const staffId = await people.staffOf(admin)
  await world.rows('update field_staff set member_user_id = $2 where id = $1', [staffId, guide.userId])
  expect((await rowOf(admin, guide.userId)).staff).toMatchObject({ id: staffId })
})
