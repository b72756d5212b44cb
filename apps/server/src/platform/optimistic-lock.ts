import { AppError } from '@tour-ops/contract/errors'

/**
 * Refuses a write on a row that somebody else has changed since the caller read it.
 *
 * @throws AppError `aborted`, reason `version_conflict`, with the version that counts now.
 */
export function requireVersion(row: { readonly version: number }, seen: number, what: string): void {
  if (row.version === seen) return
  throw new AppError('aborted', `Somebody else changed this ${what} meanwhile. Look at it again.`, {
    details: { reason: 'version_conflict', current: row.version },
  })
}

/** The refusal for an id that does not exist in this organization or outside the caller's reach. */
export const notFound = (what: string): AppError => new AppError('not-found', `This ${what} does not exist.`)
