import { hasAccess, type Membership, seesAllSensitive } from '@tour-ops/contract/identity/access'
import { AppError } from '@tour-ops/contract/errors'
import type { ImportMapping } from '@tour-ops/contract/imports/imports'
import { isSensitiveField, isSensitiveHeader } from './sensitive-columns.ts'

/**
 * Columns that somebody may not import as they are mapped: into sensitive fields without the permission, and out of sensitive columns into
 * fields that everybody reads without seeing them of every guest.
 */
export const refusedColumns = (person: Membership, { columns }: Pick<ImportMapping, 'columns'>): string[] =>
  Object.keys(columns).filter((header) =>
    isSensitiveField(columns[header])
      ? !hasAccess(person, { permission: 'travelers_sensitive:read' })
      : !seesAllSensitive(person) && isSensitiveHeader(header),
  )

/** @throws AppError `permission-denied`, naming the columns. */
export function requireColumns(person: Membership, mapping: Pick<ImportMapping, 'columns'>): void {
  const refused = refusedColumns(person, mapping)
  if (refused.length === 0) return
  const names = refused.map((header) => `"${header}"`).join(', ')
  throw new AppError(
    'permission-denied',
    hasAccess(person, { permission: 'travelers_sensitive:read' })
      ? `${names} may hold passports, birth dates or medical notes. With your role they go only to the fields for those. Leave them out, or ask an administrator.`
      : `You need the permission travelers_sensitive:read to import ${names}. Leave them out, or ask an administrator.`,
    { details: { reason: 'missing_permission', permission: 'travelers_sensitive:read', columns: refused } },
  )
}
