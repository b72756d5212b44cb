import { DatabaseError, databaseCodeNames, type DatabaseCode } from '@tour-ops/contract/database-codes'
import { AppError, errorCodes, type ErrorCode } from '@tour-ops/contract/errors'
import { StorageError, storageCodes, type StorageCode } from '@tour-ops/contract/files'
import { authCodes, authReasonOf, type AuthCode } from '../auth-codes.ts'

/** What the SDK throws: `{product}/{code}`, or the bare code from the database. */
interface CodedError extends Error {
  readonly code: string
  readonly details?: unknown
}

const isCoded = (error: unknown): error is CodedError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

const bareCode = ({ code }: CodedError): string => code.slice(code.indexOf('/') + 1)

/** The SDK puts the HTTP status at the end of the server's words: `Sold out. [409]`; 0 where nobody answered. */
const statusSuffix = / \[(\d{1,3})\]$/

/** Anything that a callable can fail with, in the words of the server. Source: spec, section 8, "Function status mapping". */
export function callErrorOfFirebase(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (!isCoded(error)) return new AppError('internal', 'The answer could not be read.', { cause: error })
  const suffix = statusSuffix.exec(error.message)
  if (suffix?.[1] === '0') {
    return new AppError('unavailable', 'The server cannot be reached.', {
      cause: error,
      details: { reason: 'network' },
    })
  }
  const code = errorCodes.find((each): each is ErrorCode => each === bareCode(error)) ?? 'internal'
  const details = typeof error.details === 'object' && error.details !== null ? { ...error.details } : {}
  return new AppError(code, error.message.replace(statusSuffix, ''), { cause: error, details })
}

/** Source: spec, section 8, "Database codes". */
export function databaseErrorOfFirebase(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  const code = isCoded(error)
    ? databaseCodeNames.find((each): each is DatabaseCode => each === bareCode(error))
    : undefined
  return new DatabaseError(code ?? 'unknown', error instanceof Error ? error.message : String(error), { cause: error })
}

/** Codes of the SDK other than the five of the spec, mapped to the one that a person can act on. */
const storageCodeOf: Readonly<Record<string, StorageCode>> = {
  unauthenticated: 'unauthorized',
  'unauthorized-app': 'unauthorized',
  'bucket-not-found': 'object-not-found',
  'project-not-found': 'object-not-found',
}

/** Source: spec, section 8, "Storage codes". Whatever none of them covers is an internal error. */
export function storageErrorOfFirebase(error: unknown): StorageError | AppError {
  if (error instanceof StorageError || error instanceof AppError) return error
  const bare = isCoded(error) ? bareCode(error) : ''
  const code = storageCodes.find((each) => each === bare) ?? storageCodeOf[bare]
  const message = error instanceof Error ? error.message : String(error)
  return code ? new StorageError(code, message, { cause: error }) : new AppError('internal', message, { cause: error })
}

/** The code of our own for each; what a person reads about it is in `app/errors/error-text.ts`. */
const codeOfAuth: Readonly<Record<AuthCode, ErrorCode>> = {
  'unauthorized-domain': 'permission-denied',
  'popup-blocked': 'cancelled',
  'popup-closed-by-user': 'cancelled',
  'network-request-failed': 'unavailable',
  'user-mismatch': 'unauthenticated',
  'internal-error': 'internal',
  'multi-factor-auth-required': 'unauthenticated',
}

/** A sign-in to the backend that failed; `details.reason` is `auth/{code}`. */
export function authErrorOfFirebase(error: unknown): AppError {
  if (error instanceof AppError) return error
  const bare = isCoded(error) ? bareCode(error) : 'internal-error'
  const known = authCodes.find((each) => each === bare)
  const code = known ? codeOfAuth[known] : 'unauthenticated'
  const message = error instanceof Error ? error.message : String(error)
  return new AppError(code, message, { cause: error, details: { reason: authReasonOf(bare) } })
}
