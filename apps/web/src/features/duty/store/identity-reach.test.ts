import { AppError } from '@tour-ops/contract/errors'
import { afterEach, expect, test, vi } from 'vitest'
import { loadingState, signedOutState, type AuthState } from '../../../identity/port.ts'
import { memberIn, orOutOfReach } from './identity-reach.ts'

const signedIn: AuthState = { ...signedOutState, isSignedIn: true, sessionId: 's-1', userId: 'u-1', orgId: 'o-1' }
const noToken = new AppError('unauthenticated', 'Failed to get Firebase token from Clerk')

/** A service that gives no token, and what it knows when it is asked again. */
const failing = (then: AuthState) =>
  orOutOfReach({ state: () => then, refresh: async () => undefined }, () => Promise.reject(noToken))

afterEach(() => void vi.useRealTimers())

test('a token that fails while the session is known is a service out of reach; after a session has ended it is not', async () => {
  await expect(failing(signedIn)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(failing({ ...signedIn, trouble: 'degraded' })).rejects.toMatchObject({ code: 'unavailable' })
  await expect(failing(signedOutState)).rejects.toBe(noToken)
  await expect(failing({ ...signedIn, pendingTask: 'second-factor' })).rejects.toBe(noToken)
})

test('a token that does not come is not waited for longer than 15 s', async () => {
  vi.useFakeTimers()
  const never = Promise.withResolvers<string>().promise
  const asked = orOutOfReach({ state: () => signedIn, refresh: async () => undefined }, () => never)
  const refused = expect(asked).rejects.toMatchObject({ code: 'unavailable' })
  await vi.advanceTimersByTimeAsync(15_000)
  await refused
})

test('nobody is signed in only when the service says so', () => {
  expect(memberIn(signedIn)).toEqual({ userId: 'u-1', orgId: 'o-1', sessionId: 's-1' })
  expect(memberIn(signedOutState)).toBeNull()
  expect(memberIn({ ...signedIn, orgId: null })).toBeNull()
  expect(() => memberIn({ ...loadingState, trouble: 'degraded' })).toThrow('does not answer')
  expect(() => memberIn({ ...signedIn, orgId: null, trouble: 'degraded' })).toThrow('does not answer')
})
