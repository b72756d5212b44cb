import { AppError } from '@tour-ops/contract/errors'
import type { FirebaseSettings } from '@tour-ops/contract/page-config'
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import type { Caller } from '../../context.ts'
import { callerOfClaims } from './caller-of-claims.ts'

type Project = Pick<FirebaseSettings, 'project' | 'local'>

/** Keys of the service that signs the backend's tokens. @see https://firebase.google.com/docs/auth/admin/verify-id-tokens */
const keysPath = '/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'

/** The keys of the configuration's project: Google's, or those of a stand-in on this computer. */
const keysOf = ({ local }: Project): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(keysPath, local?.auth ?? 'https://www.googleapis.com'))

/**
 * Who calls, by a token of the hosted backend: for the addresses that our own server answers beside the functions (files).
 * Signature, issuer, audience and expiry are checked; what the person may do is the database's business.
 *
 * @throws AppError `unauthenticated`, from the returned function.
 */
export function backendTokenVerifier(
  settings: Project,
  keys: JWTVerifyGetKey = keysOf(settings),
): (bearer: string) => Promise<Caller> {
  const { projectId } = settings.project
  return async (bearer) => {
    try {
      const { payload } = await jwtVerify(bearer, keys, {
        issuer: `https://securetoken.google.com/${projectId}`,
        audience: projectId,
        algorithms: ['RS256'],
        requiredClaims: ['sub', 'exp', 'auth_time'],
      })
      return callerOfClaims(String(payload.sub), payload)
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout) throw error
      const reason = error instanceof errors.JWTExpired ? 'token_expired' : 'token_invalid'
      throw new AppError('unauthenticated', 'Sign in to go on.', { cause: error, details: { reason } })
    }
  }
}
