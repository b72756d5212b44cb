import { initializeApp } from 'firebase/app'
import {
  beforeAuthStateChanged,
  connectAuthEmulator,
  initializeAuth,
  inMemoryPersistence,
  signInWithCustomToken,
} from 'firebase/auth'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { echo, hostedCalls, type HostedCalls, type HostedWorld, listTours, refusing } from './firebase-testing.ts'
import { syncToken } from './token-sync.ts'

let world: HostedWorld
let calls: HostedCalls
beforeAll(async () => {
  ;({ world, calls } = await hostedCalls())
})
afterAll(() => world?.close())

const path = 'http://localhost/token-sync'

/** What the configured path receives; all other requests are passed on. */
function listenToPath(answer: () => ReturnType<typeof fetch>) {
  const told: string[] = []
  const bearers: (string | undefined)[] = []
  const real = globalThis.fetch
  const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    if (input !== path) return real(input, init)
    const bearer = new Headers(init?.headers).get('authorization')?.replace(/^Bearer /, '')
    const person = bearer && world.tokens.verify(bearer)?.['sub']
    bearers.push(bearer)
    told.push(`${init?.method} ${typeof person === 'string' ? person : 'nobody'}`)
    return answer()
  })
  return { told, bearers, stop: () => fetching.mockRestore() }
}
const synced = () => world.backend({ settings: { ...world.settings, tokenSyncPath: path } })

test('reports each person once, and their sign-out', async () => {
  const { told, stop } = listenToPath(async () => new Response())
  const backend = synced()
  await backend.signIn(await world.tokenFor('ada', 'north'))
  await backend.signIn(await world.tokenFor('bea', 'north'))
  await backend.signOut()
  await expect.poll(() => told.filter((line) => line !== 'DELETE nobody')).toEqual(['POST ada', 'POST bea'])
  expect(told.at(-1)).toBe('DELETE nobody')
  stop()
})

test('reports a renewed token', async () => {
  const { told, bearers, stop } = listenToPath(async () => new Response())
  const backend = synced()
  await backend.signIn(await world.tokenFor('ada', 'north'))
  // the seconds of its age are what makes it another one
  world.tokens.issueAged(60)
  calls.answers = [refusing('UNAUTHENTICATED', 401), echo]
  await backend.call(listTours, {})
  await expect.poll(() => told.filter((line) => line !== 'DELETE nobody')).toEqual(['POST ada', 'POST ada'])
  world.tokens.issueAged(0)
  const [first, second] = bearers.filter((bearer) => bearer !== undefined)
  expect(second).not.toBe(first)
  expect(calls.seen.at(-1)?.bearer).toBe(`Bearer ${second}`)
  stop()
})

test('reports a token that is not older than 5 minutes, and no other', async () => {
  const { told, stop } = listenToPath(async () => new Response())
  for (const [person, ageSeconds] of [
    ['old', 301],
    // a busy machine may take a while to sign somebody in
    ['young', 270],
  ] as const) {
    world.tokens.issueAged(ageSeconds)
    await synced().signIn(await world.tokenFor(person, 'north'))
  }
  world.tokens.issueAged(0)
  expect(told.filter((line) => line !== 'DELETE nobody')).toEqual(['POST young'])
  stop()
})

test('a renewal that cannot be reported is logged in the console and blocks nothing', async () => {
  let isReached = true
  const { stop } = listenToPath(async () => {
    if (isReached) return new Response()
    throw new TypeError('Failed to fetch')
  })
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const backend = synced()
  await backend.signIn(await world.tokenFor('ada', 'north'))
  isReached = false
  world.tokens.issueAged(60)
  calls.answers = [refusing('UNAUTHENTICATED', 401), echo]
  expect(await backend.call(listTours, { found: true })).toEqual({ found: true })
  await expect
    .poll(() => warn.mock.calls)
    .toContainEqual(['The backend token could not be told.', expect.any(TypeError)])
  world.tokens.issueAged(0)
  warn.mockRestore()
  stop()
})

test('a sign-in that something else refuses is undone', async () => {
  const { told, stop } = listenToPath(async () => new Response())
  const auth = initializeAuth(initializeApp({ apiKey: 'demo' }, 'a sign-in that is refused'), {
    persistence: inMemoryPersistence,
  })
  connectAuthEmulator(auth, world.tokens.origin, { disableWarnings: true })
  syncToken(auth, path)
  beforeAuthStateChanged(auth, () => Promise.reject(new Error('not today')))
  await expect(signInWithCustomToken(auth, await world.tokenFor('ada', 'north'))).rejects.toThrow()
  await expect.poll(() => told.slice(told.indexOf('POST ada'))).toEqual(['POST ada', 'DELETE nobody'])
  stop()
})

test('a sign-in that cannot be reported fails', async () => {
  const { stop } = listenToPath(() => Promise.reject(new TypeError('Failed to fetch')))
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  await expect(synced().signIn(await world.tokenFor('ada', 'north'))).rejects.toThrow()
  warn.mockRestore()
  stop()
})
