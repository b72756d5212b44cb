import { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import type { Logger } from 'pino'

// The one place that knows which failures mean "not now" and not "something is wrong with this request".

/** Something the server depends on is not available at the moment: the database, or room on a disk. The same request may succeed later. */
export class Outage extends AppError {
  readonly retryAfterSeconds: number

  constructor({ reason, retryAfterSeconds }: Kind, cause: unknown) {
    const { code, message, details } = refuse(reason, { retryAfterSeconds })
    super(code, message, { cause, details })
    this.retryAfterSeconds = retryAfterSeconds
  }
}

interface Kind {
  readonly reason: 'database_unreachable' | 'server_busy' | 'read_only' | 'disk_full' | 'keys_unreachable'
  readonly retryAfterSeconds: number
}

const unreachable: Kind = {
  reason: 'database_unreachable',
  retryAfterSeconds: 1,
}
const busy: Kind = {
  reason: 'server_busy',
  retryAfterSeconds: 2,
}
const readOnly: Kind = {
  reason: 'read_only',
  retryAfterSeconds: 10,
}
const diskFull: Kind = {
  reason: 'disk_full',
  retryAfterSeconds: 30,
}

const keysUnreachable: Kind = {
  reason: 'keys_unreachable',
  retryAfterSeconds: 5,
}

/** Keys with which another service signs cannot be loaded. Whatever their fetching threw looks like any mistake; only the caller knows. */
export const keysOutage = (cause: unknown): Outage => new Outage(keysUnreachable, cause)

/** By SQLSTATE, or by its class where the state itself is not listed. Source: PostgreSQL, appendix A. */
const bySqlState: Readonly<Record<string, Kind>> = {
  '08': unreachable,
  '25006': readOnly,
  '53': busy,
  '53100': diskFull,
  '57P01': unreachable,
  '57P02': unreachable,
  '57P03': unreachable,
}

const bySystemCode: Readonly<Record<string, Kind>> = {
  ECONNREFUSED: unreachable,
  EMFILE: busy,
  ENFILE: busy,
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EROFS: readOnly,
}

/** Codes that are also used for a caller who went away; only a connection of our own says which call of the system failed. */
const brokenConnection: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
const connecting: ReadonlySet<string> = new Set(['connect', 'getaddrinfo'])

/** The words of pg, its pool, PGlite and `primary.ts` for a connection that could not be opened, broke or was closed; they carry no code. */
const lostConnection =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after|None of the database servers|PGlite is closed)/

/** The outage behind a failure, or behind each of several; undefined for every other one. */
export function outageOf(thrown: unknown): Outage | undefined {
  if (thrown instanceof Outage) return thrown
  if (thrown instanceof AggregateError && !('code' in thrown)) {
    const outages = thrown.errors.map(outageOf)
    return outages.includes(undefined) ? undefined : outages[0]
  }
  if (!(thrown instanceof Error) || thrown instanceof AppError) return undefined
  const kind = kindOf(thrown)
  return kind && new Outage(kind, thrown)
}

function kindOf(error: Error): Kind | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (typeof code === 'string') {
    if ('severity' in error) return bySqlState[code] ?? bySqlState[code.slice(0, 2)]
    if (syscall !== undefined && (connecting.has(syscall) || brokenConnection.has(code))) return unreachable
    if (bySystemCode[code]) return bySystemCode[code]
  }
  return lostConnection.test(error.message) ? unreachable : undefined
}

/** What a caller is answered: an outage as such, anything that was not thrown on purpose as `internal`. */
export const refusalOf = (thrown: unknown): AppError => outageOf(thrown) ?? AppError.from(thrown)

/** Value of `retry-after`, seconds; undefined for refusals after which waiting does not help. Source: RFC 9110, section 10.2.3. */
export const retryAfterOf = (error: AppError): string | undefined =>
  error.code === 'unavailable' ? String(error instanceof Outage ? error.retryAfterSeconds : 1) : undefined

/** While an outage lasts it is logged again after this time, with the number of failures since. */
const reportAgainMs = 30_000

interface Reported {
  atMs: number
  failures: number
}

const reported = new WeakMap<Logger, Map<unknown, Reported>>()

/**
 * Logs an outage once, however many requests and background workers meet it.
 *
 * @returns false for any other failure, which the caller logs itself.
 */
export function reportOutage(log: Logger, thrown: unknown): boolean {
  const outage = outageOf(thrown)
  if (!outage) return false
  const { reason } = outage.details
  const ofLog = reported.get(log) ?? new Map<unknown, Reported>()
  reported.set(log, ofLog)
  const nowMs = performance.now()
  const last = ofLog.get(reason)
  if (last && nowMs - last.atMs < reportAgainMs) {
    last.failures += 1
    return true
  }
  ofLog.set(reason, { atMs: nowMs, failures: 0 })
  log.error(
    { err: outage.cause, reason, failuresBefore: last?.failures ?? 0 },
    'outage: requests are answered with 503',
  )
  return true
}
