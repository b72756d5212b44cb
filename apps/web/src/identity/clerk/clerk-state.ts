import type { LoadedClerk, OrganizationResource, UserResource } from '@clerk/react/types'
import { permissionsOfKeys, roleOfKey } from '@tour-ops/contract/identity/service-keys'
import {
  loadingState,
  signedOutState,
  type AuthState,
  type IdentityOrganization,
  type IdentityUser,
  type OwnOrganization,
} from '../port.ts'

/** As much of the service's browser object as the state is made of. */
export type ClerkResources = Pick<LoadedClerk, 'client' | 'session' | 'user' | 'organization'> & {
  readonly status: LoadedClerk['status']
}

type Membership = UserResource['organizationMemberships'][number]

/**
 * The state of the port, from what the service's script knows.
 *
 * @param before The state so far: while the service answers in part only, a missing session is no sign-out.
 */
export function stateOf(clerk: ClerkResources, before: AuthState): AuthState {
  const { status, session, user } = clerk
  if (status === 'error') return { ...loadingState, trouble: 'failed' }
  if (status === 'loading') return loadingState
  const trouble = status === 'degraded' ? 'degraded' : null
  if (!session || !user) {
    if (!trouble) return signedOutState
    return { ...(before.isSignedIn ? before : loadingState), trouble }
  }
  const membership = membershipIn(user, clerk.organization)
  const role = membership ? roleOfKey(membership.role) : null
  return {
    isLoaded: true,
    isSignedIn: true,
    sessionId: session.id,
    userId: user.id,
    actor: session.actor ? { sub: session.actor.sub } : null,
    orgId: membership?.organization.id ?? null,
    orgRole: role,
    orgSlug: membership?.organization.slug ?? null,
    orgPermissions: membership ? permissionsOfKeys(membership.permissions) : null,
    user: userOf(user),
    session: { id: session.id, createdAt: session.createdAt, expiresAt: session.expireAt },
    organization: membership ? organizationOf(membership.organization) : null,
    client: { activeSessionId: clerk.client.lastActiveSessionId },
    pendingTask: taskOf(session),
    trouble,
  }
}

const membershipIn = (user: UserResource, organization: OrganizationResource | null | undefined) =>
  user.organizationMemberships.find((membership) => membership.organization.id === organization?.id)

function taskOf(session: NonNullable<ClerkResources['session']>): AuthState['pendingTask'] {
  if (session.status !== 'pending') return null
  return session.currentTask?.key === 'choose-organization' ? 'choose-organization' : 'other'
}

const userOf = (user: UserResource): IdentityUser => ({
  id: user.id,
  firstName: user.firstName,
  lastName: user.lastName,
  fullName: user.fullName ?? user.username ?? user.primaryWeb3Wallet?.web3Wallet ?? null,
  primaryEmailAddress: user.primaryEmailAddress?.emailAddress ?? null,
  isEmailVerified: user.primaryEmailAddress?.verification.status === 'verified',
  // the service draws a picture for everybody; so do we
  imageUrl: user.hasImage ? user.imageUrl : null,
  createdAt: user.createdAt,
  lastSignInAt: user.lastSignInAt,
})

const organizationOf = (organization: OrganizationResource): IdentityOrganization => ({
  id: organization.id,
  name: organization.name,
  slug: organization.slug,
  imageUrl: organization.hasImage ? organization.imageUrl : null,
  createdAt: organization.createdAt,
  updatedAt: organization.updatedAt,
  membersCount: organization.membersCount,
})

/** A membership in the list of the person's own organizations. */
export const ownOrganizationOf = ({ organization, role }: Membership): OwnOrganization => ({
  ...organizationOf(organization),
  role: roleOfKey(role),
  lastUsedAt: null,
})
