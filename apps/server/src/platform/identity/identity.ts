import type { Logger } from 'pino'
import { ownOrigins, type Config } from '../../config.ts'
import type { Channels } from '../channels/channels.ts'
import type { Database } from '../db/database.ts'
import { createAuth, type Auth } from './auth.ts'
import { answerOrOutage } from './auth-outages.ts'
import { authorizedDomainsOf } from './authorized-domains.ts'
import { BackendSessions } from './backend-tokens.ts'
import { createClerkIdentity } from './clerk/clerk-identity.ts'
import { newSetupToken } from './sign-up-gate.ts'
import { EmbeddedAccounts } from './embedded-accounts.ts'
import { embeddedAdmin } from './embedded-admin.ts'
import type { Identity } from './identity-port.ts'
import { embeddedVerifier } from './identity-verifier.ts'
import { refuseUnoffered } from './offered-endpoints.ts'

export interface IdentityOptions {
  /** With the port it listens on: cookies, links and wallet messages use the public address. */
  readonly config: Config
  readonly db: Database
  readonly log: Logger
  readonly channels: Channels
}

/** The identity service that lives in our own database. */
export interface EmbeddedIdentity extends Identity {
  readonly auth: Auth
  readonly accounts: EmbeddedAccounts
}

/** Puts the identity service together that the configuration names. The migrations have run. */
export function createIdentity(options: IdentityOptions): Identity {
  const { identity } = options.config
  return identity.kind === 'clerk'
    ? createClerkIdentity({ ...options, clerk: identity.clerk })
    : createEmbeddedIdentity(options)
}

/** Puts the embedded identity service together. */
export function createEmbeddedIdentity({ config, db, log, channels }: IdentityOptions): EmbeddedIdentity {
  const { ownerPool, pool } = db
  const { publicUrl, secret, locale } = config
  const auth = createAuth({
    ownerPool,
    log,
    publicUrl,
    secret,
    locale,
    trustedOrigins: ownOrigins(config),
    signUp: config.identity.signUp,
    passwordMinLength: config.identity.passwordMinLength,
    attemptsPerMinute: config.rateLimits.identityPerIpPerMinute,
  })
  const backend = new BackendSessions({ pool, ownerPool, secret, issuer: publicUrl })
  const verifier = embeddedVerifier({
    fetchKeys: () => auth.api.getJwks(),
    issuer: publicUrl,
    audience: publicUrl,
    ownerPool,
  })
  return {
    auth,
    backend,
    admin: embeddedAdmin({ channels, publicUrl, locale }),
    accounts: new EmbeddedAccounts(ownerPool),
    signIn: async (token) => backend.signIn(await verifier.verify(token)),
    admit: (token) => verifier.verify(token),
    verifyBackendToken: (bearer) => backend.verify(bearer),
    authorizedDomains: authorizedDomainsOf(config),
    handle: async (request) => refuseUnoffered(request) ?? answerOrOutage(() => auth.handler(request)),
    firstAccountLink: async () => {
      if (config.demo) return null
      const token = await newSetupToken(await auth.$context)
      return token && `${publicUrl}/sign-up?setup=${token}`
    },
  }
}
