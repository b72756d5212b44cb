import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type pg from 'pg'

/** What a verified identity token says. Organization and role are as the identity service had them when it signed. */
export interface VerifiedIdentity {
  readonly userId: string
  readonly email: string | null
  readonly name: string | null
  /** The session of the identity service; signing out of it ends what was made from this token. */
  readonly sessionId: string | null
  readonly orgId: string | null
  readonly orgRole: string | null
}

/** The token was not made by our identity service, is too old, or its session has ended. */
export class InvalidIdentityToken extends Error {
  override readonly name = 'InvalidIdentityToken'
}

/** Says who somebody is by a token of the identity service. */
export interface IdentityVerifier {
  /** @throws InvalidIdentityToken */
  verify(token: string): Promise<VerifiedIdentity>
}

export interface EmbeddedVerifierOptions {
  /** Public keys of the identity service; asked again when a token names an unknown one. */
  readonly fetchKeys: () => Promise<JSONWebKeySet>
  readonly issuer: string
  readonly audience: string
  readonly ownerPool: pg.Pool
}

/** Verifies tokens of the embedded identity service: signature, issuer, audience, expiry, and that the session is still there. */
export function embeddedVerifier(options: EmbeddedVerifierOptions): IdentityVerifier {
  const { issuer, audience, ownerPool } = options
  let keys: Promise<JWTVerifyGetKey> | null = null
  const currentKeys = (): Promise<JWTVerifyGetKey> => {
    keys ??= options.fetchKeys().then(createLocalJWKSet, (error: unknown) => {
      keys = null
      throw error
    })
    return keys
  }
  const check = async (token: string) =>
    (
      await jwtVerify(token, await currentKeys(), {
        issuer,
        audience,
        algorithms: ['EdDSA'],
        requiredClaims: ['sub', 'sid', 'exp'],
      })
    ).payload
  return {
    async verify(token) {
      const claims = await check(token)
        .catch((error: unknown) => {
          if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
          keys = null // another process made a new key
          return check(token)
        })
        .catch((error: unknown) => {
          if (!(error instanceof errors.JOSEError)) throw error
          throw new InvalidIdentityToken(error.code, { cause: error })
        })
      const identity = {
        userId: String(claims.sub),
        email: textOrNull(claims['email']),
        name: textOrNull(claims['name']),
        sessionId: textOrNull(claims['sid']),
        orgId: textOrNull(claims['org_id']),
        orgRole: textOrNull(claims['org_role']),
      }
      // a session without the second factor of its person ends before it is answered; it proves nothing in the meantime either
      const { rowCount } = await ownerPool.query(
        `select from identity.session s where s.id = $1 and s."userId" = $2 and s."expiresAt" > clock_timestamp()
           and not identity.is_unfinished(s)`,
        [identity.sessionId, identity.userId],
      )
      if (rowCount === 0) throw new InvalidIdentityToken('the session has ended')
      return identity
    },
  }
}

const textOrNull = (claim: unknown): string | null => (typeof claim === 'string' && claim !== '' ? claim : null)
