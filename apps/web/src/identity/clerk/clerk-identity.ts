import type { LoadedClerk } from '@clerk/react/types'
import { AppError } from '@tour-ops/contract/errors'
import { loadingState, type AuthState, type Identity, type OwnOrganization } from '../port.ts'
import { ownOrganizationOf, stateOf, type ClerkResources } from './clerk-state.ts'

/** The service's browser object, as far as this adapter uses it. */
export type ClerkHandle = ClerkResources &
  Pick<LoadedClerk, 'addListener' | 'signOut' | 'setActive'> & {
    on(event: 'status', handler: () => void, options?: { notify: boolean }): void
  }

export interface ClerkIdentity extends Identity {
  /** Called once, when the provider has made the service's object. */
  attach(clerk: ClerkHandle): void
  /** Ends the wait: the service cannot be started at all. */
  fail(): void
}

/** Memberships that are read at once; the list is shown whole. */
const pageSize = 100

/**
 * Clerk as the identity of the port. Its script keeps the session, notifies the other tabs and checks whether the session still exists; this
 * adapter translates its state into ours.
 */
export function makeClerkIdentity(): ClerkIdentity {
  let clerk: ClerkHandle | undefined
  let state: AuthState = loadingState
  const listeners = new Set<() => void>()

  function become(next: AuthState): void {
    if (JSON.stringify(next) === JSON.stringify(state)) return
    state = next
    for (const tell of listeners) tell()
  }
  const look = (): void => {
    if (clerk) become(stateOf(clerk, state))
  }

  async function token(options: { template?: string }): Promise<string> {
    const given = await (clerk?.session?.getToken(options) ?? Promise.resolve(null)).catch((error: unknown) => {
      throw new AppError('unauthenticated', 'Failed to get Firebase token from Clerk', { cause: error })
    })
    if (!given) throw new AppError('unauthenticated', 'No token available from Clerk')
    return given
  }

  async function memberships(): Promise<OwnOrganization[]> {
    const found: OwnOrganization[] = []
    let total = 1
    for (let page = 1; found.length < total; page += 1) {
      const answer = await clerk?.user?.getOrganizationMemberships({ pageSize, initialPage: page })
      if (!answer || answer.data.length === 0) break
      found.push(...answer.data.map(ownOrganizationOf))
      total = answer.total_count
    }
    return found
  }

  return {
    attach(given) {
      if (clerk === given) return
      clerk = given
      // both: resources change without a status, and a status without resources
      clerk.on('status', look, { notify: true })
      clerk.addListener(look)
      look()
    },
    fail: () => become({ ...loadingState, trouble: 'failed' }),
    state: () => state,
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    async refresh() {
      look()
    },
    sessionToken: () => token({}),
    templateToken: (template) => token({ template }),
    async signOut() {
      // our own way out leads to the configured place; the callback keeps the service from leading elsewhere first
      await clerk?.signOut(() => undefined)
      look()
    },
    listOrganizations: memberships,
    async setActiveOrganization(orgId) {
      await clerk?.setActive({ organization: orgId })
      look()
    },
  }
}
