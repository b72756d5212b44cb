import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { guestEnclosures } from '../operations/guest-enclosures.ts'
import { phonesOf } from '../../../testing/phone-provider.ts'
import { Courier } from '../channels/courier.ts'
import { passwordHashing } from './password-hashing.ts'
import { testIdentity, testOrigin, testPassword, type TestIdentity } from '../../../testing/identity.ts'

let world: TestWorld
let open: TestIdentity
let closed: TestIdentity
// counted, and cheap: hashing is tested by itself
const hashed = vi.spyOn(passwordHashing, 'hash').mockImplementation(async (password) => `plain ${password}`)
const verified = vi
  .spyOn(passwordHashing, 'verify')
  .mockImplementation(async ({ hash, password }) => hash === `plain ${password}`)

beforeAll(async () => {
  world = await testDatabase()
  open = testIdentity(world, { signUp: 'open' })
  closed = testIdentity(world, { signUp: 'waitlist' })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await world.close()
})
beforeEach(() => {
  hashed.mockClear()
  verified.mockClear()
})

/** Passwords that were worked on since the last look; each costs the same, whether it is hashed or compared. */
function passwordWork(): number {
  const work = hashed.mock.calls.length + verified.mock.calls.length
  hashed.mockClear()
  verified.mockClear()
  return work
}

/** The texts of the statements that the database was sent meanwhile. */
async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  const { ownerPool } = world.database
  const texts: string[] = []
  const connect = ownerPool.connect.bind(ownerPool)
  const connected = vi.spyOn(ownerPool, 'connect').mockImplementation(async () => {
    const client = await connect()
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const noting = vi.spyOn(client, 'query').mockImplementation((...args: unknown[]) => {
      const [first] = args as [string | { text: string }]
      texts.push(typeof first === 'string' ? first : first.text)
      return query(...args) as never
    })
    const release = client.release.bind(client)
    client.release = (error) => {
      noting.mockRestore()
      client.release = release
      release(error)
    }
    return client
  })
  await run()
  connected.mockRestore()
  return texts
}

/** Everything that travels back: status, headers (cookies are among them) and the body, with the address taken out. */
async function wholeAnswer(site: TestIdentity, path: string, email: string, more: object = {}) {
  const response = await site.app.request(`${testOrigin}/api/auth${path}`, {
    method: 'POST',
    headers: { origin: testOrigin, 'x-client-address': '192.0.2.7', 'content-type': 'application/json' },
    body: JSON.stringify({ email, ...more }),
  })
  const text = await response.text()
  return { status: response.status, headers: [...response.headers], body: text.replaceAll(email.toLowerCase(), '…') }
}

const account = { password: testPassword, name: 'Ada Lovelace' }
const tokenIn = (text: string): string => /token=([^\s&]+)/.exec(text)?.[1] ?? ''

test('sign-up answers exactly the same for a taken address and a free one, with the same work, and writes to its owner', async () => {
  const { email } = await open.person('Known Person')
  passwordWork()
  const taken = await wholeAnswer(open, '/sign-up/email', email, account)
  expect(passwordWork()).toBe(1)
  const free = await wholeAnswer(open, '/sign-up/email', 'free@example.com', account)
  expect(passwordWork()).toBe(1)
  expect(taken).toEqual(free)
  expect(free).toMatchObject({ status: 200, body: '{"token":null,"user":{"email":"…","emailVerified":false}}' })
  expect((await open.emailTo(email)).kind).toBe('account_exists')
  expect((await open.emailTo('free@example.com')).kind).toBe('verify_email')
})

test('of two sign-ups at once with a free address, the loser is answered as with a taken one', async () => {
  const both = await Promise.all([1, 2].map(() => wholeAnswer(open, '/sign-up/email', 'race@example.com', account)))
  expect(both[0]).toEqual(both[1])
  expect(both[0]?.status).toBe(200)
})

test('sign-in answers the same for an unknown address, a wrong password, and an account that never confirmed', async () => {
  const { email } = await open.person('Some Person')
  await wholeAnswer(open, '/sign-up/email', 'unconfirmed@example.com', account)
  passwordWork()
  const attempt = async (address: string, password: string) => {
    const answer = await wholeAnswer(open, '/sign-in/email', address, { password })
    return { answer, work: passwordWork() }
  }
  const unknown = await attempt('nobody-here@example.com', testPassword)
  expect(unknown).toMatchObject({ answer: { status: 401 }, work: 1 })
  expect(await attempt(email, 'not the password')).toEqual(unknown)
  // otherwise signing up with an own password, and in with it, reveals whether the sign-up created an account
  expect(await attempt('unconfirmed@example.com', testPassword)).toEqual(unknown)
})

