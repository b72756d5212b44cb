import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { claimsOfToken } from '../../verify-token.ts'
import { InvalidIdentityToken, type IdentityVerifier } from '../identity-verifier.ts'
import { roleOfKey } from '@tour-ops/contract/identity/service-keys'

export interface ClerkVerifierOptions {
  /** The Frontend API as browsers reach it; also who signs. */
  readonly issuer: string
  /** Origins whose pages may have asked for the token. */
  readonly authorizedParties: readonly string[]
  /** The instance's public keys; those of `issuer` unless a test has its own. */
  readonly keys?: JWTVerifyGetKey
}

/** How far clocks may differ. Source: the default of the service's own libraries. */
const clockToleranceSeconds = 5

/**
 * Verifies session tokens of the hosted identity service: signature by the instance's keys, issuer, expiry, the page that asked (`azp`), and
 * that the session has no task left (`sts`). Webhooks and the token's lifetime of one minute ensure that the session still exists.
 *
 * Understands versions 1 and 2 of the claims: the organization is in `org_id` and `org_role`, or in `o`.
 */
export function clerkVerifier({ issuer, authorizedParties, keys }: ClerkVerifierOptions): IdentityVerifier {
  const key = keys ?? createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), { timeoutDuration: 10_000 })
  const rules = {
    issuer,
    algorithms: ['RS256'],
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ['sub', 'sid', 'exp'],
  }
  return {
    async verify(token) {
      const claims = await claimsOfToken(
        token,
        key,
        rules,
        (error) => new InvalidIdentityToken(error.code, { cause: error }),
      )
      const azp = textOrNull(claims['azp'])
      if (azp === null || !authorizedParties.includes(azp)) {
        throw new InvalidIdentityToken(`the page ${azp ?? '(unnamed)'} may not sign in here`)
      }
      if (claims['sts'] !== undefined && claims['sts'] !== 'active') {
        throw new InvalidIdentityToken(`the session is ${textOrNull(claims['sts']) ?? 'in no known state'}`)
      }
      return {
        userId: String(claims.sub),
        sessionId: String(claims['sid']),
        // only where the instance adds them to its session token
        email: textOrNull(claims['email'])?.toLowerCase() ?? null,
        name: textOrNull(claims['name']),
        ...organizationIn(claims),
      }
    },
  }
}

interface OrganizationClaims {
  readonly orgId: string | null
  readonly orgRole: string | null
}

function organizationIn(claims: JWTPayload): OrganizationClaims {
  const second = claims['o']
  const facts: Record<string, unknown> =
    typeof second === 'object' && second !== null ? { ...second } : { id: claims['org_id'], rol: claims['org_role'] }
  const orgId = textOrNull(facts['id'])
  return { orgId, orgRole: orgId === null ? null : roleOfKey(textOrNull(facts['rol'])) }
}

const textOrNull = (claim: unknown): string | null => (typeof claim === 'string' && claim !== '' ? claim : null)
