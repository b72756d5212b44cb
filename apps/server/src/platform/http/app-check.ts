import type { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import { claimsOfToken } from '../verify-token.ts'
import type { Handler } from './exchange.ts'

/** Keys of the service that signs proofs. @see https://firebase.google.com/docs/app-check/custom-resource-backend */
const keysUrl = 'https://firebaseappcheck.googleapis.com/v1/jwks'
/** As long as the service allows, so that its own outages are seldom ours. A new key is fetched when a proof names it. */
const keysLifetimeMs = 6 * 3_600_000
const issuer = /^https:\/\/firebaseappcheck\.googleapis\.com\/\d+$/

/**
 * Lets a request through whose app-check token says that it comes from our page. Where no project is configured everything
 * goes through, as at the hosted functions.
 *
 * @throws AppError `unauthenticated`, or an Outage where the keys cannot be loaded; both from the returned handler.
 */
export function withAppCheck(
  handler: Handler,
  projectId: string | null,
  keys: JWTVerifyGetKey = createRemoteJWKSet(new URL(keysUrl), { cacheMaxAge: keysLifetimeMs }),
): Handler {
  if (projectId === null) return handler
  return async (exchange) => {
    await checkProof(exchange.request.headers['x-firebase-appcheck'], projectId, keys)
    await handler(exchange)
  }
}

async function checkProof(token: string | string[] | undefined, projectId: string, keys: JWTVerifyGetKey) {
  const rules = { audience: `projects/${projectId}`, algorithms: ['RS256'], requiredClaims: ['sub', 'exp'] }
  const { iss } = await claimsOfToken(String(token ?? ''), keys, rules, missingProof)
  if (!issuer.test(iss ?? '')) throw missingProof()
}

const missingProof = (): AppError => refuse('app_check')
