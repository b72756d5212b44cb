import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { callable } from '@tour-ops/contract/callable'
import { databaseCodeNames, databaseWireStatusOf } from '@tour-ops/contract/database-codes'
import { errorCodes, httpStatusOf, wireStatusOf } from '@tour-ops/contract/errors'
import { livePath } from '@tour-ops/contract/live-paths'
import { CustomProvider, initializeAppCheck } from 'firebase/app-check'
import { getApp, type FirebaseApp } from 'firebase/app'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { hostedWorld, type HostedWorld } from './firebase-testing.ts'

const anything = z.looseObject({})
const listTours = callable({
  name: 'tours-list',
  kind: 'read',
  permission: 'tours:read',
  summary: 'Tours.',
  input: anything,
  output: anything,
})

interface Request {
  readonly body: { data: Record<string, unknown> }
  readonly path: string
  header(name: string): string | undefined
}
interface Response {
  status(code: number): Response
  set(name: string, value: string): Response
  send(body: object): void
}

/** What the next requests get; the last one stays. */
let answers: ((request: Request, response: Response) => void)[] = []
const seen: { data: unknown; path: string; bearer: string | undefined }[] = []

let world: HostedWorld
beforeAll(async () => {
  world = await hostedWorld((request: Request, response: Response) => {
    seen.push({ data: request.body.data, path: request.path, bearer: request.header('authorization') })
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    answer?.(request, response)
  })
})
afterAll(() => world?.close())

const echo = (request: Request, response: Response) => response.send({ result: request.body.data })
const refusing = (code: string, status: number) => (_request: Request, response: Response) =>
  response.status(status).send({ error: { status: code, message: 'Not now.', details: { reason: 'test' } } })

async function signedIn(userId = 'ada', orgId = 'north', options: Parameters<HostedWorld['backend']>[0] = {}) {
  const backend = world.backend(options)
  await backend.signIn(await world.tokenFor(userId, orgId))
  return backend
}

