import { ApiError, Routes } from './answers.ts'
import { found, type Resources } from './resources.ts'
import { newId, type ClerkState, type Invitation, type WaitlistEntry } from './state.ts'

/** One request of a server that showed the secret key. */
export interface BackendCall {
  readonly body: Readonly<Record<string, unknown>>
  readonly query: URLSearchParams
}

interface BackendParts {
  readonly state: ClerkState
  readonly json: Resources
}

type BackendRoutes = Routes<BackendCall>

/** The Backend API, as far as the product asks for it. */
export function backendApi(parts: BackendParts): BackendRoutes {
  const routes: BackendRoutes = new Routes()
  addPeople(routes, parts)
  addMembers(routes, parts)
  addInvitations(routes, parts)
  addWaitlist(routes, parts)
  addKeys(routes)
  return routes
}

const page = (items: readonly object[]): object => ({ data: items, total_count: items.length })
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function addPeople(routes: BackendRoutes, { state, json }: BackendParts): void {
  routes.on('GET', '/users/:id', (_call, id = '') => json.user(found(state.users, id)))
}

function addMembers(routes: BackendRoutes, { state, json }: BackendParts): void {
  routes.on('GET', '/organizations/:id', (_call, id = '') => json.organization(found(state.organizations, id)))
  routes.on('PATCH', '/organizations/:id', ({ body }, id = '') => {
    const organization = found(state.organizations, id)
    organization.name = textOf(body['name']) || organization.name
    return json.organization(organization)
  })
  routes.on('GET', '/organizations/:id/memberships', ({ query }, id = '') => {
    found(state.organizations, id)
    const wanted = query.getAll('user_id')
    const members = state.memberships.filter(
      ({ orgId, userId }) => orgId === id && (wanted.length === 0 || wanted.includes(userId)),
    )
    return page(members.map((each) => json.membership(each, true)))
  })
  routes.on('PATCH', '/organizations/:id/memberships/:user', ({ body }, id = '', userId = '') => {
    const membership = memberIn(state, id, userId)
    membership.role = textOf(body['role'])
    return json.membership(membership, true)
  })
  routes.on('DELETE', '/organizations/:id/memberships/:user', (_call, id = '', userId = '') => {
    const membership = memberIn(state, id, userId)
    const answer = json.membership(membership, true)
    state.removeMember(userId, id)
    return answer
  })
}

function memberIn(state: ClerkState, orgId: string, userId: string) {
  const membership = state.membershipOf(userId, orgId)
  if (!membership) throw new ApiError(404, 'resource_not_found', 'not found')
  return membership
}

function addInvitations(routes: BackendRoutes, { state }: BackendParts): void {
  routes.on('POST', '/organizations/:id/invitations', ({ body }, id = '') => {
    found(state.organizations, id)
    const email = textOf(body['email_address']).toLowerCase()
    if (state.invitations.some((each) => each.orgId === id && each.email === email && each.status === 'pending')) {
      throw new ApiError(400, 'duplicate_record', 'There are already pending invitations for this address.')
    }
    const member = state.userByIdentifier(email)
    if (member && state.membershipOf(member.id, id)) {
      throw new ApiError(400, 'already_a_member_in_organization', `${email} is already a member.`)
    }
    const invitation: Invitation = {
      id: newId('orginv'),
      orgId: id,
      email,
      role: textOf(body['role']),
      status: 'pending',
      createdAt: Date.now(),
    }
    state.invitations.push(invitation)
    return invitationJson(invitation)
  })
  routes.on('POST', '/organizations/:id/invitations/:invitation/revoke', (_call, id, invitationId) => {
    const invitation = state.invitations.find((each) => each.orgId === id && each.id === invitationId)
    if (invitation?.status !== 'pending') throw new ApiError(404, 'resource_not_found', 'not found')
    invitation.status = 'revoked'
    return invitationJson(invitation)
  })
}

const invitationJson = ({ id, orgId, email, role, status, createdAt }: Invitation): object => ({
  object: 'organization_invitation',
  id,
  organization_id: orgId,
  email_address: email,
  role,
  status,
  created_at: createdAt,
  updated_at: createdAt,
})

function addWaitlist(routes: BackendRoutes, { state }: BackendParts): void {
  routes.on('GET', '/waitlist_entries', ({ query }) => {
    const status = query.get('status')
    return page(state.waitlist.filter((each) => status === null || each.status === status).map(entryJson))
  })
  for (const [verb, status] of [
    ['invite', 'invited'],
    ['reject', 'rejected'],
  ] as const) {
    routes.on('POST', `/waitlist_entries/:id/${verb}`, (_call, id) => {
      const entry = state.waitlist.find((each) => each.id === id)
      if (entry?.status !== 'pending') throw new ApiError(404, 'resource_not_found', 'not found')
      entry.status = status
      return entryJson(entry)
    })
  }
}

const entryJson = ({ id, email, status, createdAt }: WaitlistEntry): object => ({
  object: 'waitlist_entry',
  id,
  email_address: email,
  status,
  created_at: createdAt,
  updated_at: createdAt,
})

/** Roles and permissions, as the script makes them. */
function addKeys(routes: BackendRoutes): void {
  const kept = { organization_permissions: new Map<string, object>(), organization_roles: new Map<string, object>() }
  for (const [kind, things] of Object.entries(kept)) {
    routes.on('GET', `/${kind}`, () => page([...things.values()]))
    routes.on('POST', `/${kind}`, ({ body }) => {
      const thing = { id: newId(kind === 'organization_roles' ? 'role' : 'perm'), ...body }
      things.set(thing.id, thing)
      return thing
    })
    routes.on('PATCH', `/${kind}/:id`, ({ body }, id = '') => {
      const thing = { ...found(things, id), ...body }
      things.set(id, thing)
      return thing
    })
  }
}
