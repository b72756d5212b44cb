import { hasAccess, type AccessQuery, type Membership, type Permission } from '@tour-ops/contract/identity/access'
import { useSyncExternalStore } from 'react'
import { derivedFrom, useAuthStore, type AuthRecords } from './auth-store.ts'
import { currentIdentity, type AuthState } from './port.ts'

/** The auth store with its derived values. */
export function useAuth(): AuthRecords & ReturnType<typeof derivedFrom> {
  const records = useAuthStore()
  return { ...records, ...derivedFrom(records) }
}

const subscribe = (onChange: () => void) => currentIdentity().subscribe(onChange)

/** What the identity service says at this moment; screens mostly want `useAuth`. */
export const useSession = (): AuthState => useSyncExternalStore(subscribe, () => currentIdentity().state())

export interface Access {
  /** Whether the member may do something; false without an organization. */
  readonly can: (permission: Permission) => boolean
  /** The same for a role or a permission. @throws Error when asked for neither. Source: spec, section 6. */
  readonly has: (query: AccessQuery) => boolean
}

/** Access of a member, or of nobody. Screens only hide by it; the server checks every call. */
export const accessOf = (membership: Membership | null): Access => ({
  can: (permission) => hasAccess(membership, { permission }),
  has: (query) => hasAccess(membership, query),
})

/** What the person at the screen may do in the active organization. */
export function useAccess(): Access {
  const organization = useAuthStore((state) => state.organization)
  return accessOf(organization)
}
