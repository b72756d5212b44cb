import type { Role } from '@tour-ops/contract/identity/access'
import { listAudit } from '@tour-ops/contract/audit/audit'
import type { Callable } from '@tour-ops/contract/callable'
import { callables } from '@tour-ops/contract/callables'
import { exportMembers, listMembers, resetSecondFactor } from '@tour-ops/contract/members/members'
import { getSession } from '@tour-ops/contract/identity/session'
import { getSecuritySettings, updateSecuritySettings } from '@tour-ops/contract/settings/settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../src/context.ts'
import { newId } from '../src/platform/ids.ts'
import {
  identityWorld,
  type TestBrowser,
  type TestIdentity,
  testPassword,
  type TestPerson,
} from '../testing/identity.ts'
import { execute, type Verb } from '../src/platform/verb.ts'
import { foreignProbes, type OwnRecords } from '../testing/foreign-inputs.ts'
import { requestMeta, type TestWorld } from '../testing/world.ts'
import { verbsOf } from '../testing/verbs.ts'
import { allVerbs } from '../src/verbs.ts'
import { addAuthenticator, addPasskey, enterWith } from '../testing/factors.ts'

// A rule of an organization about second factors, with real accounts and sessions of the embedded identity service.

let world: TestWorld
let site: TestIdentity
beforeAll(async () => {
  ;({ world, site } = await identityWorld({ signUp: 'open' }))
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)

const foundOrganization = async ({ browser }: TestPerson): Promise<string> => {
  const { body } = await browser.post('/api/auth/organization/create', { name: 'Rules', slug: `rules-${newId()}` })
  return String(body['id'])
}

const join = (orgId: string, { userId }: TestPerson, role: Role) =>
  world.rows(
    `insert into identity.member (id, "organizationId", "userId", role, "createdAt") values ($1, $2, $3, $4, now())`,
    [newId(), orgId, userId, role],
  )

/** The caller behind the present session of a browser, as the server sees them after the backend's sign-in. */
async function callerOf(browser: TestBrowser, orgId: string): Promise<Caller> {
  await browser.post('/api/auth/organization/set-active', { organizationId: orgId })
  return site.identity.verifyBackendToken((await browser.backendToken()).idToken)
}

const run = <C extends Callable>(caller: Caller, target: Verb<C>, input: unknown) =>
  execute(world.services, requestMeta(), caller, target, input)

const setRule = async (admin: Caller, roles: readonly Role[], from: string | null) => {
  const { version } = await run(admin, verbOf(getSecuritySettings), {})
  return run(admin, verbOf(updateSecuritySettings), {
    version,
    settings: { secondFactorRoles: roles, secondFactorFrom: from },
  })
}

const refusal = { code: 'permission-denied', details: { reason: 'second_factor_required' } }

/** An organization with an administrator who has an authenticator app, and a dispatcher without any factor. */
async function office() {
  const boss = await site.person('Boss')
  const orgId = await foundOrganization(boss)
  await addAuthenticator(boss.browser)
  const admin = await callerOf(boss.browser, orgId)
  const member = await site.person('Member')
  await join(orgId, member, 'dispatcher')
  return { orgId, boss, admin, member, caller: await callerOf(member.browser, orgId) }
}

test('from its day on, every callable of the organization is refused to a session without a factor, and nothing before', async () => {
  const { admin, caller } = await office()
  await setRule(admin, ['dispatcher'], '2100-01-01')
  expect(await run(caller, verbOf(getSession), {})).toMatchObject({
    organization: { role: 'dispatcher' },
    secondFactorDueAt: '2100-01-01T00:00:00.000Z',
  })
  await setRule(admin, ['dispatcher'], '2026-01-01')

  const own: OwnRecords = {
    userId: caller.userId,
    id: () => newId(),
    version: () => 1,
    running: { tourId: newId(), departureId: newId(), entryId: newId() },
  }
  const bound = callables.filter(({ permission }) => permission !== 'public' && permission !== 'signed-in')
  expect(bound.length).toBeGreaterThan(100)
  for (const callable of bound) {
    const input = foreignProbes[callable.name]?.input?.(own) ?? {}
    await expect(run(caller, verbOf(callable), input), callable.name).rejects.toMatchObject(refusal)
  }
  expect(await run(caller, verbOf(getSession), {})).toMatchObject({
    organization: null,
    permissions: [],
    settings: null,
    staffId: null,
    secondFactorDueAt: '2026-01-01T00:00:00.000Z',
  })
})

test('the day begins by the clock of the organization', async () => {
  const { orgId, admin, caller } = await office()
  const inKiritimati = Temporal.Now.plainDateISO('Pacific/Kiritimati').toString()
  const zone = (name: string) =>
    world.database.transaction(
      { orgId, actor: { kind: 'system', id: null }, action: 'test', requestId: newId() },
      (tx) => tx.updateTable('org_settings').set({ time_zone: name }).where('org_id', '=', orgId).execute(),
    )
  await zone('Pacific/Kiritimati')
  await setRule(admin, ['dispatcher'], inKiritimati)
  await expect(run(caller, verbOf(listMembers), {})).rejects.toMatchObject(refusal)
  // the same date begins a day later at the other end of the world
  await zone('Pacific/Pago_Pago')
  await run(caller, verbOf(getSession), {}).then((session) => expect(session.organization).not.toBeNull())
})

test('the identity service says what is missing, and shows and changes nothing of the organization until then', async () => {
  const { orgId, admin, member } = await office()
  await world.rows(`update identity.member set role = 'admin' where "userId" = $1`, [member.userId])
  const look = async () =>
    (await member.browser.get('/api/auth/organization/get-full-organization')).body as Record<string, unknown>
  expect(await look()).toMatchObject({ id: orgId, role: 'admin', lacksFactor: false })
  await setRule(admin, ['admin'], '2026-01-01')
  expect(await look()).toMatchObject({ id: orgId, role: 'admin', lacksFactor: true })
  expect(
    await member.browser.post('/api/auth/organization/update', { organizationId: orgId, data: { name: 'Taken' } }),
  ).toMatchObject({ status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } })
  expect((await member.browser.get('/api/auth/organization/list')).status).toBe(200)
})

