import type { Caller } from '../caller.ts'
import type { BackendSessions, BackendTokens } from './backend-tokens.ts'
import type { IdentityAdmin } from './identity-admin.ts'
import type { VerifiedIdentity } from './identity-verifier.ts'

/** The identity service of an installation, and the bridge from it to the backend. */
export interface Identity {
  readonly admin: IdentityAdmin
  readonly backend: BackendSessions
  /** A token of the identity service becomes a backend session. @throws InvalidIdentityToken */
  readonly signIn: (token: string) => Promise<BackendTokens>
  /** The person behind a token of the identity service, who has their rows here afterwards. @throws InvalidIdentityToken */
  readonly admit: (token: string) => Promise<VerifiedIdentity>
  /** Who calls, by the bearer of a request. @throws AppError `unauthenticated` */
  readonly verifyBackendToken: (bearer: string) => Promise<Caller>
  /** Hosts from which a browser may sign in. Source: spec, section 7, "Authorized domains check". */
  readonly authorizedDomains: readonly string[]
  /** Answers the addresses below `/api/auth`: the embedded service itself, or the messages of another one. */
  readonly handle: (request: Request) => Promise<Response>
  /** A link for the first account, valid for a day; null when there are accounts, in the demo, and where another service makes accounts. */
  readonly firstAccountLink: () => Promise<string | null>
}
