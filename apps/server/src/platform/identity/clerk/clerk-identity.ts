import type { JWTVerifyGetKey } from 'jose'
import type { Logger } from 'pino'
import { ownOrigins, type Config } from '../../../config.ts'
import type { Database } from '../../db/database.ts'
import { backendTokenVerifier } from '../../firebase/backend-token-verifier.ts'
import { BackendSessions } from '../backend-tokens.ts'
import { authorizedDomainsOf } from '../authorized-domains.ts'
import type { Identity } from '../identity-port.ts'
import { clerkAdmin } from './clerk-admin.ts'
import { ClerkApi } from './clerk-api.ts'
import { ClerkDirectory } from './clerk-directory.ts'
import { clerkIssuer, type ClerkSettings } from './clerk-settings.ts'
import { clerkVerifier } from './clerk-verifier.ts'
import { clerkWebhooks } from './clerk-webhooks.ts'

export interface ClerkIdentityOptions {
  readonly config: Config
  readonly clerk: ClerkSettings
  readonly db: Database
  readonly log: Logger
  /** In place of the network's, for tests. */
  readonly fetch?: typeof globalThis.fetch
  /** In place of the instance's published keys, for tests. */
  readonly keys?: JWTVerifyGetKey
}

/** Puts the hosted identity service together with our own backend sessions. */
export function createClerkIdentity(options: ClerkIdentityOptions): Identity {
  const { config, clerk, db, log, fetch, keys } = options
  const { pool, ownerPool } = db
  const { publicUrl, secret } = config
  const api = new ClerkApi({ ...clerk, ...(fetch ? { fetch } : {}) })
  const directory = new ClerkDirectory({ ownerPool, api })
  const issuer = clerkIssuer(clerk, publicUrl)
  const verifier = clerkVerifier({ issuer, authorizedParties: ownOrigins(config), ...(keys ? { keys } : {}) })
  const backend = new BackendSessions({ pool, ownerPool, secret, issuer: publicUrl })
  const admit = async (token: string) => directory.admit(await verifier.verify(token))
  const webhooks =
    clerk.webhookSecret === null ? null : clerkWebhooks({ secret: clerk.webhookSecret, ownerPool, directory, log })
  if (webhooks === null)
    log.warn('CLERK_WEBHOOK_SECRET is not set: changes at the identity service show at sign-in only')
  return {
    backend,
    admin: clerkAdmin({ api, publicUrl }),
    signIn: async (token) => backend.signIn(await admit(token)),
    admit,
    verifyBackendToken:
      config.backend.kind === 'firebase' ? backendTokenVerifier(config.backend) : (bearer) => backend.verify(bearer),
    authorizedDomains: authorizedDomainsOf(config),
    handle: async (request) => {
      const isWebhook = request.method === 'POST' && new URL(request.url).pathname === '/api/auth/webhooks'
      return isWebhook && webhooks ? webhooks(request) : new Response(null, { status: 404 })
    },
    firstAccountLink: async () => null,
  }
}
