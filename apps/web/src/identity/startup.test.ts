import { AppError } from '@tour-ops/contract/errors'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { initialRecords, type AuthRecords } from './auth-store.ts'
import { loadingState, signedOutState, type AuthState, type Identity } from './port.ts'
import { makeStartup, type LoaderState } from './startup.ts'

const signedIn: AuthState = {
  isLoaded: true,
  isSignedIn: true,
  sessionId: 'session-1',
  userId: 'user-1',
  actor: null,
  orgId: 'org-1',
  orgRole: 'dispatcher',
  orgSlug: 'aurora-atlas',
  orgPermissions: ['dashboard:read'],
  user: {
    id: 'user-1',
    firstName: 'Íris',
    lastName: 'Jónsdóttir',
    fullName: 'Íris Jónsdóttir',
    primaryEmailAddress: 'iris@example.com',
    isEmailVerified: true,
    imageUrl: null,
    createdAt: new Date('2026-01-02T00:00:00Z'),
    lastSignInAt: null,
  },
  session: { id: 'session-1', createdAt: new Date(0), expiresAt: new Date(1) },
  organization: {
    id: 'org-1',
    name: 'Aurora & Atlas',
    slug: 'aurora-atlas',
    imageUrl: null,
    createdAt: new Date('2026-01-01T00:00:00Z'),
    updatedAt: new Date('2026-02-01T00:00:00Z'),
    membersCount: undefined,
  },
  client: { activeSessionId: 'session-1' },
  pendingTask: null,
  trouble: null,
}

/** A fake identity service; `becomes` is what it would say when it is checked. */
function identityAt(initial: AuthState) {
  let state = initial
  let next = initial
  const listeners = new Set<() => void>()
  const become = (changed: AuthState) => {
    next = changed
    if (state === changed) return
    state = changed
    listeners.forEach((tell) => tell())
  }
  const identity = {
    state: () => state,
    subscribe: (onChange: () => void) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    refresh: vi.fn<() => Promise<void>>(async () => become(next)),
    sessionToken: vi.fn<Identity['sessionToken']>(async () => 'identity-token'),
    templateToken: async () => 'identity-token',
    signOut: async () => become(signedOutState),
    listOrganizations: async () => [],
    setActiveOrganization: async () => undefined,
  } satisfies Identity
  return { identity, become, answersWith: (answer: AuthState) => (next = answer) }
}

