import { grants, isRole, type Permission, type Role } from '@tour-ops/contract/identity/access'
import { AppError } from '@tour-ops/contract/errors'
import { FetchError, type $Fetch } from 'ofetch'
import { backendTokenTemplate } from '../backend/constants.ts'
import { browserIdentityChannel, type IdentityChannel } from './identity-channel.ts'
import {
  loadingState,
  signedOutState,
  type AuthState,
  type Identity,
  type IdentityOrganization,
  type IdentityUser,
  type OwnOrganization,
} from './port.ts'

/** What `/api/auth/get-session` answers; null when nobody is signed in. */
interface SessionAnswer {
  session: {
    id: string
    createdAt: string
    expiresAt: string
    activeOrganizationId?: string | null
    impersonatedBy?: string | null
  }
  user: {
    id: string
    name: string
    firstName?: string | null
    lastName?: string | null
    email: string
    emailVerified: boolean
    image?: string | null
    createdAt: string
    lastSignInAt?: string | null
  }
}

interface OrganizationAnswer {
  id: string
  name: string
  /** Of the person who asks; null while the membership is suspended, when the rest is not returned either. */
  role?: string | null
  slug?: string | null
  logo?: string | null
  createdAt?: string | null
  updatedAt?: string | null
  memberCount?: number | null
  /** The organization asks for a second factor that the session has not shown. Not in the list of the person's own organizations. */
  lacksFactor?: boolean
  /** Only in the list of the person's own organizations. */
  lastUsedAt?: string | null
}

interface TokenAnswer {
  token?: string
}

/** Whom a token is made for: it names the session and its active organization. */
const subjectOf = (sessionId: string | null, orgId: string | null | undefined): string =>
  `${sessionId ?? ''} ${orgId ?? ''}`

interface Membership {
  readonly organization: IdentityOrganization
  readonly lacksFactor: boolean
  readonly role: Role
}

/** What our own server adds to the port, for the adapter of the accounts. */
export interface EmbeddedIdentity extends Identity {
  /** Sends what changes the session or what it shows, notifies the other tabs, and checks again. */
  changeSession<Answer>(run: () => Promise<Answer>): Promise<Answer>
}

const dateOf = (text: string | null | undefined): Date | null => (text ? new Date(text) : null)

/**
 * The identity that our own server keeps (better-auth under `/api/auth`), spoken to with plain requests. The session is a cookie that no
 * script sees; what other tabs do to it arrives through a channel, and is checked when this tab is shown again.
 *
 * @param auth HTTP client whose addresses start at `/api/auth`.
 */
