import { randomUUID } from 'node:crypto'
import { AppError } from '@tour-ops/contract/errors'
import { HttpsError, type CallableRequest, type CallableResponse } from 'firebase-functions/v2/https'
import type { RequestMeta, Services } from '../../context.ts'
import { checkCallData } from '../call-data.ts'
import { callTimeoutMs } from '../http/deadline.ts'
import { withIdempotency } from '../http/idempotency.ts'
import { refusalOf, reportOutage } from '../outages.ts'
import { execute, type Verb } from '../verb.ts'
import { callerOfClaims } from './caller-of-claims.ts'

export interface FunctionParts {
  readonly services: Services
  readonly verbs: readonly Verb[]
  /** Publishes what the call changed; awaited before the answer, since an instance is suspended between requests. */
  readonly publish: () => Promise<void>
}

export type CallHandler = (
  request: Pick<CallableRequest<unknown>, 'rawRequest' | 'auth' | 'data'>,
  response?: Pick<CallableResponse, 'signal'>,
  /** Of the callable, where it is a separate function; the end of the address otherwise. */
  name?: string,
) => Promise<unknown>

/** The callable behind the last part of an address such as `/tours-list` or `/api/tours-list`. */
const callableNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * All verbs behind one function: `httpsCallable(functions, 'api/tours-list')` posts to `…/api/tours-list`, which the library
 * ignores and we read. The token's claims say who calls and in which organization; what they may do is asked of the database,
 * as behind our own server. See ARCHITECTURE.md, "Where the specification is silent".
 */
export function callHandler({ services, verbs, publish }: FunctionParts): CallHandler {
  const byName = new Map(verbs.map((verb) => [verb.callable.name, verb]))
  return async ({ rawRequest, auth, data }, response, name = callableNameOf(rawRequest.path)) => {
    const requestId = randomUUID()
    try {
      const target = byName.get(name)
      if (!target) throw new AppError('not-found', 'There is no such call.')
      checkCallData(data)
      const request: RequestMeta = {
        requestId,
        ip: rawRequest.ip ?? null,
        userAgent: rawRequest.header('user-agent'),
        signal: signalOf(response?.signal),
      }
      const result = await execute(
        services,
        request,
        auth ? callerOfClaims(auth.uid, auth.token) : null,
        withIdempotency(target, data),
        data,
      )
      if (target.callable.kind === 'write') await publish()
      // the library turns an absent field into null, our own server leaves it out
      return JSON.parse(JSON.stringify(result ?? null)) as unknown
    } catch (thrown) {
      throw httpsErrorOf(thrown, requestId, services)
    }
  }
}

function signalOf(caller: AbortSignal | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(callTimeoutMs)
  return caller ? AbortSignal.any([caller, deadline]) : deadline
}

/** An outage is `unavailable`; what else was not thrown on purpose goes to the log in full and to the caller as `internal`. */
function httpsErrorOf(thrown: unknown, requestId: string, { log }: Services): HttpsError {
  const error = refusalOf(thrown)
  if (!reportOutage(log, error) && error.code === 'internal') log.error({ err: thrown, requestId }, 'request failed')
  return new HttpsError(error.code, error.message, { ...error.details, requestId })
}
