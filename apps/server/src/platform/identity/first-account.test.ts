import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorld } from '../../../testing/world.ts'
import { identityWorld, testIdentity, type TestIdentity, testOrigin, testPassword } from '../../../testing/identity.ts'

let world: TestWorld
let site: TestIdentity

beforeAll(async () => {
  ;({ world, site } = await identityWorld())
})
afterAll(() => world.close())

test('the demo prints no set-up link, since it brings its accounts', async () => {
  expect(await testIdentity(world, { demo: true }).identity.firstAccountLink()).toBeNull()
})

test('the first start gives a link that makes one verified account, once, although sign-up is closed', async () => {
  const link = (await site.identity.firstAccountLink()) ?? ''
  const unused = (await site.identity.firstAccountLink()) ?? ''
  expect(link).toMatch(new RegExp(`^${testOrigin}/sign-up\\?setup=[\\w-]{32}$`))
  const setupToken = new URL(link).searchParams.get('setup')
  const signUp = (email: string, token: unknown) =>
    site.browser().post('/api/auth/sign-up/email', { email, password: testPassword, name: 'First', setupToken: token })
  expect(await signUp('wrong@example.com', 'wrong')).toMatchObject({
    status: 403,
    body: { code: 'SETUP_LINK_INVALID' },
  })
  expect(await signUp('first@example.com', '')).toMatchObject({ status: 403, body: { code: 'WAITLIST_REQUIRED' } })
  expect(await signUp('first@example.com', setupToken)).toMatchObject({
    status: 200,
    body: { user: { emailVerified: true } },
  })
  expect(await signUp('second@example.com', setupToken)).toMatchObject({ status: 403 })
  expect(await signUp('second@example.com', new URL(unused).searchParams.get('setup'))).toMatchObject({ status: 403 })
  expect(await site.identity.firstAccountLink()).toBeNull()
  const browser = site.browser()
  const signIn = { email: 'first@example.com', password: testPassword }
  expect((await browser.post('/api/auth/sign-in/email', signIn)).status).toBe(200)
  const created = await browser.post('/api/auth/organization/create', { name: 'Home', slug: 'home' })
  expect(created.status).toBe(200)
})

test('a session begins in the organization used last, else in the first one', async () => {
  const { userId, email, browser } = await site.person('Two Places')
  const own = (slug: string) =>
    site.identity.accounts.createOrganization({ name: slug, slug, members: [{ userId, role: 'admin' }] })
  const first = await own('first-place')
  const second = await own('second-place')
  const activeAfterSignIn = async () => {
    const fresh = site.browser()
    await fresh.post('/api/auth/sign-in/email', { email, password: testPassword })
    return ((await fresh.get('/api/auth/get-session')).body['session'] as { activeOrganizationId: string })
      .activeOrganizationId
  }
  expect(await activeAfterSignIn()).toBe(first.orgId)
  await browser.post('/api/auth/organization/set-active', { organizationId: second.orgId })
  expect(await activeAfterSignIn()).toBe(second.orgId)
  const { rows } = await world.database.ownerPool.query(
    `select action, actor_id, ip from audit_entries where org_id = $1 and entity_type = 'account' order by id desc limit 1`,
    [second.orgId],
  )
  expect(rows).toEqual([{ action: 'signed_in', actor_id: userId, ip: '192.0.2.1' }])
})

test('accounts and organizations for the demo can be made twice without harm', async () => {
  const account = { email: 'Twice@example.com', password: testPassword, name: 'Twice', verified: true }
  const one = await site.identity.accounts.createAccount(account)
  expect(await site.identity.accounts.createAccount(account)).toEqual(one)
  const organization = { name: 'Twice', slug: 'twice', members: [{ userId: one.userId, role: 'admin' as const }] }
  const made = await site.identity.accounts.createOrganization(organization)
  expect(await site.identity.accounts.createOrganization(organization)).toEqual(made)
})
