import type { AppError } from '@tour-ops/contract/errors'
import type { RecordKind } from '@tour-ops/contract/operations-refusals'
import { refuse } from '@tour-ops/contract/refusals'

/**
 * Refuses a write on a row that somebody else has changed since the caller read it.
 *
 * @throws AppError `aborted`, reason `version_conflict`, with the version that counts now.
 */
export function requireVersion(row: { readonly version: number }, seen: number, what: RecordKind): void {
  if (row.version !== seen) throw refuse('version_conflict', { current: row.version, what })
}

/** The refusal for an id that does not exist in this organization or outside the caller's reach. */
export const notFound = (what: RecordKind): AppError => refuse('not_found', { what })
