import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { databaseCodeNames, databaseWireStatusOf } from '@tour-ops/contract/database-codes'
import { errorCodes, httpStatusOf, wireStatusOf } from '@tour-ops/contract/errors'
import { livePath } from '@tour-ops/contract/live/live-paths'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { echo, hostedCalls, type HostedCalls, type HostedWorld, listTours, refusing } from './firebase-testing.ts'

let world: HostedWorld
let calls: HostedCalls
beforeAll(async () => {
  ;({ world, calls } = await hostedCalls())
})
afterAll(() => world?.close())

describe('callables', () => {
  test('carry the bearer of the sign-in to the one function, and nothing that is undefined', async () => {
    calls.answers = [echo]
    const backend = await world.signedIn()
    expect(await backend.call(listTours, { q: 'gold', after: undefined })).toEqual({ q: 'gold' })
    const request = calls.seen.at(-1)
    expect(request).toMatchObject({ data: { q: 'gold' }, path: '/tours-list' })
    expect(world.tokens.verify(request?.bearer?.slice('Bearer '.length) ?? '')).toMatchObject({
      sub: 'ada',
      org_id: 'north',
      org_role: 'dispatcher',
    })
  })

  test.each(errorCodes.filter((code) => code !== 'unauthenticated'))(
    '%s arrives with its words, its status not in them',
    async (code) => {
      calls.answers = [refusing(wireStatusOf(code), httpStatusOf[code])]
      const backend = await world.signedIn()
      await expect(backend.call(listTours, {})).rejects.toMatchObject({
        name: 'AppError',
        code,
        message: 'Not now.',
        details: { reason: 'test' },
      })
    },
  )

  test('a token that the server refuses is renewed once', async () => {
    calls.answers = [refusing('UNAUTHENTICATED', 401), echo]
    const backend = await world.signedIn()
    expect(await backend.call(listTours, { q: '' })).toEqual({ q: '' })
    calls.answers = [refusing('UNAUTHENTICATED', 401)]
    const before = calls.seen.length
    await expect(backend.call(listTours, {})).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(calls.seen.length - before).toBe(2)
  })

  test('each has its own URL where the functions are named: {region}-{project}.{host}/{name}', async () => {
    const backend = await world.signedIn({ settings: { ...world.settings, callables: 'named' } })
    await expect(backend.call(listTours, {})).rejects.toMatchObject({ code: 'not-found' })
    expect(world.functions.requests.at(-1)?.path).toBe('/demo-tour/us-central1/tours-list')
  })

  test('have 70 s to answer', async () => {
    calls.answers = [() => undefined]
    const backend = await world.signedIn()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const ended = vi.fn<(error: unknown) => void>()
    backend.call(listTours, {}).catch(ended)
    await vi.advanceTimersByTimeAsync(69_999)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'deadline-exceeded' }))
    vi.useRealTimers()
  })

  test('a caller who aborts gets cancelled, and one who waits too long deadline-exceeded', async () => {
    calls.answers = [() => undefined]
    const backend = await world.signedIn({ timeoutMs: 150 })
    const controller = new AbortController()
    const aborted = backend.call(listTours, {}, { signal: controller.signal })
    controller.abort()
    await expect(aborted).rejects.toMatchObject({ code: 'cancelled' })
    await expect(backend.call(listTours, {})).rejects.toMatchObject({ code: 'deadline-exceeded' })
  })

  test('a server that nobody reaches is unavailable, as the query layer expects before it repeats', async () => {
    const nobody = { ...world.settings, local: { ...world.settings.local!, functions: { host: '127.0.0.1', port: 9 } } }
    const backend = world.backend({ settings: nobody })
    await expect(backend.call(listTours, {})).rejects.toMatchObject({
      code: 'unavailable',
      details: { reason: 'network' },
    })
  })
})

