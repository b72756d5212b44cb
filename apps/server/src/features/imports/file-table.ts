import type { AppError } from '@tour-ops/contract/errors'
import type { FileDelimiter, TextEncodingName } from '@tour-ops/contract/imports/import-reading'
import type { UnreadableCause } from '@tour-ops/contract/imports/import-problems'
import { refuse } from '@tour-ops/contract/refusals'
import type { DayEpoch } from './day-numbers.ts'

/** One record of a file. */
export interface TableRow {
  /** Line in the file where it begins; the header is line 1 of most files. In a workbook the row number. */
  readonly line: number
  readonly cells: readonly string[]
}

export type FileEncoding = TextEncodingName | 'xlsx'

export interface FileSheet {
  readonly name: string
  readonly isHidden: boolean
}

/** A cell that is merged with cells below it. */
export interface MergedCell {
  readonly line: number
  readonly lastLine: number
  /** From 0. */
  readonly column: number
}

/** A cell that is merged with cells beside it. */
export interface MergedAcross {
  readonly line: number
  readonly column: number
  readonly lastColumn: number
}

/** Up to a limit: how many there are below a line is asked later. */
export interface Unshown {
  readonly merged: readonly MergedCell[]
  /** At the beginning of the sheet, where they may be groups of a header. */
  readonly across: readonly MergedAcross[]
  /** Lines of cells with a formula and no value. */
  readonly formulas: readonly number[]
}

/** A file that is read row by row; no more than a piece of it is ever in memory. */
export interface FileTable {
  readonly encoding: FileEncoding
  readonly delimiter: FileDelimiter | null
  /** Sheets of a workbook in their order, and the place of the one that is read; none in a text. */
  readonly sheets: readonly FileSheet[]
  readonly sheet: number | null
  /** In which calendar a workbook counts its days; absent in a text. */
  readonly epoch?: DayEpoch
  /** What a workbook has that no row shows; complete once the records have been read to their end. */
  readonly unshown?: Unshown
  /** Every record from the first on, empty ones left out. */
  records(): AsyncGenerator<TableRow>
}

/** Opens the content from its beginning, as often as it is asked. */
export type OpenContent = () => Promise<AsyncIterable<Uint8Array>>

/** Columns beyond this are no manifest. */
export const maxColumns = 200

/** The refusal of a file, with what is wrong for screens that have words of their own. */
export const unreadable = (
  because: UnreadableCause,
  message: string,
  params: Readonly<Record<string, string>> = {},
  cause?: unknown,
): AppError => refuse('file_unreadable', { because, params }, { cause, message })

export const damagedWorkbook = (cause?: unknown): AppError =>
  unreadable(
    'workbook_damaged',
    'The workbook is damaged: it cannot be read. Save it again, or save it as CSV.',
    {},
    cause,
  )

/** The refusal of a table that is wider than any manifest. */
export const tooManyColumns = (): AppError =>
  unreadable('too_many_columns', `The file has more than ${maxColumns} columns. Delete those that are not needed.`, {
    max: String(maxColumns),
  })

/** Characters of a header: some forms put a whole question there. */
const maxHeaderLength = 1_000

/**
 * Headers as the person sees them, each once: a repeated one gets its count, an empty one the number of its column.
 *
 * @throws AppError `invalid-argument` for a file without any.
 */
export function headersOf(cells: readonly string[]): string[] {
  if (cells.length > maxColumns) throw tooManyColumns()
  if (cells.some((cell) => cell.length > maxHeaderLength))
    throw unreadable(
      'header_too_long',
      `A header has more than ${maxHeaderLength.toLocaleString('en')} characters. Shorten it.`,
      {
        max: String(maxHeaderLength),
      },
    )
  const seen = new Map<string, number>()
  return cells.map((cell, index) => {
    const name = cell.replaceAll(/\s+/g, ' ').trim() || `#${index + 1}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')
