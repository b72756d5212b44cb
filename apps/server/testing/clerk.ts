import { Hono } from 'hono'
import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { clerkStandIn, type ClerkStandIn } from '../../../e2e/stand-ins/clerk/stand-in.ts'
import type { Session, User } from '../../../e2e/stand-ins/clerk/state.ts'
import type { Config } from '../src/config.ts'
import type { TestWorld } from './world.ts'
import type { Identity } from '../src/platform/identity/identity-port.ts'
import { mountIdentity } from '../src/platform/identity/mount-identity.ts'
import { createClerkIdentity } from '../src/platform/identity/clerk/clerk-identity.ts'

const origin = 'http://127.0.0.1:7002'

/** The fake of the hosted identity service, over the database of a test. */
export interface TestClerk {
  readonly service: ClerkStandIn
  readonly identity: Identity
  /** A person with an account at the service. */
  person(name: string, memberships?: readonly { orgId: string; role: string }[]): User
  session(user: User, orgId?: string | null): Session
  /** Backend sign-in with a token of the session; the status and what came back. */
  signIn(session: Session): Promise<{ status: number; body: Record<string, unknown> }>
  /** Sends what the service would send; the status of our answer. */
  receive(message: RequestInit): Promise<number>
}

export function testClerk(world: TestWorld): TestClerk {
  const service = clerkStandIn({ origin })
  const { db, log } = world.services
  const { publishableKey, secretKey, webhookSecret, proxyUrl, apiUrl } = service.settings
  const clerk = {
    publishableKey,
    secretKey,
    webhookSecret,
    proxyUrl,
    apiUrl,
    hasWallet: false,
    instance: 'development' as const,
    frontendApi: 'clerk.stand-in.test',
  }
  const base = world.services.config
  const config: Config = { ...base, publicUrl: origin, identity: { ...base.identity, kind: 'clerk', clerk } }
  const identity = createClerkIdentity({
    config,
    clerk,
    db,
    log,
    fetch: (input, init) => service.handle(new Request(input, init)),
    keys: createLocalJWKSet(service.tokens.jwks as JSONWebKeySet),
  })
  const app = new Hono()
  mountIdentity(app, identity, log)
  const post = (path: string, init: RequestInit) => app.request(origin + path, { method: 'POST', ...init })
  return {
    service,
    identity,
    person(name, memberships = []) {
      const user = service.state.addUser({
        firstName: name,
        lastName: 'Berg',
        email: `${name.toLowerCase()}@x.example`,
      })
      for (const { orgId, role } of memberships) service.state.addMember(user.id, orgId, role)
      return user
    },
    session(user, orgId = null) {
      const now = Date.now()
      const session: Session = {
        id: `sess_${user.id}`,
        userId: user.id,
        status: 'active',
        orgId,
        createdAt: now,
        lastActiveAt: now,
      }
      const client = { id: `client_${user.id}`, sessions: [session], signIn: null, signUp: null, createdAt: now }
      service.state.clients.set(client.id, client)
      return session
    },
    async signIn(session) {
      const token = service.tokens.sessionToken(session, origin)
      const answer = await post('/api/v1/accounts:signInWithCustomToken', {
        body: JSON.stringify({ token, returnSecureToken: true }),
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    },
    receive: async (message) => (await post('/api/auth/webhooks', message)).status,
  }
}
