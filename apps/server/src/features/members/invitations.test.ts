import {
  decideWaitlist,
  inviteMembers,
  listWaitlist,
  resendInvitation,
  revokeInvitation,
} from '@tour-ops/contract/members/members'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { list, membersWorld, type MembersWorld, rowOf } from '../../../testing/members.ts'

let world: TestWorld
let people: MembersWorld

beforeAll(async () => {
  world = await testDatabase()
  people = membersWorld(world)
})
afterAll(() => world.close())

test('many addresses are invited at once, and each failure is reported for its address', async () => {
  const [admin, member] = await people.two('admin', 'dispatcher')
  await admin.call(inviteMembers, { emails: ['waiting@example.org'], role: 'guide' })
  const answer = await admin.call(inviteMembers, {
    emails: [
      ' One@Example.org ',
      'one@example.org',
      'two@example.org',
      'no address',
      member.email,
      'waiting@example.org',
    ],
    role: 'guide',
    message: 'Welcome!',
    locale: 'de',
  })
  expect(answer.invited.map((each) => each.email)).toEqual(['one@example.org', 'two@example.org'])
  expect(answer.failed.map(({ email, reason }) => [email, reason])).toEqual([
    ['one@example.org', 'duplicate'],
    ['no address', 'invalid_email'],
    [member.email, 'already_member'],
    ['waiting@example.org', 'already_invited'],
  ])
  const emails = await world.rows<{ body: string }>(
    `select d.body from deliveries d where d.org_id = $1 and d.recipient = 'one@example.org'`,
    [admin.orgId],
  )
  expect(emails).toHaveLength(1)
  expect(emails[0]?.body).toContain(`/accept-invitation?id=${answer.invited[0]?.id}`)
  expect(emails[0]?.body).toMatch(/Guten Tag[\s\S]*Welcome!/)
})

test('inviting is refused to others and for wrong input, and then writes nothing', async () => {
  const [admin, manager] = await people.two('admin', 'operations_manager')
  const wish = { emails: ['x@example.org'], role: 'viewer' }
  await expect(manager.callWrongly(inviteMembers, wish)).rejects.toMatchObject({ code: 'permission-denied' })
  for (const wrong of [
    { ...wish, emails: [] },
    { ...wish, role: 'owner' },
    { ...wish, expiresInDays: 90 },
  ]) {
    await expect(admin.callWrongly(inviteMembers, wrong)).rejects.toMatchObject({ code: 'invalid-argument' })
  }
  expect(await world.rows('select id from invitations where org_id = $1', [admin.orgId])).toEqual([])
})

test('an invitation with a field-staff record links it when it is accepted', async () => {
  const [admin] = await people.two('admin', 'viewer')
  const staffId = await people.staffOf(admin)
  const guest = await people.site.person('Invited Guide')
  const answer = await admin.call(inviteMembers, { emails: [guest.email], role: 'guide', staffId })
  const accepted = await guest.browser.post('/api/auth/organization/accept-invitation', {
    invitationId: answer.invited[0]?.id,
  })
  expect(accepted.status).toBe(200)
  expect(await rowOf(admin, guest.userId)).toMatchObject({ role: 'guide', staff: { id: staffId, name: 'Jonas Berg' } })
  expect(await world.rows('select member_user_id from field_staff where id = $1', [staffId])).toEqual([
    { member_user_id: guest.userId },
  ])
  const again = await admin.call(inviteMembers, {
    emails: ['other@example.org'],
    role: 'guide',
    staffId,
  })
  expect(again.failed[0]?.reason).toBe('staff_taken')
})

test('an invitation is sent again, revoked, and then closed', async () => {
  const [admin] = await people.two('admin', 'viewer')
  const { invited } = await admin.call(inviteMembers, {
    emails: ['late@example.org'],
    role: 'viewer',
  })
  const id = invited[0]?.id ?? ''
  await world.rows(`update identity.invitation set "expiresAt" = now() - interval '1 day' where id = $1`, [id])
  expect((await list(admin, { filters: { kind: ['invitation'] } })).rows[0]?.status).toBe('expired')
  const answer = await admin.call(resendInvitation, { id, expiresInDays: 3 })
  expect(Date.parse(answer.expiresAt)).toBeGreaterThan(Date.now() + 2 * 86_400_000)
  expect((await list(admin, { filters: { kind: ['invitation'] } })).rows[0]?.status).toBe('pending')
  const [stranger] = await people.two('admin', 'viewer')
  await expect(stranger.call(revokeInvitation, { id })).rejects.toMatchObject({ code: 'not-found' })
  await admin.call(revokeInvitation, { id })
  expect((await list(admin, { filters: { kind: ['invitation'] } })).total).toBe(0)
  await expect(admin.call(resendInvitation, { id })).rejects.toMatchObject({
    details: { reason: 'invitation_closed' },
  })
})

test('the waitlist belongs to the first organization, which lets people in and invites them', async () => {
  const home = await world.rows<{ id: string }>(`select id from identity.organization order by "createdAt", id limit 1`)
  const { userId } = await people.site.identity.accounts.createAccount({
    email: 'home@example.com',
    name: 'Home Admin',
    password: 'correct horse 1',
    verified: true,
  })
  await world.rows(
    `insert into identity.member (id, "organizationId", "userId", role, "createdAt") values ($1, $2, $3, 'admin', now())`,
    [newId(), home[0]?.id, userId],
  )
  const admin = people.personOf(home[0]?.id ?? '', userId, 'home@example.com')
  const [stranger, viewer] = await people.two('admin', 'viewer')
  for (const email of ['let-me-in@example.org', 'not-me@example.org']) {
    await people.site.browser().post('/api/auth/waitlist/join', { email })
  }
  expect(await stranger.call(listWaitlist, {})).toEqual({ available: false, entries: [] })
  await expect(viewer.call(listWaitlist, {})).rejects.toMatchObject({ code: 'permission-denied' })
  const waiting = await admin.call(listWaitlist, {})
  expect(waiting.entries.map((entry) => entry.email)).toEqual(['let-me-in@example.org', 'not-me@example.org'])
  const [first, second] = waiting.entries
  await expect(stranger.call(decideWaitlist, { ids: [first?.id ?? ''], approve: true })).rejects.toMatchObject({
    code: 'not-found',
  })
  expect((await list(admin, { filters: { kind: ['waitlist'] } })).total).toBe(2)
  await admin.call(decideWaitlist, { ids: [first?.id ?? ''], approve: true, role: 'viewer' })
  await admin.call(decideWaitlist, { ids: [second?.id ?? ''], approve: false })
  expect((await people.site.emailTo('let-me-in@example.org')).kind).toBe('waitlist_approved')
  expect((await list(admin, { filters: { kind: ['invitation'] }, q: 'let-me-in' })).total).toBe(1)
  await expect(admin.call(decideWaitlist, { ids: [first?.id ?? ''], approve: true })).rejects.toMatchObject({
    code: 'not-found',
  })
  const signUp = { email: 'not-me@example.org', password: 'correct horse 1', name: 'No' }
  expect((await people.site.browser().post('/api/auth/sign-up/email', signUp)).status).toBe(403)
})
