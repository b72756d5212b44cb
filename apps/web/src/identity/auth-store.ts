import type { Role } from '@tour-ops/contract/identity/access'
import { create } from 'zustand'
import type { AuthState } from './port.ts'

/** Spec, section 3, "Auth store, user record". */
export interface UserRecord {
  readonly id: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly fullName: string | null
  /** The primary address, or null. */
  readonly email: string | null
  readonly imageUrl: string | null
  readonly createdAt: Date | null
  /** The newest sign-in of the account, on whatever device; in the embedded identity a trigger of the sessions keeps it. */
  readonly lastSignInAt: Date | null
}

/** Spec, section 3, "Auth store, organization record". */
export interface OrganizationRecord {
  readonly id: string
  readonly name: string
  readonly slug: string | null
  /** From the membership, not from the organization. */
  readonly role: Role
  readonly imageUrl: string | null
  readonly createdAt: Date | null
  readonly updatedAt: Date | null
  /** 0 where the service does not report it. */
  readonly memberCount: number
}

/** Spec, section 3, "Also held". */
export interface AuthRecords {
  readonly user: UserRecord | null
  readonly organization: OrganizationRecord | null
  readonly isAuthenticated: boolean
  /** True from the start until the first initialization has ended, well or not. */
  readonly isLoading: boolean
  readonly isInitialized: boolean
  readonly initializationError: Error | null
  /** The backend login is done. */
  readonly isBackendSignedIn: boolean
  /** The active organization, which `organization` leaves out then, asks for a second factor that the session has not shown. */
  readonly needsSecondFactor: boolean
}

export const initialRecords: AuthRecords = {
  user: null,
  organization: null,
  isAuthenticated: false,
  isLoading: true,
  isInitialized: false,
  initializationError: null,
  isBackendSignedIn: false,
  needsSecondFactor: false,
}

/** The auth store. Written by `startup.ts` alone; screens read it through `useAuth`. */
export const useAuthStore = create<AuthRecords>(() => initialRecords)

/** Spec, section 3, "Derived": userId, userEmail, userName, orgId, orgName, orgRole; null while there is nobody or no organization. */
export const derivedFrom = ({ user, organization }: Pick<AuthRecords, 'user' | 'organization'>) => ({
  userId: user?.id ?? null,
  userEmail: user?.email ?? null,
  userName: user?.fullName ?? user?.email ?? null,
  orgId: organization?.id ?? null,
  orgName: organization?.name ?? null,
  orgRole: organization?.role ?? null,
})

/** The user record of a state: each field from the user object of the identity service. */
export function userRecordOf({ user }: AuthState): UserRecord | null {
  if (!user) return null
  const { id, firstName, lastName, fullName, primaryEmailAddress, imageUrl, createdAt, lastSignInAt } = user
  return { id, firstName, lastName, fullName, email: primaryEmailAddress, imageUrl, createdAt, lastSignInAt }
}

/**
 * The organization record of a state; null unless an organization and a membership exist, and while that one waits for a second factor.
 * Source: spec, section 4, step 4.
 */
export function organizationRecordOf({ organization, orgRole, pendingTask }: AuthState): OrganizationRecord | null {
  if (!organization || !orgRole || pendingTask === 'second-factor') return null
  const { id, name, slug, imageUrl, createdAt, updatedAt, membersCount } = organization
  return { id, name, slug, role: orgRole, imageUrl, createdAt, updatedAt, memberCount: membersCount ?? 0 }
}
