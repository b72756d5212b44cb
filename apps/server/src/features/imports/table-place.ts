import { isBlank, type TableRow } from './file-table.ts'
import { fieldOfHeader } from './import-headers.ts'
import { wordKey } from './word-key.ts'

/** Where the table is in its file; lines as people count them. */
export interface TablePlace {
  readonly headerLine: number
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
  onHeader: (row: TableRow) => void = () => undefined,
  onLeftOut: (row: TableRow, reason: LeftOutReason) => void = () => undefined,
): AsyncGenerator<TableRow> {
  let header: readonly string[] | undefined
  let held: TableRow[] = []
  for await (const row of records) {
    if (!header) {
      if (place && row.line < place.headerLine) onLeftOut(row, 'title')
      else {
        header = row.cells.map((cell) => cell.trim())
        onHeader(row)
      }
      continue
    }
    if (!place) {
      yield row
      continue
    }
    if (place.lastLine !== null && row.line > place.lastLine) break
    if (isRepeated(header, row.cells)) onLeftOut(row, 'repeated_header')
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
    if ((header[place] ?? '') !== (cells[place] ?? '').trim()) return false
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
