import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../seed/random.ts'
import { testServer, type TestServer } from '../testing/http-server.ts'
import { testIdentity, testPassword, type TestIdentity } from '../testing/identity.ts'
import { fuzzSeed, isFault, oddValues, rawPost, rawRequest } from '../testing/raw-requests.ts'
import { jsonText } from '../testing/fuzz-values.ts'
import { testDatabase, type TestWorld } from '../testing/world.ts'

// The endpoints of the embedded identity and of the backend's sign-in, with hostile input from a fixed seed.

let world: TestWorld
let identity: TestIdentity
let server: TestServer
beforeAll(async () => {
  world = await testDatabase()
  identity = testIdentity(world, { signUp: 'open' })
  const env = { RATE_LIMIT_IP: '0', RATE_LIMIT_USER: '0', RATE_LIMIT_IDENTITY: '0', DEMO: 'off' }
  server = await testServer({ services: world.services, identity: identity.app, env })
})
afterAll(async () => {
  await server?.close()
  await world?.close()
})

const identityFields: Readonly<Record<string, readonly string[]>> = {
  'sign-up/email': ['name', 'email', 'password', 'image', 'callbackURL', 'firstName', 'lastName', 'setupToken'],
  'sign-in/email': ['email', 'password', 'callbackURL', 'rememberMe'],
  'update-user': ['name', 'image', 'firstName', 'lastName', 'email'],
  'change-password': ['currentPassword', 'newPassword', 'revokeOtherSessions'],
  'request-password-reset': ['email', 'redirectTo'],
  'reset-password': ['token', 'newPassword'],
  'send-verification-email': ['email', 'callbackURL'],
  'waitlist/join': ['email'],
  'siwe/nonce': ['walletAddress', 'chainId'],
  'siwe/verify': ['message', 'signature', 'walletAddress', 'chainId', 'email'],
  'organization/create': ['name', 'slug', 'logo', 'metadata', 'userId', 'keepCurrentActiveOrganization'],
  'organization/update': ['data', 'organizationId'],
  'organization/set-active': ['organizationId', 'organizationSlug'],
  'organization/accept-invitation': ['invitationId'],
  'organization/reject-invitation': ['invitationId'],
  'organization/leave': ['organizationId'],
}
const rightValues: Readonly<Record<string, unknown>> = {
  name: 'Ada Byron',
  email: 'ada@example.com',
  password: testPassword,
  newPassword: testPassword,
  currentPassword: testPassword,
  slug: 'fjord-walks',
  chainId: 1,
  data: { name: 'Fjord' },
  walletAddress: '0x0000000000000000000000000000000000000001',
}

test('the identity endpoints, signed in and not', async () => {
  const { browser } = await identity.person('Hostile Ada')
  const random = seededRandom(fuzzSeed)
  const faults: unknown[] = []
  for (const [path, fields] of Object.entries(identityFields)) {
    for (const field of fields) {
      // a password is hashed at each attempt to sign in or up, which takes long on purpose
      for (const value of Array.from({ length: 8 }, () => random.pick(oddValues))) {
        const given = field === 'data' && typeof value === 'string' ? { name: value, logo: value } : value
        const body = {
          ...Object.fromEntries(fields.map((name) => [name, rightValues[name] ?? 'text'])),
          [field]: given,
        }
        const visitor = path.startsWith('organization/') || path === 'update-user' ? browser : identity.browser()
        const { status, body: said } = await visitor.post(`/api/auth/${path}`, body)
        const answer = { status, text: JSON.stringify(said) }
        if (isFault(answer)) faults.push({ path, field, value: jsonText(value).slice(0, 60), ...answer })
      }
    }
  }
  expect(faults).toEqual([])
}, 120_000)

test('what identity is asked in an address, a header or a body that is no object', async () => {
  const faults: unknown[] = []
  const queries = ['%00', '%ED%A0%80', '%FF', '%', 'a%00b', "'--", 'x'.repeat(8_000)]
  for (const path of [
    '/api/auth/verify-email?token=',
    '/api/auth/reset-password/',
    '/api/auth/organization/get-invitation?id=',
    '/api/auth/organization/get-full-organization?organizationSlug=',
    '/api/auth/callback/',
    '/api/v1/projects?x=',
  ]) {
    for (const query of queries) {
      const answer = await rawRequest(server.base, path + query, {
        headers: { 'user-agent': 'x'.repeat(6_000), cookie: `a=${query}` },
      })
      if (isFault(answer)) faults.push({ path, query: query.slice(0, 40), ...answer })
    }
  }
  for (const body of [
    '',
    'null',
    '[]',
    '7',
    '"text"',
    '{',
    '[['.repeat(9_000),
    `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  ]) {
    for (const path of [
      '/api/auth/sign-in/email',
      '/api/auth/waitlist/join',
      '/api/v1/token',
      '/api/v1/accounts:signOut',
    ]) {
      const answer = await rawPost(server.base, path, body)
      if (isFault(answer)) faults.push({ path, body: body.slice(0, 40), ...answer })
    }
  }
  for (const field of ['token', 'refresh_token', 'idToken', 'refreshToken']) {
    for (const value of oddValues) {
      const body = jsonText({ grant_type: 'refresh_token', [field]: value })
      for (const path of ['/api/v1/token', '/api/v1/accounts:signInWithCustomToken', '/api/v1/accounts:signOut']) {
        const answer = await rawPost(server.base, path, body)
        if (isFault(answer)) faults.push({ path, body: body.slice(0, 80), ...answer })
      }
    }
  }
  expect(faults).toEqual([])
})
