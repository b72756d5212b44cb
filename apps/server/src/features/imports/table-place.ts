import { isBlank, type MergedAcross, type TableRow } from './file-table.ts'
import { fieldOfHeader } from './import-headers.ts'
import { wordKey } from '../../platform/word-key.ts'

/** Where the table is in its file; lines as people count them. */
export interface TablePlace {
  readonly headerLine: number
  /** Rows of the header; absent in files that an older version read, whose header is one row. */
  readonly headerRows?: number
  /** The last line that counts, where a person said so; null for the end of the file, without totals. */
  readonly lastLine: number | null
}

/** Records at the beginning of a file among which the header is searched. */
export const headRecords = 50

/** What a header may have in common with values at most: a number, a date, an address. */
const valueLike = /^[\d\s.,:/+€$£-]*\d[\d\s.,:/+€$£-]*$|@/

const filledIn = (cells: readonly string[]): string[] => cells.map((cell) => cell.trim()).filter((cell) => cell !== '')

/** Headers of a row that name a field, if it can be a header at all. */
export function recognizedIn(cells: readonly string[]): number {
  const filled = filledIn(cells)
  if (filled.some((cell) => valueLike.test(cell))) return 0
  return filled.filter((cell) => fieldOfHeader(cell) !== undefined).length
}

/**
 * The header among the first records: the first row with several words that headers have, else the first row that is as wide as the table. Titles
 * above it have a cell or two.
 *
 * @returns its place among the records; 0 where nothing tells.
 */
export function headerAmong(records: readonly TableRow[]): number {
  const widths = records.map(({ cells }) => filledIn(cells).length)
  const usual = widths.toSorted((a, b) => a - b)[Math.floor(widths.length * 0.75)] ?? 1
  const isWide = (place: number): boolean => (widths[place] ?? 0) >= usual * 0.6
  const named = records.findIndex(({ cells }, place) => {
    const recognized = recognizedIn(cells)
    return isWide(place) && recognized >= 2 && recognized * 3 >= (widths[place] ?? 0)
  })
  const wide = records.findIndex((_, place) => isWide(place))
  if (named < 0) return Math.max(0, wide)
  // rows above a named header that are as wide as the table, and many, are rows of it
  return named - wide > 5 ? wide : named
}

/** The first row of the header, and how many it has. */
export interface HeaderPlace {
  readonly place: number
  readonly rows: number
}

/**
 * The header among the first records, with the row of groups above the names of columns, or the names below the groups, where there is such a row.
 *
 * @param across Cells that a workbook merges over several columns, which is how groups are written there.
 */
export function headerRowsAmong(records: readonly TableRow[], across: readonly MergedAcross[] = []): HeaderPlace {
  const place = headerAmong(records)
  if (isGrouped(records, place - 1, across, false)) return { place: place - 1, rows: 2 }
  return { place, rows: isGrouped(records, place, across, true) ? 2 : 1 }
}

/** Whether a row has the groups of the columns that the next row names. */
function isGrouped(
  records: readonly TableRow[],
  place: number,
  across: readonly MergedAcross[],
  isHeader: boolean,
): boolean {
  const [upper, lower] = [records[place], records[place + 1]]
  if (!upper || !lower || lower.line !== upper.line + 1) return false
  const names = filledIn(lower.cells)
  const groups = filledIn(upper.cells)
  // a title is one cell, and what looks like a value is none of a header
  if (groups.length < 2 || names.length < 2 || [...groups, ...names].some((cell) => valueLike.test(cell))) return false
  const named = recognizedIn(lower.cells)
  if (named * 2 < names.length) return false
  const isMerged = across.some(
    ({ line, column, lastColumn }) =>
      line === upper.line && filledIn(lower.cells.slice(column, lastColumn + 1)).length > 1,
  )
  if (isMerged) return true
  if (isHeader && named === names.length && isCompleted(upper.cells, lower.cells)) return true
  const joined = filledIn(joinedHeader([upper, lower]))
  const isToldApart = new Set(names).size < names.length && new Set(joined).size === joined.length
  return isToldApart || recognizedIn(joined) > Math.max(named, recognizedIn(upper.cells))
}

/** Whether the lower row has names where the upper has none, and none where a name above is enough. */
function isCompleted(upper: readonly string[], lower: readonly string[]): boolean {
  const isFilled = (cells: readonly string[], column: number): boolean => (cells[column] ?? '').trim() !== ''
  const columns = Array.from({ length: Math.max(upper.length, lower.length) }, (_, column) => column)
  return (
    columns.some((column) => !isFilled(upper, column) && isFilled(lower, column)) &&
    columns.some((column) => isFilled(upper, column) && !isFilled(lower, column))
  )
}

