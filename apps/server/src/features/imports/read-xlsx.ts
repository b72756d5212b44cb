import { type SheetHead, sheetWithTable } from './choose-sheet.ts'
import { type DateStyle, momentOf } from './day-numbers.ts'
import {
  type FileTable,
  maxColumns,
  type MergedAcross,
  type MergedCell,
  type OpenContent,
  type TableRow,
  tooManyColumns,
  unreadable,
} from './file-table.ts'
import { Reading, readingLimits } from './reading.ts'
import { headRecords } from './table-place.ts'
import { attribute, localName, type PartHandler, readParts } from './xlsx-parts.ts'
import { noSheet, readWorkbook, type Workbook } from './xlsx-workbook.ts'

/**
 * Opens a sheet of a workbook: the one that was chosen, else the one with the table. Typed dates become civil dates, so that their order of day
 * and month is known.
 *
 * @param chosen Place of the sheet in the workbook.
 */
export async function openXlsx(
  open: OpenContent,
  chosen: number | null = null,
  limits = readingLimits,
): Promise<FileTable> {
  const look = new Reading(limits)
  const workbook = await readWorkbook(open, look)
  const place = chosen ?? (workbook.sheets.length === 1 ? 0 : sheetWithTable(await headsOf(open, workbook, look)))
  const sheet = workbook.sheets[place]
  if (!sheet) throw noSheet()
  const unshown: FoundInSheet = { merged: [], across: [], formulas: [] }
  return {
    encoding: 'xlsx',
    delimiter: null,
    sheets: workbook.sheets.map(({ name, isHidden }) => ({ name, isHidden })),
    sheet: place,
    epoch: workbook.epoch,
    unshown,
    async *records() {
      const reading = new Reading(limits)
      for (const found of Object.values(unshown)) found.length = 0
      const rows: TableRow[] = []
      const handler = sheetHandler(workbook, reading, (row) => rows.push(row), unshown)
      const parts = readParts(open, reading, (part) => (part === sheet.part ? handler : undefined))
      for await (const _ of parts) {
        yield* rows
        rows.length = 0
      }
    },
  }
}

interface FoundInSheet {
  readonly merged: MergedCell[]
  readonly across: MergedAcross[]
  readonly formulas: number[]
}

/** Sheets that are looked into for the table. */
const maxSheetsSeen = 50

/** The first rows of each sheet; what follows them is unpacked and not parsed. */
async function headsOf(open: OpenContent, workbook: Workbook, reading: Reading): Promise<SheetHead[]> {
  const heads = workbook.sheets
    .slice(0, maxSheetsSeen)
    .map(({ part, isHidden }) => ({ part, isHidden, rows: [] as TableRow[] }))
  const handlers = new Map(
    heads.map(({ part, rows }): [string, PartHandler] => [
      part,
      { ...sheetHandler(workbook, reading, (row) => rows.push(row)), isDone: () => rows.length >= headRecords },
    ]),
  )
  const parts = readParts(open, reading, (part) => handlers.get(part))
  while (!(await parts.next()).done);
  return heads
}

