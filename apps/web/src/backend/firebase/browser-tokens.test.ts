import type { FirebaseApp } from 'firebase/app'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { startBrowserProof } from './browser-tokens.ts'

// The library of Messaging, which comes when the test says so.

const { library, arrive } = vi.hoisted(() => {
  const { promise, resolve } = Promise.withResolvers<object>()
  return { library: promise, arrive: () => resolve({ getMessaging: () => ({}), getToken: async () => 'instance' }) }
})
vi.mock('firebase/messaging', () => library)
afterEach(() => vi.unstubAllGlobals())

const start = () => {
  const settings = { project: { apiKey: 'key', projectId: 'demo-tour', messagingSenderId: '1' }, appCheckKey: null }
  return startBrowserProof({ app: {} as FirebaseApp, settings })
}
const isReady = ({ ready }: ReturnType<typeof start>) => Promise.race([ready.then(() => true), sleep(50, false)])

test('the first call waits for the library of Messaging where notifications are allowed, and only there', async () => {
  expect(await isReady(start())).toBe(true)
  vi.stubGlobal('Notification', { permission: 'default' })
  expect(await isReady(start())).toBe(true)
  vi.stubGlobal('Notification', { permission: 'granted' })
  const proof = start()
  expect(await isReady(proof)).toBe(false)
  arrive()
  await proof.ready
  expect(await proof.tokens()).toEqual({ appCheck: undefined, messagingInstance: 'instance' })
})
