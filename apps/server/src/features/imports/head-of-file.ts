import type { rowRoles } from '@tour-ops/contract/imports/import-reading'
import { maxColumns, type TableRow } from './file-table.ts'
import { isSensitiveHeader } from './sensitive-columns.ts'
import { headRecords, type LeftOutReason, type TablePlace } from './table-place.ts'

export interface SampleLine {
  readonly line: number
  readonly cells: readonly string[]
}
/** As it is in the file, whatever its columns are. */
export interface RawLine extends SampleLine {
  /** Cells up to the last one with text: more than the header has where a line was cut wrongly. */
  readonly width: number
}
export interface HeadRow extends RawLine {
  readonly role: (typeof rowRoles)[number]
}

/** Rows below the header in the preview, and cells of all its rows. */
const rowsBelow = 8
const headCells = 40
/** Characters of a cell that are stored to be shown. */
export const maxSampleLength = 60

export const rawLine = ({ line, cells }: TableRow): RawLine => ({
  line,
  cells: cells.slice(0, maxColumns).map((cell) => cell.slice(0, maxSampleLength)),
  width: cells.findLastIndex((cell) => cell.trim() !== '') + 1,
})

/** The first rows of a file, for the preview. */
export class HeadOfFile {
  readonly #rows: HeadRow[] = []
  #headers = 0
  #below: number | null = null
  /** Places of columns that a row above the header calls sensitive: it may be the header that somebody left above the one that is chosen. */
  readonly sensitive = new Set<number>()

  get rows(): readonly HeadRow[] {
    return this.#rows
  }

  see(row: TableRow, { headerLine, headerRows = 1, lastLine }: TablePlace): void {
    const { line, cells } = row
    const isTitle = line < headerLine
    if (this.#rows.length === headRecords || (this.#below ?? 0) >= rowsBelow) return
    if (isTitle && cells.filter((cell) => cell.trim() !== '').length > 1) {
      for (const [place, cell] of cells.slice(0, maxColumns).entries())
        if (isSensitiveHeader(cell)) this.sensitive.add(place)
    }
    const isHeader = !isTitle && this.#headers < headerRows
    if (isHeader) this.#headers += 1
    else if (!isTitle) this.#below = (this.#below ?? 0) + 1
    const isAfter = lastLine !== null && line > lastLine
    const role = isTitle ? 'title' : isHeader ? 'header' : isAfter ? 'after' : 'row'
    const raw = rawLine(row)
    this.#rows.push({ ...raw, cells: raw.cells.slice(0, headCells), role })
  }

  leaveOut(line: number, role: Exclude<LeftOutReason, 'title'>): void {
    const place = this.#rows.findIndex((row) => row.line === line)
    const row = this.#rows[place]
    if (row) this.#rows[place] = { ...row, role }
  }
}
