import type { ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { problem, type Warning } from './import-problems.ts'
import { nameKeyOf } from './people-of-file.ts'
import { type Party, type PlannedRow, type StagedRow, untouched } from './plan-types.ts'
import { isReferenced } from './row-values.ts'

/** Which of two lines is newer: the greater one. */
type Rank = (row: StagedRow) => string

/** What makes a line newer than another of its booking; undefined where a person has not said that any is. */
export function rankOf({ columns, repeatedLines }: Pick<ImportMapping, 'columns' | 'repeatedLines'>): Rank | undefined {
  if (Object.values(columns).includes('changed_at')) return ({ values }) => values.changedAt ?? ''
  return repeatedLines === 'last' ? ({ line }) => String(line).padStart(9, '0') : undefined
}

export interface CurrentLines {
  readonly current: Party
  /** Lines that a newer one replaces. */
  readonly superseded: readonly PlannedRow[]
}

/**
 * The lines of a booking that hold now. A newer line about the same guest replaces the older one; a line without a name is about the whole
 * booking, so that cancelling there replaces all before, and is replaced by whatever comes later.
 */
export function currentLines(
  {
    mapping,
    headerOf,
  }: { mapping: Pick<ImportMapping, 'columns' | 'repeatedLines'>; headerOf: (field: string) => string | null },
  rows: Party,
): CurrentLines {
  const rank = rankOf(mapping)
  const isCountedWrong = rows.some((row) => row.problems.some(({ code }) => code === 'party_too_large'))
  if (!rank || rows.length === 1 || isCountedWrong || !isReferenced(rows[0].values)) {
    return { current: rows, superseded: [] }
  }
  const by = new Map<StagedRow, StagedRow>()
  for (const row of rows) {
    const newer = rows.filter((other) => rank(other) > rank(row) && replaces(other, row))
    const [newest] = newer.toSorted((a, b) => rank(b).localeCompare(rank(a)))
    if (newest) by.set(row, newest)
  }
  const [first, ...others] = rows.filter((row) => !by.has(row))
  if (!first) throw new Error('The newest line replaces no newer one')
  const warningOf = (newer: StagedRow): Warning => ({
    ...problem('line_superseded', headerOf('changed_at'), { line: String(newer.line) }),
    result: 'left_out',
  })
  return {
    current: [first, ...others],
    superseded: [...by].map(([row, newer]) => ({ ...untouched(row), warnings: [warningOf(newer)] })),
  }
}

const isCancelled = ({ values }: StagedRow): boolean => values.status === 'cancelled'

function replaces(newer: StagedRow, older: StagedRow): boolean {
  const [of, before] = [nameKeyOf(newer.values), nameKeyOf(older.values)]
  return of === before || (of === '' && isCancelled(newer)) || (before === '' && isCancelled(older))
}
