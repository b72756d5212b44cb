import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { passwordHashing } from './password-hashing.ts'
import { type TestBrowser, testIdentity, type TestIdentity, testPassword } from '../../../testing/identity.ts'

let world: TestWorld
let site: TestIdentity
// hundreds of attempts: what is counted here is how often a password is checked, not how
const verified = vi
  .spyOn(passwordHashing, 'verify')
  .mockImplementation(async ({ hash, password }) => hash === `plain ${password}`)
const hashed = vi.spyOn(passwordHashing, 'hash').mockImplementation(async (password) => `plain ${password}`)

beforeAll(async () => {
  world = await testDatabase()
  site = testIdentity(world)
  // a wait of seconds would be over by itself on a slow machine
  await world.database.ownerPool.query(`
    create function identity.wait_longer() returns trigger language plpgsql as $$
    begin
      new.wait_until := new.wait_until + interval '1 hour';
      return new;
    end $$;
    create trigger wait_longer before update on identity.sign_in_attempts
      for each row when (new.failures > old.failures and new.wait_until > new.last_at) execute function identity.wait_longer()`)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const attempt = (browser: TestBrowser, email: string, password = 'not the password') =>
  browser.post('/api/auth/sign-in/email', { email, password })

async function attempts(count: number, browser: TestBrowser, email: string): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) statuses.push((await attempt(browser, email)).status)
  return statuses
}

/** Every wait is over, as after its time; what was counted stays. */
const waitIsOver = () => world.rows(`update identity.sign_in_attempts set wait_until = now() - interval '1 second'`)

/** The wait after the last failure, in seconds; 0 for none. */
async function lastWait(): Promise<number> {
  const [row] = await world.rows<{ seconds: number }>(
    `select greatest(0, extract(epoch from wait_until - last_at) - 3600)::int as seconds from identity.sign_in_attempts
     order by last_at desc, wait_until desc limit 1`,
  )
  return row?.seconds ?? 0
}

test('after ten wrong passwords from one place there is a wait that doubles, with a message and without work on the password', async () => {
  const { email } = await site.person('Guessed')
  const place = site.browser('203.0.113.1')
  expect(await attempts(10, place, email)).toEqual(Array(10).fill(401))
  verified.mockClear()
  const refused = await attempt(place, email, testPassword)
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } })
  expect(refused.body.message).toMatch(/^Too many wrong passwords\. Try again in \d+ seconds\.$/)
  expect(verified).not.toHaveBeenCalled()
  const waits = [await lastWait()]
  for (let index = 0; index < 9; index += 1) {
    await waitIsOver()
    expect((await attempt(place, email)).status).toBe(401)
    waits.push(await lastWait())
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
  await waitIsOver()
  expect((await attempt(place, email, testPassword)).status).toBe(200)
})

test('the wait is in the header that clients know', async () => {
  const browser = site.browser('203.0.113.2')
  await attempts(10, browser, 'header@example.com')
  const response = await site.app.request('http://127.0.0.1:7001/api/auth/sign-in/email', {
    method: 'POST',
    headers: {
      origin: 'http://127.0.0.1:7001',
      'x-client-address': '203.0.113.2',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ email: 'header@example.com', password: 'x' }),
  })
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('an unknown address is slowed down exactly as a known one', async () => {
  const { email } = await site.person('Known')
  const [known, unknown] = [
    await attempts(12, site.browser('203.0.113.3'), email),
    await attempts(12, site.browser('203.0.113.4'), 'unknown@example.com'),
  ]
  expect(known).toEqual([...Array<number>(10).fill(401), 429, 429])
  expect(unknown).toEqual(known)
})

test('attempts at once are counted before the password is checked', async () => {
  const { email } = await site.person('Parallel')
  verified.mockClear()
  const place = site.browser('203.0.113.5')
  const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await attempt(place, email)).status))
  expect(statuses.filter((status) => status === 401)).toHaveLength(10)
  expect(statuses.filter((status) => status === 429)).toHaveLength(30)
  expect(verified).toHaveBeenCalledTimes(10)
})

test('the count is shared by all processes and outlives them', async () => {
  const { email } = await site.person('Shared')
  await attempts(10, site.browser('203.0.113.6'), email)
  const other = testIdentity(world)
  expect((await attempt(other.browser('203.0.113.6'), email)).status).toBe(429)
})

test('a request that is refused for another reason forgives nothing', async () => {
  const { email } = await site.person('Forgiving')
  const place = site.browser('203.0.113.7')
  await attempts(9, place, email)
  expect((await attempt(place, email, 'x'.repeat(200))).status).toBe(400)
  expect((await attempt(place, email)).status).toBe(429)
})

test('guessing from everywhere delays other places a little, never the owner in a browser of theirs', async () => {
  const { email, browser: owners } = await site.person('Attacked')
  for (let index = 0; index < 30; index += 1) {
    await waitIsOver()
    await attempt(site.browser(`198.51.100.${index}`), email)
  }
  const elsewhere = site.browser('192.0.2.99')
  expect((await attempt(elsewhere, email, testPassword)).status).toBe(429)
  for (let index = 0; index < 6; index += 1) {
    await waitIsOver()
    await attempt(site.browser(`198.51.100.${100 + index}`), email)
  }
  expect(await lastWait()).toBe(60)
  expect((await attempt(owners, email, testPassword)).status).toBe(200)

  // who has no such browser becomes known by the e-mail for a new password
  await elsewhere.post('/api/auth/request-password-reset', { email })
  const token = /token=([^\s&]+)/.exec((await site.emailTo(email)).body)?.[1]
  expect((await attempt(elsewhere, email, testPassword)).status).toBe(429)
  const reset = await elsewhere.post('/api/auth/reset-password', { token, newPassword: 'another horse 2' })
  expect(reset.status).toBe(200)
  expect((await attempt(elsewhere, email, 'another horse 2')).status).toBe(200)
})

test('the cookie of a browser counts for the account that it signed in to alone, and cannot be made up', async () => {
  const victim = await site.person('Victim')
  const thief = await site.person('Thief')
  for (let index = 0; index < 30; index += 1) {
    await waitIsOver()
    await attempt(site.browser(`198.51.100.${index}`), victim.email)
  }
  expect((await attempt(thief.browser, victim.email)).status).toBe(429)
  // in its own browser the count is limited as well
  expect(await attempts(11, victim.browser, victim.email)).toEqual([...Array<number>(10).fill(401), 429])
})

test('the owner gets one e-mail a day about many wrong passwords; nobody else does', async () => {
  const { email } = await site.person('Told')
  for (const address of [email, 'not-told@example.com']) {
    for (let index = 0; index < 33; index += 1) {
      await waitIsOver()
      await attempt(site.browser(`198.51.100.${index}`), address)
    }
  }
  const sent = await world.rows<{ recipient: string; body: string }>(
    `select recipient, body from identity.mails where kind = 'sign_in_attempts' and recipient in ($1, 'not-told@example.com')`,
    [email],
  )
  expect(sent.map(({ recipient }) => recipient)).toEqual([email])
  expect(sent[0]?.body).toContain('/reset-password')
})

test('the current password cannot be guessed in a session that was left open', async () => {
  const { browser } = await site.person('Left Open')
  const change = (currentPassword: string) =>
    browser.post('/api/auth/change-password', { currentPassword, newPassword: 'another horse 2' })
  for (let index = 0; index < 10; index += 1) expect((await change(`wrong guess ${index}`)).status).toBe(400)
  expect(await change(testPassword)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } })
  await waitIsOver()
  expect((await change(testPassword)).status).toBe(200)
  expect(hashed).toHaveBeenCalled()
})
