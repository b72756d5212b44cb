import { hasAccess, type Membership } from '@tour-ops/contract/identity/access'
import type { ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { refuse } from '@tour-ops/contract/refusals'
import { ofGuests, seesAllSensitive } from '@tour-ops/contract/sensitive-data'
import { isSensitiveField, isSensitiveHeader } from './sensitive-columns.ts'

/**
 * Columns that somebody may not import as they are mapped: into sensitive fields without the permission, and out of sensitive columns into
 * fields that everybody reads without seeing them of every guest.
 */
export const refusedColumns = (person: Membership, { columns }: Pick<ImportMapping, 'columns'>): string[] =>
  Object.keys(columns).filter((header) =>
    isSensitiveField(columns[header])
      ? !hasAccess(person, { permission: ofGuests.needs })
      : !seesAllSensitive(person) && isSensitiveHeader(header),
  )

/** @throws AppError `permission-denied`, naming the columns. */
export function requireColumns(person: Membership, mapping: Pick<ImportMapping, 'columns'>): void {
  const refused = refusedColumns(person, mapping)
  if (refused.length === 0) return
  const permission = ofGuests.needs
  throw hasAccess(person, { permission })
    ? refuse('columns_maybe_sensitive', { columns: refused })
    : refuse('columns_refused', { columns: refused, permission })
}
