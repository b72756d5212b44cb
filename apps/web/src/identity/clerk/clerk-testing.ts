import { grants, permissions, type Role } from '@tour-ops/contract/identity/access'
import { keyOfPermission, keyOfRole } from '@tour-ops/contract/identity/service-keys'
import type { ClerkHandle } from './clerk-identity.ts'

const at = new Date('2026-11-20T08:00:00.000Z')

/** A fake of the service's browser object, with only what the adapter reads. */
export interface PlayedClerk {
  readonly clerk: ClerkHandle
  readonly serve: (who: 'nobody' | 'dispatcher') => void
  readonly serveToken: (token: string | null | Error) => void
  /** Changes facts of the object, and notifies its listeners. */
  readonly become: (change: object) => void
}

/** @param roleIn Organizations of the person, by id; the first one is the active one. */
export function playedClerk(roleIn: Readonly<Record<string, Role>>): PlayedClerk {
  let token: string | null | Error = 'a-token'
  const [onStatus, onResources] = [new Set<() => void>(), new Set<() => void>()]
  const memberships = Object.entries(roleIn).map(([id, role]) => ({
    role: keyOfRole(role),
    permissions: permissions.filter((permission) => permission in grants[role]).map(keyOfPermission),
    organization: {
      id,
      name: id,
      slug: id,
      hasImage: false,
      imageUrl: '',
      createdAt: at,
      updatedAt: at,
      membersCount: 3,
    },
  }))
  const user = {
    id: 'user-1',
    firstName: 'Ann',
    lastName: 'Berg',
    fullName: 'Ann Berg',
    primaryEmailAddress: { emailAddress: 'ann@example.com', verification: { status: 'verified' } },
    hasImage: false,
    imageUrl: 'https://img.example/drawn.svg',
    createdAt: at,
    lastSignInAt: at,
    organizationMemberships: memberships,
    getOrganizationMemberships: async ({ initialPage }: { initialPage: number }) => ({
      data: memberships.slice(initialPage - 1, initialPage),
      total_count: memberships.length,
    }),
  }
  const session = {
    id: 's-1',
    status: 'active',
    actor: null,
    createdAt: at,
    expireAt: at,
    getToken: async () => {
      if (token instanceof Error) throw token
      return token
    },
  }
  const facts = {
    status: 'ready',
    client: { lastActiveSessionId: 's-1' },
    session: session as object | null,
    user: user as object | null,
    organization: memberships[0]?.organization as object | null | undefined,
    on: (_event: string, handler: () => void) => void onStatus.add(handler),
    addListener: (handler: () => void) => void onResources.add(handler),
    signOut: async (after: () => void) => {
      become({ session: null, user: null, organization: null })
      after()
    },
    setActive: async ({ organization: id }: { organization: string | null }) =>
      become({ organization: memberships.find((each) => each.organization.id === id)?.organization ?? null }),
  }
  function become(change: object): void {
    Object.assign(facts, change)
    // each kind of change is reported to its own listeners
    for (const tell of 'status' in change ? onStatus : onResources) tell()
  }
  return {
    clerk: facts as unknown as ClerkHandle,
    become,
    serve: (who) =>
      become(
        who === 'nobody'
          ? { session: null, user: null, organization: null }
          : { session, user, organization: memberships[0]?.organization },
      ),
    serveToken: (given) => {
      token = given
    },
  }
}
