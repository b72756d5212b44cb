import { grants, roles, type Permission, type Role } from '@tour-ops/contract/identity/access'
import { createAccessControl } from 'better-auth/plugins/access'
import { defaultStatements } from 'better-auth/plugins/organization/access'

/** What the organization plugin itself asks for; every other right is ours and checked in the verbs. */
const control = createAccessControl(defaultStatements)

const managing = control.newRole({
  organization: ['update'],
  member: ['create', 'update', 'delete'],
  invitation: ['create', 'cancel'],
  team: [],
  ac: [],
})
const profile = control.newRole({ organization: ['update'], member: [], invitation: [], team: [], ac: [] })
const nothing = control.newRole({ organization: [], member: [], invitation: [], team: [], ac: [] })

const may = (role: Role, permission: Permission): boolean => permission in grants[role]

/** Our six roles in the library's terms. See docs/domain.md, "Roles and permissions". */
export const organizationRoles = Object.fromEntries(
  roles.map((role) => [
    role,
    may(role, 'members:manage') ? managing : may(role, 'settings:manage') ? profile : nothing,
  ]),
)
export const organizationAccess = control
