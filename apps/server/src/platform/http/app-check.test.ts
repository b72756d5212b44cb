import { AppError } from '@tour-ops/contract/errors'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import { beforeAll, expect, test, vi } from 'vitest'
import { withAppCheck } from './app-check.ts'
import type { Exchange, Handler } from './exchange.ts'

// Tokens as App Check makes them: https://firebase.google.com/docs/app-check/custom-resource-backend

let keys: ReturnType<typeof createLocalJWKSet>
let privateKey: CryptoKey
beforeAll(async () => {
  const pair = await generateKeyPair('RS256')
  privateKey = pair.privateKey
  keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), alg: 'RS256', kid: 'k' }] })
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
    'signed with a password': await proof({}, new Uint8Array(32), 'HS256'),
  }
  for (const [what, token] of Object.entries(refused)) expect(await passes(token), what).toBe(false)
})

test('keys that cannot be had are an outage and no refusal', async () => {
  const broken = () => Promise.reject(new TypeError('fetch failed'))
  const exchange = { request: { headers: { 'x-firebase-appcheck': await proof() } } } as unknown as Exchange
  await expect(withAppCheck(async () => undefined, 'tours', broken)(exchange)).rejects.toThrow('fetch failed')
})
