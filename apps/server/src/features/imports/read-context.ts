import type { ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import type { DayEpoch } from './day-numbers.ts'
import type { Problem, Warning } from './import-problems.ts'
import type { ImportSeal } from './import-seal.ts'
import type { RowValues } from './row-values.ts'

/** What cell readers need in addition to the cell. */
export interface ReadContext {
  readonly mapping: ImportMapping
  readonly today: string
  readonly seal: ImportSeal
  readonly numbers: NumbersOfFile
}

/** What numbers without a format mean in columns of dates and times. */
export interface NumbersOfFile {
  /** The calendar in which days are counted; null where such numbers are refused. */
  readonly epoch: DayEpoch | null
  /** Headers of columns whose times are parts of a day. */
  readonly fractions: ReadonlySet<string>
}

export interface ReadRow {
  readonly values: RowValues
  readonly problems: readonly Problem[]
  readonly warnings: readonly Warning[]
}
