import { getMigrations } from 'better-auth/db/migration'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { removeForeignSigningKeys } from './signing-keys.ts'
import { testIdentity, testPassword, testWallet, type TestIdentity } from '../../../testing/identity.ts'

let world: TestWorld
let open: TestIdentity
let closed: TestIdentity
const logged: string[] = []

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  world = await testDatabase({ log })
  open = testIdentity(world, { signUp: 'open' })
  closed = testIdentity(world, { signUp: 'waitlist' })
})
afterAll(() => world.close())

const signUp = (email: string, more: object = {}) => ({ email, password: testPassword, name: 'Ada Lovelace', ...more })
const tokenIn = (email: string) => /token=([^\s&]+)/.exec(email)?.[1] ?? ''

test('the tables are what the library expects: nothing about a schema is logged', async () => {
  await open.identity.auth.$context
  await open.browser().get('/api/auth/get-session')
  expect(logged.filter((line) => /schema|mismatch/i.test(line))).toEqual([])
})

test('the migration holds exactly the tables, columns and indexes that the library would make', async () => {
  const plan = await getMigrations(open.identity.auth.options)
  expect({ tables: plan.toBeCreated, columns: plan.toBeAdded }).toEqual({ tables: [], columns: [] })
  expect((await plan.compileMigrations()).replaceAll(/[\s;]/g, '')).toBe('')
})

test('sign-up, verification by e-mail, sign-in, a session with the names, and sign-out', async () => {
  const browser = open.browser()
  const email = 'ada@example.com'
  expect(await browser.post('/api/auth/sign-up/email', signUp(email))).toMatchObject({
    status: 200,
    body: { token: null },
  })
  expect(await browser.post('/api/auth/sign-in/email', { email, password: testPassword })).toMatchObject({
    status: 401,
  })
  const verification = await open.emailTo(email)
  expect(verification.kind).toBe('verify_email')
  expect(verification.body).toContain('http://127.0.0.1:7001/verify-email?token=')
  expect(await browser.get(`/api/auth/verify-email?token=${tokenIn(verification.body)}`)).toMatchObject({ status: 200 })
  expect(await browser.post('/api/auth/sign-in/email', { email, password: testPassword })).toMatchObject({
    status: 200,
  })
  const { body } = await browser.get('/api/auth/get-session')
  expect(body).toMatchObject({ user: { email, firstName: 'Ada', lastName: 'Lovelace', emailVerified: true } })
  expect((body['user'] as { lastSignInAt: string }).lastSignInAt).toBeTruthy()
  await browser.post('/api/auth/sign-out')
  expect((await browser.get('/api/auth/get-session')).body).toEqual(null)
  const events = await world.rows<{ kind: string }>(
    'select kind from identity.events where user_id = (select id from identity."user" where email = $1) order by id',
    [email],
  )
  expect(events.map((event) => event.kind)).toEqual(['signed_up', 'email_verified', 'signed_in', 'signed_out'])
})

test('a password below the minimum is refused, at the minimum it is taken', async () => {
  const short = await open
    .browser()
    .post('/api/auth/sign-up/email', signUp('short@example.com', { password: 'seven77' }))
  expect(short).toMatchObject({ status: 400, body: { code: 'PASSWORD_TOO_SHORT' } })
  const enough = await open
    .browser()
    .post('/api/auth/sign-up/email', signUp('enough@example.com', { password: 'eight888' }))
  expect(enough.status).toBe(200)
})

test('a forgotten password is replaced by the e-mail, once, and every session ends', async () => {
  const { email, browser } = await open.person('Forgetful')
  expect(await open.browser().post('/api/auth/request-password-reset', { email })).toMatchObject({ status: 200 })
  expect(await open.browser().post('/api/auth/request-password-reset', { email: 'nobody@example.com' })).toMatchObject({
    status: 200,
  })
  const token = tokenIn((await open.emailTo(email)).body)
  expect(
    await open.browser().post('/api/auth/reset-password', { token, newPassword: 'another horse 2' }),
  ).toMatchObject({ status: 200 })
  expect(await open.browser().post('/api/auth/reset-password', { token, newPassword: 'third horse 33' })).toMatchObject(
    { status: 400 },
  )
  expect((await browser.get('/api/auth/get-session')).body).toEqual(null)
  expect(await open.browser().post('/api/auth/sign-in/email', { email, password: testPassword })).toMatchObject({
    status: 401,
  })
  expect(await open.browser().post('/api/auth/sign-in/email', { email, password: 'another horse 2' })).toMatchObject({
    status: 200,
  })
})

