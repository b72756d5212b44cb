import { expect, test, vi } from 'vitest'
import { FirebaseSession, type SessionParts } from './firebase-session.ts'

function world(change: Partial<SessionParts> = {}) {
  const done: string[] = []
  const note = (what: string) => async () => void done.push(what)
  const warn = vi.fn<SessionParts['warn']>()
  const session = new FirebaseSession({
    signInWithToken: async (token) => void done.push(`in ${token}`),
    signOut: note('out'),
    closeListeners: () => void done.push('close'),
    forgetDocuments: note('forget'),
    warn,
    ...change,
  })
  return { session, done, warn }
}

test('listeners of the person before are closed first, and the cache is deleted before the sign-out', async () => {
  const { session, done } = world()
  await session.signIn('a')
  await session.signOut()
  expect(done).toEqual(['close', 'in a', 'close', 'forget', 'out'])
})

test('of sign-ins that wait only the last is done, the others hear that they were overtaken', async () => {
  const { session, done } = world()
  const all = await Promise.allSettled(['a', 'b', 'c'].map((token) => session.signIn(token)))
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(all[0]).toMatchObject({ reason: { code: 'cancelled' } })
  expect(done).toEqual(['close', 'in c'])
})

test('a sign-in that fails does not hold up the next, and a sign-out never fails', async () => {
  const broken = () => Promise.reject(new Error('no network'))
  const { session, done, warn } = world({
    signInWithToken: async (token) => {
      if (token === 'a') throw new Error('refused')
      done.push(`in ${token}`)
    },
    signOut: broken,
    forgetDocuments: broken,
  })
  await expect(session.signIn('a')).rejects.toThrow('refused')
  await session.signIn('b')
  await session.signOut()
  expect(done).toContain('in b')
  expect(warn).toHaveBeenCalledTimes(2)
})
