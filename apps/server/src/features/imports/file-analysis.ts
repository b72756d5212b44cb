import type { FileDelimiter, ImportReading } from '@tour-ops/contract/imports/import-reading'
import { AmountCounter, type AmountsOfFile } from './amount-counter.ts'
import { beginsLikeDate } from './calendar-words.ts'
import { type DayEpoch, isDayNumber, isFractionOfDay, isNothingButFraction } from './day-numbers.ts'
import { dateShapeOf, readTime } from './import-dates.ts'
import {
  type FileEncoding,
  type FileSheet,
  type FileTable,
  headersOf,
  isBlank,
  type MergedAcross,
  type MergedCell,
  type TableRow,
  unreadable,
} from './file-table.ts'
import { HeadOfFile, type HeadRow, maxSampleLength, type RawLine, rawLine, type SampleLine } from './head-of-file.ts'
import { guessColumns, type ImportPreset } from './import-headers.ts'
import { filledDown } from './merged-cells.ts'
import { SensitiveValues } from './sensitive-columns.ts'
import {
  bodyOf,
  headerAmong,
  headerRowsAmong,
  headRecords,
  joinedHeader,
  type LeftOutReason,
  type TablePlace,
} from './table-place.ts'

export interface ColumnAnalysis {
  readonly header: string
  readonly filled: number
  /** Values by how they can be read as a date. */
  readonly dates: { readonly dayFirst: number; readonly monthFirst: number; readonly either: number }
  /** Values by how they can be numbers of days and of parts of a day; absent in files that an older version read. */
  readonly numbers?: {
    readonly days: number
    readonly fractions: number
    /** Of the fractions, those that are no time with a point in it. */
    readonly onlyFractions: number
    readonly hasClock: boolean
  }
  /** The values look like documents, birth dates or medical notes, whatever the header says. */
  readonly looksSensitive: boolean
}

interface ColumnSamples {
  /** Different values, the first ones of the file. */
  readonly values: readonly string[]
  /** The first value that can be read as two dates. */
  readonly dateExample: string | null
  /** The first number of a day and the first part of one; absent in files that an older version read. */
  readonly dayExample?: string | null
  readonly fractionExample?: string | null
}

/** Values of guests: encrypted where they are stored, out of the log, and shown by `FileSight`. */
export interface FileSamples {
  /** As `FileAnalysis.columns`. */
  readonly columns: readonly ColumnSamples[]
  /** The first line below the header. */
  readonly first: SampleLine
  /** The first line with characters beyond ASCII, header included; absent in files that an older version read. */
  readonly foreign?: RawLine | null
  /** The first rows as they are in the file, with repeated headers among them; absent as well. */
  readonly head?: readonly HeadRow[]
}
export const noSamples: FileSamples = { columns: [], first: { line: 0, cells: [] } }

/** The result of a pass through the whole file, without values of guests. */
export interface FileAnalysis {
  readonly encoding: FileEncoding
  readonly delimiter: FileDelimiter | null
  readonly headers: readonly string[]
  /** The names of columns without the groups above them, where a header has several rows. */
  readonly names?: readonly string[]
  readonly rows: number
  readonly columns: readonly ColumnAnalysis[]
  readonly preset: ImportPreset | null
  /** Cells with characters that the encoding does not have, and the line of the first; absent in files that an older version read. */
  readonly unreadable?: { readonly cells: number; readonly line: number | null }
  /** Cells of the table that a workbook has merged with those below, whose value each of the rows has, and formulas without one; absent in texts
   * and older files. */
  readonly unshown?: { readonly merged: readonly MergedCell[]; readonly formulas: CellsFrom }
  /** In which calendar a workbook counts its days; absent in texts and older files. */
  readonly epoch?: DayEpoch
  /** Where the table is, and what of the file is no row of it; absent in files that an older version read. */
  readonly place?: TablePlace
  readonly sheet?: number | null
  readonly sheets?: readonly FileSheet[]
  readonly leftOut?: LeftOut
  /** What the lines of parties say in columns of amounts; null without a reference, absent in older files. */
  readonly amounts?: AmountsOfFile | null
  /** The columns before anybody decided anything. */
  readonly asFound?: ColumnsAsFound
}

export interface FileFindings {
  readonly analysis: FileAnalysis
  readonly samples: FileSamples
}

/** How many cells, and the line of the first. */
interface CellsFrom {
  readonly cells: number
  readonly line: number | null
}

interface LeftOut {
  readonly titles: number
  readonly repeatedHeaders: number
  /** Lines. */
  readonly totals: readonly number[]
}

/** Which columns were sensitive before anybody decided how the file is read. */
export interface ColumnsAsFound {
  readonly delimiter: FileDelimiter | null
  readonly sheet: number | null
  /** Null where an older version read the file. */
  readonly headerLine: number | null
  readonly count: number
  /** Their places. */
  readonly sensitive: readonly number[]
}

export const automatic: ImportReading = {
  encoding: null,
  delimiter: null,
  sheet: null,
  headerLine: null,
  headerRows: null,
  lastLine: null,
}