test('a new organization appears for the business at once, with its creator as administrator and in the audit log', async () => {
  const { browser, userId } = await open.person('Founder')
  const { body } = await browser.post('/api/auth/organization/create', {
    name: 'Northern Lights',
    slug: 'northern-lights',
  })
  const orgId = String(body['id'])
  expect(await world.rows('select name, slug, identity_kind from organizations where org_id = $1', [orgId])).toEqual([
    { name: 'Northern Lights', slug: 'northern-lights', identity_kind: 'embedded' },
  ])
  expect(await world.rows('select user_id, role, status, name from members where org_id = $1', [orgId])).toEqual([
    { user_id: userId, role: 'admin', status: 'active', name: 'Founder' },
  ])
  expect(await world.rows('select org_id from org_settings where org_id = $1', [orgId])).toHaveLength(1)
  const audit = await world.rows('select entity_type, op, actor_id from audit_entries where org_id = $1 order by id', [
    orgId,
  ])
  expect(audit).toContainEqual({ entity_type: 'organizations', op: 'insert', actor_id: null })
  expect(audit).toContainEqual({ entity_type: 'members', op: 'insert', actor_id: userId })
  const full = await browser.get('/api/auth/organization/get-full-organization?membersLimit=1')
  expect(full.body).toMatchObject({ id: orgId, role: 'admin', memberCount: 1 })
  expect(full.body['updatedAt']).toBeTruthy()
})

test('the profile is changed by who may, a wrong short name is refused with a message', async () => {
  const { browser } = await open.person('Profiler')
  await browser.post('/api/auth/organization/create', { name: 'Old name', slug: 'profile-test' })
  expect(await browser.post('/api/auth/organization/update', { data: { name: 'New name' } })).toMatchObject({
    status: 200,
  })
  expect(await world.rows("select name, version from organizations where slug = 'profile-test'")).toEqual([
    { name: 'New name', version: 2 },
  ])
  expect(await browser.post('/api/auth/organization/update', { data: { slug: 'Not OK' } })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_SLUG' },
  })
})

test('the last administrator cannot leave; with a second one they can, and the mirror says removed', async () => {
  const first = await open.person('First Admin')
  const second = await open.person('Second Admin')
  const { orgId } = await open.identity.accounts.createOrganization({
    name: 'Two',
    slug: 'two-admins',
    members: [
      { userId: first.userId, role: 'admin' },
      { userId: second.userId, role: 'viewer' },
    ],
  })
  const refused = await first.browser.post('/api/auth/organization/leave', { organizationId: orgId })
  expect(refused.status).toBe(400)
  // a suspended administrator does not count, which only the database knows
  await world.rows(`update identity.member set role = 'admin', status = 'suspended' where "userId" = $1`, [
    second.userId,
  ])
  const byDatabase = await first.browser.post('/api/auth/organization/leave', { organizationId: orgId })
  expect(byDatabase).toMatchObject({ status: 409 })
  expect(byDatabase.body.message).toMatch(/administrator/)
  await world.rows(`update identity.member set status = 'active' where "userId" = $1`, [second.userId])
  expect(await first.browser.post('/api/auth/organization/leave', { organizationId: orgId })).toMatchObject({
    status: 200,
  })
  expect(
    await world.rows('select status from members where org_id = $1 and user_id = $2', [orgId, first.userId]),
  ).toEqual([{ status: 'removed' }])
})

test('switching works for members only', async () => {
  const insider = await open.person('Insider')
  const outsider = await open.person('Outsider')
  const { orgId } = await open.identity.accounts.createOrganization({
    name: 'Inside',
    slug: 'inside',
    members: [{ userId: insider.userId, role: 'admin' }],
  })
  expect(await insider.browser.post('/api/auth/organization/set-active', { organizationId: orgId })).toMatchObject({
    status: 200,
  })
  expect((await outsider.browser.post('/api/auth/organization/set-active', { organizationId: orgId })).status).toBe(403)
  expect((await outsider.browser.get('/api/auth/organization/list')).body).toEqual([])
})

test('the own organizations come with role, members and last use, the last one first', async () => {
  const { browser, userId } = await open.person('Two Houses')
  const [older, newer] = await Promise.all(
    ['house-one', 'house-two'].map((slug) =>
      open.identity.accounts.createOrganization({ name: slug, slug, members: [{ userId, role: 'admin' }] }),
    ),
  )
  const use = (orgId: string | undefined) =>
    browser.post('/api/auth/organization/set-active', { organizationId: orgId })
  await use(newer?.orgId)
  await use(older?.orgId)
  await world.rows(
    `insert into identity.member (id, "organizationId", "userId", role, "createdAt") values ('second-admin', $1, $2, 'admin', now())`,
    [newer?.orgId, (await open.person('Other Admin')).userId],
  )
  await world.rows(`update identity.member set status = 'suspended' where "organizationId" = $1 and "userId" = $2`, [
    newer?.orgId,
    userId,
  ])
  const { body } = await browser.get('/api/auth/organization/list')
  expect(body).toMatchObject([
    { id: older?.orgId, name: 'house-one', role: 'admin', memberCount: 1, lastUsedAt: expect.any(String) },
    { id: newer?.orgId, name: 'house-two', role: null, slug: null, memberCount: null, lastUsedAt: expect.any(String) },
  ])
})