describe('callables', () => {
  test('carry the bearer of the sign-in to the one function, and nothing that is undefined', async () => {
    answers = [echo]
    const backend = await signedIn()
    expect(await backend.call(listTours, { q: 'gold', after: undefined })).toEqual({ q: 'gold' })
    const request = seen.at(-1)
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
      answers = [refusing(wireStatusOf(code), httpStatusOf[code])]
      const backend = await signedIn()
      await expect(backend.call(listTours, {})).rejects.toMatchObject({
        name: 'AppError',
        code,
        message: 'Not now.',
        details: { reason: 'test' },
      })
    },
  )

  test('a token that the server refuses is renewed once', async () => {
    answers = [refusing('UNAUTHENTICATED', 401), echo]
    const backend = await signedIn()
    expect(await backend.call(listTours, { q: '' })).toEqual({ q: '' })
    answers = [refusing('UNAUTHENTICATED', 401)]
    const before = seen.length
    await expect(backend.call(listTours, {})).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(seen.length - before).toBe(2)
  })

  test('each has an address of its own where the functions are named: {region}-{project}.{host}/{name}', async () => {
    const backend = await signedIn('ada', 'north', { settings: { ...world.settings, callables: 'named' } })
    await expect(backend.call(listTours, {})).rejects.toMatchObject({ code: 'not-found' })
    expect(world.functions.requests.at(-1)?.path).toBe('/demo-tour/us-central1/tours-list')
  })

  test('have 70 s to answer', async () => {
    answers = [() => undefined]
    const backend = await signedIn()
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
    answers = [() => undefined]
    const backend = await signedIn('ada', 'north', { timeoutMs: 150 })
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

describe('App Check', () => {
  const appCheckHeader = () => world.functions.requests.at(-1)?.headers['x-firebase-appcheck']

  test('sends its token with every call, from the first on', async () => {
    answers = [echo]
    const token = { token: 'proof', expireTimeMillis: Date.now() + 3_600_000 }
    const sending = vi.spyOn(globalThis, 'fetch')
    const backend = await signedIn('ada', 'north', {
      startAppCheck: async (app) => {
        return initializeAppCheck(app, { provider: new CustomProvider({ getToken: async () => token }) })
      },
    })
    await backend.call(listTours, {})
    expect(appCheckHeader()).toBe('proof')
    await backend.documents.get(livePath.presence('north', 'ada'))
    const write = { kind: 'delete', path: livePath.presence('north', 'ada'), precondition: { exists: true } } as const
    await backend.documents.commit([write]).catch(() => undefined)
    const asked = sending.mock.calls.flatMap(([url, init]) => {
      const verb = typeof url === 'string' && /\/documents:(\w+)$/.exec(url)?.[1]
      return verb ? [[verb, new Headers(init?.headers).get('x-firebase-appcheck')]] : []
    })
    sending.mockRestore()
    expect(asked).toEqual([
      ['batchGet', 'proof'],
      ['commit', 'proof'],
    ])
  })

  test('that cannot be loaded holds nothing up: the call goes without a token', async () => {
    answers = [echo]
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const startAppCheck = () => Promise.reject(new Error('an ad blocker'))
    const backend = await signedIn('ada', 'north', { startAppCheck })
    expect(await backend.call(listTours, { q: 'x' })).toEqual({ q: 'x' })
    expect(appCheckHeader()).toBeUndefined()
    expect(warn).toHaveBeenCalledWith(
      'App Check could not be loaded; requests go without its token.',
      expect.anything(),
    )
    warn.mockRestore()
  })

  test('that never answers leaves the time limit of the call in force', async () => {
    const backend = await signedIn('ada', 'north', {
      timeoutMs: 150,
      startAppCheck: () => new Promise(() => undefined),
    })
    await expect(backend.call(listTours, {})).rejects.toMatchObject({ code: 'deadline-exceeded' })
  })

  test('is not there where no key is configured', async () => {
    answers = [echo]
    const backend = await signedIn()
    await backend.call(listTours, {})
    expect(appCheckHeader()).toBeUndefined()
  })
})

describe('Messaging', () => {
  const instanceHeader = () => world.functions.requests.at(-1)?.headers['firebase-instance-id-token']

  test('tells its instance with every call where the application has one, and nothing where it has none', async () => {
    answers = [echo]
    await (await signedIn()).call(listTours, {})
    expect(instanceHeader()).toBeUndefined()
    vi.stubGlobal('self', globalThis)
    vi.stubGlobal('Notification', { permission: 'granted' })
    const appName = 'browser with messaging'
    const backend = await signedIn('ada', 'north', { appName })
    addMessaging(getApp(appName), { getToken: async () => 'instance' })
    await backend.call(listTours, {})
    expect(instanceHeader()).toBe('instance')
    vi.unstubAllGlobals()
  })

  /** As the library registers itself, without its service worker. */
  function addMessaging(app: FirebaseApp, messaging: { getToken(): Promise<string> }): void {
    const { container } = app as FirebaseApp & { container: { addComponent(component: object): void } }
    const [name, type, instantiationMode] = ['messaging-internal', 'PRIVATE', 'LAZY']
    container.addComponent({ name, type, instantiationMode, instanceFactory: () => messaging, serviceProps: {} })
  }
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
    answers = [echo]
    const backend = world.backend()
    const [north, south] = [await world.tokenFor('ada', 'north'), await world.tokenFor('ada', 'south')]
    const first = backend.signIn(north)
    const second = backend.signIn(south)
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    await second
    await backend.call(listTours, {})
    expect(world.tokens.verify(seen.at(-1)?.bearer?.slice(7) ?? '')).toMatchObject({ org_id: 'south' })
  })

  test('ends with the sign-out: calls carry no bearer any more', async () => {
    answers = [echo]
    const backend = await signedIn()
    await backend.signOut()
    await backend.call(listTours, {})
    expect(seen.at(-1)?.bearer).toBeUndefined()
  })
})

describe('the database', () => {
  afterEach(() => world.firestore.refuseAll?.(null))

  test.each(databaseCodeNames)('that refuses with %s is heard with that code', async (code) => {
    const backend = await signedIn()
    world.firestore.refuseAll?.(databaseWireStatusOf(code))
    const place = livePath.presence('north', 'ada')
    await expect(backend.documents.get(place)).rejects.toMatchObject({ name: 'DatabaseError', code })
    const write = { kind: 'delete', path: place, precondition: { exists: true } } as const
    await expect(backend.documents.commit([write])).rejects.toMatchObject({ name: 'DatabaseError', code })
  })

  test('that nobody reaches is unavailable', async () => {
    const firestore = { host: '127.0.0.1', port: 9 }
    const backend = await signedIn('ada', 'north', {
      settings: { ...world.settings, local: { ...world.settings.local!, firestore } },
    })
    await expect(backend.documents.get(livePath.presence('north', 'ada'))).rejects.toMatchObject({
      code: 'unavailable',
    })
  })
})

describe('live documents', () => {
  test('are heard by a new member whose membership arrives after the browser began to listen', async () => {
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