export function makeEmbeddedIdentity(
  auth: $Fetch,
  channel: IdentityChannel = browserIdentityChannel(),
): EmbeddedIdentity {
  let state = loadingState
  let prefetched: { readonly subject: string; readonly answer: Promise<TokenAnswer> } | undefined
  let looking: Promise<void> | null = null
  const listeners = new Set<() => void>()

  function become(next: AuthState): void {
    if (JSON.stringify(next) === JSON.stringify(state)) return
    state = next
    for (const tell of listeners) tell()
  }

  async function readMembership(): Promise<Membership | null> {
    try {
      const answer = await auth<OrganizationAnswer | null>('/organization/get-full-organization', {
        query: { membersLimit: 1 },
      })
      if (!answer || !isRole(answer.role)) return null
      return { organization: organizationOf(answer), role: answer.role, lacksFactor: answer.lacksFactor ?? false }
    } catch (error) {
      // Removed from it since: the session then has no organization.
      if (error instanceof FetchError && (error.status === 400 || error.status === 403)) return null
      throw error
    }
  }

  async function look(): Promise<void> {
    try {
      const answer = await auth<SessionAnswer | null>('/get-session')
      if (!answer) return become(signedOutState)
      const { id, activeOrganizationId } = answer.session
      // A new person will need a token next: it is requested while the membership is read.
      const subject = subjectOf(id, activeOrganizationId)
      if (subject !== subjectOf(state.sessionId, state.orgId)) prefetched = { subject, answer: requestToken() }
      prefetched?.answer.catch(() => undefined)
      become(stateOf(answer, activeOrganizationId ? await readMembership() : null))
    } catch (error) {
      if (error instanceof FetchError && error.status === 401) become(signedOutState)
      // Otherwise the service does not answer: the known state stays, and the caller asks again.
    }
  }

  /** There is one kind of token here; the name of the spec's template travels along. */
  const requestToken = () => auth<TokenAnswer>('/token', { query: { template: backendTokenTemplate } })

  const refresh = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = null
    })
    return looking
  }

  async function changeSession<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    const answer = await run()
    channel.announce()
    // A check that began before the change would report the old state.
    await looking
    await refresh()
    return answer
  }

  /** The one that travelled along, when it is for the present session; once. */
  async function takeToken(): Promise<string> {
    const ready = prefetched
    prefetched = undefined
    const isForUs = ready?.subject === subjectOf(state.sessionId, state.orgId)
    const answer = await (ready && isForUs ? ready.answer : requestToken()).catch((error: unknown) => {
      throw new AppError('unauthenticated', 'Failed to get Firebase token from Clerk', { cause: error })
    })
    if (!answer.token) throw new AppError('unauthenticated', 'No token available from Clerk')
    return answer.token
  }

  channel.listen(() => void refresh())

  return {
    state: () => state,
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    refresh,
    sessionToken: takeToken,
    templateToken: takeToken,
    changeSession,
    signOut: () => changeSession(() => auth('/sign-out', { method: 'POST', body: {} })),
    listOrganizations: async () => (await auth<OrganizationAnswer[]>('/organization/list')).map(ownOrganizationOf),
    setActiveOrganization: (organizationId) =>
      changeSession(() => auth('/organization/set-active', { method: 'POST', body: { organizationId } })),
  }
}

function stateOf({ session, user }: SessionAnswer, membership: Membership | null): AuthState {
  return {
    isLoaded: true,
    isSignedIn: true,
    sessionId: session.id,
    userId: user.id,
    actor: session.impersonatedBy ? { sub: session.impersonatedBy } : null,
    orgId: membership?.organization.id ?? null,
    orgRole: membership?.role ?? null,
    orgSlug: membership?.organization.slug ?? null,
    orgPermissions: membership ? (Object.keys(grants[membership.role]) as Permission[]) : null,
    user: userOf(user, session.createdAt),
    session: { id: session.id, createdAt: new Date(session.createdAt), expiresAt: new Date(session.expiresAt) },
    organization: membership?.organization ?? null,
    client: { activeSessionId: session.id },
    pendingTask: membership?.lacksFactor ? 'second-factor' : null,
    trouble: null,
  }
}

/** People who came with a wallet have no address; the library keeps one that leads nowhere in its place. Source: RFC 6761, ".invalid". */
const isPlaceholder = (email: string): boolean => email.endsWith('.invalid')

/** The embedded identity keeps one name; its first word is the first name where no better is known. */
function userOf(user: SessionAnswer['user'], sessionCreatedAt: string): IdentityUser {
  const [firstWord = '', ...rest] = user.name.trim().split(/\s+/)
  return {
    id: user.id,
    firstName: user.firstName ?? (firstWord || null),
    lastName: user.lastName ?? (rest.join(' ') || null),
    fullName: user.name.trim() || null,
    primaryEmailAddress: isPlaceholder(user.email) ? null : user.email || null,
    isEmailVerified: user.emailVerified,
    imageUrl: user.image ?? null,
    createdAt: dateOf(user.createdAt),
    lastSignInAt: dateOf(user.lastSignInAt ?? sessionCreatedAt),
  }
}

const organizationOf = (organization: OrganizationAnswer): IdentityOrganization => ({
  id: organization.id,
  name: organization.name,
  slug: organization.slug ?? null,
  imageUrl: organization.logo ?? null,
  createdAt: dateOf(organization.createdAt),
  updatedAt: dateOf(organization.updatedAt ?? organization.createdAt),
  membersCount: organization.memberCount ?? undefined,
})

const ownOrganizationOf = (organization: OrganizationAnswer): OwnOrganization => ({
  ...organizationOf(organization),
  role: isRole(organization.role) ? organization.role : null,
  lastUsedAt: dateOf(organization.lastUsedAt),
})
