import { expect, test, vi } from 'vitest'
import { signedOutState, type Identity } from './port.ts'

/** An identity adapter over a service that a test plays. */
export interface IdentityHarness {
  readonly identity: Identity
  /** Nobody is signed in at the service, or the dispatcher `user-1` of `org-1`, who belongs to `org-2` as a viewer too. */
  readonly serve: (who: 'nobody' | 'dispatcher') => void
  /** What the service gives for a token: one, none, or a failure. */
  readonly serveToken: (token: string | null | Error) => void
}

/**
 * What every identity adapter keeps. A new one passes this suite before anything else is written about it; see docs/adapters.md.
 *
 * @param make A fresh adapter; the service has not been checked yet.
 */
export function identityContract(name: string, make: () => IdentityHarness): void {
  const signedIn = async (): Promise<IdentityHarness> => {
    const harness = make()
    harness.serve('dispatcher')
    await harness.identity.refresh()
    return harness
  }

  test(`${name}: nobody is known before the first look, and "nobody is signed in" is a state of its own`, async () => {
    const { identity, serve } = make()
    expect(identity.state()).toMatchObject({ isLoaded: false, isSignedIn: false, user: null })
    serve('nobody')
    await identity.refresh()
    expect(identity.state()).toEqual(signedOutState)
  })

  test(`${name}: somebody signed in comes with session, organization, role and permissions`, async () => {
    const { identity } = await signedIn()
    const state = identity.state()
    expect(state).toMatchObject({
      isLoaded: true,
      isSignedIn: true,
      userId: 'user-1',
      actor: null,
      orgId: 'org-1',
      orgRole: 'dispatcher',
      organization: { id: 'org-1' },
      pendingTask: null,
      trouble: null,
    })
    expect(state.user?.id).toBe('user-1')
    expect(state.session?.id).toBe(state.sessionId)
    expect(state.client?.activeSessionId).toBe(state.sessionId)
    expect(state.orgPermissions).toContain('departures:dispatch')
    expect(state.orgPermissions).not.toContain('members:manage')
  })

  test(`${name}: the state is one object until something changes, and listeners are notified of changes only`, async () => {
    const { identity, serve } = await signedIn()
    const before = identity.state()
    const told = vi.fn<() => void>()
    const stop = identity.subscribe(told)
    await identity.refresh()
    expect(identity.state()).toBe(before)
    expect(told).not.toHaveBeenCalled()
    serve('nobody')
    await identity.refresh()
    expect(told).toHaveBeenCalled()
    stop()
    told.mockClear()
    serve('dispatcher')
    await identity.refresh()
    expect(told).not.toHaveBeenCalled()
  })

  test(`${name}: tokens of both kinds are text; none and a failure have the words of the spec`, async () => {
    const { identity, serveToken } = await signedIn()
    for (const ask of [() => identity.sessionToken(), () => identity.templateToken('integration_firebase')]) {
      serveToken('a-token')
      expect(await ask()).toBe('a-token')
      serveToken(null)
      await expect(ask()).rejects.toMatchObject({
        code: 'unauthenticated',
        message: 'No token available from Clerk',
      })
      serveToken(new Error('the service is down'))
      await expect(ask()).rejects.toMatchObject({
        code: 'unauthenticated',
        message: 'Failed to get Firebase token from Clerk',
      })
    }
  })

  test(`${name}: signing out is seen before it resolves`, async () => {
    const { identity } = await signedIn()
    await identity.signOut()
    expect(identity.state()).toEqual(signedOutState)
  })

  test(`${name}: the own organizations come with their roles, and one is entered or left`, async () => {
    const { identity } = await signedIn()
    const own = await identity.listOrganizations()
    expect(own.map(({ id, role }) => ({ id, role }))).toEqual([
      { id: 'org-1', role: 'dispatcher' },
      { id: 'org-2', role: 'viewer' },
    ])
    await identity.setActiveOrganization('org-2')
    expect(identity.state()).toMatchObject({ orgId: 'org-2', orgRole: 'viewer' })
    await identity.setActiveOrganization(null)
    expect(identity.state()).toMatchObject({ isSignedIn: true, orgId: null, organization: null, orgPermissions: null })
  })
}