test('a forgotten password is answered the same for every address, and the same is written', async () => {
  const { email } = await open.person('Forgetful')
  const written = () => world.rows(`select 1 from identity.verification where identifier like 'reset-link:%'`)
  const before = (await written()).length
  const known = await wholeAnswer(open, '/request-password-reset', email)
  expect(await written()).toHaveLength(before + 1)
  expect(await wholeAnswer(open, '/request-password-reset', 'nobody@example.com')).toEqual(known)
  expect(await written()).toHaveLength(before + 2)
  expect(known.status).toBe(200)
  expect((await wholeAnswer(open, '/request-password-reset', 'no address')).status).toBe(400)
})

test('a forgotten password costs the same statements for every address, so that timing does not reveal who has an account', async () => {
  const { email } = await open.person('Measured')
  const ask = (address: string) => statementsOf(() => wholeAnswer(open, '/request-password-reset', address))
  await ask('warm-up@example.com')
  const unknown = await ask('measured-nobody@example.com')
  expect(unknown.length).toBeGreaterThan(5)
  expect(await ask(email)).toEqual(unknown)
  // with enough e-mails for now
  for (let index = 0; index < 5; index += 1) await ask(email)
  expect(await ask(email)).toEqual(unknown)
  expect(await world.rows(`select from identity.mails where recipient = 'measured-nobody@example.com'`)).toEqual([])
  expect(await world.rows(`select from identity.mails where recipient = $1`, [email])).toHaveLength(5)
})

test('one unused link for a new password at a time, stored as a hash; it works once and ends every session', async () => {
  const { email, userId, browser } = await open.person('Careless')
  const { idToken } = await browser.backendToken()
  await wholeAnswer(open, '/request-password-reset', email)
  const older = tokenIn((await open.emailTo(email)).body)
  await Promise.all([1, 2, 3].map(() => wholeAnswer(open, '/request-password-reset', email)))
  const links = await world.rows<{ identifier: string }>(
    'select identifier from identity.verification where value = $1',
    [userId],
  )
  expect(links).toHaveLength(1)
  const sent = await world.rows<{ body: string }>(`select body from identity.mails where recipient = $1`, [email])
  const tokens = sent.map(({ body }) => tokenIn(body)).filter((token) => token !== '')
  expect(tokens).toHaveLength(4)
  for (const token of tokens) expect(links[0]?.identifier).not.toContain(token)
  const reset = (token: string, newPassword: string) =>
    open.browser().post('/api/auth/reset-password', { token, newPassword })
  expect((await reset(older, 'another horse 2')).status).toBe(400)
  // what a thief of the table would try: the library also looks for values as they are stored
  for (const stolen of [links[0]?.identifier ?? '', links[0]?.identifier.replace(/^.*:/, '') ?? '']) {
    expect((await reset(stolen, 'another horse 2')).status).toBe(400)
  }
  const answers: number[] = []
  for (const token of tokens) answers.push((await reset(token, 'another horse 2')).status)
  expect(answers.filter((status) => status === 200)).toHaveLength(1)
  expect((await browser.get('/api/auth/get-session')).body).toBeNull()
  await expect(open.identity.verifyBackendToken(idToken)).rejects.toMatchObject({ details: { reason: 'signed_out' } })
})

test('a link that is too old is refused', async () => {
  const { email, userId } = await open.person('Slow')
  await wholeAnswer(open, '/request-password-reset', email)
  await world.rows(`update identity.verification set "expiresAt" = now() - interval '1 second' where value = $1`, [
    userId,
  ])
  const token = tokenIn((await open.emailTo(email)).body)
  const late = await open.browser().post('/api/auth/reset-password', { token, newPassword: 'another horse 2' })
  expect(late.status).toBe(400)
})