/** Reads cells as they come. A cell may leave out its reference, and empty ones are left out altogether. */
function sheetHandler(
  workbook: Workbook,
  reading: Reading,
  onRow: (row: TableRow) => void,
  unshown?: FoundInSheet,
): PartHandler {
  let line = 0
  let cells: string[] = []
  let column = -1
  let type = ''
  let style: DateStyle = 'none'
  let value = ''
  let isInValue = false
  let hasValue = false
  let formula: string | null = null
  let isInFormula = false
  return {
    onOpen: (tag) => {
      const name = localName(tag)
      if (name === 'row') {
        const said = Number(tag.attributes['r'])
        line = said > line && said <= maxLine && Number.isInteger(said) ? said : line + 1
        cells = []
        column = -1
      } else if (name === 'c') {
        const place = tag.attributes['r']
        column = place === undefined ? column + 1 : columnOf(place)
        type = tag.attributes['t'] ?? 'n'
        style = workbook.dateStyles[Number(tag.attributes['s'] ?? 0)] ?? 'none'
        value = ''
        formula = null
        hasValue = false
      } else if (name === 'mergeCell') {
        const [first = '', last = ''] = attribute(tag, 'ref').split(':')
        const cell = { line: lineOf(first), lastLine: lineOf(last), column: columnOf(first) }
        const isTable = cell.column >= 0 && cell.column < maxColumns && cell.lastLine <= maxLine
        if (isTable && cell.lastLine > cell.line) noteMerged(unshown?.merged, cell)
        const lastColumn = Math.min(columnOf(last), maxColumns - 1)
        if (isTable && lastColumn > cell.column) noteAcross(unshown?.across, { ...cell, lastColumn })
      }
      isInValue = name === 'v' || name === 't'
      isInFormula = name === 'f'
      hasValue ||= isInValue
      if (isInFormula) formula = ''
    },
    onText: (text) => {
      if (isInFormula) formula += text
      if (isInValue) value += text
      reading.cell(isInFormula ? (formula ?? '') : value, line)
    },
    onClose: (tag) => {
      const name = localName(tag)
      if (name === 'v' || name === 't') isInValue = false
      if (name === 'f') isInFormula = false
      if (name === 'c') {
        const isUncounted = formula !== null && !hasValue
        if (isUncounted) noteFormula(unshown?.formulas, line)
        // never emptied in silence: a program that counts nothing wrote it, and the formula says what is missing
        const text = isUncounted ? `=${formula || '?'}` : textOf(workbook, type, style, value)
        reading.cells(1)
        if (column >= maxColumns && text !== '') throw tooManyColumns()
        // a style alone makes a cell, often up to the end of the row
        if (column < 0 || column >= maxColumns) return
        while (cells.length < column) cells.push('')
        cells[column] = text
      }
      if (name === 'row' && reading.row(line, cells)) onRow({ line, cells })
    },
  }
}

/** Lines of formulas that are counted; many more would be no different. */
const maxFormulas = 10_000
/** They are stored with the file, to be filled in each time it is read. */
const maxMerged = 2_000

function noteFormula(lines: number[] | undefined, line: number): void {
  if (lines && lines.length < maxFormulas) lines.push(line)
}

function noteMerged(merged: MergedCell[] | undefined, cell: MergedCell): void {
  if (merged?.length === maxMerged)
    throw unreadable(
      'workbook_too_many_merged',
      `The sheet has more than ${maxMerged.toLocaleString('en')} cells that are merged over several rows. Split them, or save the sheet as CSV and upload that.`,
      { max: String(maxMerged) },
    )
  merged?.push(cell)
}

/** Merged cells within these lines may be groups of a header, and so many of them. */
const acrossLines = 1_000
const maxAcross = 2_000

function noteAcross(across: MergedAcross[] | undefined, { line, column, lastColumn }: MergedAcross): void {
  if (across && line <= acrossLines && across.length < maxAcross) across.push({ line, column, lastColumn })
}

/** `AB12` → 12. */
const lineOf = (place: string): number => Number(place.replace(/^\D+/, ''))

/** Highest number of a row. Source: Excel specifications and limits. */
const maxLine = 1_048_576

/** `AB12` → 27. */
function columnOf(place: string): number {
  let column = 0
  for (const character of place) {
    const digit = character.charCodeAt(0) - 64
    if (digit < 1 || digit > 26) break
    column = column * 26 + digit
  }
  return column - 1
}

function textOf({ strings, epoch }: Workbook, type: string, style: DateStyle, value: string): string {
  if (type === 's') return strings.at(Number(value))
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type === 'e') return ''
  // what a program that writes dates as text (`t="d"`) wrote is ISO already
  if (type !== 'n') return value
  if (style === 'none') return plainNumber(value)
  // what is no day of the calendar stays a number, so that the line says so
  return value === '' ? '' : (momentOf(Number(value), style, epoch) ?? plainNumber(value))
}

/** `1.2300000000000001E1` is how some programs write 12.3; fifteen digits are what a sheet shows. */
function plainNumber(value: string): string {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) return value
  return Number.isInteger(number) ? number.toFixed(0) : String(Number(number.toPrecision(15)))
}
