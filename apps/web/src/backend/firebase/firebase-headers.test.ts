import { livePath } from '@tour-ops/contract/live/live-paths'
import { CustomProvider, initializeAppCheck } from 'firebase/app-check'
import { getApp, type FirebaseApp } from 'firebase/app'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { echo, hostedCalls, type HostedCalls, type HostedWorld, listTours } from './firebase-testing.ts'

// What is sent with every request in addition to the bearer token: the proof of App Check and the instance of Messaging, where a project has them.

let world: HostedWorld
let calls: HostedCalls
beforeAll(async () => {
  ;({ world, calls } = await hostedCalls())
})
afterAll(() => world?.close())

describe('App Check', () => {
  const appCheckHeader = () => world.functions.requests.at(-1)?.headers['x-firebase-appcheck']

  test('sends its token with every call, from the first on', async () => {
    calls.answers = [echo]
    const token = { token: 'proof', expireTimeMillis: Date.now() + 3_600_000 }
    const sending = vi.spyOn(globalThis, 'fetch')
    const backend = await world.signedIn({
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
    calls.answers = [echo]
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const startAppCheck = () => Promise.reject(new Error('an ad blocker'))
    const backend = await world.signedIn({ startAppCheck })
    expect(await backend.call(listTours, { q: 'x' })).toEqual({ q: 'x' })
    expect(appCheckHeader()).toBeUndefined()
    expect(warn).toHaveBeenCalledWith(
      'App Check could not be loaded; requests go without its token.',
      expect.anything(),
    )
    warn.mockRestore()
  })

  test('that never answers leaves the time limit of the call in force', async () => {
    const backend = await world.signedIn({
      timeoutMs: 150,
      startAppCheck: () => new Promise(() => undefined),
    })
    await expect(backend.call(listTours, {})).rejects.toMatchObject({ code: 'deadline-exceeded' })
  })

  test('is not there where no key is configured', async () => {
    calls.answers = [echo]
    const backend = await world.signedIn()
    await backend.call(listTours, {})
    expect(appCheckHeader()).toBeUndefined()
  })
})

describe('Messaging', () => {
  const instanceHeader = () => world.functions.requests.at(-1)?.headers['firebase-instance-id-token']

  test('sends its instance with every call where the application has one, and nothing where it has none', async () => {
    calls.answers = [echo]
    await (await world.signedIn()).call(listTours, {})
    expect(instanceHeader()).toBeUndefined()
    vi.stubGlobal('self', globalThis)
    vi.stubGlobal('Notification', { permission: 'granted' })
    const appName = 'browser with messaging'
    const backend = await world.signedIn({ appName })
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