test('a guide sees themselves in the organization, but no colleagues', async () => {
  const admin = await open.person('Boss')
  const guide = await open.person('Guide')
  const { orgId } = await open.identity.accounts.createOrganization({
    name: 'Privacy',
    slug: 'privacy',
    members: [
      { userId: admin.userId, role: 'admin' },
      { userId: guide.userId, role: 'guide' },
    ],
  })
  await guide.browser.post('/api/auth/organization/set-active', { organizationId: orgId })
  await admin.browser.post('/api/auth/organization/set-active', { organizationId: orgId })
  const path = '/api/auth/organization/get-full-organization'
  const { body } = await guide.browser.get(path)
  expect(body).toMatchObject({ id: orgId, name: 'Privacy', slug: 'privacy', role: 'guide', memberCount: 2 })
  expect(Object.keys(body)).not.toContain('members')
  expect(Object.keys((await admin.browser.get(path)).body)).not.toContain('members')
})

test('closed sign-up: the waitlist answers alike for all, and lets in who was approved', async () => {
  const email = 'patient@example.com'
  const refused = await closed.browser().post('/api/auth/sign-up/email', signUp(email))
  expect(refused).toMatchObject({ status: 403, body: { code: 'WAITLIST_REQUIRED' } })
  const { email: known } = await closed.person('Already In')
  for (const address of [email, 'Patient@Example.com', known]) {
    expect(await closed.browser().post('/api/auth/waitlist/join', { email: address })).toEqual({
      status: 200,
      body: { joined: true },
    })
  }
  expect(await world.rows('select email, status from identity.waitlist order by "createdAt", email')).toEqual([
    { email, status: 'pending' },
    { email: known, status: 'pending' },
  ])
  expect((await closed.browser().post('/api/auth/waitlist/join', { email: 'no address' })).status).toBe(400)
  await world.rows(`update identity.waitlist set status = 'approved' where email = $1`, [email])
  expect(await closed.browser().post('/api/auth/sign-up/email', signUp(email))).toMatchObject({ status: 200 })
  expect((await closed.emailTo(email)).kind).toBe('verify_email')
})

test('an invited address may sign up although sign-up is closed', async () => {
  const admin = await closed.person('Inviting')
  const { orgId } = await closed.identity.accounts.createOrganization({
    name: 'Inviting',
    slug: 'inviting',
    members: [{ userId: admin.userId, role: 'admin' }],
  })
  const invite = (email: string, expires: string) =>
    world.rows(
      `insert into identity.invitation (id, "organizationId", email, role, status, "expiresAt", "inviterId")
       values (gen_random_uuid()::text, $1, $2, 'guide', 'pending', now() + $3::interval, $4)`,
      [orgId, email, expires, admin.userId],
    )
  await invite('invited@example.com', '1 day')
  await invite('too-late@example.com', '-1 day')
  expect(await closed.browser().post('/api/auth/sign-up/email', signUp('invited@example.com'))).toMatchObject({
    status: 200,
  })
  expect(await closed.browser().post('/api/auth/sign-up/email', signUp('too-late@example.com'))).toMatchObject({
    status: 403,
  })
})

test('an invitation is accepted by its verified address alone, and links the role', async () => {
  const admin = await open.person('Host')
  const { orgId } = await open.identity.accounts.createOrganization({
    name: 'Hosting',
    slug: 'hosting',
    members: [{ userId: admin.userId, role: 'admin' }],
  })
  const guest = await open.person('Guest')
  const stranger = await open.person('Stranger')
  const [invitation] = await world.rows<{ id: string }>(
    `insert into identity.invitation (id, "organizationId", email, role, status, "expiresAt", "inviterId")
     values (gen_random_uuid()::text, $1, $2, 'dispatcher', 'pending', now() + interval '1 day', $3) returning id`,
    [orgId, guest.email, admin.userId],
  )
  const invitationId = invitation?.id
  expect(await world.rows('select status, role from invitations where org_id = $1', [orgId])).toEqual([
    { status: 'pending', role: 'dispatcher' },
  ])
  expect((await stranger.browser.post('/api/auth/organization/accept-invitation', { invitationId })).status).toBe(403)
  await world.rows('update identity."user" set "emailVerified" = false where id = $1', [guest.userId])
  expect((await guest.browser.post('/api/auth/organization/accept-invitation', { invitationId })).status).toBe(403)
  await world.rows('update identity."user" set "emailVerified" = true where id = $1', [guest.userId])
  expect((await guest.browser.get('/api/auth/organization/list-user-invitations')).body).toHaveLength(1)
  expect((await guest.browser.post('/api/auth/organization/accept-invitation', { invitationId })).status).toBe(200)
  expect(
    await world.rows('select role, status from members where org_id = $1 and user_id = $2', [orgId, guest.userId]),
  ).toEqual([{ role: 'dispatcher', status: 'active' }])
  expect(await world.rows('select status from invitations where org_id = $1', [orgId])).toEqual([
    { status: 'accepted' },
  ])
})

