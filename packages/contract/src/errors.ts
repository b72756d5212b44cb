/** Wire codes and their HTTP statuses. Source: spec, section 8, "Function status mapping". */
export const httpStatusOf = {
  'invalid-argument': 400,
  unauthenticated: 401,
  'permission-denied': 403,
  'not-found': 404,
  aborted: 409,
  'resource-exhausted': 429,
  cancelled: 499,
  internal: 500,
  unimplemented: 501,
  unavailable: 503,
  'deadline-exceeded': 504,
} as const

export type ErrorCode = keyof typeof httpStatusOf
export const errorCodes = Object.keys(httpStatusOf) as ErrorCode[]

/** `invalid-argument` → `INVALID_ARGUMENT`, the form that travels on the wire. */
export const wireStatusOf = (code: ErrorCode): string => code.toUpperCase().replaceAll('-', '_')

/** The code behind a wire status; anything unknown is `internal`. Source: spec, section 8. */
export function codeOfWireStatus(status: string): ErrorCode {
  const code = status.toLowerCase().replaceAll('_', '-')
  return code in httpStatusOf ? (code as ErrorCode) : 'internal'
}

/** The code behind a bare HTTP status, for answers without our body (a proxy, a load balancer). */
export function codeOfHttpStatus(status: number): ErrorCode {
  const known = errorCodes.find((code) => httpStatusOf[code] === status)
  return known ?? 'internal'
}

/** Messages by field path (`units.0.quantity`). */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** Why an entry is refused: a rule (`field-rules.ts`) and what its sentence needs. */
export interface FieldIssue {
  readonly code: string
  readonly params?: Readonly<Record<string, unknown>>
}

export interface ErrorDetails {
  /** In English, for programs; screens say `fieldIssues`. */
  readonly fieldErrors?: FieldErrors
  readonly fieldIssues?: Readonly<Record<string, readonly FieldIssue[]>>
  /** Names the request in the server's log. */
  readonly requestId?: string
  /** A short machine-readable cause, for instance `seats_exhausted`, whose parameters are next to it (`refusals.ts`). Screens show its text. */
  readonly reason?: string
  readonly [key: string]: unknown
}

/** The only error a feature throws on purpose. `message` is for programs and the log; screens say `details` in the reader's language. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, options: ErrorOptions & { details?: ErrorDetails } = {}) {
    super(message, options)
    this.code = code
    this.details = options.details ?? {}
  }

  /** Anything that was not thrown on purpose becomes `internal`, and its own text stays in the log. */
  static from(error: unknown): AppError {
    if (error instanceof AppError) return error
    return new AppError('internal', 'Something went wrong on our side.', { cause: error })
  }
}