/**
 * One header of several rows: each name has its group before it. A group is that of the columns it is merged over; where nothing is merged, of the
 * empty cells behind it, if there is a name below it.
 */
export function joinedHeader(rows: readonly TableRow[], across: readonly MergedAcross[] = []): readonly string[] {
  const [first, ...others] = rows
  if (!first) return []
  let above = spread(first, others[0], across)
  for (const [place, row] of others.entries()) {
    const cells = spread(row, others[place + 1], across)
    const width = Math.max(above.length, cells.length)
    const upper = above
    above = Array.from({ length: width }, (_, column) => {
      const parts = [upper[column] ?? '', cells[column] ?? ''].filter((cell) => cell !== '')
      return [...new Set(parts)].join(' ')
    })
  }
  return above
}

/** The cells of a row of the header, each in all columns that it is the group of. */
function spread(
  { line, cells }: TableRow,
  below: TableRow | undefined,
  across: readonly MergedAcross[],
): readonly string[] {
  const said = cells.map((cell) => cell.trim())
  if (!below) return said
  const merged = across.filter((cell) => cell.line === line)
  if (merged.length > 0) {
    const spreadOut = [...said]
    for (const { column, lastColumn } of merged) {
      while (spreadOut.length <= lastColumn) spreadOut.push('')
      spreadOut.fill(said[column] ?? '', column, lastColumn + 1)
    }
    return spreadOut
  }
  let group = ''
  return Array.from({ length: Math.max(said.length, below.cells.length) }, (_, column) => {
    const own = said[column] ?? ''
    const name = (below.cells[column] ?? '').trim()
    if (own !== '') group = name === '' ? '' : own
    return own === '' && name !== '' ? group : own
  })
}

export type LeftOutReason = 'title' | 'repeated_header' | 'total'

/** Totals at the end that are held back at most, until it is known that nothing follows. */
const maxTotals = 5

/**
 * The rows of a table, from the line below its header on. Titles above it, headers that are repeated on every page and totals at the end are no rows.
 *
 * @param place Undefined for files that an older version analysed: the first record is the header, and everything else a row.
 */
export async function* bodyOf(
  records: AsyncIterable<TableRow>,
  place: TablePlace | undefined,
  onHeader: (rows: readonly TableRow[]) => void = () => undefined,
  onLeftOut: (row: TableRow, reason: LeftOutReason) => void = () => undefined,
): AsyncGenerator<TableRow> {
  const header: TableRow[] = []
  const headerRows = place?.headerRows ?? 1
  let held: TableRow[] = []
  for await (const row of records) {
    if (header.length < headerRows) {
      if (place && row.line < place.headerLine) onLeftOut(row, 'title')
      else header.push(row)
      if (header.length === headerRows) onHeader(header)
      continue
    }
    if (!place) {
      yield row
      continue
    }
    if (place.lastLine !== null && row.line > place.lastLine) break
    if (header.some(({ cells }) => isRepeated(cells, row.cells))) onLeftOut(row, 'repeated_header')
    else if (place.lastLine === null && held.length < maxTotals && isTotal(row.cells)) held.push(row)
    else {
      yield* held
      held = []
      yield row
    }
  }
  for (const row of held) onLeftOut(row, 'total')
}

function isRepeated(header: readonly string[], cells: readonly string[]): boolean {
  for (let place = 0; place < Math.max(header.length, cells.length); place += 1) {
    if ((header[place] ?? '').trim() !== (cells[place] ?? '').trim()) return false
  }
  return true
}

const totalStart = /^\s*(?:grand\s|sub|zwischen)?(?:tot|sum|ges|insg)/i
const totalKey =
  /^(?:grand )?(?:sub ?)?(?:totals?|totales|sum|summe|zwischensumme|gesamt|gesamtsumme|gesamtzahl|insgesamt|suma)(?: (?:general|pax|guests?|travell?ers?|passengers?|persons?|personen|teilnehmer|gaste|viajeros|pasajeros|personas))?(?: \d+)*$/
/** Counts and amounts, with a sign or code of a currency. */
const amount = /^[\p{Sc}\d\s.,'’()%-]*\d[\p{Sc}\d\s.,'’()%-]*(?:[A-Z]{3})?$|^[A-Z]{3}[\s\d.,'’-]*$/u

/** A row that begins with a word for totals and has nothing but numbers behind it: nobody is called so. */
function isTotal(cells: readonly string[]): boolean {
  const first = cells.findIndex((cell) => cell.trim() !== '')
  const word = cells[first] ?? ''
  if (!totalStart.test(word) || !totalKey.test(wordKey(word))) return false
  return cells.slice(first + 1).every((cell) => cell.trim() === '' || amount.test(cell.trim())) && !isBlank(cells)
}