/** Characters of a time at most: `08:20:00 a.m.` */
const maxClock = 13
/** Values per column that are stored: enough for every word that a manifest uses for a unit type or a diet. */
const sampleValues = 60
/** Characters of a cell of the first line that are stored: more than any field takes, so that one that is too long shows. */
const sampleLength = 2_100

/** How a file was read, to read it in the same way again. */
export const formOf = ({ encoding, delimiter, sheet, place }: FileAnalysis): ImportReading => ({
  encoding: encoding === 'xlsx' ? null : encoding,
  delimiter,
  // older versions read the first one
  sheet: encoding === 'xlsx' ? (sheet ?? 0) : null,
  headerLine: place?.headerLine ?? null,
  headerRows: place?.headerRows ?? null,
  lastLine: place?.lastLine ?? null,
})

class ColumnCounter {
  readonly #header: string
  readonly #values = new Set<string>()
  readonly #dates = { dayFirst: 0, monthFirst: 0, either: 0 }
  readonly #numbers = { days: 0, fractions: 0, onlyFractions: 0, hasClock: false }
  readonly #sensitive: SensitiveValues
  #filled = 0
  #dateExample: string | null = null
  #dayExample: string | null = null
  #fractionExample: string | null = null

  constructor(header: string) {
    this.#header = header
    this.#sensitive = new SensitiveValues(header)
  }

  see(cell: string): void {
    const value = cell.trim()
    if (value === '') return
    this.#filled += 1
    if (this.#values.size < sampleValues) this.#values.add(value.slice(0, maxSampleLength))
    const shape = mayBeDate(value) ? dateShapeOf(value) : 'none'
    this.#sensitive.see(value, shape !== 'none')
    if (shape === 'day_first') this.#dates.dayFirst += 1
    if (shape === 'month_first') this.#dates.monthFirst += 1
    if (shape === 'either') {
      this.#dates.either += 1
      this.#dateExample ??= value
    }
    if (/^[\d.,]/.test(value)) this.#seeNumber(value)
  }

  #seeNumber(value: string): void {
    const numbers = this.#numbers
    if (isDayNumber(value)) {
      numbers.days += 1
      this.#dayExample ??= value
    } else if (isFractionOfDay(value)) {
      numbers.fractions += 1
      if (isNothingButFraction(value)) numbers.onlyFractions += 1
      this.#fractionExample ??= value
    } else if (!numbers.hasClock && value.length <= maxClock) numbers.hasClock = readTime(value) !== undefined
  }

  result(): ColumnAnalysis {
    return {
      header: this.#header,
      filled: this.#filled,
      dates: this.#dates,
      numbers: this.#numbers,
      looksSensitive: this.#sensitive.found,
    }
  }