function world(initial: AuthState) {
  const { identity, become, answersWith } = identityAt(initial)
  const store = createStore<AuthRecords>(() => initialRecords)
  const loader = createStore<LoaderState>(() => ({ progress: 0, startedAt: 0 }))
  const seen: string[] = []
  loader.subscribe(({ progress }) => seen.push(`progress ${progress}`))
  const backend = {
    signIn: vi.fn<(token: string) => Promise<void>>(async () => {
      seen.push('backend sign-in')
    }),
    signOut: vi.fn<() => Promise<void>>(async () => undefined),
  }
  const log = vi.fn<(message: string, error: unknown) => void>()
  const onReset = vi.fn<() => void>()
  const onSessionEnded = vi.fn<() => void>()
  const startOver = vi.fn<() => void>()
  const startup = makeStartup({
    identity,
    backend,
    backendCredential: identity.sessionToken,
    store,
    loader,
    log,
    onSessionEnded,
    onReset,
    startOver,
    onInitialized: async () => {
      seen.push('guards')
    },
  })
  return {
    startup,
    store,
    loader,
    identity,
    backend,
    log,
    onSessionEnded,
    onReset,
    startOver,
    seen,
    become,
    answersWith,
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('the order of the spec, section 4', () => {
  test('loading starts true, and nothing is initialized', () => {
    expect(world(loadingState).store.getState()).toEqual(initialRecords)
    expect(initialRecords.isLoading).toBe(true)
  })

  test('the identity service is checked at once and then every second', async () => {
    const { startup, identity } = world(loadingState)
    startup.start()
    expect(identity.refresh).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(999)
    expect(identity.refresh).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(identity.refresh).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(identity.refresh).toHaveBeenCalledTimes(5)
    startup.stop()
  })

  test('progress 50, backend sign-in, progress 100, guards, loader gone', async () => {
    const { startup, store, seen, become, identity } = world(loadingState)
    startup.start()
    become(signedIn)
    await settle()
    expect(seen).toEqual(['progress 0', 'progress 50', 'backend sign-in', 'progress 100', 'guards'])
    expect(identity.sessionToken).toHaveBeenCalledOnce()
    expect(store.getState()).toMatchObject({
      isLoading: false,
      isInitialized: true,
      isAuthenticated: true,
      isBackendSignedIn: true,
      initializationError: null,
    })
    startup.stop()
  })

  test('a session with a task left is known, without a backend login, and enters once the task is done', async () => {
    const pendingSession = { ...signedIn, orgId: null, orgRole: null, organization: null }
    const { startup, store, become, backend } = world({ ...pendingSession, pendingTask: 'choose-organization' })
    startup.start()
    await settle()
    expect(backend.signIn).not.toHaveBeenCalled()
    expect(store.getState()).toMatchObject({ isAuthenticated: true, isBackendSignedIn: false, organization: null })
    become(signedIn)
    await settle()
    expect(backend.signIn).toHaveBeenCalledOnce()
    expect(store.getState().organization?.id).toBe('org-1')
    startup.stop()
  })

  test('an organization that waits for a second factor is not entered, and has no record', async () => {
    const { startup, store } = world({ ...signedIn, pendingTask: 'second-factor' })
    startup.start()
    await settle()
    expect(store.getState()).toMatchObject({ isAuthenticated: true, organization: null })
    startup.stop()
  })

  test("an identity service that cannot be loaded ends the wait with 'Failed to load'", async () => {
    const { startup, store, become, log, startOver } = world(loadingState)
    startup.start()
    become({ ...loadingState, trouble: 'failed' })
    await settle()
    expect(store.getState()).toMatchObject({ isLoading: false, isInitialized: false })
    expect(store.getState().initializationError?.message).toBe('Failed to load')
    expect(log).toHaveBeenCalledOnce()
    // the service says so again
    become({ ...loadingState, trouble: 'failed' })
    await settle()
    expect(log).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(startOver, 'nothing is loaded again by itself').not.toHaveBeenCalled()
    await startup.retry()
    expect(startOver).toHaveBeenCalledOnce()
    startup.stop()
  })

  test('a check that comes with a change of identity does not wait for the second', async () => {
    const { startup, store, become } = world(loadingState)
    startup.start()
    become(signedOutState)
    await settle()
    expect(store.getState().isInitialized).toBe(true)
    startup.stop()
  })

  test('the user and organization records hold exactly the fields of section 3', async () => {
    const { startup, store } = world(signedIn)
    startup.start()
    await settle()
    expect(store.getState().user).toEqual({
      id: 'user-1',
      firstName: 'Íris',
      lastName: 'Jónsdóttir',
      fullName: 'Íris Jónsdóttir',
      email: 'iris@example.com',
      imageUrl: null,
      createdAt: new Date('2026-01-02T00:00:00Z'),
      lastSignInAt: null,
    })
    expect(store.getState().organization).toEqual({
      id: 'org-1',
      name: 'Aurora & Atlas',
      slug: 'aurora-atlas',
      role: 'dispatcher',
      imageUrl: null,
      createdAt: new Date('2026-01-01T00:00:00Z'),
      updatedAt: new Date('2026-02-01T00:00:00Z'),
      memberCount: 0,
    })
    startup.stop()
  })

  test('without a membership there is no organization record', async () => {
    const { startup, store } = world({ ...signedIn, orgRole: null })
    startup.start()
    await settle()
    expect(store.getState().user?.id).toBe('user-1')
    expect(store.getState().organization).toBeNull()
    startup.stop()
  })

  test('signed out, the records are cleared and the backend is left alone', async () => {
    const { startup, store, backend } = world(signedOutState)
    startup.start()
    await settle()
    expect(store.getState()).toMatchObject({
      user: null,
      organization: null,
      isAuthenticated: false,
      isInitialized: true,
    })
    expect(backend.signIn).not.toHaveBeenCalled()
    startup.stop()
  })

  test('however often it is asked meanwhile, the store is initialized once', async () => {
    const { startup, backend } = world(signedIn)
    await Promise.all([startup.initialize(), startup.initialize(), startup.initialize()])
    await startup.initialize()
    expect(backend.signIn).toHaveBeenCalledOnce()
  })
})

describe('reset', () => {
  test('whoever ends the session of somebody who was here is heard once; a page that finds nobody hears nothing', async () => {
    const nobody = world(signedOutState)
    nobody.startup.start()
    await settle()
    expect(nobody.onSessionEnded).not.toHaveBeenCalled()
    nobody.startup.stop()

    const { startup, onSessionEnded, become } = world(signedIn)
    startup.start()
    await settle()
    become({ ...signedIn, orgId: 'org-2' })
    await settle()
    expect(onSessionEnded).not.toHaveBeenCalled()
    become(signedOutState)
    await settle()
    expect(onSessionEnded).toHaveBeenCalledOnce()
    startup.stop()
  })

  test('when signed-in turns false after the backend login, login flag, initialized flag and error are cleared', async () => {
    const { startup, store, backend, become, onReset } = world(signedIn)
    startup.start()
    await settle()
    const states: AuthRecords[] = []
    store.subscribe((state) => states.push(state))
    become(signedOutState)
    expect(states[0]).toEqual(initialRecords)
    expect(backend.signOut).toHaveBeenCalledOnce()
    expect(onReset).toHaveBeenCalledOnce()
    await settle()
    expect(store.getState()).toMatchObject({
      isInitialized: true,
      isAuthenticated: false,
      isBackendSignedIn: false,
      user: null,
    })
    startup.stop()
  })

  test('another organization means another backend login', async () => {
    const { startup, store, backend, become } = world(signedIn)
    startup.start()
    await settle()
    become({
      ...signedIn,
      orgId: 'org-2',
      orgRole: 'viewer',
      organization: { ...signedIn.organization!, id: 'org-2', name: 'Fjord Days' },
    })
    await settle()
    expect(backend.signIn).toHaveBeenCalledTimes(2)
    expect(store.getState().organization).toMatchObject({ id: 'org-2', role: 'viewer' })
    startup.stop()
  })

  test('a new name only changes the record', async () => {
    const { startup, store, backend, become } = world(signedIn)
    startup.start()
    await settle()
    become({ ...signedIn, user: { ...signedIn.user!, fullName: 'Íris J.' } })
    await settle()
    expect(store.getState().user?.fullName).toBe('Íris J.')
    expect(backend.signIn).toHaveBeenCalledOnce()
    startup.stop()
  })

  test('somebody who signs out while the backend answers is signed out in the end', async () => {
    const { startup, store, backend, become } = world(signedIn)
    let answer = () => undefined as void
    backend.signIn.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)))
    startup.start()
    await settle()
    become(signedOutState)
    answer()
    await settle()
    expect(store.getState()).toMatchObject({ isAuthenticated: false, isBackendSignedIn: false, isInitialized: true })
    startup.stop()
  })
})

