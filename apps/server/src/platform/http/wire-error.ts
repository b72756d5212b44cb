import { type AppError, httpStatusOf, wireStatusOf } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import type { Logger } from 'pino'
import { refusalOf, reportOutage, retryAfterOf } from '../outages.ts'
import { sendJson, type Exchange } from './exchange.ts'

/** The body of a refusal as the callable protocol has it. Source: spec, section 7 and 8. */
const wireErrorOf = (error: AppError, requestId: string) => ({
  error: { status: wireStatusOf(error.code), message: error.message, details: { ...error.details, requestId } },
})

/**
 * Answers with a refusal. An outage says when to retry; what else was not thrown on purpose goes to the log in full and to
 * the caller as `internal`.
 */
export function sendError(
  exchange: Exchange,
  thrown: unknown,
  log: Logger,
  headers: Record<string, string> = {},
): void {
  const error = refusalOf(thrown)
  const retryAfter = retryAfterOf(error)
  exchange.code = error.code
  if (reportOutage(log, error)) log.debug({ err: error.cause, requestId: exchange.id }, 'refused during an outage')
  else if (error.code === 'internal')
    log.error({ err: thrown, requestId: exchange.id, route: exchange.route }, 'request failed')
  else if (error.cause !== undefined) log.debug({ err: error.cause, requestId: exchange.id }, 'request refused')
  sendJson(exchange, httpStatusOf[error.code], wireErrorOf(error, exchange.id), {
    ...(retryAfter && { 'retry-after': retryAfter }),
    ...headers,
  })
}

/** Too many requests, and when to retry. */
export function sendTooMany(exchange: Exchange, waitMs: number, log: Logger): void {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const error = refuse('rate_limited', { retryAfterSeconds: seconds })
  sendError(exchange, error, log, { 'retry-after': String(seconds) })
}
