import { ApiError, Routes } from './answers.ts'
import { environment } from './environment.ts'
import {
  clientOf,
  page,
  sessionOf,
  withClient,
  type FrontendCall,
  type FrontendParts,
  type FrontendRoutes,
} from './frontend-call.ts'
import { addOrganizations } from './frontend-organizations.ts'
import { addSignIn, addSignUp } from './frontend-sign-in.ts'
import { found } from './resources.ts'
import type { ClerkState, Session } from './state.ts'

/** The Frontend API, as far as the service's script and widgets ask for it. */
export function frontendApi(parts: FrontendParts): FrontendRoutes {
  const routes: FrontendRoutes = new Routes()
  routes.on('GET', '/environment', () => environment(parts.options))
  routes.on('PATCH', '/environment', () => environment(parts.options))
  addClients(routes, parts)
  addSignIn(routes, parts)
  addSignUp(routes, parts)
  addSessions(routes, parts)
  addOwn(routes, parts)
  addOrganizations(routes, parts)
  return routes
}

function addClients(routes: FrontendRoutes, parts: FrontendParts): void {
  const { json } = parts
  const whole = ({ client, origin }: FrontendCall): object => ({
    response: client ? json.client(client, origin) : null,
    client: null,
  })
  routes.on('GET', '/client', whole)
  routes.on('PUT', '/client', (call) => {
    clientOf(call, parts)
    return whole(call)
  })
  routes.on('DELETE', '/client/sessions', (call) => {
    for (const session of call.client?.sessions ?? []) session.status = 'ended'
    return whole(call)
  })
}

function addSessions(routes: FrontendRoutes, parts: FrontendParts): void {
  const { state, json, tokens, templates } = parts
  routes.on('POST', '/client/sessions/:id/touch', (call, id) => {
    const session = sessionOf(call, id)
    session.lastActiveAt = Date.now()
    enter(session, call.body['active_organization_id'], state)
    return withClient(json.session(session, call.origin), call, parts)
  })
  for (const [verb, status] of [
    ['remove', 'removed'],
    ['end', 'ended'],
  ] as const) {
    routes.on('POST', `/client/sessions/:id/${verb}`, (call, id) => {
      const session = sessionOf(call, id)
      session.status = status
      return withClient(json.session(session, call.origin), call, parts)
    })
  }
  routes.on('POST', '/client/sessions/:id/tokens', (call, id) => {
    const session = sessionOf(call, id)
    enter(session, call.body['organization_id'], state)
    return { object: 'token', jwt: tokens.sessionToken(session, call.origin) }
  })
  routes.on('POST', '/client/sessions/:id/tokens/:template', (call, id, name = '') => {
    const make = templates.get(name)
    if (!make) throw new ApiError(404, 'resource_not_found', `No JWT template exists with name: ${name}`)
    return { object: 'token', jwt: make(sessionOf(call, id)) }
  })
}

/** Makes an organization the active one; empty means none, undefined leaves it. @throws ApiError 403 for a stranger. */
function enter(session: Session, wanted: string | undefined, state: ClerkState): void {
  if (wanted === undefined) return
  if (wanted !== '' && !state.membershipOf(session.userId, wanted)) {
    throw new ApiError(403, 'organization_not_found_or_unauthorized', 'Given organization not found.')
  }
  session.orgId = wanted || null
  if (session.orgId !== null && session.status === 'pending') session.status = 'active'
}

function addOwn(routes: FrontendRoutes, parts: FrontendParts): void {
  const { state, json } = parts
  routes.on('GET', '/me', (call) => withClient(json.user(found(state.users, sessionOf(call).userId)), call, parts))
  routes.on('GET', '/me/organization_memberships', (call) => {
    const { userId } = sessionOf(call)
    const own = state.memberships.filter((membership) => membership.userId === userId)
    return withClient(
      page(
        own.map((each) => json.membership(each, true)),
        call.query,
      ),
      call,
      parts,
    )
  })
  routes.on('DELETE', '/me/organization_memberships/:org', (call, orgId = '') => {
    state.removeMember(sessionOf(call).userId, orgId)
    return withClient({ object: 'organization_membership', id: orgId, deleted: true }, call, parts)
  })
  for (const list of ['invitations', 'suggestions']) {
    routes.on('GET', `/me/organization_${list}`, (call) => withClient(page([], call.query), call, parts))
  }
}