test('an authenticator app or an unlocked passkey opens the organization at once', async () => {
  const { orgId, admin, member } = await office()
  await setRule(admin, ['dispatcher'], '2026-01-01')
  await addAuthenticator(member.browser)
  await run(await callerOf(member.browser, orgId), verbOf(listMembers), {})

  const other = await site.person('Other')
  await join(orgId, other, 'dispatcher')
  const before = await callerOf(other.browser, orgId)
  await expect(run(before, verbOf(listMembers), {})).rejects.toMatchObject(refusal)
  expect((await addPasskey(other)).answer.status).toBe(200)
  await run(before, verbOf(listMembers), {})
  // the rule counts in one organization, for the roles it names
  await world.rows(`delete from identity.passkey where "userId" = $1`, [other.userId])
  await expect(run(before, verbOf(listMembers), {})).rejects.toMatchObject(refusal)
  await world.rows(`update identity.member set role = 'operations_manager' where "userId" = $1`, [other.userId])
  await run(before, verbOf(listMembers), {})
})

test('the password alone does not put another factor in place of a required one', async () => {
  const { orgId, admin, member } = await office()
  const { key: passkey } = await addPasskey(member)
  const thief = site.browser()
  await thief.post('/api/auth/sign-in/email', { email: member.email, password: testPassword })
  await setRule(admin, ['dispatcher'], '2026-01-01')
  await expect(run(await callerOf(thief, orgId), verbOf(listMembers), {})).rejects.toMatchObject(refusal)
  const [{ id } = { id: '' }] = await world.rows<{ id: string }>(
    `select id from identity.passkey where "userId" = $1`,
    [member.userId],
  )
  const attempts = [
    thief.post('/api/auth/two-factor/enable', { password: testPassword }),
    thief.post('/api/auth/passkey/delete-passkey', { id }),
    thief.get('/api/auth/passkey/generate-register-options'),
  ]
  for (const attempt of attempts) {
    expect(await attempt).toMatchObject({ status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } })
  }
  await enterWith(passkey, thief)
  await run(await callerOf(thief, orgId), verbOf(listMembers), {})
  expect((await thief.post('/api/auth/two-factor/enable', { password: testPassword })).status).toBe(200)
})

