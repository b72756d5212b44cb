import type { Permission, Role } from '@tour-ops/contract/identity/access'

/** Who is signed in, as the identity service reports it. */
export interface IdentityUser {
  readonly id: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly fullName: string | null
  readonly primaryEmailAddress: string | null
  readonly isEmailVerified: boolean
  readonly imageUrl: string | null
  readonly createdAt: Date | null
  readonly lastSignInAt: Date | null
}

interface IdentitySession {
  readonly id: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

export interface IdentityOrganization {
  readonly id: string
  readonly name: string
  readonly slug: string | null
  readonly imageUrl: string | null
  readonly createdAt: Date | null
  readonly updatedAt: Date | null
  /** Undefined where the service does not report it. */
  readonly membersCount: number | undefined
}

/** An organization that the person belongs to. */
export interface OwnOrganization extends IdentityOrganization {
  /** Null while the membership is suspended: listed, but not to be entered. */
  readonly role: Role | null
  /** Null where the person never worked, or where the service does not report it. */
  readonly lastUsedAt: Date | null
}

/** The browser as the identity service knows it: which of its sessions is the active one. */
interface IdentityClient {
  readonly activeSessionId: string | null
}

/** Someone acting in another's name (support), when the session is not the person's own. */
interface IdentityActor {
  readonly sub: string
}

/** Auth state from the identity service. Fields exactly as in the spec, section 3; all null while loading and signed out. */
export interface AuthState {
  readonly isLoaded: boolean
  readonly isSignedIn: boolean
  readonly sessionId: string | null
  readonly userId: string | null
  readonly actor: IdentityActor | null
  readonly orgId: string | null
  readonly orgRole: Role | null
  readonly orgSlug: string | null
  readonly orgPermissions: readonly Permission[] | null
  readonly user: IdentityUser | null
  readonly session: IdentitySession | null
  readonly organization: IdentityOrganization | null
  readonly client: IdentityClient | null
  /**
   * What the service wants done before the session counts, such as choosing an organization or, where the active one asks for it, showing a
   * second factor: the person is known, the session proves nothing
   * to a backend yet.
   */
  readonly pendingTask: 'choose-organization' | 'second-factor' | 'other' | null
  /** `failed`: its script did not come; `degraded`: it answers in part, and what is known about the session may be old. */
  readonly trouble: 'failed' | 'degraded' | null
}

const nobody = {
  isSignedIn: false,
  sessionId: null,
  userId: null,
  actor: null,
  orgId: null,
  orgRole: null,
  orgSlug: null,
  orgPermissions: null,
  user: null,
  session: null,
  organization: null,
  client: null,
  pendingTask: null,
  trouble: null,
} as const

/** Spec, section 4: "Auth state: loading, signed in, signed out". */
export const loadingState: AuthState = { ...nobody, isLoaded: false }
export const signedOutState: AuthState = { ...nobody, isLoaded: true }

/**
 * Who is at the keyboard. Screens see this and never the provider behind it. What a person does in the widgets (sign in, create an
 * organization) goes through `accounts-port.ts`.
 */
export interface Identity {
  /** The present state; the same object until something changes. */
  state(): AuthState
  /** Calls back after every change, those of other tabs included. */
  subscribe(onChange: () => void): () => void
  /** Checks the identity service again. Never rejects: while the service does not answer, the state stays as it is. */
  refresh(): Promise<void>
  /**
   * A short-lived token of the session itself. Anyone who trusts the identity service can verify it: our own server, and the function that
   * exchanges it for a token of the hosted backend.
   *
   * @throws AppError 'No token available from Clerk' when the service gives none, 'Failed to get Firebase token from Clerk' when asking
   *   fails. The words are the spec's, section 8, whatever the service.
   */
  sessionToken(): Promise<string>
  /**
   * A token that the service makes after a template of the installation, such as `integration_firebase`.
   *
   * @throws AppError the same as `sessionToken`.
   */
  templateToken(template: string): Promise<string>
  signOut(): Promise<void>
  /** The organizations that the person belongs to, the one used last first. */
  listOrganizations(): Promise<readonly OwnOrganization[]>
  /** Makes an organization the active one, or none. Rejects when the person is not a member of it. */
  setActiveOrganization(orgId: string | null): Promise<void>
}

let current: Identity | undefined

/** Called once by `main` with the adapter that the configuration names, and by tests with theirs. */
export function provideIdentity(identity: Identity): void {
  current = identity
}

/** @throws Error before `provideIdentity`: a programming error. */
export function currentIdentity(): Identity {
  if (!current) throw new Error('provideIdentity must be called before the identity is used')
  return current
}
