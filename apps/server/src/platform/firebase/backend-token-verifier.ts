import type { AppError } from '@tour-ops/contract/errors'
import type { FirebaseSettings } from '@tour-ops/contract/page-config'
import { refuse } from '@tour-ops/contract/refusals'
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { Caller } from '../../context.ts'
import { claimsOfToken } from '../verify-token.ts'
import { callerOfClaims } from './caller-of-claims.ts'

type Project = Pick<FirebaseSettings, 'project' | 'local'>

/** Keys of the service that signs the backend's tokens. @see https://firebase.google.com/docs/auth/admin/verify-id-tokens */
const keysPath = '/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'

/** The keys of the configuration's project: Google's, or those of a stand-in on this computer. */
const keysOf = ({ local }: Project): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(keysPath, local?.auth ?? 'https://www.googleapis.com'))

/**
 * Who calls, by a token of the hosted backend: for the addresses that our own server answers in addition to the functions (files).
 * Signature, issuer, audience and expiry are checked; the database decides what the person may do.
 *
 * @throws AppError `unauthenticated`, or an Outage where the keys cannot be loaded; both from the returned function.
 */
export function backendTokenVerifier(
  settings: Project,
  keys: JWTVerifyGetKey = keysOf(settings),
): (bearer: string) => Promise<Caller> {
  const { projectId } = settings.project
  const rules = {
    issuer: `https://securetoken.google.com/${projectId}`,
    audience: projectId,
    algorithms: ['RS256'],
    requiredClaims: ['sub', 'exp', 'auth_time'],
  }
  return async (bearer) => {
    const claims = await claimsOfToken(bearer, keys, rules, notSignedIn)
    return callerOfClaims(String(claims.sub), claims)
  }
}

const notSignedIn = (error: errors.JOSEError): AppError => {
  return refuse(error instanceof errors.JWTExpired ? 'token_expired' : 'token_invalid', undefined, { cause: error })
}