  samples(): ColumnSamples {
    return {
      values: [...this.#values],
      dateExample: this.#dateExample,
      dayExample: this.#dayExample,
      fractionExample: this.#fractionExample,
    }
  }
}

/**
 * Most cells are names or numbers: only what is as long as a date and begins with a digit, or as such a word with a year behind it, is looked at closely.
 * `1.1.26` is the shortest; the longest has a day of the week and a time.
 */
function mayBeDate(value: string): boolean {
  if (value.length < 6 || value.length > 60) return false
  return /^\d/.test(value) || (/\d\d/.test(value) && beginsLikeDate(value))
}

const beyondAscii = /\P{ASCII}/u
/** What decoders put for bytes that are no character, and the control characters of single-byte encodings, which no text has. */
const lost = /[\ufffd\u0080-\u009f]/

/**
 * Reads a file from its beginning to its end.
 *
 * @param form What a person said about where the table is; the rest is found among the first rows.
 * @throws AppError `invalid-argument` for files without rows, or that cannot be read.
 */
export async function analyseFile(
  table: FileTable,
  form: Pick<ImportReading, 'headerLine' | 'headerRows' | 'lastLine'> = automatic,
  merged: readonly MergedCell[] = [],
  across?: readonly MergedAcross[],
): Promise<FileFindings> {
  const losses = { cells: 0, line: null as number | null }
  const leftOut = { titles: 0, repeatedHeaders: 0, totals: [] as number[] }
  const head = new HeadOfFile()
  let counters: ColumnCounter[] = []
  let amounts: AmountCounter | undefined
  let headers: string[] = []
  let names: string[] | undefined
  let rows = 0
  let firstLine: number | undefined
  let first: FileSamples['first'] | undefined
  let foreign: RawLine | null = null
  const { records, begun, ...header } = await withHeader(filledDown(table.records(), merged), form, across)
  const place = { ...header, lastLine: form.lastLine }
  const seen = async function* (): AsyncGenerator<TableRow> {
    for await (const row of records) {
      const { line, cells } = row
      if (!foreign && cells.some((cell) => beyondAscii.test(cell))) foreign = rawLine(row)
      for (const cell of cells) {
        if (!lost.test(cell)) continue
        losses.cells += 1
        losses.line ??= line
      }
      head.see(row, place)
      yield row
    }
  }
  const onHeader = (found: readonly TableRow[]): void => {
    headers = headersOf(trimmedEnd(joinedHeader(found, across)))
    if (found.length > 1) names = headers.map((_, index) => (found.at(-1)?.cells[index] ?? '').trim())
    counters = headers.map((header) => new ColumnCounter(header))
    amounts = new AmountCounter(headers, guessColumns(headers, names))
  }
  const onLeftOut = ({ line }: TableRow, reason: LeftOutReason): void => {
    if (reason === 'title') leftOut.titles += 1
    else if (reason === 'repeated_header') leftOut.repeatedHeaders += 1
    else leftOut.totals.push(line)
    if (reason !== 'title') head.leaveOut(line, reason)
  }
  for await (const { line, cells } of bodyOf(seen(), place, onHeader, onLeftOut)) {
    rows += 1
    firstLine ??= line
    // a line that was cut wrongly has its values in columns of others, hidden ones too, and will be refused
    if (!isBlank(cells.slice(headers.length))) continue
    first ??= { line, cells: cells.slice(0, headers.length).map((cell) => cell.slice(0, sampleLength)) }
    for (const [index, counter] of counters.entries()) counter.see(cells[index] ?? '')
    amounts?.see(cells)
  }
  // what is merged stands behind the rows, and must be known before them
  const below = mergedIn(table, place)
  const groups = across ?? groupsIn(table, place)
  const rowsOfHeader = form.headerRows ?? (form.headerLine === null ? headerRowsAmong(begun, groups).rows : 1)
  const isGrouped = groups.length > 0 && across === undefined && rowsOfHeader > 1
  if ((below.length > 0 && merged.length === 0) || isGrouped) return analyseFile(table, form, below, groups)
  if (firstLine === undefined) throw unreadable('no_rows', 'The file has no rows below its header.')
  const { encoding, delimiter, sheet, sheets } = table
  const { preset } = guessColumns(headers, names)
  const columns = counters.map((each, index) => {
    const column = each.result()
    return head.sensitive.has(index) ? { ...column, looksSensitive: true } : column
  })
  return {
    analysis: {
      encoding,
      delimiter,
      headers,
      ...(names && { names }),
      rows,
      columns,
      preset,
      unreadable: losses,
      ...(table.unshown && {
        unshown: { merged, formulas: cellsFrom(table.unshown.formulas, place) },
      }),
      ...(table.epoch && { epoch: table.epoch }),
      place,
      sheet,
      sheets,
      leftOut,
      amounts: amounts?.result() ?? null,
    },
    samples: {
      columns: counters.map((each) => each.samples()),
      first: first ?? { line: firstLine, cells: [] },
      foreign,
      head: head.rows,
    },
  }
}

const isInTable = (line: number, { headerLine, lastLine }: TablePlace): boolean =>
  line > headerLine && (lastLine === null || line <= lastLine)

const mergedIn = ({ unshown }: FileTable, place: TablePlace): MergedCell[] =>
  (unshown?.merged ?? []).filter(({ line }) => isInTable(line, place))

/** Cells around the header that are merged over columns, which decide whether it has a row of groups. */
const groupsIn = ({ unshown }: FileTable, { headerLine, headerRows = 1 }: TablePlace): readonly MergedAcross[] =>
  (unshown?.across ?? []).filter(({ line }) => line >= headerLine - 1 && line < headerLine + headerRows)

function cellsFrom(lines: readonly number[], place: TablePlace): CellsFrom {
  const ofTable = lines.filter((line) => isInTable(line, place))
  return { cells: ofTable.length, line: ofTable.length === 0 ? null : Math.min(...ofTable) }
}

interface Header extends Pick<TablePlace, 'headerLine' | 'headerRows'> {
  readonly records: AsyncGenerator<TableRow>
  /** The records among which it was searched. */
  readonly begun: readonly TableRow[]
}

/** Finds the header among the first records, where nobody said which it is; the records are all of them again. */
async function withHeader(
  all: AsyncGenerator<TableRow>,
  { headerLine, headerRows }: Pick<ImportReading, 'headerLine' | 'headerRows'>,
  across: readonly MergedAcross[] | undefined,
): Promise<Header> {
  if (headerLine !== null) return { records: all, begun: [], headerLine, headerRows: headerRows ?? 1 }
  const begun: TableRow[] = []
  while (begun.length < headRecords) {
    const next = await all.next()
    if (next.done) break
    begun.push(next.value)
  }
  const records = async function* (): AsyncGenerator<TableRow> {
    yield* begun
    yield* all
  }
  const found = headerRowsAmong(begun, across)
  const rows = headerRows ?? found.rows
  const place = rows === found.rows ? found.place : headerAmong(begun)
  return { records: records(), begun, headerLine: begun[place]?.line ?? 1, headerRows: rows }
}

/** Empty cells at the end of the header are separators too many, and no columns. */
function trimmedEnd(cells: readonly string[]): readonly string[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== '')
  return cells.slice(0, last + 1)
}
