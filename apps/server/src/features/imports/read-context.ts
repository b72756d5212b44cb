import type { ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import type { Problem, Warning } from './import-problems.ts'
import type { ImportSeal } from './import-seal.ts'
import type { RowValues } from './row-values.ts'

/** What cell readers need in addition to the cell. */
export interface ReadContext {
  readonly mapping: ImportMapping
  readonly today: string
  readonly seal: ImportSeal
}

export interface ReadRow {
  readonly values: RowValues
  readonly problems: readonly Problem[]
  readonly warnings: readonly Warning[]
}
