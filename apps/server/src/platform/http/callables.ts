import { AppError } from '@tour-ops/contract/errors'
import type { Caller, RequestMeta, Services } from '../../context.ts'
import { checkCallData } from '../call-data.ts'
import { execute, type Verb } from '../verb.ts'
import { callBodyLimitBytes, jsonOf, readBody } from './body.ts'
import { deadlineOf } from './deadline.ts'
import { sendJson, sendJsonText, type Exchange, type Handler } from './exchange.ts'
import { withIdempotency } from './idempotency.ts'
import type { RateLimit } from './rate-limits.ts'
import { sharedText } from './shared-text.ts'
import { sendError, sendTooMany } from './wire-error.ts'

export interface CallableParts {
  readonly services: Services
  readonly verbs: readonly Verb[]
  /** @throws AppError `unauthenticated` */
  readonly verifyBackendToken: (bearer: string) => Promise<Caller>
  readonly perUser: RateLimit
  readonly timeoutMs?: number
}

const callPath = /^\/api\/([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/

/** The callable's name in an address such as `/api/tours-list`; undefined for every other address. */
export const callableNameIn = (path: string): string | undefined => callPath.exec(path)?.[1]

/**
 * The callable protocol: `POST /api/{name}` with `{ data }`, answered by `{ result }` or `{ error }`.
 * Source: spec, section 7, "Callable functions".
 */
export function callablesHandler(parts: CallableParts): Handler {
  const { services } = parts
  const verbs = new Map(parts.verbs.map((verb) => [verb.callable.name, verb]))
  return async (exchange) => {
    const verb = verbs.get(callableNameIn(exchange.path) ?? '')
    exchange.route = verb ? verb.callable.name : 'unknown call'
    const deadline = deadlineOf(exchange, parts.timeoutMs)
    try {
      if (!verb) throw new AppError('not-found', 'There is no such call.')
      const result = await deadline.race(run(parts, verb, exchange, deadline.signal))
      if (verb.isShared && typeof result === 'object' && result !== null) {
        const { body, encoding } = await sharedText(result, exchange.request.headers['accept-encoding'])
        const encoded = encoding && { 'content-encoding': encoding }
        sendJsonText(exchange, 200, body, { vary: 'accept-encoding', ...encoded })
      } else sendJson(exchange, 200, { result: result ?? null })
    } catch (error) {
      if (error instanceof TooManyCalls) sendTooMany(exchange, error.waitMs, services.log)
      else sendError(exchange, error, services.log)
    } finally {
      deadline.clear()
    }
  }
}

class TooManyCalls extends Error {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('too many calls')
    this.waitMs = waitMs
  }
}

async function run(parts: CallableParts, verb: Verb, exchange: Exchange, signal: AbortSignal): Promise<unknown> {
  checkHeaders(exchange)
  const data = dataOf(await readBody(exchange.request, callBodyLimitBytes))
  return runFor(parts, verb, await callerOf(exchange, parts.verifyBackendToken), data, { exchange, signal })
}

/**
 * Everything that a call takes once its caller and content are known: the limit of a person, then membership, permission, second factor and
 * audit in `execute`.
 */
export async function runFor(
  parts: CallableParts,
  verb: Verb,
  caller: Caller | null,
  data: unknown,
  { exchange, signal }: { exchange: Exchange; signal: AbortSignal },
): Promise<unknown> {
  if (caller) {
    const waitMs = parts.perUser.take(caller.userId)
    if (waitMs > 0) throw new TooManyCalls(waitMs)
  }
  const request: RequestMeta = {
    requestId: exchange.id,
    ip: exchange.ip,
    userAgent: exchange.request.headers['user-agent'],
    cookies: exchange.request.headers.cookie,
    signal,
  }
  return execute(parts.services, request, caller, withIdempotency(verb, data), data)
}

/** Who calls, by the bearer; null without one. A bearer that is there must be valid, even where none is needed. */
export async function callerOf(
  exchange: Exchange,
  verifyBackendToken: CallableParts['verifyBackendToken'],
): Promise<Caller | null> {
  const header = exchange.request.headers.authorization
  if (header === undefined) return null
  const bearer = /^Bearer ([\w.~+/=-]+)$/i.exec(header)?.[1]
  if (bearer === undefined) throw new AppError('unauthenticated', 'The authorization header is not a bearer token.')
  const caller = await verifyBackendToken(bearer)
  exchange.userId = caller.userId
  exchange.orgId = caller.orgId
  return caller
}

/**
 * The two optional headers of the hosted protocol are taken as it has them: a messaging-instance token and an app-check token
 * (a JWT). Here only their form is checked, and a broken one is refused as the hosted side would; what the proof says is checked by
 * `withAppCheck` where it is required, and nobody here writes to an instance of the messaging service.
 */
function checkHeaders({ request: { method, headers } }: Exchange): void {
  if (method !== 'POST') throw new AppError('invalid-argument', 'Calls are made with POST.')
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new AppError('invalid-argument', 'Calls carry JSON: set content-type to application/json.')
  }
  const instance = headers['firebase-instance-id-token']
  if (instance !== undefined && !/^[\w:.-]{1,4096}$/.test(String(instance))) {
    throw new AppError('invalid-argument', 'The messaging-instance token is malformed.')
  }
  const appCheck = headers['x-firebase-appcheck']
  if (appCheck !== undefined && !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(String(appCheck))) {
    throw new AppError('unauthenticated', 'The app-check token is malformed.')
  }
}

/** The content of a call. @throws AppError `invalid-argument` */
export function dataOf(body: Buffer): unknown {
  const parsed = jsonOf(body)
  if (typeof parsed === 'object' && parsed !== null && 'data' in parsed) {
    checkCallData(parsed.data)
    return parsed.data
  }
  throw new AppError('invalid-argument', 'The content must be an object with the field data.')
}
