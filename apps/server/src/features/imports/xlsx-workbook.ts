import type { AppError } from '@tour-ops/contract/errors'
import type { DateStyle, DayEpoch } from './day-numbers.ts'
import { type FileSheet, type OpenContent, unreadable } from './file-table.ts'
import type { Reading } from './reading.ts'
import { StringTable } from './string-table.ts'
import { attribute, localName, type PartHandler, readParts } from './xlsx-parts.ts'

/** What there is to know of a workbook before its sheet can be read. */
export interface Workbook {
  readonly strings: StringTable
  /** By number of a cell's style: whether its number is a date, a time of day, or both. */
  readonly dateStyles: readonly DateStyle[]
  readonly epoch: DayEpoch
  /** Sheets that have a part, in their order. */
  readonly sheets: readonly WorkbookSheet[]
}
interface WorkbookSheet extends FileSheet {
  /** Part of the archive. */
  readonly part: string
}

/** @throws AppError for an archive that holds no sheet. */
export async function readWorkbook(open: OpenContent, reading: Reading): Promise<Workbook> {
  const strings = new StringTable()
  const styles = new CellStyles()
  const targets = new PartTargets()
  const named: { id: string; name: string; isHidden: boolean }[] = []
  let epoch: DayEpoch = 1900
  const handlers = new Map<string, PartHandler>([
    [
      'xl/workbook.xml',
      {
        onOpen: (tag) => {
          if (localName(tag) === 'sheet' && named.length < maxTargets)
            named.push({
              id: attribute(tag, 'r:id'),
              name: attribute(tag, 'name').slice(0, maxSheetName),
              isHidden: attribute(tag, 'state').toLowerCase().endsWith('hidden'),
            })
          if (localName(tag) === 'workbookPr' && ['1', 'true'].includes(attribute(tag, 'date1904'))) epoch = 1904
        },
      },
    ],
    [
      'xl/_rels/workbook.xml.rels',
      {
        onOpen: (tag) => {
          if (localName(tag) === 'Relationship') targets.add(attribute(tag, 'Id'), attribute(tag, 'Target'))
        },
      },
    ],
    ['xl/styles.xml', stylesHandler(styles)],
    ['xl/sharedStrings.xml', stringsHandler(strings, reading)],
  ])
  const parts = readParts(open, reading, (part) => handlers.get(part))
  while (!(await parts.next()).done);
  const sheets = named.flatMap(({ id, name, isHidden }) => {
    const target = targets.of(id)
    return target ? [{ name, isHidden, part: target.startsWith('/') ? target.slice(1) : `xl/${target}` }] : []
  })
  if (sheets.length === 0) throw noSheet()
  return {
    strings,
    epoch,
    dateStyles: styles.all(),
    sheets,
  }
}

export const noSheet = (): AppError => unreadable('no_sheet', 'The workbook has no sheet.')

/** Characters of the name of a sheet that are stored. Source: Excel, 31 characters. */
const maxSheetName = 100

/** Parts that a workbook names at most; an archive with more is refused as well. */
const maxTargets = 1_000
/** Characters of an id and of the name of a part that are stored; no program writes names as long. */
const maxTargetLength = 1_000

/** Where the sheets are: by the name that the workbook has for them. */
class PartTargets {
  readonly #targets = new Map<string, string>()

  add(id: string, target: string): void {
    if (this.#targets.size === maxTargets)
      throw unreadable(
        'workbook_too_many_links',
        `The workbook refers to more than ${maxTargets.toLocaleString('en')} sheets and other parts. Save its first sheet as CSV and upload that.`,
        { max: String(maxTargets) },
      )
    if (id.length <= maxTargetLength && target.length <= maxTargetLength) this.#targets.set(id, target)
  }

  of(id: string): string | undefined {
    return this.#targets.get(id)
  }
}

/** Styles of cells and formats of numbers that one workbook can have. Source: Excel specifications and limits, 65,490 styles. */
const maxStyles = 65_536
/** Source: Excel, 255 characters of a number format. */
const maxFormatLength = 255

/** Which styles of cells show a number as a date. A style may come before the format that it names. */
class CellStyles {
  readonly #formats = new Map<number, DateStyle>()
  readonly #styles: number[] = []

  addFormat(id: number, code: string): void {
    this.#requireRoom(this.#formats.size)
    this.#formats.set(id, code.length > maxFormatLength ? 'none' : dateStyleOfCode(code))
  }

  addStyle(formatId: number): void {
    this.#requireRoom(this.#styles.length)
    this.#styles.push(formatId)
  }

  /** By number of the style. */
  all(): DateStyle[] {
    return this.#styles.map((id) => this.#formats.get(id) ?? builtInDateStyle(id))
  }

  #requireRoom(count: number): void {
    if (count < maxStyles) return
    throw unreadable(
      'workbook_too_many_styles',
      `The workbook has more than ${maxStyles} styles. Save its first sheet as CSV and upload that.`,
      { max: String(maxStyles) },
    )
  }
}

function stylesHandler(styles: CellStyles): PartHandler {
  let isInCells = false
  return {
    onOpen: (tag) => {
      const name = localName(tag)
      if (name === 'numFmt') styles.addFormat(Number(attribute(tag, 'numFmtId')), attribute(tag, 'formatCode'))
      if (name === 'cellXfs') isInCells = true
      if (name === 'xf' && isInCells) styles.addStyle(Number(attribute(tag, 'numFmtId') || 0))
    },
    onClose: (tag) => {
      if (localName(tag) === 'cellXfs') isInCells = false
    },
  }
}

/** A text may be in several runs with different formatting; how it is to be pronounced (`rPh`) is not part of it. */
function stringsHandler(strings: StringTable, reading: Reading): PartHandler {
  let text = ''
  let isInText = false
  let phonetic = 0
  return {
    onOpen: (tag) => {
      const name = localName(tag)
      if (name === 'si') text = ''
      if (name === 'rPh') phonetic += 1
      isInText = name === 't' && phonetic === 0
    },
    onText: (piece) => {
      if (isInText) text += piece
      reading.cell(text, strings.size + 1)
    },
    onClose: (tag) => {
      const name = localName(tag)
      if (name === 't') isInText = false
      if (name === 'rPh') phonetic -= 1
      if (name === 'si') strings.add(text)
    },
  }
}

/** Formats that every workbook knows without writing them down. Source: ECMA-376, part 1, 18.8.30, `numFmt`. */
function builtInDateStyle(id: number): DateStyle {
  if (id === 22) return 'datetime'
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || (id >= 50 && id <= 58)) return 'date'
  return (id >= 18 && id <= 21) || (id >= 32 && id <= 36) || (id >= 45 && id <= 47) ? 'time' : 'none'
}

function dateStyleOfCode(code: string): DateStyle {
  // text in quotes, colors and currencies in brackets, escaped characters are no part of the pattern
  const pattern = code.replaceAll(/"[^"]*"|\[(?!h+\]|m+\]|s+\])[^\]]*\]|\\.|_./gi, '').toLowerCase()
  const hasDate = /[yd]/.test(pattern) || /m{3,}/.test(pattern)
  const hasTime = /[hs]/.test(pattern)
  if (hasDate) return hasTime ? 'datetime' : 'date'
  return hasTime ? 'time' : 'none'
}
