import { DatabaseError, databaseCodeOfHttpStatus, databaseCodeOfWireStatus } from '@tour-ops/contract/database-codes'

/** Gives the backend token; `renew` asks for a new one after the server refused the present one. */
export type TokenSource = (renew: boolean) => Promise<string>

interface WireError {
  readonly status?: string
  readonly message?: string
  readonly details?: Record<string, unknown>
}

/** The error of an answer that is not `ok`: ours by its body, anybody else's by its HTTP status. */
export async function errorOfResponse(response: Response): Promise<DatabaseError> {
  let body: WireError | undefined
  try {
    body = ((await response.json()) as { error?: WireError } | null)?.error
  } catch {
    body = undefined // not our server's words: a proxy's page, or nothing at all
  }
  const code = body?.status ? databaseCodeOfWireStatus(body.status) : databaseCodeOfHttpStatus(response.status)
  const requestId = response.headers.get('x-request-id')
  return new DatabaseError(code, body?.message ?? `The server answered ${response.status}.`, {
    details: { ...body?.details, ...(requestId ? { requestId } : {}) },
  })
}

/** Anything that a request can fail with, as a `DatabaseError`; what is not known is a broken connection. */
export function databaseErrorOf(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  if (error instanceof Error && 'code' in error && error.code === 'unauthenticated') {
    return new DatabaseError('unauthenticated', error.message, { cause: error })
  }
  return new DatabaseError('unavailable', 'The server cannot be reached.', { cause: error })
}