test('nobody locks themselves out: the own role needs a factor of one’s own first, and a rule is whole or not there', async () => {
  const boss = await site.person('Careless')
  const orgId = await foundOrganization(boss)
  const admin = await callerOf(boss.browser, orgId)
  await expect(setRule(admin, ['admin', 'guide'], '2100-01-01')).rejects.toMatchObject({
    code: 'invalid-argument',
    details: { fieldErrors: { 'settings.secondFactorRoles': [expect.stringContaining('Set up a second factor')] } },
  })
  await setRule(admin, ['guide'], '2100-01-01')
  await expect(setRule(admin, ['guide'], null)).rejects.toMatchObject({
    details: { fieldErrors: { 'settings.secondFactorFrom': ['Choose the first day.'] } },
  })
  await expect(setRule(admin, [], '2100-01-01')).rejects.toMatchObject({
    details: { fieldErrors: { 'settings.secondFactorRoles': ['Choose at least one role.'] } },
  })
  await addAuthenticator(boss.browser)
  const proven = await callerOf(boss.browser, orgId)
  expect((await setRule(proven, ['admin'], '2026-01-01')).settings).toEqual({
    secondFactorRoles: ['admin'],
    secondFactorFrom: '2026-01-01',
  })
  await world.rows(`update identity.member set role = 'admin' where "userId" = $1`, [boss.userId])
  const manager = await site.person('Manager')
  await join(orgId, manager, 'operations_manager')
  await expect(setRule(await callerOf(manager.browser, orgId), [], null)).rejects.toMatchObject({
    code: 'permission-denied',
  })
})

test('administrators see who has a factor, in the list, its filter and the export; nobody else does', async () => {
  const { orgId, admin, boss, member } = await office()
  const rows = async (caller: Caller, filters: object = {}) =>
    (await run(caller, verbOf(listMembers), { filters })).rows.map(({ id, hasSecondFactor }) => [id, hasSecondFactor])
  expect(await rows(admin)).toEqual([
    [boss.userId, true],
    [member.userId, false],
  ])
  expect(await rows(admin, { secondFactor: false })).toEqual([[member.userId, false]])
  const { csv } = await run(admin, verbOf(exportMembers), { columns: ['email', 'secondFactor'] })
  expect(csv).toMatch(new RegExp(`${boss.email}[,;]yes`))
  const manager = await site.person('Curious')
  await join(orgId, manager, 'operations_manager')
  const curious = await callerOf(manager.browser, orgId)
  const own = await run(curious, verbOf(exportMembers), { columns: ['email', 'secondFactor'] })
  expect(own.csv).not.toMatch(/,(yes|no)/)
  expect((await rows(curious)).map(([, has]) => has)).toEqual([null, null, null])
  expect(await rows(curious, { secondFactor: true })).toEqual([])
  expect(await rows(curious, { secondFactor: false })).toEqual([])
})

test('an administrator resets a factor: sessions end, the person reads about it, the log names both', async () => {
  const { orgId, admin, member } = await office()
  await addAuthenticator(member.browser)
  await addPasskey(member)
  const caller = await callerOf(member.browser, orgId)
  const versionOf = async (userId: string) =>
    (await run(admin, verbOf(listMembers), {})).rows.find(({ id }) => id === userId)?.version ?? 0
  const reset = async (userId: string) =>
    run(admin, verbOf(resetSecondFactor), { userId, version: await versionOf(userId) })
  await reset(member.userId)
  await expect(
    site.identity.verifyBackendToken((await member.browser.backendToken().catch(() => ({ idToken: '' }))).idToken),
  ).rejects.toThrow()
  expect((await member.browser.get('/api/auth/get-session')).body).toBeNull()
  expect(
    await world.rows('select from identity.backend_sessions where id = $1 and revoked_at is null', [caller.sessionId]),
  ).toEqual([])
  expect(await site.emailTo(member.email)).toMatchObject({ subject: 'The second factor of your account was reset' })
  const { rows } = await run(admin, verbOf(listAudit), { filters: { entityId: [member.userId] } })
  expect(rows.find(({ action }) => action === 'second_factor_reset')).toMatchObject({ actorName: 'Boss' })
  // the password is enough again, until they set one up
  const answer = await member.browser.post('/api/auth/sign-in/email', { email: member.email, password: testPassword })
  expect(answer.body).toHaveProperty('token')
  await expect(reset(member.userId)).rejects.toMatchObject({ code: 'aborted', details: { reason: 'no_factor' } })
  await expect(reset(admin.userId)).rejects.toMatchObject({ code: 'aborted', details: { reason: 'self_factor_reset' } })
})

test('a factor that protects another organization too is not reset by one of the two', async () => {
  const { admin, member } = await office()
  await addAuthenticator(member.browser)
  await foundOrganization(member)
  await expect(run(admin, verbOf(resetSecondFactor), { userId: member.userId, version: 1 })).rejects.toMatchObject({
    code: 'aborted',
    details: { reason: 'member_elsewhere' },
  })
  const stranger = await site.person('Stranger')
  await addAuthenticator(stranger.browser)
  await expect(run(admin, verbOf(resetSecondFactor), { userId: stranger.userId, version: 1 })).rejects.toMatchObject({
    code: 'not-found',
  })
})
