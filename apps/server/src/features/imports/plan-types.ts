import type { ImportRow } from '@tour-ops/contract/imports/import-batch'
import type { ImportProblem, ImportWarning } from '@tour-ops/contract/imports/import-problems'
import type { Problem, Warning } from './import-problems.ts'
import type { RowValues } from './row-values.ts'

/** A batch within its organization. */
export interface BatchKey {
  readonly orgId: string
  readonly batchId: string
}

/** A line as it was read, waiting to be compared. */
export interface StagedRow {
  readonly line: number
  /** Line of the first row of the same booking. */
  readonly party: number
  readonly values: RowValues
  readonly problems: readonly Problem[]
  readonly warnings: readonly Warning[]
}

/** Lines of the same booking: one at least. */
export type Party = readonly [StagedRow, ...StagedRow[]]

/** One row of one table that an import writes: made new, or changed if it still is as it was seen. */
export interface EntityPlan {
  readonly id: string
  readonly isNew: boolean
  /** Version that was seen; the write is refused when the stored version differs. 0 for new rows. */
  readonly version: number
  readonly set: Record<string, unknown>
  /** The previous value, for undoing. */
  readonly was: Record<string, unknown>
  /** Lines of the booking's note that keep what was not understood; several parts of a file add theirs. */
  readonly kept?: readonly string[]
}

export interface RoomPlan {
  /** Rooms to be made, one per night. */
  readonly make: readonly { id: string; night_date: string; type: string; room_key: string }[]
  readonly retype: { readonly ids: readonly string[]; readonly to: string; readonly was: string } | null
  /** Rooms that the person gets, and leaves. */
  readonly put: readonly string[]
  readonly take: readonly string[]
}

/** A further guest of a line: a name, a seat and a bed; nothing that is sealed. */
export interface MorePlan {
  readonly entryId: string
  readonly traveler?: EntityPlan
  readonly entry?: EntityPlan
  readonly rooms?: RoomPlan
}

/** Everything a line writes, as stored in the staging table. Keys are short: there are up to 100,000 of them. */
export interface WritePlan {
  traveler?: EntityPlan
  private?: EntityPlan
  passport?: EntityPlan
  booking?: EntityPlan
  entry?: EntityPlan
  rooms?: RoomPlan
  /** Seats that the party takes beyond those it has; on the line of the booking. */
  seats?: number
  /** Further guests of the line, whom the same cell names. */
  more?: readonly MorePlan[]
  /** Guests who leave the manifest because their booking is cancelled; on its first line. */
  cancel?: readonly { readonly id: string; readonly version: number; readonly batch: string | null }[]
}

export type Change = ImportRow['changes'][number]

/** A line after the comparison. */
export interface PlannedRow {
  readonly line: number
  readonly outcome: 'add' | 'change' | 'unchanged' | 'rejected'
  readonly problems: readonly Problem[]
  readonly warnings: readonly Warning[]
  readonly changes: readonly Change[]
  readonly write: WritePlan
  readonly name: string
  readonly departureCode: string | null
  readonly departureId: string | null
  readonly bookingId: string | null
  readonly travelerId: string | null
  readonly entryId: string | null
}

/** What the staging table stores of a line in addition to its columns. */
export interface StagedAfter {
  values?: RowValues
  name: string
  departureCode: string | null
  problems: ImportProblem[]
  /** Missing where there are none. */
  warnings?: ImportWarning[]
  write?: WritePlan
}

/** The name as lists show it. */
export const nameOf = (values: RowValues): string => [values.firstName, values.lastName].filter(Boolean).join(' ')

/** A line that writes nothing; what became of it is added. */
export const untouched = (row: StagedRow): PlannedRow => ({
  line: row.line,
  outcome: 'unchanged',
  problems: [],
  warnings: row.warnings,
  changes: [],
  write: {},
  name: nameOf(row.values),
  departureCode: row.values.departureCode ?? null,
  departureId: null,
  bookingId: null,
  travelerId: null,
  entryId: null,
})

/** The guests of a line one by one: the first with all that the line says, further ones with their name and the room that they share. */
export function peopleOf(row: StagedRow): [StagedRow, ...StagedRow[]] {
  const { others = [], roomKey, roomType } = row.values
  const shared = { ...(roomKey !== undefined && { roomKey }), ...(roomType !== undefined && { roomType }) }
  const further = others.map(({ firstName, lastName }) => ({
    ...row,
    values: { firstName, lastName, ...shared },
    warnings: [],
  }))
  return [row, ...further]
}
