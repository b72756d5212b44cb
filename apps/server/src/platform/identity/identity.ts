import type { Logger } from 'pino'
import { ownOrigins, type Config } from '../../config.ts'
import type { Caller } from '../../context.ts'
import type { Channels } from '../channels/channels.ts'
import type { Database } from '../db/database.ts'
import { createAuth, type Auth } from './auth.ts'
import { BackendSessions } from './backend-tokens.ts'
import { newSetupToken } from './door-plugin.ts'
import { EmbeddedAccounts } from './embedded-accounts.ts'
import { embeddedAdmin } from './embedded-admin.ts'
import type { IdentityAdmin } from './identity-admin.ts'
import { embeddedVerifier, type IdentityVerifier } from './identity-verifier.ts'

export interface IdentityOptions {
  /** With the port it listens on: cookies, links and wallet messages use the public address. */
  readonly config: Config
  readonly db: Database
  readonly log: Logger
  readonly channels: Channels
}

/** The identity service of an installation, and the bridge from it to the backend. */
export interface Identity {
  readonly auth: Auth
  readonly admin: IdentityAdmin
  readonly accounts: EmbeddedAccounts
  readonly verifier: IdentityVerifier
  readonly backend: BackendSessions
  /** Who calls, by the bearer of a request. @throws AppError `unauthenticated` */
  readonly verifyBackendToken: (bearer: string) => Promise<Caller>
  /** Hosts from which a browser may sign in. Source: spec, section 7, "Authorized domains check". */
  readonly authorizedDomains: readonly string[]
  /** Answers the library's addresses. What the database refused on the way is thrown. */
  readonly handle: (request: Request) => Promise<Response>
  /** A link for the first account, valid for a day; null when there are accounts, and in the demo, which brings its own. */
  readonly firstAccountLink: () => Promise<string | null>
}

/** Puts the embedded identity service together. The migrations have run. */
export function createIdentity({ config, db, log, channels }: IdentityOptions): Identity {
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
  return {
    auth,
    backend,
    admin: embeddedAdmin({ channels, publicUrl, locale }),
    accounts: new EmbeddedAccounts(ownerPool),
    verifier: embeddedVerifier({
      fetchKeys: () => auth.api.getJwks(),
      issuer: publicUrl,
      audience: publicUrl,
      ownerPool,
    }),
    verifyBackendToken: (bearer) => backend.verify(bearer),
    authorizedDomains: [...new Set(ownOrigins(config).map((origin) => new URL(origin).hostname))],
    handle: (request) => auth.handler(request),
    firstAccountLink: async () => {
      if (config.demo) return null
      const token = await newSetupToken(await auth.$context)
      return token && `${publicUrl}/sign-up?setup=${token}`
    },
  }
}