describe('the sign-in', () => {
  test.each([
    ['signed by somebody else', { iss: 'intruder@demo-tour.iam.gserviceaccount.com' }],
    ['for another service', { aud: 'https://example.com' }],
    ['over', { iat: 1_000_000, exp: 1_003_600 }],
    ['longer than an hour', { exp: Math.floor(Date.now() / 1000) + 7_200 }],
  ])('refuses a token that is %s', async (_what, overrides) => {
    const backend = world.backend()
    await expect(backend.signIn(world.tokens.mint('ada', {}, overrides))).rejects.toMatchObject({
      code: 'unauthenticated',
      details: { reason: expect.stringMatching(/^auth\/(invalid-custom-token|custom-token-mismatch)$/) as string },
    })
  })

  test('without a network is unavailable, as auth/network-request-failed', async () => {
    const backend = world.backend({
      settings: { ...world.settings, local: { ...world.settings.local!, auth: 'http://127.0.0.1:9' } },
    })
    await expect(backend.signIn(await world.tokenFor('ada', 'north'))).rejects.toMatchObject({
      code: 'unavailable',
      details: { reason: 'auth/network-request-failed' },
    })
  })

  test('that is answered without a token is a fault inside, as auth/internal-error', async () => {
    const empty = http.createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    )
    await new Promise<void>((resolve) => empty.listen(0, '127.0.0.1', resolve))
    const auth = `http://127.0.0.1:${(empty.address() as AddressInfo).port}`
    const backend = world.backend({ settings: { ...world.settings, local: { ...world.settings.local!, auth } } })
    await expect(backend.signIn(await world.tokenFor('ada', 'north'))).rejects.toMatchObject({
      code: 'internal',
      details: { reason: 'auth/internal-error' },
    })
    empty.close()
  })

  test('that is overtaken by another does not count', async () => {
    calls.answers = [echo]
    const backend = world.backend()
    const [north, south] = [await world.tokenFor('ada', 'north'), await world.tokenFor('ada', 'south')]
    const first = backend.signIn(north)
    const second = backend.signIn(south)
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    await second
    await backend.call(listTours, {})
    expect(world.tokens.verify(calls.seen.at(-1)?.bearer?.slice(7) ?? '')).toMatchObject({ org_id: 'south' })
  })

  test('ends with the sign-out: calls no longer carry a bearer token', async () => {
    calls.answers = [echo]
    const backend = await world.signedIn()
    await backend.signOut()
    await backend.call(listTours, {})
    expect(calls.seen.at(-1)?.bearer).toBeUndefined()
  })
})

describe('the database', () => {
  afterEach(() => world.firestore.refuseAll?.(null))

  test.each(databaseCodeNames)('that refuses with %s is reported with that code', async (code) => {
    const backend = await world.signedIn()
    world.firestore.refuseAll?.(databaseWireStatusOf(code))
    const place = livePath.presence('north', 'ada')
    await expect(backend.documents.get(place)).rejects.toMatchObject({ name: 'DatabaseError', code })
    const write = { kind: 'delete', path: place, precondition: { exists: true } } as const
    await expect(backend.documents.commit([write])).rejects.toMatchObject({ name: 'DatabaseError', code })
  })

  test('that nobody reaches is unavailable', async () => {
    const firestore = { host: '127.0.0.1', port: 9 }
    const backend = await world.signedIn({
      settings: { ...world.settings, local: { ...world.settings.local!, firestore } },
    })
    await expect(backend.documents.get(livePath.presence('north', 'ada'))).rejects.toMatchObject({
      code: 'unavailable',
    })
  })
})

describe('live documents', () => {
  test('reach a new member whose membership arrives after the browser began to listen', async () => {
    const backend = world.backend()
    const presence = livePath.presence('north', 'eve')
    await backend.signIn(world.tokens.mint('eve', { org_id: 'north', org_role: 'dispatcher' }))
    backend.documents.identify({ userId: 'eve', orgId: 'north' })
    const next = vi.fn<(snapshot: unknown) => void>()
    const error = vi.fn<(error: unknown) => void>()
    backend.documents.listen(presence, { next, error })
    await expect.poll(() => world.refusedPaths, { timeout: 15_000 }).toContain(presence)
    await world.tokenFor('eve', 'north')
    await vi.waitFor(() => expect(next).toHaveBeenCalledWith({ target: presence, documents: [] }), 15_000)
    expect(error).not.toHaveBeenCalled()
    await backend.documents.forget()
  })
})
