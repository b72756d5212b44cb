import { randomUUID } from 'node:crypto'
import { ApiError, Routes } from './answers.ts'
import { environment, type EnvironmentOptions } from './environment.ts'
import { found, isLive, type Resources } from './resources.ts'
import { newId, type Client, type ClerkState, type Session, type SignIn, type SignUp } from './state.ts'
import type { TokenIssuer } from './tokens.ts'
import { isSignedByWallet } from './wallet.ts'

/** One request of the service's script, on its way through the routes. */
export interface FrontendCall {
  readonly body: Readonly<Record<string, string>>
  /** The picture that came along. */
  readonly file: Blob | null
  readonly query: URLSearchParams
  /** Of the page that asks. */
  readonly origin: string
  /** The browser, by its cookie; a route may make one. */
  client: Client | undefined
}

export interface FrontendParts {
  readonly state: ClerkState
  readonly tokens: TokenIssuer
  readonly json: Resources
  readonly options: EnvironmentOptions
  readonly roles: Readonly<Record<string, readonly string[]>>
  /** Tokens that are made after a template, by its name. */
  readonly templates: ReadonlyMap<string, (session: Session) => string>
  /** The code in every letter. */
  readonly code: string
}

type FrontendRoutes = Routes<FrontendCall>

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

/** Most answers carry the browser's state beside what was asked for. */
const withClient = (response: unknown, { client, origin }: FrontendCall, { json }: FrontendParts): object => ({
  response,
  client: client ? json.client(client, origin) : null,
})

const invalid = (): ApiError => new ApiError(401, 'authentication_invalid', 'Invalid authentication')

function clientOf(call: FrontendCall, { state }: FrontendParts): Client {
  call.client ??= { id: newId('client'), sessions: [], signIn: null, signUp: null, createdAt: Date.now() }
  state.clients.set(call.client.id, call.client)
  return call.client
}

/** The browser's session, by id or the one there is. @throws ApiError 401 */
function sessionOf({ client }: FrontendCall, id?: string): Session {
  const session = client?.sessions.find((each) => isLive(each) && (id === undefined || each.id === id))
  if (!session) throw invalid()
  return session
}

