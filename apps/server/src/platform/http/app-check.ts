import { AppError } from '@tour-ops/contract/errors'
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import type { Handler } from './exchange.ts'

/** Keys of the service that signs proofs. @see https://firebase.google.com/docs/app-check/custom-resource-backend */
const keysUrl = 'https://firebaseappcheck.googleapis.com/v1/jwks'
const issuer = /^https:\/\/firebaseappcheck\.googleapis\.com\/\d+$/

/**
 * Lets a request through whose app-check token says that it comes from a browser of ours. Where no project is configured everything
 * goes through, as at the hosted functions.
 *
 * @throws AppError `unauthenticated`, from the returned handler.
 */
export function withAppCheck(
  handler: Handler,
  projectId: string | null,
  keys: JWTVerifyGetKey = createRemoteJWKSet(new URL(keysUrl)),
): Handler {
  if (projectId === null) return handler
  return async (exchange) => {
    await checkProof(exchange.request.headers['x-firebase-appcheck'], projectId, keys)
    await handler(exchange)
  }
}

async function checkProof(token: string | string[] | undefined, projectId: string, keys: JWTVerifyGetKey) {
  try {
    const { payload } = await jwtVerify(String(token ?? ''), keys, {
      audience: `projects/${projectId}`,
      algorithms: ['RS256'],
      requiredClaims: ['sub', 'exp'],
    })
    if (issuer.test(payload.iss ?? '')) return
  } catch (error) {
    // keys that cannot be had are an outage, not a wrong proof
    if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout) throw error
  }
  throw new AppError('unauthenticated', 'The request does not prove that it comes from this application.', {
    details: { reason: 'app_check' },
  })
}
