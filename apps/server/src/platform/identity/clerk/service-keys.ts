import { grants, permissions, roles, type Permission, type Role } from '@tour-ops/contract/identity/access'
import { keyOfPermission, keyOfRole } from '@tour-ops/contract/identity/service-keys'
import * as z from 'zod/mini'
import { plural } from '../../plural.ts'
import type { ClerkApi } from './clerk-api.ts'

const Thing = z.object({ id: z.string(), key: z.string() })

/** Permissions that the service's own administrators also need; a role loses what an update leaves out. */
const systemPermissions = [
  'org:sys_profile:manage',
  'org:sys_profile:delete',
  'org:sys_memberships:read',
  'org:sys_memberships:manage',
  'org:sys_domains:read',
  'org:sys_domains:manage',
]

/**
 * Makes the product's roles and permissions at the hosted identity service, from the table that the code uses. Running it again changes only
 * what differs; anything else in the service is left alone.
 *
 * @returns What was done, one line each.
 */
export async function createServiceKeys(api: Pick<ClerkApi, 'list' | 'write'>): Promise<string[]> {
  const done: string[] = []
  const idOf = await idsOf(api, 'organization_permissions')
  for (const permission of permissions) {
    const key = keyOfPermission(permission)
    if (idOf.has(key)) continue
    const made = await api.write('POST', '/organization_permissions', { key, name: nameOf(permission) }, Thing)
    idOf.set(key, made.id)
    done.push(`permission ${key} made`)
  }
  const roleIds = await idsOf(api, 'organization_roles')
  for (const role of roles) {
    const key = keyOfRole(role)
    const held = heldBy(role).flatMap((permission) => idOf.get(permission) ?? [])
    const id = roleIds.get(key)
    const body = { key, name: nameOf(role), permissions: held }
    if (id === undefined) {
      await api.write('POST', '/organization_roles', { ...body, include_in_initial_role_set: true }, Thing)
    } else {
      await api.write('PATCH', `/organization_roles/${id}`, body, Thing)
    }
    done.push(
      `role ${key} ${id === undefined ? 'made' : 'brought up to date'}: ${plural(held.length, '# permission', '# permissions')}`,
    )
  }
  return done
}

const heldBy = (role: Role): string[] => [
  ...permissions.filter((permission) => permission in grants[role]).map(keyOfPermission),
  ...(role === 'admin' ? systemPermissions : ['org:sys_memberships:read']),
]

/** Keys to ids, all pages. */
async function idsOf(api: Pick<ClerkApi, 'list'>, kind: string): Promise<Map<string, string>> {
  const size = 100
  const ids = new Map<string, string>()
  for (let offset = 0; ; offset += size) {
    const things = await api.list(`/${kind}?limit=${size}&offset=${offset}`, Thing)
    for (const { id, key } of things) ids.set(key, id)
    if (things.length < size) return ids
  }
}

/** `tour_designer` → "Tour designer", `tours:manage` → "Tours: manage". */
function nameOf(key: Role | Permission): string {
  const words = key.replaceAll('_', ' ').replace(':', ': ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
