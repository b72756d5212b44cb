import { DatabaseError } from '@tour-ops/contract/database-codes'
import { AppError } from '@tour-ops/contract/errors'
import { StorageError } from '@tour-ops/contract/files'
import { authCodeOfReason } from '../backend/auth-codes.ts'
import { m } from '../paraglide/messages.js'
import { databaseErrors, functionErrors } from './code-errors.ts'

/** The sentences that are loaded after the first screen. */
type ServiceErrors = Pick<typeof import('./service-errors.ts'), 'authErrors' | 'storageErrors'>

/** What the spec's literal texts (section 8) mean to a person; the texts themselves stay in the store and in the log. */
const literalTexts: Readonly<Record<string, () => string>> = {
  'Failed to load': () => m.errors_identity_not_loaded(),
  'Clerk is not ready': () => m.errors_identity_not_ready(),
  'No token available from Clerk': () => m.errors_identity_no_token(),
  'Failed to get Firebase token from Clerk': () => m.errors_identity_no_token(),
}

/**
 * A sentence for the person at the screen by the error's code; what the server wrote is for programs and the log.
 *
 * @param services Sentences of the sign-in and the file store, once they are there; until then their errors are shown as internal errors.
 */
export function errorText(error: unknown, services?: ServiceErrors): string {
  if (error instanceof Error) {
    const literal = literalTexts[error.message]
    if (literal) return literal()
  }
  if (error instanceof DatabaseError) return databaseErrors[error.code]()
  if (error instanceof StorageError) return services?.storageErrors[error.code]() ?? m.errors_internal()
  if (!(error instanceof AppError)) return m.errors_internal()
  if (error.details.reason === 'second_factor_required') return m.errors_second_factor_required()
  const authCode = authCodeOfReason(error.details.reason)
  if (authCode && services) return services.authErrors[authCode]()
  // only the reason explains why, and here it is not known
  return error.code === 'aborted' ? m.errors_refused() : functionErrors[error.code]()
}
