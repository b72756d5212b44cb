import type { HistoryEntry } from '@tour-ops/contract/departures/departures'

/** A row of the audit log as the screens' queries select it. */
export interface AuditRow {
  readonly id: string | number
  readonly at: Date
  readonly actorName: string | null
  readonly actorKind: HistoryEntry['actorKind']
  readonly action: string
  readonly op: 'insert' | 'update' | 'delete' | 'event'
  readonly entityType: string
  readonly entityId: string
  /** Updates: `{column: [before, after]}`. Everything else: `{column: value}`. */
  readonly diff: Readonly<Record<string, unknown>> | null
}

/** What a person reads of one audit row: who, when, and which fields went from what to what. */
export function historyEntryOf(row: AuditRow): HistoryEntry {
  const { id, at, actorName, actorKind, action, entityType, entityId } = row
  return {
    id: String(id),
    at: at.toISOString(),
    actorName,
    actorKind,
    action,
    entityType,
    entityId,
    changes: Object.entries(row.diff ?? {}).map(([field, value]) => ({ field, ...sidesOf(row.op, value) })),
  }
}

function sidesOf(op: AuditRow['op'], value: unknown): { before: string | null; after: string | null } {
  if (op === 'update' && Array.isArray(value)) return { before: textOf(value[0]), after: textOf(value[1]) }
  return op === 'delete' ? { before: textOf(value), after: null } : { before: null, after: textOf(value) }
}

const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
