import type { FirebaseApp } from 'firebase/app'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { startBrowserProof } from './browser-tokens.ts'

// The library of Messaging, which comes when the test says so. As the real one, it forgets who waits for the service worker while another one does.

const { library, arrive } = vi.hoisted(() => {
  const { promise, resolve } = Promise.withResolvers<object>()
  let worker: 'none' | 'installing' | 'active' = 'none'
  const getToken = async () => {
    if (worker === 'installing') throw new Error('Service worker not registered after 10000 ms')
    if (worker === 'none') {
      worker = 'installing'
      await new Promise((installed) => setTimeout(installed, 20))
      worker = 'active'
    }
    return 'instance'
  }
  return { library: promise, arrive: () => resolve({ getMessaging: () => ({}), getToken }) }
})
vi.mock('firebase/messaging', () => library)
afterEach(() => vi.unstubAllGlobals())

const start = () => {
  const settings = { project: { apiKey: 'key', projectId: 'demo-tour', messagingSenderId: '1' }, appCheckKey: null }
  return startBrowserProof({ app: {} as FirebaseApp, settings })
}
const isReady = ({ ready }: ReturnType<typeof start>) => Promise.race([ready.then(() => true), sleep(50, false)])

test('the first calls wait for the library of Messaging and its first token where notifications are allowed, and only there', async () => {
  expect(await isReady(start())).toBe(true)
  vi.stubGlobal('Notification', { permission: 'default' })
  expect(await isReady(start())).toBe(true)
  vi.stubGlobal('Notification', { permission: 'granted' })
  const proof = start()
  expect(await isReady(proof)).toBe(false)
  const first = [proof.tokens(), proof.tokens()]
  arrive()
  await proof.ready
  const named = { appCheck: undefined, messagingInstance: 'instance' }
  expect(await Promise.all([...first, proof.tokens()])).toEqual([named, named, named])
})
