import { grants, type Permission, type Role } from '@tour-ops/contract/identity/access'
import { AppError } from '@tour-ops/contract/errors'
import { makeHttpClient } from '../backend/http-client.ts'
import { makeClerkIdentity } from './clerk/clerk-identity.ts'
import { playedClerk } from './clerk/clerk-testing.ts'
import { makeEmbeddedIdentity } from './embedded.ts'
import { identityContract, type IdentityHarness } from './identity-contract.ts'
import { loadingState, signedOutState, type AuthState, type Identity } from './port.ts'

const roleIn: Readonly<Record<string, Role>> = { 'org-1': 'dispatcher', 'org-2': 'viewer' }
const at = '2026-11-20T08:00:00.000Z'

identityContract('embedded', () => {
  let orgId: string | null = 'org-1'
  let isThere = true
  let token: string | null | Error = 'a-token'
  const organization = (id: string) => ({ id, name: id, slug: id, logo: null, createdAt: at, role: roleIn[id] ?? null })
  const user = { id: 'user-1', name: 'Ann Berg', email: 'ann@example.com', emailVerified: true, createdAt: at }
  const answers: Record<string, (body: Record<string, unknown>) => unknown> = {
    'get-session': () =>
      isThere ? { user, session: { id: 's-1', createdAt: at, expiresAt: at, activeOrganizationId: orgId } } : null,
    'organization/get-full-organization': () => orgId && organization(orgId),
    'organization/list': () => Object.keys(roleIn).map(organization),
    'organization/set-active': ({ organizationId }) => {
      orgId = organizationId as string | null
      return null
    },
    'sign-out': () => {
      isThere = false
      return {}
    },
    token: () => {
      if (token instanceof Error) throw token
      return token === null ? {} : { token }
    },
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const path = new URL(input as string).pathname.replace('/api/auth/', '')
    try {
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {}
      return Response.json(answers[path]?.(body))
    } catch {
      return new Response('', { status: 500 })
    }
  }
  const identity = makeEmbeddedIdentity(makeHttpClient('https://operator.test/api/auth', fetch), {
    announce: () => undefined,
    listen: () => undefined,
  })
  return {
    identity: withoutPrefetch(identity),
    serve: (who) => {
      isThere = who === 'dispatcher'
    },
    serveToken: (given) => {
      token = given
    },
  }
})

/** The embedded identity asks for the first token together with the session; the suite tests tokens that are requested later. */
function withoutPrefetch(identity: Identity): Identity {
  let isFresh = true
  const later = async (ask: () => Promise<string>): Promise<string> => {
    if (isFresh) await ask()
    isFresh = false
    return ask()
  }
  return {
    ...identity,
    sessionToken: () => later(() => identity.sessionToken()),
    templateToken: (template) => later(() => identity.templateToken(template)),
  }
}

identityContract('clerk', () => {
  const { clerk, serve, serveToken } = playedClerk(roleIn)
  const identity = makeClerkIdentity()
  return {
    // the provider hands the service's object over as soon as it is rendered
    identity: { ...identity, refresh: async () => (identity.attach(clerk), identity.refresh()) },
    serve,
    serveToken,
  }
})

/**
 * A third identity, as small as one can be: it keeps everything in memory. What docs/adapters.md describes, to be copied for a real one.
 */
function memoryIdentity(): IdentityHarness {
  let state: AuthState = loadingState
  let served: 'nobody' | 'dispatcher' = 'nobody'
  let token: string | null | Error = 'a-token'
  let orgId: string | null = 'org-1'
  const listeners = new Set<() => void>()
  const become = (next: AuthState): void => {
    if (JSON.stringify(next) === JSON.stringify(state)) return
    state = next
    for (const tell of listeners) tell()
  }
  const organization = (id: string) => ({
    id,
    name: id,
    slug: id,
    imageUrl: null,
    createdAt: null,
    updatedAt: null,
    membersCount: undefined,
  })
  const look = (): void => {
    if (served === 'nobody') return become(signedOutState)
    const role = orgId === null ? null : (roleIn[orgId] ?? null)
    become({
      isLoaded: true,
      isSignedIn: true,
      sessionId: 's-1',
      userId: 'user-1',
      actor: null,
      orgId,
      orgRole: role,
      orgSlug: orgId,
      orgPermissions: role && (Object.keys(grants[role]) as Permission[]),
      user: {
        id: 'user-1',
        firstName: 'Ann',
        lastName: 'Berg',
        fullName: 'Ann Berg',
        primaryEmailAddress: 'ann@example.com',
        isEmailVerified: true,
        imageUrl: null,
        createdAt: null,
        lastSignInAt: null,
      },
      session: { id: 's-1', createdAt: new Date(at), expiresAt: new Date(at) },
      organization: orgId === null ? null : organization(orgId),
      client: { activeSessionId: 's-1' },
      pendingTask: null,
      trouble: null,
    })
  }
  const give = async (): Promise<string> => {
    if (token instanceof Error) {
      throw new AppError('unauthenticated', 'Failed to get Firebase token from Clerk', { cause: token })
    }
    if (token === null) throw new AppError('unauthenticated', 'No token available from Clerk')
    return token
  }
  return {
    identity: {
      state: () => state,
      subscribe(onChange) {
        listeners.add(onChange)
        return () => listeners.delete(onChange)
      },
      refresh: async () => look(),
      sessionToken: give,
      templateToken: give,
      async signOut() {
        served = 'nobody'
        look()
      },
      listOrganizations: async () =>
        Object.entries(roleIn).map(([id, role]) => ({ ...organization(id), role, lastUsedAt: null })),
      async setActiveOrganization(id) {
        orgId = id
        look()
      },
    },
    serve: (who) => {
      served = who
    },
    serveToken: (given) => {
      token = given
    },
  }
}

identityContract('a third one in memory', memoryIdentity)