test('strangers fill no mailbox, and cannot keep an owner from using the link sent last', async () => {
  const { email } = await open.person('Pestered')
  for (let index = 0; index < 8; index += 1) {
    expect((await wholeAnswer(open, '/request-password-reset', email)).status).toBe(200)
    expect((await wholeAnswer(open, '/sign-up/email', email, account)).status).toBe(200)
  }
  const sent = await world.rows<{ kind: string; n: number }>(
    'select kind, count(*)::int as n from identity.mails where recipient = $1 group by kind order by kind',
    [email],
  )
  expect(sent).toEqual([
    { kind: 'account_exists', n: 5 },
    { kind: 'reset_password', n: 5 },
  ])
  const resets = await world.rows<{ body: string }>(
    `select body from identity.mails where recipient = $1 and kind = 'reset_password' order by "createdAt" desc, ctid desc limit 1`,
    [email],
  )
  const used = { token: tokenIn(resets[0]?.body ?? ''), newPassword: 'another horse 2' }
  expect((await open.browser().post('/api/auth/reset-password', used)).status).toBe(200)
})

test('a link that a mail server delivered is no longer readable in the database', async () => {
  const { email } = await open.person('Delivered')
  await wholeAnswer(open, '/request-password-reset', email)
  const bodies: string[] = []
  const mail = {
    send: async ({ to, body }: { to: string; body: string }) => {
      if (to === email) bodies.push(body)
      return { id: to }
    },
    close: () => undefined,
  }
  await new Courier({
    db: world.database,
    log: world.services.log,
    mail,
    phones: phonesOf(world.services),
    enclose: guestEnclosures('https://ops.example'),
  }).deliverDue()
  expect(tokenIn(bodies[0] ?? '')).toMatch(/^[\w-]{32}$/)
  expect((await open.emailTo(email)).body).toMatch(/token=…\n/)
})

test('while sign-up is closed, an address with an account is answered like a stranger’s', async () => {
  const stranger = await wholeAnswer(closed, '/sign-up/email', 'stranger@example.com', account)
  expect(stranger).toMatchObject({ status: 403 })
  const { email } = await closed.person('Made By Hand')
  expect(await wholeAnswer(closed, '/sign-up/email', email, account)).toEqual(stranger)
  await closed.browser().post('/api/auth/waitlist/join', { email: 'patient@example.com' })
  await world.rows(`update identity.waitlist set status = 'approved' where email = 'patient@example.com'`)
  expect((await wholeAnswer(closed, '/sign-up/email', 'patient@example.com', account)).status).toBe(200)
  expect(await wholeAnswer(closed, '/sign-up/email', 'patient@example.com', account)).toEqual(stranger)
})

test('the waitlist holds known and unknown addresses alike', async () => {
  const { email } = await closed.person('Known Waiter')
  const known = await wholeAnswer(closed, '/waitlist/join', email)
  expect(await wholeAnswer(closed, '/waitlist/join', 'unknown-waiter@example.com')).toEqual(known)
  expect(
    await world.rows(
      `select count(*)::int as n from identity.waitlist where email in ($1, 'unknown-waiter@example.com')`,
      [email],
    ),
  ).toEqual([{ n: 2 }])
})

test('a name is one line of at most 120 characters, wherever it is typed', async () => {
  const { browser } = await open.person('Renamer')
  const wrong = ['Ada\r\nBcc: all@example.com', 'x'.repeat(121), 'NUL\u0000', 'a\u2028b']
  for (const name of wrong) {
    const signUp = await wholeAnswer(open, '/sign-up/email', 'names@example.com', { ...account, name })
    expect(signUp).toMatchObject({ status: 400, body: expect.stringContaining('INVALID_NAME') })
    expect((await browser.post('/api/auth/update-user', { name })).status).toBe(400)
    expect((await browser.post('/api/auth/update-user', { firstName: name })).status).toBe(400)
  }
  expect((await browser.post('/api/auth/update-user', { name: 'x'.repeat(120) })).status).toBe(200)
})

test('an e-mail carries 80 characters of a name and makes no link of it', async () => {
  const email = 'long-name@example.com'
  const name = `https://evil.example/${'x'.repeat(90)}`
  await wholeAnswer(open, '/sign-up/email', email, { ...account, name })
  const { body } = await open.emailTo(email)
  const [greeting = ''] = body.split('\n')
  expect(greeting).toMatch(/^Hello https: \/\/evil\. example\/x+…,$/)
  expect(greeting.length).toBe('Hello ,'.length + 80)
  expect(body.match(/https?:\/\/\S+/g)).toEqual([expect.stringMatching(new RegExp(`^${testOrigin}/verify-email`))])
})
