import { isPermission, isRole, type Permission, type Role } from './access.ts'

// Names of roles and permissions at a hosted identity service. They are ours with a prefix; the script that makes them there and the code
// that reads them use the same functions.

const prefix = 'org:'

const withoutPrefix = (key: string): string => (key.startsWith(prefix) ? key.slice(prefix.length) : key)

/** The key of a role at the identity service, such as `org:dispatcher`. */
export const keyOfRole = (role: Role): string => prefix + role

/** The key of a permission at the identity service, such as `org:tours:manage`. */
export const keyOfPermission = (permission: Permission): string => prefix + permission

/**
 * Our role behind a key, with or without its prefix (token version 2 leaves it away). `member`, which the service has from the beginning and
 * cannot do without, may look and do nothing else. Null for roles that the product does not know.
 */
export function roleOfKey(key: string | null): Role | null {
  if (key === null) return null
  const bare = withoutPrefix(key)
  if (bare === 'member' || bare === 'basic_member') return 'viewer'
  return isRole(bare) ? bare : null
}

/** Our permissions among keys; the service's own ones (`org:sys_…`) are left out. */
export const permissionsOfKeys = (keys: readonly string[]): Permission[] => keys.map(withoutPrefix).filter(isPermission)
