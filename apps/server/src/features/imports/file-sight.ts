import type { Membership } from '@tour-ops/contract/identity/access'
import type { ImportField, ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import type { ImportProblem } from '@tour-ops/contract/imports/import-problems'
import { seesAllSensitive } from '@tour-ops/contract/sensitive-data'
import type { FileAnalysis } from './file-analysis.ts'
import { describeProblem } from './import-problems.ts'
import type { Change } from './plan-types.ts'
import { keptFields } from './kept-cells.ts'
import { fieldOf, isSensitiveField, isSensitiveHeader } from './sensitive-columns.ts'

/** What replaces a value that is not shown. */
export const hiddenValue = '•••'

/** The parameters of a reason that are not values of the file. */
const openParams = new Set(['line', 'max', 'found', 'expected', 'left', 'asked', 'month', 'days', 'fits'])

/** What changes show together, and from which fields it comes. */
const madeOf: Readonly<Record<string, readonly ImportField[]>> = {
  pickup: ['pickup_place', 'pickup_time'],
  room: ['room_key', 'room_type'],
  guests: ['full_name'],
  first_name: ['full_name'],
  last_name: ['full_name'],
  // a note keeps cells of other columns that were not understood
  notes: ['notes', ...keptFields],
}

type SeenFile = {
  readonly analysis: Pick<FileAnalysis, 'columns'>
  readonly mapping: Pick<ImportMapping, 'columns'>
}

/** Columns that may hold birth dates, medical notes or passports: by their header, by their values, or by the field that they are mapped to. */
export function sensitiveColumnsOf({ analysis, mapping }: SeenFile): ReadonlySet<string> {
  const looks = new Set(analysis.columns.filter((column) => column.looksSensitive).map(({ header }) => header))
  // files whose details are deleted still have their mapping
  const headers = [...analysis.columns.map((column) => column.header), ...Object.keys(mapping.columns)]
  return new Set(
    headers.filter(
      (header) => looks.has(header) || isSensitiveHeader(header) || isSensitiveField(fieldOf(mapping, header)),
    ),
  )
}

/**
 * What one person may see of a file that was uploaded for import. Everything that answers with its values asks here. Columns of birth dates,
 * medical notes and passports are seen by those who see them of every guest; which columns those are, the header says, the values say, or
 * the mapping. A mapping can only add to them.
 */
export class FileSight {
  readonly #columns: ReadonlySet<string> = new Set()
  readonly #fields = new Set<string>()
  /** Whether this person sees sensitive columns. */
  readonly seesAll: boolean

  constructor(reader: Membership, { analysis, mapping }: SeenFile) {
    this.seesAll = seesAllSensitive(reader)
    if (this.seesAll) return
    this.#columns = sensitiveColumnsOf({ analysis, mapping })
    for (const header of this.#columns) {
      const field = fieldOf(mapping, header)
      if (field !== undefined) this.#fields.add(field)
    }
  }

  hidesColumn(header: string): boolean {
    return this.#columns.has(header)
  }

  /** Whether a field, of the profile or of a change, may hold what came from a sensitive column. */
  hidesField(field: string): boolean {
    if (this.seesAll) return false
    return (
      isSensitiveField(field) || this.#fields.has(field) || (madeOf[field] ?? []).some((of) => this.#fields.has(of))
    )
  }

  problem(found: ImportProblem): ImportProblem {
    if (found.column === null || !this.hidesColumn(found.column)) return found
    const params = Object.entries(found.params).map(([name, value]) => [
      name,
      openParams.has(name) ? value : hiddenValue,
    ])
    return describeProblem({ ...found, params: Object.fromEntries(params) as Record<string, string> })
  }

  change(change: Change): Change {
    const { field, before, after } = change
    if (!this.hidesField(field)) return change
    return { field, before: before === null ? null : hiddenValue, after: after === null ? null : hiddenValue }
  }

  /** The name of a line, which full, first and last name make together. */
  name(text: string): string {
    return this.hidesField('first_name') || this.hidesField('last_name') ? hiddenValue : text
  }

  /** A cell of a refused line. One that was cut wrongly has what is hidden anywhere. */
  cell({ cells, problems }: { cells: readonly string[]; problems: readonly ImportProblem[] }, index: number): string {
    const isCutWrongly = this.#columns.size > 0 && problems.some(({ code }) => code === 'cells_differ')
    return isCutWrongly ? hiddenValue : (cells[index] ?? '')
  }

  /**
   * Whether nothing of a line may be shown, since one that was cut wrongly has what is hidden anywhere.
   *
   * @param width Cells up to the last one with text.
   * @param columns Columns of the file.
   */
  hidesLine(width: number, columns: number): boolean {
    return this.#columns.size > 0 && width > columns
  }

  /** A value, as this person sees it. */
  value(field: string, text: string): string {
    return this.hidesField(field) && text !== '' ? hiddenValue : text
  }
}
