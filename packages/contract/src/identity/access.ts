/** Organization roles. The hosted identity service holds the same keys. */
export const roles = ['admin', 'operations_manager', 'dispatcher', 'tour_designer', 'guide', 'viewer'] as const
export type Role = (typeof roles)[number]

export const permissions = [
  'dashboard:read',
  'tracking:read',
  'tracking:history',
  'staff:read',
  'staff:manage',
  'staff_private:read',
  'tours:read',
  'tours:manage',
  'tours:publish',
  'departures:read',
  'departures:manage',
  'departures:dispatch',
  'bookings:read',
  'bookings:manage',
  'travelers:read',
  'travelers:manage',
  'travelers_sensitive:read',
  'checkin:write',
  'monitoring:read',
  'alerts:manage',
  'incidents:manage',
  'notifications:read',
  'notifications:send',
  'notifications:manage',
  'links:read',
  'links:manage',
  'reports:read',
  'reports:export',
  'settings:read',
  'settings:manage',
  'members:read',
  'members:manage',
  'audit:read',
] as const
export type Permission = (typeof permissions)[number]

/** `own` narrows a grant to the departures, staff record and guests of the member themselves; the verb applies it. */
export type Scope = 'all' | 'own'

const everything = Object.fromEntries(permissions.map((permission) => [permission, 'all'])) as Record<Permission, Scope>

const all = (...granted: Permission[]): Partial<Record<Permission, Scope>> =>
  Object.fromEntries(granted.map((permission) => [permission, 'all']))
const own = (...granted: Permission[]): Partial<Record<Permission, Scope>> =>
  Object.fromEntries(granted.map((permission) => [permission, 'own']))

/** Which role may do what. See docs/domain.md, "Roles and permissions". */
export const grants: Record<Role, Partial<Record<Permission, Scope>>> = {
  admin: everything,
  operations_manager: Object.fromEntries(
    permissions.filter((permission) => permission !== 'members:manage').map((permission) => [permission, 'all']),
  ),
  dispatcher: all(
    'dashboard:read',
    'tracking:read',
    'staff:read',
    'staff_private:read',
    'tours:read',
    'departures:read',
    'departures:dispatch',
    'bookings:read',
    'bookings:manage',
    'travelers:read',
    'travelers:manage',
    'travelers_sensitive:read',
    'checkin:write',
    'monitoring:read',
    'alerts:manage',
    'incidents:manage',
    'notifications:read',
    'notifications:send',
    'links:read',
    'links:manage',
    'reports:read',
    'settings:read',
    'members:read',
  ),
  tour_designer: all(
    'dashboard:read',
    'staff:read',
    'tours:read',
    'tours:manage',
    'tours:publish',
    'departures:read',
    'departures:manage',
    'bookings:read',
    'notifications:read',
    'notifications:manage',
    'links:read',
    'reports:read',
    'settings:read',
    'members:read',
  ),
  guide: own(
    'dashboard:read',
    'tracking:read',
    'tracking:history',
    'staff:read',
    'staff_private:read',
    'tours:read',
    'departures:read',
    'bookings:read',
    'travelers:read',
    'checkin:write',
    'notifications:read',
    'notifications:send',
    'reports:read',
  ),
  viewer: all(
    'dashboard:read',
    'tracking:read',
    'staff:read',
    'tours:read',
    'departures:read',
    'bookings:read',
    'travelers:read',
    'monitoring:read',
    'notifications:read',
    'links:read',
    'reports:read',
  ),
}

/**
 * With scope `own`, what an offered assignment opens already: enough to say yes or no. Everything else of a departure, its guests, bookings
 * and messages and whatever is written there, waits until the assignment is accepted. See "my departures" in docs/glossary.md.
 */
export const openWithOffer: readonly Permission[] = [
  'dashboard:read',
  'tracking:read',
  'staff:read',
  'tours:read',
  'departures:read',
]

export interface Membership {
  readonly role: Role
}

export type AccessQuery = { permission: Permission; role?: never } | { role: Role; permission?: never }

/**
 * Whether a member may do something. False without an active organization.
 *
 * @throws Error when asked for neither role nor permission: that is a programming error.
 * @see Spec, section 6.
 */
export function hasAccess(membership: Membership | null, query: AccessQuery): boolean {
  if (!query.role && !query.permission) throw new Error('hasAccess needs a role or a permission')
  if (!membership) return false
  if (query.role) return membership.role === query.role
  return query.permission in grants[membership.role]
}

/** Grants that hold only in the hours around a tour. See docs/domain.md, "Roles and permissions". */
const nearTour: Readonly<Partial<Record<Role, readonly Permission[]>>> = { dispatcher: ['travelers_sensitive:read'] }

/** Whether a role has a permission only for departures that are near or still out. */
export const isOnlyNearTour = (role: Role, permission: Permission): boolean =>
  nearTour[role]?.includes(permission) ?? false

/** How far a granted permission reaches; undefined when it is not granted. */
export const scopeOf = (role: Role, permission: Permission): Scope | undefined => grants[role][permission]

export const isRole = (value: unknown): value is Role => roles.includes(value as Role)

export const isPermission = (value: unknown): value is Permission => permissions.includes(value as Permission)
