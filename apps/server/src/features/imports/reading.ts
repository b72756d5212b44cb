import { maxImportRows } from '@tour-ops/contract/imports/import-batch'
import { isBlank, unreadable } from './file-table.ts'

/** What the reading of one file may take. A file beyond these is refused, with the limit in the refusal. */
export interface ReadingLimits {
  /** Rows with text, the header included. */
  readonly rows: number
  /** Rows without any. */
  readonly blankRows: number
  /** Cells of all rows, empty ones included. */
  readonly cells: number
  /** Characters of one cell. */
  readonly cellLength: number
  /** Characters of all cells. In a workbook one text can be in many cells, so that this is more than the file. */
  readonly text: number
  /** Bytes of all parts of a workbook that are read, counted while they are unpacked. */
  readonly unpackedBytes: number
  /** Entries of the archive that a workbook is, whether they are read or not. */
  readonly parts: number
  /** Tags of all parts that are read. */
  readonly tags: number
  /** Tags within each other. */
  readonly depth: number
  /** Characters between two tags, attributes and comments included. */
  readonly betweenTags: number
}

const megabyte = 1024 * 1024

/**
 * A manifest of 100,000 guests with 60 columns has 6 million cells of two or three tags and unpacks to 250 MB; spreadsheet programs allow 32,767 characters in a
 * cell, write 1,048,576 rows at most, and nest about ten tags.
 */
export const readingLimits: ReadingLimits = {
  rows: maxImportRows + 1,
  blankRows: 1_048_576,
  cells: 20_000_000,
  cellLength: 32_767,
  text: 256_000_000,
  unpackedBytes: 384 * megabyte,
  tags: 20_000_000,
  parts: 1_000,
  depth: 64,
  betweenTags: megabyte,
}

/** One pass through a file: counts against the limits. */
export class Reading {
  readonly limits: ReadingLimits
  #rows = 0
  #blankRows = 0
  #cells = 0
  #text = 0
  #unpacked = 0
  #parts = 0
  #tags = 0

  constructor(limits = readingLimits) {
    this.limits = limits
  }

  /**
   * Counts a row and its text; its cells are counted by `cells`.
   *
   * @returns whether it holds anything.
   */
  row(line: number, cells: readonly string[]): boolean {
    const { limits } = this
    if (isBlank(cells)) {
      this.#blankRows += 1
      if (this.#blankRows > limits.blankRows)
        throw beyond('too_many_blank_rows', limits.blankRows, 'empty rows. Delete them')
      return false
    }
    this.#rows += 1
    if (this.#rows > limits.rows) throw beyond('too_many_rows', limits.rows - 1, 'rows. Split it')
    for (const cell of cells) {
      this.#text += cell.length
      this.cell(cell, line)
    }
    if (this.#text > limits.text)
      throw beyond('too_much_text', limits.text, 'characters of text. Split it, or delete columns that are not needed')
    return true
  }

  /** Counts cells, before anything is done with them. */
  cells(count: number): void {
    this.#cells += count
    const max = this.limits.cells
    if (this.#cells > max)
      throw beyond('too_many_cells', max, 'cells, empty ones included. Delete empty columns and rows, or split it')
  }

  /** Checks the text of a cell, complete or not. */
  cell(text: string, line: number): void {
    const max = this.limits.cellLength
    if (text.length <= max) return
    throw unreadable(
      'cell_too_long',
      `A cell in row ${line} has more than ${max.toLocaleString('en')} characters. Shorten it.`,
      {
        max: String(max),
        line: String(line),
      },
    )
  }

  /** Counts an entry of the archive. */
  part(): void {
    this.#parts += 1
    if (this.#parts > this.limits.parts)
      throw unreadable(
        'workbook_too_many_parts',
        `The workbook is made of more than ${this.limits.parts} parts. Save its first sheet as CSV and upload that.`,
        { max: String(this.limits.parts) },
      )
  }

  /** Counts a tag. */
  tag(): void {
    this.#tags += 1
    const max = this.limits.tags
    if (this.#tags > max)
      throw unreadable(
        'workbook_too_many_tags',
        `The workbook has more than ${max.toLocaleString('en')} XML tags. Delete empty rows and columns, or save its first sheet as CSV and upload that.`,
        { max: String(max) },
      )
  }

  /** Counts bytes of a part, unpacked. */
  unpacked(bytes: number): void {
    this.#unpacked += bytes
    if (this.#unpacked <= this.limits.unpackedBytes) return
    const max = String(Math.floor(this.limits.unpackedBytes / megabyte))
    throw unreadable(
      'workbook_too_large',
      `The workbook unpacks to more than ${max} MB. Split it, or save its first sheet as CSV and upload that.`,
      { max },
    )
  }
}

const beyond = (because: Parameters<typeof unreadable>[0], max: number, what: string) =>
  unreadable(because, `The file has more than ${max.toLocaleString('en')} ${what}.`, { max: String(max) })