function beginSession(client: Client, userId: string, { state, options }: FrontendParts): Session {
  const first = state.memberships.find((membership) => membership.userId === userId)
  const session: Session = {
    id: newId('sess'),
    userId,
    status: options.forceOrganization && !first ? 'pending' : 'active',
    orgId: first?.orgId ?? null,
    createdAt: Date.now(),
    lastActiveAt: Date.now(),
  }
  client.sessions = [session]
  found(state.users, userId).lastSignInAt = Date.now()
  return session
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

function addSignIn(routes: FrontendRoutes, parts: FrontendParts): void {
  const { state, json, code } = parts
  const attemptOf = (call: FrontendCall): SignIn => {
    if (!call.client?.signIn) throw new ApiError(404, 'resource_not_found', 'not found')
    return call.client.signIn
  }
  const answer = (call: FrontendCall): object => withClient(json.signIn(attemptOf(call)), call, parts)
  const complete = (call: FrontendCall, attempt: SignIn): object => {
    const client = clientOf(call, parts)
    attempt.sessionId = beginSession(client, attempt.user?.id ?? '', parts).id
    attempt.status = 'complete'
    client.signIn = null
    return withClient(json.signIn(attempt), call, parts)
  }

  routes.on('POST', '/client/sign_ins', (call) => {
    const attempt = newSignIn()
    clientOf(call, parts).signIn = attempt
    const { identifier, strategy, password } = call.body
    if (strategy === 'ticket') {
      proveTicket(attempt, state, call.body['ticket'])
      return complete(call, attempt)
    }
    if (identifier === undefined) return answer(call)
    const user = state.userByIdentifier(identifier)
    if (!user) throw new ApiError(422, 'form_identifier_not_found', "Couldn't find your account.", 'identifier')
    Object.assign(attempt, { user, identifier, status: 'needs_first_factor' })
    if (strategy !== 'password') return answer(call)
    provePassword(attempt, password)
    return complete(call, attempt)
  })
  routes.on('GET', '/client/sign_ins/:id', answer)
  routes.on('POST', '/client/sign_ins/:id/prepare_first_factor', (call) => {
    const attempt = attemptOf(call)
    const strategy = call.body['strategy'] ?? ''
    const isWallet = strategy.startsWith('web3_')
    attempt.message = isWallet ? `Sign in to Tour operations: ${randomUUID()}` : null
    attempt.verification = {
      object: isWallet ? 'verification_web3' : 'verification_otp',
      status: 'unverified',
      strategy,
      attempts: 0,
      expire_at: Date.now() + 600_000,
      ...(isWallet ? { message: attempt.message } : {}),
    }
    return answer(call)
  })
  routes.on('POST', '/client/sign_ins/:id/attempt_first_factor', (call) => {
    const attempt = attemptOf(call)
    const { strategy, password, code: given, signature } = call.body
    if (strategy === 'password') provePassword(attempt, password)
    else if (strategy === 'email_code') proveCode(given, code)
    else proveWallet(attempt, signature)
    return complete(call, attempt)
  })
}

const newSignIn = (): SignIn => ({
  id: newId('sia'),
  status: 'needs_identifier',
  identifier: null,
  user: null,
  verification: null,
  message: null,
  sessionId: null,
  createdAt: Date.now(),
})

function provePassword(attempt: SignIn, password: string | undefined): void {
  if (password === undefined || attempt.user?.password !== password) {
    throw new ApiError(422, 'form_password_incorrect', 'Password is incorrect. Try again.', 'password')
  }
  attempt.verification = {
    object: 'verification_password',
    status: 'verified',
    strategy: 'password',
    attempts: 1,
    expire_at: null,
  }
}

function proveCode(given: string | undefined, code: string): void {
  if (given !== code) throw new ApiError(422, 'form_code_incorrect', 'Incorrect code', 'code')
}

/** The letter of an invitation carries a ticket: here its id. Whoever has an account is in the organization with it. */
function proveTicket(attempt: SignIn, state: ClerkState, ticket: string | undefined): void {
  const invitation = state.invitations.find(({ id, status }) => id === ticket && status === 'pending')
  const user = invitation && state.userByIdentifier(invitation.email)
  if (!invitation || !user) throw new ApiError(400, 'ticket_invalid_code', 'This invitation is not valid any more.')
  invitation.status = 'accepted'
  state.addMember(user.id, invitation.orgId, invitation.role)
  Object.assign(attempt, { user, identifier: invitation.email })
  attempt.verification = {
    object: 'verification_ticket',
    status: 'verified',
    strategy: 'ticket',
    attempts: null,
    expire_at: null,
  }
}

function proveWallet({ message, user }: SignIn, signature: string | undefined): void {
  if (message && user?.wallet && signature && isSignedByWallet(message, signature, user.wallet)) return
  throw new ApiError(422, 'form_param_value_invalid', 'signature is invalid', 'web3_wallet')
}

function addSignUp(routes: FrontendRoutes, parts: FrontendParts): void {
  const { state, json, options, code } = parts
  const attemptOf = (call: FrontendCall): SignUp => {
    if (!call.client?.signUp) throw new ApiError(404, 'resource_not_found', 'not found')
    return call.client.signUp
  }
  const answer = (call: FrontendCall): object => withClient(json.signUp(attemptOf(call)), call, parts)

  routes.on('POST', '/client/sign_ups', (call) => {
    if (options.signUpMode !== 'public') {
      throw new ApiError(403, 'sign_up_restricted_waitlist', 'Sign ups are currently disabled.')
    }
    const email = call.body['email_address']
    if (email !== undefined && state.userByIdentifier(email)) {
      throw new ApiError(422, 'form_identifier_exists', 'That email address is taken.', 'email_address')
    }
    clientOf(call, parts).signUp = {
      id: newId('sua'),
      status: 'missing_requirements',
      fields: { ...call.body },
      isPrepared: false,
      isVerified: false,
      userId: null,
      sessionId: null,
      createdAt: Date.now(),
    }
    return answer(call)
  })
  routes.on('PATCH', '/client/sign_ups/:id', (call) => {
    Object.assign(attemptOf(call).fields, call.body)
    return answer(call)
  })
  routes.on('POST', '/client/sign_ups/:id/prepare_verification', (call) => {
    attemptOf(call).isPrepared = true
    return answer(call)
  })
  routes.on('POST', '/client/sign_ups/:id/attempt_verification', (call) => {
    const attempt = attemptOf(call)
    proveCode(call.body['code'], code)
    const { email_address: email = null, password = null, first_name: first, last_name: last } = attempt.fields
    const user = state.addUser({ email, password, firstName: first ?? null, lastName: last ?? null })
    const client = clientOf(call, parts)
    const sessionId = beginSession(client, user.id, parts).id
    Object.assign(attempt, { isVerified: true, status: 'complete', userId: user.id, sessionId })
    client.signUp = null
    return withClient(json.signUp(attempt), call, parts)
  })
  routes.on('POST', '/waitlist', ({ body }) => {
    const entry = { id: newId('wle'), email: body['email_address'] ?? '', status: 'pending' as const }
    state.waitlist.push({ ...entry, createdAt: Date.now() })
    return { object: 'waitlist_entry', id: entry.id }
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

const page = (items: readonly object[], query: URLSearchParams): object => {
  const offset = Number(query.get('offset') ?? 0)
  return { data: items.slice(offset, offset + Number(query.get('limit') ?? 10)), total_count: items.length }
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

function addOrganizations(routes: FrontendRoutes, parts: FrontendParts): void {
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
