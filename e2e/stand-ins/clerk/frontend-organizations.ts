import { ApiError } from './answers.ts'
import { page, sessionOf, withClient, type FrontendParts, type FrontendRoutes } from './frontend-call.ts'
import { found } from './resources.ts'

/** Organizations, their members and roles. */
export function addOrganizations(routes: FrontendRoutes, parts: FrontendParts): void {
  const { state, json, roles } = parts
  routes.on('POST', '/organizations', (call) => {
    const { userId } = sessionOf(call)
    const { name, slug } = call.body
    if (!name) throw new ApiError(422, 'form_param_nil', 'is missing', 'name')
    if (slug && [...state.organizations.values()].some((each) => each.slug === slug)) {
      throw new ApiError(422, 'form_identifier_exists', 'Already in use', 'slug')
    }
    const organization = state.addOrganization({ name, ...(slug ? { slug } : {}) })
    state.addMember(userId, organization.id, 'org:admin')
    return withClient(json.organization(organization), call, parts)
  })
  routes.on('GET', '/organizations/:id', (call, id = '') =>
    withClient(json.organization(found(state.organizations, id)), call, parts),
  )
  routes.on('PUT', '/organizations/:id/logo', (call, id = '') => {
    if (state.membershipOf(sessionOf(call).userId, id)?.role !== 'org:admin') {
      throw new ApiError(403, 'missing_permission', 'You do not have permission to update this organization.')
    }
    if (!call.file?.type.startsWith('image/')) throw new ApiError(422, 'form_param_invalid', 'is invalid', 'file')
    const organization = found(state.organizations, id)
    organization.logo = call.file
    return withClient(json.organization(organization), call, parts)
  })
  routes.on('GET', '/organizations/:id/memberships', (call, id) => {
    const members = state.memberships.filter(({ orgId }) => orgId === id)
    return withClient(
      page(
        members.map((each) => json.membership(each, true)),
        call.query,
      ),
      call,
      parts,
    )
  })
  routes.on('GET', '/organizations/:id/roles', (call) =>
    withClient(
      page(
        Object.entries(roles).map(([key, held]) => roleJson(key, held)),
        call.query,
      ),
      call,
      parts,
    ),
  )
  for (const list of ['invitations', 'domains', 'membership_requests']) {
    routes.on('GET', `/organizations/:id/${list}`, (call) => withClient(page([], call.query), call, parts))
  }
}

const roleJson = (key: string, held: readonly string[]): object => ({
  object: 'role',
  id: `role_${key}`,
  name: key,
  key,
  description: key,
  is_creator_eligible: key === 'org:admin',
  permissions: held.map((permission) => ({
    object: 'permission',
    id: `perm_${permission}`,
    name: permission,
    key: permission,
    description: permission,
    type: permission.startsWith('org:sys_') ? 'system' : 'user',
    created_at: 0,
    updated_at: 0,
  })),
  created_at: 0,
  updated_at: 0,
})
