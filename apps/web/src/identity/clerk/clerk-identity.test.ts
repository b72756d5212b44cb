import { expect, test, vi } from 'vitest'
import { loadingState } from '../port.ts'
import { makeClerkIdentity } from './clerk-identity.ts'
import { playedClerk } from './clerk-testing.ts'

function attached() {
  const played = playedClerk({ 'org-1': 'dispatcher' })
  const identity = makeClerkIdentity()
  identity.attach(played.clerk)
  return { ...played, identity }
}

test('while the script comes nobody is known; a script that does not come ends the wait', () => {
  const { identity, become } = attached()
  become({ status: 'loading' })
  expect(identity.state()).toEqual(loadingState)
  become({ status: 'error' })
  expect(identity.state()).toEqual({ ...loadingState, trouble: 'failed' })
})

test('a key that is none ends the wait too', () => {
  const identity = makeClerkIdentity()
  identity.fail()
  expect(identity.state().trouble).toBe('failed')
})

test('while the service answers in part, a missing session is no sign-out, and nobody is treated as signed out', () => {
  const { identity, become } = attached()
  become({ status: 'degraded', session: null, user: null })
  expect(identity.state()).toMatchObject({ isSignedIn: true, userId: 'user-1', trouble: 'degraded' })
  become({ status: 'ready' })
  expect(identity.state()).toMatchObject({ isSignedIn: false, isLoaded: true, trouble: null })
  const fresh = attached()
  fresh.become({ status: 'loading' })
  fresh.become({ status: 'degraded', session: null, user: null })
  expect(fresh.identity.state()).toEqual({ ...loadingState, trouble: 'degraded' })
})

test('a session that waits for an organization is known, with what it waits for', () => {
  const { identity, become, clerk } = attached()
  const waiting = { ...clerk.session, status: 'pending', currentTask: { key: 'choose-organization' } }
  become({ session: waiting, organization: null })
  expect(identity.state()).toMatchObject({ isSignedIn: true, orgId: null, pendingTask: 'choose-organization' })
  become({ session: { ...waiting, currentTask: { key: 'reset-password' } } })
  expect(identity.state().pendingTask).toBe('other')
})

test('a role that the product does not know is no role: the organization is not entered', () => {
  const { identity, become, clerk } = attached()
  const memberships = clerk.user!.organizationMemberships.map((each) => ({ ...each, role: 'org:pirate' }))
  become({ user: { ...clerk.user, organizationMemberships: memberships } })
  expect(identity.state()).toMatchObject({ orgId: 'org-1', orgRole: null })
})

test('somebody acting for another is named', () => {
  const { identity, become, clerk } = attached()
  become({ session: { ...clerk.session, actor: { sub: 'support-1' } } })
  expect(identity.state().actor).toEqual({ sub: 'support-1' })
})

test('the session ends by itself when the service says so, and the screen is notified', () => {
  const { identity, serve } = attached()
  const told = vi.fn<() => void>()
  identity.subscribe(told)
  serve('nobody')
  expect(told).toHaveBeenCalled()
  expect(identity.state().isSignedIn).toBe(false)
})

test('before the script is there nobody gets a token', async () => {
  await expect(makeClerkIdentity().sessionToken()).rejects.toThrow('No token available from Clerk')
})

test('before the script is there an organization cannot be entered, and nothing breaks', async () => {
  const identity = makeClerkIdentity()
  await identity.setActiveOrganization('org-1')
  await identity.signOut()
  expect(identity.state()).toEqual(loadingState)
})
