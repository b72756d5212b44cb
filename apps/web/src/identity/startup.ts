import { AppError } from '@tour-ops/contract/errors'
import type { StoreApi } from 'zustand'
import { loaderPollIntervalMs, loaderProgress } from '../constants.ts'
import type { Backend } from '../backend/port.ts'
import { initialRecords, organizationRecordOf, userRecordOf, type AuthRecords } from './auth-store.ts'
import type { AuthState, Identity } from './port.ts'

/** The loader as the system initializer shows it. */
export interface LoaderState {
  /** 0, then 50 once the identity service has loaded, then 100 once the store is initialized. */
  readonly progress: number
  /** When the wait began, epoch milliseconds. */
  readonly startedAt: number
}

export interface StartupParts {
  readonly identity: Identity
  readonly backend: Pick<Backend, 'signIn' | 'signOut'>
  /** What the backend's sign-in takes: a token of the identity service, or what a bridge made of it. */
  readonly backendCredential: () => Promise<string>
  readonly store: Pick<StoreApi<AuthRecords>, 'getState' | 'setState'>
  readonly loader: Pick<StoreApi<LoaderState>, 'setState'>
  /** Runs after the store was initialized and before the loader goes: guards look again at who is there now. */
  readonly onInitialized: () => Promise<void>
  /** Reloads the application: the one way to try again when the identity service's script did not come. */
  readonly startOver: () => void
  /** Runs when the session of a person who was here has ended, whoever ended it: also in the identity service's own widget or another tab. */
  readonly onSessionEnded: () => void
  /** Runs when the person or the organization is another one: what was read for the old one must go. */
  readonly onReset: () => void
  readonly log: (message: string, error: unknown) => void
  readonly now?: () => number
}

export interface Startup {
  /** Checks at once, at every change of identity, and every second until the identity service has loaded. */
  start(): void
  stop(): void
  /** Tries again at once; for the button on the connecting page and on the error page. Never rejects; the store holds the result. */
  retry(): Promise<void>
  /** Initializes the store: once, however often it is called meanwhile. @throws the error that is also stored and logged. */
  initialize(): Promise<void>
}

/** The person and the organization that a state belongs to; a different one needs another initialization. */
const subjectOf = (state: AuthState): string =>
  state.isSignedIn
    ? [state.userId, state.sessionId, state.orgId, state.orgRole, state.pendingTask].join('|')
    : 'signed out'

const recordsOf = (state: AuthState) => ({
  user: userRecordOf(state),
  organization: organizationRecordOf(state),
  needsSecondFactor: state.pendingTask === 'second-factor',
})

/**
 * The initialization of the spec, section 4, as a state machine that knows neither screen nor provider:
 * wait for the identity service, progress 50, sign in to the backend and fill the records (or clear them), progress 100, loader gone;
 * reset when signed-in turns false after the backend login, or when the person or the organization becomes another.
 */
export function makeStartup(parts: StartupParts): Startup {
  const { identity, backend, store, loader, log, now = Date.now } = parts
  let pending: Promise<void> | null = null
  /** Whom the last attempt was for, successful or not: nobody is tried twice without being asked to. */
  let attemptedFor: string | null = null
  let timer: ReturnType<typeof setInterval> | undefined
  let unsubscribe: (() => void) | undefined

  async function fill(state: AuthState): Promise<void> {
    if (state.isSignedIn) {
      if (!state.pendingTask) await signInToBackend()
      store.setState({ ...recordsOf(state), isAuthenticated: true })
    } else {
      store.setState({ user: null, organization: null, isAuthenticated: false, needsSecondFactor: false })
    }
  }

  async function signInToBackend(): Promise<void> {
    try {
      await backend.signIn(await parts.backendCredential())
      store.setState({ isBackendSignedIn: true })
    } catch (error) {
      log('The backend sign-in failed.', error)
      throw error
    }
  }

  async function run(): Promise<void> {
    const state = identity.state()
    try {
      if (!state.isLoaded) throw new AppError('unavailable', 'Clerk is not ready')
      store.setState({ initializationError: null })
      await fill(state)
      store.setState({ isInitialized: true })
    } catch (error) {
      log('The initialization failed.', error)
      store.setState({ initializationError: error instanceof Error ? error : new Error(String(error)) })
      throw error
    }
  }

  function initialize(): Promise<void> {
    if (store.getState().isInitialized) return Promise.resolve()
    pending ??= run().finally(() => {
      pending = null
    })
    return pending
  }

  /** Spec, section 4, step 6; the records go as well, since they would belong to somebody else. */
  function reset(): void {
    pending = null
    if (store.getState().isBackendSignedIn) void backend.signOut()
    store.setState({ ...initialRecords })
    loader.setState({ progress: 0, startedAt: now() })
    parts.onReset()
  }

  /** Steps 2 and 3. A check that finds the same person as before brings only the records up to date. */
  async function look(): Promise<void> {
    const state = identity.state()
    if (state.trouble === 'failed') return giveUp()
    if (!state.isLoaded || pending) return
    if (attemptedFor === subjectOf(state)) return refreshRecords(state)
    attemptedFor = subjectOf(state)
    if (store.getState().isAuthenticated && !state.isSignedIn) parts.onSessionEnded()
    if (store.getState().isInitialized) reset()
    loader.setState({ progress: loaderProgress.identityLoaded })
    try {
      await initialize()
      loader.setState({ progress: loaderProgress.storeInitialized })
      await parts.onInitialized()
    } catch {
      // Logged and stored by `run`: the initializer shows it, with a button that tries again.
    }
    // Somebody else may have signed in while the backend answered.
    if (attemptedFor !== subjectOf(identity.state())) return look()
    store.setState({ isLoading: false })
  }

  /** The service's own loader has tried as often as it does. Source: spec, section 8, "Identity script failure". */
  function giveUp(): void {
    if (store.getState().initializationError) return
    const error = new AppError('unavailable', 'Failed to load')
    log('The identity service could not be loaded.', error)
    store.setState({ initializationError: error, isLoading: false })
  }

  /** A new name or picture changes nothing about who may do what. */
  function refreshRecords(state: AuthState): void {
    if (!store.getState().isInitialized) return
    store.setState(recordsOf(state))
  }

  function poll(): void {
    if (identity.state().isLoaded) return
    void identity.refresh()
  }

  return {
    initialize,
    start() {
      loader.setState({ progress: 0, startedAt: now() })
      unsubscribe = identity.subscribe(() => void look())
      timer = setInterval(poll, loaderPollIntervalMs)
      void identity.refresh()
      void look()
    },
    stop() {
      clearInterval(timer)
      unsubscribe?.()
    },
    async retry() {
      if (identity.state().trouble === 'failed') return parts.startOver()
      attemptedFor = null
      store.setState({ initializationError: null, isLoading: true })
      loader.setState({ startedAt: now() })
      await identity.refresh()
      if (identity.state().isLoaded) return look()
      // Not ready: a person who asks gets an answer, stored and logged; the polling continues.
      await initialize().catch(() => store.setState({ isLoading: false }))
    },
  }
}
