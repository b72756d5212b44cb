import { AppError, httpStatusOf, wireStatusOf } from '@tour-ops/contract/errors'
import type { Logger } from 'pino'
import { refusalOf as wireRefusalOf, reportOutage } from '../outages.ts'
import { InvalidIdentityToken, type VerifiedIdentity } from '../identity/identity-verifier.ts'

export interface ExchangeParts {
  /** The person behind a session token, who has their rows afterwards. @throws InvalidIdentityToken */
  readonly admit: (sessionToken: string) => Promise<VerifiedIdentity>
  /** Publishes what was written; never fails. The rules of the database must know a new member before their browser listens. */
  readonly publish: () => Promise<unknown>
  /** Signs a custom token with the service account. */
  readonly mint: (userId: string, claims: Readonly<Record<string, string>>) => Promise<string>
  readonly log: Logger
}

export interface ExchangeAnswer {
  readonly status: number
  readonly body: object
}

/** Longest user id that a custom token may carry. Source: Firebase, "Create custom tokens". */
const longestUserId = 128

/**
 * Turns a session token of the identity service into a custom token for the hosted backend: the alternative to the
 * token template, which the identity service no longer offers to new applications.
 *
 * @param authorization The header, `Bearer …`.
 */
export async function exchangeToken(parts: ExchangeParts, authorization: string | undefined): Promise<ExchangeAnswer> {
  try {
    const bearer = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1]
    if (bearer === undefined) throw new AppError('unauthenticated', 'Send the session token as bearer.')
    const identity = await parts.admit(bearer)
    await parts.publish()
    if (identity.userId.length > longestUserId) throw new AppError('invalid-argument', 'The user id is too long.')
    return { status: 200, body: { token: await parts.mint(identity.userId, claimsOf(identity)) } }
  } catch (thrown) {
    return refusalOf(thrown, parts.log)
  }
}

/** Few and short: they ride on every request. Permissions are never among them, since the database knows them better. */
const claimsOf = (identity: VerifiedIdentity): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      org_id: identity.orgId,
      org_role: identity.orgRole,
      sid: identity.sessionId,
      person_email: identity.email,
      person_name: identity.name,
    }).filter((entry): entry is [string, string] => entry[1] !== null),
  )

function refusalOf(thrown: unknown, log: Logger): ExchangeAnswer {
  const error =
    thrown instanceof InvalidIdentityToken
      ? new AppError('unauthenticated', 'The session token is not valid. Sign in again.', { cause: thrown })
      : wireRefusalOf(thrown)
  if (reportOutage(log, error)) log.debug({ err: thrown }, 'the token exchange met an outage')
  else if (error.code === 'internal') log.error({ err: thrown }, 'the token exchange failed')
  else log.debug({ err: thrown }, 'the token exchange was refused')
  return {
    status: httpStatusOf[error.code],
    body: { error: { status: wireStatusOf(error.code), message: error.message, details: { ...error.details } } },
  }
}
