import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '@tour-ops/contract/errors'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
} from 'jose'
import { beforeAll, expect, test, vi } from 'vitest'
import { Outage } from '../outages.ts'
import { withAppCheck } from './app-check.ts'
import type { Exchange, Handler } from './exchange.ts'
import { testServer } from '../../../testing/http-server.ts'

// Tokens as App Check makes them: https://firebase.google.com/docs/app-check/custom-resource-backend

let keys: ReturnType<typeof createLocalJWKSet>
let privateKey: CryptoKey
let publicKey: JWK
beforeAll(async () => {
  const pair = await generateKeyPair('RS256')
  privateKey = pair.privateKey
  publicKey = { ...(await exportJWK(pair.publicKey)), alg: 'RS256', kid: 'k' }
  keys = createLocalJWKSet({ keys: [publicKey] })
})

const proof = (claims: Record<string, unknown> = {}, key: CryptoKey | Uint8Array = privateKey, alg = 'RS256') =>
  new SignJWT({
    iss: 'https://firebaseappcheck.googleapis.com/123',
    aud: ['projects/123', 'projects/tours'],
    sub: '1:1:web:1',
    exp: Math.floor(Date.now() / 1000) + 60,
    ...claims,
  })
    .setProtectedHeader({ alg, kid: 'k' })
    .sign(key)

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Whether a request with this header gets through to the handler. */
async function passes(token: string | undefined, projectId: string | null = 'tours'): Promise<boolean> {
  const handler = vi.fn<Handler>(async () => undefined)
  const headers = token === undefined ? {} : { 'x-firebase-appcheck': token }
  const exchange = { request: { headers } } as unknown as Exchange
  try {
    await withAppCheck(handler, projectId, keys)(exchange)
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code: 'unauthenticated', details: { reason: 'app_check' } })
  }
  return handler.mock.calls.length === 1
}

test('a request with the proof of the configured project passes', async () => {
  expect(await passes(await proof())).toBe(true)
})

test('where no project is configured nobody is asked', async () => {
  expect(await passes(undefined, null)).toBe(true)
})

test('everything else is refused before anything runs', async () => {
  const stranger = await generateKeyPair('RS256')
  const refused = {
    none: undefined,
    'no token': 'a.b.c',
    'of another project': await proof({ aud: ['projects/9', 'projects/others'] }),
    'of another service': await proof({ iss: 'https://securetoken.google.com/tours' }),
    over: await proof({ exp: Math.floor(Date.now() / 1000) - 60 }),
    'of no application': await proof({ sub: undefined }),
    'signed by somebody else': await proof({}, stranger.privateKey),
    'with an extension that nobody knows': `${encoded({ alg: 'RS256', kid: 'k', crit: ['x'], x: 1 })}.e30.c2ln`,
    'signed with a password': await proof({}, new Uint8Array(32), 'HS256'),
  }
  for (const [what, token] of Object.entries(refused)) expect(await passes(token), what).toBe(false)
})

const required = {
  FIREBASE_PROJECT_ID: 'tours',
  FIREBASE_API_KEY: 'key',
  FIREBASE_APP_ID: '1:1:web:1',
  FIREBASE_APP_CHECK_KEY: 'site-key',
  FIREBASE_APP_CHECK: 'required',
}

/** What the server answers to a call with a right proof while the keys come from this address. */
async function askWithKeysFrom(address: string): Promise<Response> {
  const server = await testServer({ env: required, appCheckKeys: createRemoteJWKSet(new URL(address)) })
  try {
    const headers = { 'x-firebase-appcheck': await proof() }
    return await server.fetch('/api/anything', { method: 'POST', headers, body: '{"data":{}}' })
  } finally {
    await server.close()
  }
}

/** The address of a server of keys that answers this. */
async function keysServer(status: number, body: string): Promise<{ address: string; close(): void }> {
  const server = http.createServer((_request, response) => void response.writeHead(status).end(body))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}/keys`, close: () => void server.close() }
}

test.each([
  ['answers 500', 500, ''],
  ['moved', 302, ''],
  ['answers no JSON', 200, '<html>'],
  ['answers no keys', 200, '{"keys":7}'],
])('a server of keys that %s is an outage and no refusal', async (_what, status, body) => {
  const keysOf = await keysServer(status, body)
  const answer = await askWithKeysFrom(keysOf.address)
  keysOf.close()
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await answer.json()).toMatchObject({
    error: { status: 'UNAVAILABLE', details: { reason: 'keys_unreachable' } },
  })
})

test('a server of keys that nobody reaches is an outage, and with its keys the call continues', async () => {
  const gone = await keysServer(200, '')
  gone.close()
  expect((await askWithKeysFrom(gone.address)).status).toBe(503)
  const there = await keysServer(200, JSON.stringify({ keys: [publicKey] }))
  const answer = await askWithKeysFrom(there.address)
  there.close()
  // there is no such call in this server, which is only answered after the check
  expect(answer.status).toBe(404)
})

test('keys that come too late are an outage', async () => {
  const late = () => Promise.reject(new errors.JWKSTimeout())
  const exchange = { request: { headers: { 'x-firebase-appcheck': await proof() } } } as unknown as Exchange
  await expect(withAppCheck(async () => undefined, 'tours', late)(exchange)).rejects.toBeInstanceOf(Outage)
})
