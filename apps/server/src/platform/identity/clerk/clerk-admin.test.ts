import { permissions, roles } from '@tour-ops/contract/identity/access'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../context.ts'
import { testDatabase, type TestWorld } from '../../../../testing/world.ts'
import type { AdminCall, IdentityAdmin } from '../identity-admin.ts'
import { ClerkApi } from './clerk-api.ts'
import { createServiceKeys } from './service-keys.ts'
import { testClerk, type TestClerk } from '../../../../testing/clerk.ts'

let world: TestWorld
let clerk: TestClerk
let caller: Caller
let orgId: string

beforeAll(async () => {
  world = await testDatabase()
  clerk = testClerk(world)
  orgId = clerk.service.state.addOrganization({ name: 'Alps Tours' }).id
  const ann = clerk.person('Ann', [{ orgId, role: 'org:admin' }])
  const { body } = await clerk.signIn(clerk.session(ann, orgId))
  caller = await clerk.identity.verifyBackendToken(String(body['idToken']))
})
afterAll(() => world.close())

/** Runs an act of administration as a verb would: in one transaction of the organization. */
const act = <T>(run: (admin: IdentityAdmin, call: AdminCall) => Promise<T>): Promise<T> =>
  world.database.transaction(
    {
      orgId,
      actor: { kind: 'user', id: caller.userId },
      action: 'test',
      requestId: 'test',
      clock: world.services.clock,
    },
    (tx) => run(clerk.identity.admin, { tx, orgId, caller, clock: world.services.clock }),
  )

const invitation = (email: string) => ({
  email,
  role: 'guide' as const,
  staffId: null,
  locale: 'de' as const,
  message: 'Willkommen',
  expiresAt: new Date(Date.now() + 7 * 86_400_000),
})
const atService = () => clerk.service.state.invitations.filter((each) => each.orgId === orgId)

/** A member whom the service and we know. */
async function member(name: string) {
  const person = clerk.person(name, [{ orgId, role: 'org:viewer' }])
  await clerk.signIn(clerk.session(person, orgId))
  return person
}

const statusOf = async (userId: string) => {
  const { rows } = await world.database.ownerPool.query<{ role: string; status: string }>(
    'select role, status from identity.member where "userId" = $1',
    [userId],
  )
  return rows[0]
}

test('an invitation is the service’s and ours; who accepts becomes what was offered', async () => {
  await act((admin, call) => admin.invite(call, invitation('new@x.example')))
  expect(atService()).toMatchObject([{ email: 'new@x.example', role: 'org:guide', status: 'pending' }])
  await expect(act((admin, call) => admin.invite(call, invitation('new@x.example')))).rejects.toMatchObject({
    details: { reason: 'already_invited' },
  })
  await expect(act((admin, call) => admin.invite(call, invitation('ann@x.example')))).rejects.toMatchObject({
    details: { reason: 'already_member' },
  })

  const nora = clerk.service.state.addUser({ email: 'new@x.example', firstName: 'Nora' })
  clerk.service.state.addMember(nora.id, orgId, 'org:guide')
  const about = { organization: { id: orgId }, public_user_data: { user_id: nora.id } }
  await clerk.receive(clerk.service.webhook('organizationMembership.created', about))
  expect(await statusOf(nora.id)).toEqual({ role: 'guide', status: 'active' })
  const { rows } = await world.database.ownerPool.query(
    `select status from identity.invitation where email = 'new@x.example'`,
  )
  expect(rows).toEqual([{ status: 'accepted' }])
})

test('an invitation that the service knows and we do not is reported with the codes of the port', async () => {
  clerk.service.state.invitations.push({
    id: 'orginv_elsewhere',
    orgId,
    email: 'dashboard@x.example',
    role: 'org:guide',
    status: 'pending',
    createdAt: 0,
  })
  await expect(act((admin, call) => admin.invite(call, invitation('dashboard@x.example')))).rejects.toMatchObject({
    code: 'aborted',
    details: { reason: 'already_invited' },
  })
})

test('sending again replaces the e-mail, revoking ends it', async () => {
  const { id } = await act((admin, call) => admin.invite(call, invitation('again@x.example')))
  await act((admin, call) => admin.resend(call, id, new Date(Date.now() + 86_400_000)))
  const own = () => atService().filter(({ email }) => email === 'again@x.example')
  expect(own().map(({ status }) => status)).toEqual(['revoked', 'pending'])
  await act((admin, call) => admin.revoke(call, id))
  expect(own().map(({ status }) => status)).toEqual(['revoked', 'revoked'])
  await expect(act((admin, call) => admin.revoke(call, id))).rejects.toMatchObject({ code: 'aborted' })
})