describe('failures are logged, stored and rejected', () => {
  test("'Clerk is not ready' when the identity service has not loaded", async () => {
    const { startup, store, log } = world(loadingState)
    await expect(startup.initialize()).rejects.toThrow('Clerk is not ready')
    expect(store.getState().initializationError?.message).toBe('Clerk is not ready')
    expect(log).toHaveBeenCalledOnce()
  })

  for (const words of ['No token available from Clerk', 'Failed to get Firebase token from Clerk']) {
    test(`'${words}'`, async () => {
      const { startup, store, identity, log, backend } = world(signedIn)
      identity.sessionToken.mockRejectedValue(new AppError('unauthenticated', words))
      await expect(startup.initialize()).rejects.toThrow(words)
      expect(store.getState()).toMatchObject({ isInitialized: false, isBackendSignedIn: false })
      expect(store.getState().initializationError?.message).toBe(words)
      expect(log).toHaveBeenCalled()
      expect(backend.signIn).not.toHaveBeenCalled()
    })
  }

  test('a failing backend sign-in is logged and rethrown, and the initialization with it', async () => {
    const { startup, store, backend, log } = world(signedIn)
    const refusal = new AppError('unavailable', 'The server cannot be reached.')
    backend.signIn.mockRejectedValue(refusal)
    await expect(startup.initialize()).rejects.toBe(refusal)
    expect(log.mock.calls.map(([message]) => message)).toEqual([
      'The backend sign-in failed.',
      'The initialization failed.',
    ])
    expect(store.getState().initializationError).toBe(refusal)
  })

  test('after a failure nothing is tried until a person presses the button', async () => {
    const { startup, store, backend } = world(signedIn)
    backend.signIn.mockRejectedValueOnce(new AppError('unavailable', ''))
    startup.start()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(backend.signIn).toHaveBeenCalledOnce()
    expect(store.getState()).toMatchObject({ isInitialized: false, isLoading: false })
    await startup.retry()
    expect(store.getState()).toMatchObject({ isInitialized: true, initializationError: null })
    startup.stop()
  })

  test('pressed before the service answers, the button gives the error and the polling continues', async () => {
    const { startup, store, answersWith } = world(loadingState)
    startup.start()
    await startup.retry()
    expect(store.getState().initializationError?.message).toBe('Clerk is not ready')
    answersWith(signedIn)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(store.getState()).toMatchObject({ isInitialized: true, initializationError: null })
    startup.stop()
  })
})
