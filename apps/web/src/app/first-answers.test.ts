import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { create } from 'zustand'
import { initialRecords, type AuthRecords } from '../identity/auth-store.ts'
import { takeFirstAnswers } from './first-answers.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const organization: AuthRecords['organization'] = {
  id: 'o',
  name: 'Aurora & Atlas',
  slug: null,
  role: 'dispatcher',
  imageUrl: null,
  createdAt: null,
  updatedAt: null,
  memberCount: 1,
}
const signedIn = { isInitialized: true, isBackendSignedIn: true, organization } satisfies Partial<AuthRecords>

/** A page that begins, and when it would have drawn itself. */
function page(screen: string | undefined, answer: () => Promise<void> = async () => undefined) {
  const auth = create<AuthRecords>(() => initialRecords)
  const asked: unknown[] = []
  const prefetchQuery = async ({ queryKey }: { queryKey: readonly unknown[] }) => {
    asked.push(queryKey)
    await answer()
  }
  const drawn = vi.fn()
  void takeFirstAnswers(screen, { cache: { prefetchQuery } as never, auth }).then(drawn)
  return { auth, asked, drawn }
}

test('the overview is drawn when who is here and its data are there, and asks for nothing before', async () => {
  const { auth, asked, drawn } = page('overview')
  await vi.advanceTimersByTimeAsync(100)
  expect([asked, drawn.mock.calls]).toEqual([[], []])
  auth.setState(signedIn)
  // the overview's callables are loaded by themselves
  await import('@tour-ops/contract/overview/overview')
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toEqual([
    ['session-get', {}],
    ['overview-get', {}],
  ])
  expect(drawn).toHaveBeenCalled()
})

test('half a second is the longest that it waits, for the person and for the data', async () => {
  const slowAnswer = () => page('overview', () => new Promise(() => undefined))
  for (const [begin, state] of [
    [() => page('overview'), initialRecords],
    [slowAnswer, signedIn],
  ] as const) {
    const begun = begin()
    begun.auth.setState(state)
    await vi.advanceTimersByTimeAsync(499)
    expect(begun.drawn).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(begun.drawn).toHaveBeenCalled()
  }
})

test('nobody, a person without an organization, and a start-up that failed are shown at once, and nothing is asked', async () => {
  for (const found of [
    { isInitialized: true },
    { isInitialized: true, isBackendSignedIn: true },
    { initializationError: new Error('no identity') },
  ]) {
    const { auth, asked, drawn } = page('overview')
    auth.setState(found)
    await vi.advanceTimersByTimeAsync(0)
    expect([asked.length, drawn.mock.calls.length]).toEqual([0, 1])
  }
})

test('what fails is left to the page, which is drawn at once', async () => {
  const { auth, drawn } = page('page', () => Promise.reject(new Error('no such code')))
  auth.setState(signedIn)
  await vi.advanceTimersByTimeAsync(0)
  expect(drawn).toHaveBeenCalled()
})

test('a page without a start waits for nothing', async () => {
  const { drawn } = page(undefined)
  await vi.advanceTimersByTimeAsync(0)
  expect(drawn).toHaveBeenCalled()
})
