/**
 * The codes that live documents answer with, their numbers and HTTP statuses.
 * Source: spec, section 8, "Database codes"; numbers and statuses as google.rpc.Code has them.
 */
export const databaseCodes = {
  cancelled: { number: 1, httpStatus: 499 },
  unknown: { number: 2, httpStatus: 500 },
  'invalid-argument': { number: 3, httpStatus: 400 },
  'deadline-exceeded': { number: 4, httpStatus: 504 },
  'not-found': { number: 5, httpStatus: 404 },
  'already-exists': { number: 6, httpStatus: 409 },
  'permission-denied': { number: 7, httpStatus: 403 },
  'resource-exhausted': { number: 8, httpStatus: 429 },
  'failed-precondition': { number: 9, httpStatus: 400 },
  aborted: { number: 10, httpStatus: 409 },
  'out-of-range': { number: 11, httpStatus: 400 },
  unimplemented: { number: 12, httpStatus: 501 },
  internal: { number: 13, httpStatus: 500 },
  unavailable: { number: 14, httpStatus: 503 },
  'data-loss': { number: 15, httpStatus: 500 },
  unauthenticated: { number: 16, httpStatus: 401 },
} as const

export type DatabaseCode = keyof typeof databaseCodes
export const databaseCodeNames = Object.keys(databaseCodes) as DatabaseCode[]

/** `already-exists` → `ALREADY_EXISTS`, the form that travels on the wire. */
export const databaseWireStatusOf = (code: DatabaseCode): string => code.toUpperCase().replaceAll('-', '_')

/** The code behind a wire status; anything unknown is `unknown`. Source: spec, section 8. */
export function databaseCodeOfWireStatus(status: string): DatabaseCode {
  const code = status.toLowerCase().replaceAll('_', '-')
  return Object.hasOwn(databaseCodes, code) ? (code as DatabaseCode) : 'unknown'
}

/** Where several codes share one HTTP status, the one that a bare answer (a proxy, a load balancer) most likely stands for. */
const codeOfSharedStatus: Readonly<Record<number, DatabaseCode>> = {
  400: 'invalid-argument',
  409: 'aborted',
  416: 'out-of-range',
  500: 'internal',
  408: 'deadline-exceeded',
  502: 'unavailable',
}

/** The code behind a bare HTTP status, for answers without our body. */
export function databaseCodeOfHttpStatus(httpStatus: number): DatabaseCode {
  const shared = codeOfSharedStatus[httpStatus]
  if (shared) return shared
  return databaseCodeNames.find((code) => databaseCodes[code].httpStatus === httpStatus) ?? 'unknown'
}

const transient: ReadonlySet<DatabaseCode> = new Set([
  'cancelled',
  'unknown',
  'deadline-exceeded',
  'resource-exhausted',
  'aborted',
  'internal',
  'unavailable',
  'unauthenticated',
])

/** Whether the same write may succeed when it is sent again; the others stay refused until someone changes something. */
export const isTransient = (code: DatabaseCode): boolean => transient.has(code)

/** What the documents port throws, with any adapter. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code: DatabaseCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: DatabaseCode,
    message: string,
    options: ErrorOptions & { details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, options)
    this.code = code
    this.details = options.details ?? {}
  }
}
