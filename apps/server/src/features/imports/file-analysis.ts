import { fileTypes } from '@tour-ops/contract/files'
import { maxImportRows } from '@tour-ops/contract/imports'
import type { FileRecord, Files } from '../../platform/files/files.ts'
import { dateShapeOf } from './import-dates.ts'
import { type Delimiter, type FileEncoding, type FileTable, headersOf, unreadable } from './file-table.ts'
import { guessColumns, type ImportPreset } from './import-headers.ts'
import { openCsv } from './read-csv.ts'
import { openXlsx } from './read-xlsx.ts'

export interface ColumnAnalysis {
  readonly header: string
  readonly filled: number
  /** Different values, the first ones of the file. */
  readonly values: readonly string[]
  /** Values by how they can be read as a date. */
  readonly dates: { readonly dayFirst: number; readonly monthFirst: number; readonly either: number }
  readonly dateExample: string | null
}

/** What a look through the whole file tells. Holds values of guests, so it stays out of the log. */
export interface FileAnalysis {
  readonly encoding: FileEncoding
  readonly delimiter: Delimiter | null
  readonly headers: readonly string[]
  readonly rows: number
  readonly columns: readonly ColumnAnalysis[]
  readonly preset: ImportPreset | null
  readonly sample: { readonly line: number; readonly cells: readonly string[] }
}

/** Values per column that are kept: enough for every word that a manifest uses for a unit type or a diet. */
const keptValues = 60
const keptLength = 60

/** Opens an uploaded file by its content. */
export function openTable(files: Files, orgId: string, file: FileRecord): Promise<FileTable> {
  const open = () => files.open(orgId, file)
  return file.contentType === fileTypes.xlsx ? openXlsx(open) : openCsv(open)
}

class ColumnCounter {
  readonly #header: string
  readonly #values = new Set<string>()
  readonly #dates = { dayFirst: 0, monthFirst: 0, either: 0 }
  #filled = 0
  #dateExample: string | null = null

  constructor(header: string) {
    this.#header = header
  }

  see(cell: string): void {
    const value = cell.trim()
    if (value === '') return
    this.#filled += 1
    if (this.#values.size < keptValues) this.#values.add(value.slice(0, keptLength))
    // most cells are no dates, and begin with a letter
    if (value.length > 20 || value.charCodeAt(0) > 57) return
    const shape = dateShapeOf(value)
    if (shape === 'day_first') this.#dates.dayFirst += 1
    if (shape === 'month_first') this.#dates.monthFirst += 1
    if (shape === 'either') {
      this.#dates.either += 1
      this.#dateExample ??= value
    }
  }

  result(): ColumnAnalysis {
    return {
      header: this.#header,
      filled: this.#filled,
      values: [...this.#values],
      dates: this.#dates,
      dateExample: this.#dateExample,
    }
  }
}

/** @throws AppError `invalid-argument` for files without rows, with too many, or that cannot be read. */
export async function analyseFile(table: FileTable): Promise<FileAnalysis> {
  let counters: ColumnCounter[] | undefined
  let headers: string[] = []
  let rows = 0
  let sample: FileAnalysis['sample'] | undefined
  for await (const { line, cells } of table.records()) {
    if (!counters) {
      headers = headersOf(trimmedEnd(cells))
      counters = headers.map((header) => new ColumnCounter(header))
      continue
    }
    rows += 1
    if (rows > maxImportRows)
      throw unreadable('too_many_rows', `The file has more than ${maxImportRows} rows. Split it.`, {
        max: String(maxImportRows),
      })
    sample ??= { line, cells: cells.slice(0, headers.length) }
    for (const [index, counter] of counters.entries()) counter.see(cells[index] ?? '')
  }
  if (!sample || !counters) throw unreadable('no_rows', 'The file has no rows below its header.')
  const { encoding, delimiter } = table
  const { preset } = guessColumns(headers)
  return { encoding, delimiter, headers, rows, columns: counters.map((each) => each.result()), preset, sample }
}

/** Empty cells at the end of the header are separators too many, and no columns. */
function trimmedEnd(cells: readonly string[]): readonly string[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== '')
  return cells.slice(0, last + 1)
}
