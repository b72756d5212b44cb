import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose'
import { keysOutage } from './outages.ts'

/** What can be wrong with a token itself. Everything else that a check throws is about the keys. Source: jose 6.2, `util/errors.js`. */
const faultsOfToken = [
  errors.JWTClaimValidationFailed,
  errors.JWTExpired,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
]

/**
 * The claims of a token that another service signed, whose keys are fetched from it.
 *
 * @param wrong The refusal of a token that is not right.
 * @throws Outage When the keys cannot be loaded (no connection, too late, not 200, not a set of keys): that says nothing about the token.
 */
export async function claimsOfToken(
  token: string,
  keys: JWTVerifyGetKey,
  options: JWTVerifyOptions,
  wrong: (error: errors.JOSEError) => Error,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload
  } catch (error) {
    if (error instanceof errors.JOSEError && faultsOfToken.some((fault) => error instanceof fault)) throw wrong(error)
    throw keysOutage(error)
  }
}
