import type { DatabaseCode } from '@tour-ops/contract/database-codes'
import type { ErrorCode } from '@tour-ops/contract/errors'
import { m } from '../paraglide/messages.js'

type Sentence = () => string

// What a person can do about each code of the spec, section 8. A code of a service is known to screens by these sentences only.

/** For calls whose server sent no message of its own. */
export const functionErrors: Readonly<Record<ErrorCode, Sentence>> = {
  'invalid-argument': () => m.errors_invalid(),
  unauthenticated: () => m.errors_unauthenticated(),
  'permission-denied': () => m.errors_permission_denied(),
  'not-found': () => m.errors_not_found(),
  aborted: () => m.errors_changed_meanwhile(),
  'resource-exhausted': () => m.errors_resource_exhausted(),
  cancelled: () => m.errors_cancelled(),
  internal: () => m.errors_internal(),
  unimplemented: () => m.errors_outdated(),
  unavailable: () => m.errors_unavailable(),
  'deadline-exceeded': () => m.errors_deadline_exceeded(),
}

export const databaseErrors: Readonly<Record<DatabaseCode, Sentence>> = {
  ...functionErrors,
  unknown: () => m.errors_internal(),
  'already-exists': () => m.errors_already_exists(),
  'failed-precondition': () => m.errors_changed_meanwhile(),
  'out-of-range': () => m.errors_invalid(),
  'data-loss': () => m.errors_internal(),
}