test('role and removal are written there and here; what the service refuses is not written here', async () => {
  const ole = await member('Ole')
  await act((admin, call) => admin.setRole(call, ole.id, 'dispatcher'))
  expect(clerk.service.state.membershipOf(ole.id, orgId)?.role).toBe('org:dispatcher')
  expect(await statusOf(ole.id)).toMatchObject({ role: 'dispatcher' })

  clerk.service.isDown = true
  try {
    await expect(act((admin, call) => admin.setRole(call, ole.id, 'admin'))).rejects.toMatchObject({
      code: 'unavailable',
    })
  } finally {
    clerk.service.isDown = false
  }
  expect(await statusOf(ole.id)).toMatchObject({ role: 'dispatcher' })

  await act((admin, call) => admin.remove(call, ole.id))
  expect(clerk.service.state.membershipOf(ole.id, orgId)).toBeUndefined()
  expect(await statusOf(ole.id)).toBeUndefined()
})

test('a suspension is ours and outlives messages of the service', async () => {
  const pia = await member('Pia')
  await act((admin, call) => admin.suspend(call, pia.id))
  const about = { organization: { id: orgId }, public_user_data: { user_id: pia.id } }
  await clerk.receive(clerk.service.webhook('organizationMembership.updated', about))
  expect(await statusOf(pia.id)).toEqual({ role: 'viewer', status: 'suspended' })
  await act((admin, call) => admin.reactivate(call, pia.id))
  expect(await statusOf(pia.id)).toEqual({ role: 'viewer', status: 'active' })
})

test('the first organization lets people in from the service’s waitlist', async () => {
  const entry = (id: string) => ({ id, email: `${id}@x.example`, status: 'pending' as const, createdAt: 1 })
  clerk.service.state.waitlist.push(entry('wle_1'), entry('wle_2'))
  expect(await act((admin, call) => admin.waitlist(call))).toMatchObject([
    { id: 'wle_1', email: 'wle_1@x.example' },
    { id: 'wle_2' },
  ])
  expect(await act((admin, call) => admin.decideWaitlist(call, 'wle_1', true))).toEqual({ email: 'wle_1@x.example' })
  await act((admin, call) => admin.decideWaitlist(call, 'wle_2', false))
  expect(clerk.service.state.waitlist.map(({ status }) => status)).toEqual(['invited', 'rejected'])
  await expect(act((admin, call) => admin.decideWaitlist(call, 'wle_1', true))).rejects.toMatchObject({
    code: 'not-found',
  })
})

test('the organization is renamed there and here', async () => {
  await act((admin, call) => admin.renameOrganization(call, 'Alpine Tours'))
  expect(clerk.service.state.organizations.get(orgId)?.name).toBe('Alpine Tours')
  const { rows } = await world.database.ownerPool.query('select name from identity.organization where id = $1', [orgId])
  expect(rows).toEqual([{ name: 'Alpine Tours' }])
})

test('a wrong secret key is our fault and says so', async () => {
  const api = new ClerkApi({
    apiUrl: clerk.service.settings.apiUrl,
    secretKey: 'sk_test_other',
    fetch: (input, init) => clerk.service.handle(new Request(input, init)),
  })
  await expect(api.user('user_1')).rejects.toThrow('refuses CLERK_SECRET_KEY')
})

test('roles and permissions are made once, from the table that the code uses', async () => {
  const { apiUrl, secretKey } = clerk.service.settings
  const api = new ClerkApi({
    apiUrl,
    secretKey,
    fetch: (input, init) => clerk.service.handle(new Request(input, init)),
  })
  const first = await createServiceKeys(api)
  expect(first.filter((line) => line.startsWith('permission'))).toHaveLength(permissions.length)
  expect(first).toContain('permission org:tours:manage made')
  expect(first.filter((line) => line.endsWith('permissions') && line.includes(' made: '))).toHaveLength(roles.length)
  const second = await createServiceKeys(api)
  expect(second.filter((line) => line.includes('made'))).toEqual([])
  expect(second).toContain(`role org:viewer brought up to date: 11 permissions`)
})
