import { expect, test, vi } from 'vitest'
import { tokenRefreshMarginMs } from './constants.ts'
import { makeHttpClient } from './http-client.ts'
import { TokenKeeper, type TokenClock } from './token-keeper.ts'

type Fetch = typeof globalThis.fetch

/** A clock that only moves when the test moves it; timers run when their time has come. It begins later than 0, as clocks do. */
function manualClock() {
  const startedAt = 1_000_000_000
  let now = startedAt
  const timers = new Map<number, { at: number; run: () => void }>()
  const clock: TokenClock = {
    now: () => now,
    setTimeout: (run, delayMs) => {
      const id = timers.size + 1
      timers.set(id, { at: now + delayMs, run })
      return id
    },
    clearTimeout: (timer) => timers.delete(timer as number),
  }
  /** @param passed Since the start, in milliseconds. */
  const moveTo = (passed: number) => {
    now = startedAt + passed
    for (const [id, timer] of timers) {
      if (timer.at > now) continue
      timers.delete(id)
      timer.run()
    }
  }
  return { clock, moveTo, sleepTo: (passed: number) => (now = startedAt + passed) }
}

function server() {
  let issued = 0
  const fetch = vi.fn<Fetch>(async (input) => {
    const path = new URL(input as string).pathname
    issued += 1
    if (path.endsWith(':signInWithCustomToken')) {
      return Response.json({ idToken: `id-${issued}`, refreshToken: `refresh-${issued}`, expiresIn: '3600' })
    }
    if (path.endsWith('/token')) {
      return Response.json({
        id_token: `id-${issued}`,
        refresh_token: `refresh-${issued}`,
        expires_in: '3600',
        user_id: 'u',
      })
    }
    return Response.json({})
  })
  return { fetch, http: makeHttpClient('https://operator.test/api', fetch) }
}

const hour = 3_600_000

test('sign-in sends the identity token in the shape of the spec', async () => {
  const { fetch, http } = server()
  const keeper = new TokenKeeper(http, manualClock())
  await keeper.signIn('identity-token')
  const [url, init] = fetch.mock.calls[0] ?? []
  expect(url).toBe('https://operator.test/api/v1/accounts:signInWithCustomToken')
  expect(JSON.parse(init?.body as string)).toEqual({ token: 'identity-token', returnSecureToken: true })
  expect(await keeper.token(false)).toBe('id-1')
})

test('the token is renewed five minutes before it ends', async () => {
  const { fetch, http } = server()
  const { clock, moveTo } = manualClock()
  const keeper = new TokenKeeper(http, { clock })
  await keeper.signIn('identity-token')
  moveTo(hour - tokenRefreshMarginMs - 1)
  expect(fetch).toHaveBeenCalledTimes(1)
  moveTo(hour - tokenRefreshMarginMs)
  expect(fetch, 'by itself, before anybody asks').toHaveBeenCalledTimes(2)
  await expect.poll(() => keeper.token(false)).toBe('id-2')
  const [url, init] = fetch.mock.calls[1] ?? []
  expect(url).toBe('https://operator.test/api/v1/token')
  expect(Object.fromEntries(init?.body as URLSearchParams)).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'refresh-1',
  })
  // and the renewed one as long before its own end
  moveTo(2 * (hour - tokenRefreshMarginMs) - 1)
  expect(await keeper.token(false)).toBe('id-2')
  moveTo(2 * (hour - tokenRefreshMarginMs))
  await expect.poll(() => keeper.token(false)).toBe('id-3')
})

test('who signs out while the token is renewed is signed out in the end, and nobody is asked again', async () => {
  const { fetch, http } = server()
  const { clock, moveTo } = manualClock()
  const keeper = new TokenKeeper(http, { clock })
  await keeper.signOut()
  expect(fetch, 'nobody was there').not.toHaveBeenCalled()
  await keeper.signIn('identity-token')
  const renewed = keeper.token(true)
  await keeper.signOut()
  expect(await renewed).toBe('id-2')
  expect(await keeper.token(false)).toBeUndefined()
  const [, init] = fetch.mock.calls.at(-1) ?? []
  expect(JSON.parse(init?.body as string)).toEqual({ refreshToken: 'refresh-1' })
  moveTo(3 * hour)
  expect(fetch).toHaveBeenCalledTimes(3)
})

test('after a sleep through the timer the next call renews first, and many calls renew once', async () => {
  const { fetch, http } = server()
  const { clock, sleepTo } = manualClock()
  const keeper = new TokenKeeper(http, { clock })
  await keeper.signIn('identity-token')
  sleepTo(2 * hour)
  expect(await Promise.all([keeper.token(false), keeper.token(false), keeper.token(true)])).toEqual([
    'id-2',
    'id-2',
    'id-2',
  ])
  expect(fetch).toHaveBeenCalledTimes(2)
})

test('sign-out forgets the token and revokes it', async () => {
  const { fetch, http } = server()
  const keeper = new TokenKeeper(http, manualClock())
  await keeper.signIn('identity-token')
  await keeper.signOut()
  expect(await keeper.token(false)).toBeUndefined()
  const [url, init] = fetch.mock.calls[1] ?? []
  expect(url).toBe('https://operator.test/api/v1/accounts:signOut')
  expect(new Headers(init?.headers).get('authorization')).toBe('Bearer id-1')
})

test('a renewal that the backend refuses ends the token and is reported', async () => {
  const { fetch, http } = server()
  const onRefused = vi.fn<() => void>()
  const keeper = new TokenKeeper(http, { ...manualClock(), onRefused })
  await keeper.signIn('identity-token')
  fetch.mockResolvedValueOnce(
    Response.json({ error: { status: 'UNAUTHENTICATED', message: 'revoked' } }, { status: 401 }),
  )
  await expect(keeper.token(true)).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(onRefused).toHaveBeenCalledOnce()
  expect(await keeper.token(false)).toBeUndefined()
})

test('a renewal that fails on the way keeps the token for another try', async () => {
  const { fetch, http } = server()
  const keeper = new TokenKeeper(http, manualClock())
  await keeper.signIn('identity-token')
  fetch.mockRejectedValueOnce(new TypeError('fetch failed'))
  await expect(keeper.token(true)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await keeper.token(false)).toBe('id-1')
})