test('a wallet signs in, a nonce works once, foreign domains and signatures do not', async () => {
  const wallet = testWallet(7)
  const nonce = async () => String((await open.browser().post('/api/auth/siwe/nonce')).body['nonce'])
  const attempt = (message: string, signature: string) =>
    open.browser().post('/api/auth/siwe/verify', { message, signature })
  const message = wallet.messageFor(await nonce())
  expect((await attempt(message, wallet.sign(`${message}x`))).status).toBe(401)
  const good = wallet.messageFor(await nonce())
  expect(await attempt(good, wallet.sign(good))).toMatchObject({ status: 200, body: { success: true } })
  expect((await attempt(good, wallet.sign(good))).status).toBe(401)
  const foreign = wallet.messageFor(await nonce(), 'evil.example')
  expect((await attempt(foreign, wallet.sign(foreign))).status).toBe(401)
  // the same signature, asked for by another site's page that names our domain
  for (const uri of ['https://evil.example', 'https://127.0.0.1:7001', 'nonsense']) {
    const elsewhere = wallet.messageFor(await nonce(), undefined, uri)
    expect((await attempt(elsewhere, wallet.sign(elsewhere))).status).toBe(401)
  }
  const again = wallet.messageFor(await nonce())
  expect((await attempt(again, wallet.sign(again))).status).toBe(200)
  expect(
    await world.rows('select "isPrimary" from identity."walletAddress" where lower(address) = $1', [wallet.address]),
  ).toHaveLength(1)
})

test('a wallet makes no account while sign-up is closed', async () => {
  const wallet = testWallet(9)
  const nonce = String((await closed.browser().post('/api/auth/siwe/nonce')).body['nonce'])
  const message = wallet.messageFor(nonce)
  const answer = await closed.browser().post('/api/auth/siwe/verify', { message, signature: wallet.sign(message) })
  expect(answer).toMatchObject({ status: 403, body: { code: 'WAITLIST_REQUIRED' } })
})

test('another site cannot act with the cookies of a person', async () => {
  const { browser } = await open.person('Victim')
  const create = { name: 'Evil', slug: 'evil' }
  expect((await browser.post('/api/auth/organization/create', create, { origin: 'https://evil.example' })).status).toBe(
    403,
  )
  expect((await browser.post('/api/auth/organization/create', create, { origin: '' })).status).toBe(403)
})

test('limits count by client address: one crowd does not lock the others out', async () => {
  const limited = testIdentity(world, {
    rateLimits: { perIpPerMinute: 0, perUserPerMinute: 0, identityPerIpPerMinute: 4 },
  })
  const attempt = (address: string) =>
    limited.browser(address).post('/api/auth/sign-in/email', { email: 'ada@example.com', password: 'wrong wrong' })
  const statuses: number[] = []
  for (let index = 0; index < 6; index += 1) statuses.push((await attempt('198.51.100.7')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429])
  expect((await attempt('198.51.100.8')).status).toBe(401)
})

test('after the secret was replaced everybody signs in again, and gets tokens', async () => {
  const { email } = await open.person('Of Before')
  const { ownerPool } = world.database
  const { log, config } = world.services
  const replaced = testIdentity(world, { secret: 'another secret of the same installation' })
  const signIn = async (identity: TestIdentity) => {
    const browser = identity.browser()
    expect((await browser.get('/api/auth/get-session')).body).toEqual(null)
    await browser.post('/api/auth/sign-in/email', { email, password: testPassword })
    return (await browser.get('/api/auth/token')).body['token']
  }
  expect(await signIn(open)).toMatch(/^ey/)
  await removeForeignSigningKeys(ownerPool, 'another secret of the same installation', log)
  expect(await signIn(replaced)).toMatch(/^ey/)
  await removeForeignSigningKeys(ownerPool, 'another secret of the same installation', log)
  expect(await world.rows('select id from identity.jwks')).toHaveLength(1)
  await removeForeignSigningKeys(ownerPool, config.secret, log)
  expect(await signIn(open)).toMatch(/^ey/)
})
