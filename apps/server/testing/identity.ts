import { secp256k1 } from '@noble/curves/secp256k1.js'
import { Hono } from 'hono'
import type { Config } from '../src/config.ts'
import { testDatabase, type TestWorld } from './world.ts'
import { outboxChannels } from '../src/platform/channels/outbox-channels.ts'
import { createEmbeddedIdentity, type EmbeddedIdentity } from '../src/platform/identity/identity.ts'
import { mountIdentity } from '../src/platform/identity/mount-identity.ts'
import { addressOf, personalMessageHash } from '../src/platform/identity/wallet.ts'

export const testOrigin = 'http://127.0.0.1:7001'
export const testPassword = 'correct horse 1'

/** The identity service over the database of a test, reached as browsers do. */
export interface TestIdentity {
  readonly identity: EmbeddedIdentity
  readonly app: Hono
  browser(address?: string): TestBrowser
  /** The newest e-mail to somebody; fails when there is none. */
  emailTo(email: string): Promise<{ kind: string; subject: string; body: string }>
  /** A verified account, signed in. */
  person(name: string): Promise<TestPerson>
}

export interface TestPerson {
  readonly userId: string
  readonly email: string
  readonly browser: TestBrowser
}

interface TestAnswer {
  readonly status: number
  readonly body: Record<string, unknown> & { code?: string; message?: string }
}

/** A browser: keeps cookies, sends its origin. */
export interface TestBrowser {
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  /** Identity token, then backend sign-in. */
  backendToken(): Promise<{ idToken: string; refreshToken: string }>
  /** Value of the `cookie` header. */
  cookies(): string
}

let count = 0

/** What differs from the configuration of the world; who may sign up is a separate setting. */
type Change = Partial<Config> & { readonly signUp?: Config['identity']['signUp'] }

export function testIdentity(world: TestWorld, { signUp, ...change }: Change = {}): TestIdentity {
  const { identity: configured } = world.services.config
  const config: Config = {
    ...world.services.config,
    publicUrl: testOrigin,
    port: 7001,
    rateLimits: { ...world.services.config.rateLimits, identityPerIpPerMinute: 1000 },
    identity: signUp ? { ...configured, signUp } : configured,
    ...change,
  }
  const { db, log, clock } = world.services
  const identity = createEmbeddedIdentity({
    config,
    db,
    log,
    channels: outboxChannels({ db, clock, delivery: 'outbox' }),
  })
  const app = new Hono()
  mountIdentity(app, identity, log)
  const newBrowser = (address = '192.0.2.1') => browserOf(app, address)
  return {
    identity,
    app,
    browser: newBrowser,
    emailTo: async (email) => {
      const { rows } = await db.ownerPool.query<{ kind: string; subject: string; body: string }>(
        'select kind, subject, body from identity.mails where recipient = $1 order by "createdAt" desc, ctid desc limit 1',
        [email],
      )
      const newest = rows[0]
      if (!newest) throw new Error(`No e-mail to ${email}`)
      return newest
    },
    person: async (name) => {
      const email = `${name.toLowerCase().replaceAll(' ', '.')}-${(count += 1)}@example.com`
      const { userId } = await identity.accounts.createAccount({ email, password: testPassword, name, verified: true })
      const own = newBrowser()
      const answer = await own.post('/api/auth/sign-in/email', { email, password: testPassword })
      if (answer.status !== 200) throw new Error(`Sign-in of ${email} failed: ${JSON.stringify(answer)}`)
      return { userId, email, browser: own }
    },
  }
}

/** A database for the tests of one file, and identity over it. */
export async function identityWorld(change: Change = {}): Promise<{ world: TestWorld; site: TestIdentity }> {
  const world = await testDatabase()
  return { world, site: testIdentity(world, change) }
}

function browserOf(app: Hono, address: string): TestBrowser {
  const jar = new Map<string, string>()
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  async function request(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<TestAnswer> {
    const response = await app.request(testOrigin + path, {
      method,
      headers: {
        origin: testOrigin,
        'x-client-address': address,
        cookie: cookies(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const cut = pair.indexOf('=')
      if (/max-age=0/i.test(cookie)) jar.delete(pair.slice(0, cut))
      else jar.set(pair.slice(0, cut), pair.slice(cut + 1))
    }
    const text = await response.text()
    return {
      status: response.status,
      body: isJson(response) && text !== '' ? (JSON.parse(text) as TestAnswer['body']) : {},
    }
  }
  const browser: TestBrowser = {
    cookies,
    get: (path, headers = {}) => request('GET', path, undefined, headers),
    post: (path, body = {}, headers = {}) => request('POST', path, body, headers),
    backendToken: async () => {
      const { body } = await browser.get('/api/auth/token')
      const answer = await browser.post('/api/v1/accounts:signInWithCustomToken', {
        token: body['token'],
        returnSecureToken: true,
      })
      if (answer.status !== 200) throw new Error(`Backend sign-in failed: ${JSON.stringify(answer)}`)
      return answer.body as unknown as { idToken: string; refreshToken: string }
    },
  }
  return browser
}

const isJson = (response: Response): boolean => (response.headers.get('content-type') ?? '').includes('json')

/** A wallet that signs sign-in messages. */
export function testWallet(seed: number) {
  const key = new Uint8Array(32).fill(seed)
  const plain = addressOf(secp256k1.getPublicKey(key, false))
  return {
    address: plain,
    messageFor: (nonce: string, domain = '127.0.0.1:7001', uri = testOrigin) =>
      `${domain} wants you to sign in with your Ethereum account:\n${plain}\n\nSign in\n\nURI: ${uri}\nVersion: 1\n` +
      `Chain ID: 1\nNonce: ${nonce}\nIssued At: ${new Date().toISOString()}`,
    sign: (message: string): string => {
      const signature = secp256k1.sign(personalMessageHash(message), key, { prehash: false, format: 'recovered' })
      return `0x${Buffer.from([...signature.slice(1), 27 + (signature[0] ?? 0)]).toString('hex')}`
    },
  }
}
