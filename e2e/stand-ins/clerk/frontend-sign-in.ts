import { randomUUID } from 'node:crypto'
import { ApiError } from './answers.ts'
import { clientOf, withClient, type FrontendCall, type FrontendParts, type FrontendRoutes } from './frontend-call.ts'
import { found } from './resources.ts'
import { newId, type Client, type ClerkState, type Session, type SignIn, type SignUp } from './state.ts'
import { isSignedByWallet } from './wallet.ts'

/** Sign-in methods for people who have an account. */
export function addSignIn(routes: FrontendRoutes, parts: FrontendParts): void {
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

/** The e-mail of an invitation carries a ticket: here its id. A person with an account joins the organization with it. */
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

/** Sign-up methods for people who have none. */
export function addSignUp(routes: FrontendRoutes, parts: FrontendParts): void {
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
