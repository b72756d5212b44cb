import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../ids.ts'
import { testIdentity, testPassword, type TestIdentity } from '../../../testing/identity.ts'

let world: TestWorld
let service: TestIdentity
beforeAll(async () => {
  world = await testDatabase()
  service = testIdentity(world, { signUp: 'open' })
})
afterAll(() => world.close())

const account = { name: 'Ada Byron', email: 'ada@example.com', password: testPassword }

test.each([
  ['INVALID_NAME', { name: 'x'.repeat(201) }],
  ['INVALID_NAME', { name: 'Ada\r\nBcc: everybody@example.com' }],
  ['INVALID_NAME', { name: 'Ada\0' }],
  ['INVALID_NAME', { name: 'Ada \u202Enoryb' }],
  ['INVALID_NAME', { name: 'Ada \uD83D' }],
  ['INVALID_FIRSTNAME', { firstName: 'x'.repeat(101) }],
  ['INVALID_EMAIL', { email: `${'x'.repeat(250)}@example.com` }],
  ['INVALID_IMAGE', { image: `https://example.com/${'x'.repeat(2_000)}` }],
  ['INVALID_IMAGE', { image: 'javascript:alert(1)' }],
  ['INVALID_CALLBACKURL', { callbackURL: `/${'x'.repeat(4_000)}` }],
])('an account is refused with %s for %j', async (code, change) => {
  const answer = await service.browser().post('/api/auth/sign-up/email', { ...account, ...change })
  expect(answer).toMatchObject({ status: 400, body: { code } })
})

test.each([
  ['INVALID_NAME', { name: 'Fjord\nWalks' }],
  ['INVALID_LOGO', { logo: 'data:text/html,hello' }],
  ['INVALID_LOGO', { logo: '//example.com/logo.png' }],
  ['INVALID_METADATA', { metadata: { note: 'x'.repeat(2_000) } }],
])('an organization is refused with %s for %j, made or changed', async (code, change) => {
  const { browser } = await service.person('Ada Byron')
  const made = { name: 'Fjord Walks', slug: `fjord-${newId()}`, ...change }
  expect(await browser.post('/api/auth/organization/create', made)).toMatchObject({ status: 400, body: { code } })
  const answer = await browser.post('/api/auth/organization/update', { organizationId: 'any', data: change })
  expect(answer).toMatchObject({ status: 400, body: { code } })
})

test('what is asked in an address is checked as well', async () => {
  const answer = await service.browser().get('/api/auth/verify-email?token=a%00b')
  expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_TOKEN' } })
})

test('names of any language pass', async () => {
  const name = 'Łucja "Lu" O’Neill-李'
  const answer = await service.browser().post('/api/auth/sign-up/email', { ...account, email: 'lu@example.com', name })
  expect(answer.status).toBe(200)
})

test('names that another service sends are cut to one line, pictures without end left out', async () => {
  const { ownerPool } = world.database
  const { rows } = await ownerPool.query<Record<string, string | null>>(
    `insert into identity."user" (id, name, email, "emailVerified", image, "firstName", "lastName")
     values ($1, $2, $3, true, $4, $5, $6) returning name, image, "firstName", "lastName"`,
    [newId(), `Ada\r\n${'x'.repeat(500)}`, `${newId()}@example.com`, 'x'.repeat(3_000), 'y'.repeat(500), 'Byron\u2028'],
  )
  expect(rows[0]).toEqual({
    name: `Ada ${'x'.repeat(196)}`,
    image: null,
    firstName: 'y'.repeat(100),
    lastName: 'Byron',
  })
  const made = await ownerPool.query<{ name: string }>(
    `insert into identity.organization (id, name, slug, "createdAt") values ($1, $2, $3, current_timestamp) returning name`,
    [newId(), 'z'.repeat(500), `long-${newId()}`],
  )
  expect(made.rows[0]?.name).toBe('z'.repeat(200))
})

test('of a very long user agent only the beginning is stored', async () => {
  const { email, userId } = await service.person('Ada Byron')
  await service
    .browser()
    .post('/api/auth/sign-in/email', { email, password: testPassword }, { 'user-agent': 'x'.repeat(9_000) })
  const { rows } = await world.database.ownerPool.query<{ length: number }>(
    'select max(char_length("userAgent")) as length from identity.session where "userId" = $1',
    [userId],
  )
  expect(rows[0]?.length).toBe(500)
})

test('an address of the waitlist has an end', async () => {
  const insert = world.database.ownerPool.query(`insert into identity.waitlist (id, email) values ($1, $2)`, [
    newId(),
    `${'x'.repeat(400)}@example.com`,
  ])
  await expect(insert).rejects.toMatchObject({ constraint: 'waitlist_email_length' })
})
