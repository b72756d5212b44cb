import { Unzip, UnzipInflate, UnzipPassThrough } from 'fflate'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { type OpenContent, unreadable } from './file-table.ts'
import { StringTable } from './string-table.ts'

/** Bytes that one part may unpack to: small files that unpack to gigabytes are no manifests. */
const maxPartBytes = 1024 * 1024 * 1024

/** What there is to know of a workbook before its sheet can be read. */
export interface Workbook {
  readonly strings: StringTable
  /** By number of a cell's style: whether its number is a date, a time of day, or both. */
  readonly dateStyles: readonly DateStyle[]
  readonly epoch: 1900 | 1904
  /** Part of the archive with the first sheet. */
  readonly sheetPart: string
}
export type DateStyle = 'none' | 'date' | 'time' | 'datetime'

type OnTag = (tag: SaxesTagPlain) => void
export interface PartHandler {
  onOpen?: OnTag
  onClose?: OnTag
  onText?: (text: string) => void
}

/**
 * Unpacks parts of a workbook while the archive streams by. `between` is called after each piece of it, so that a reader may take
 * what has come.
 *
 * @param handlerOf The handler of a part, or nothing to leave it packed.
 */
export async function* readParts(
  open: OpenContent,
  handlerOf: (part: string) => PartHandler | undefined,
): AsyncGenerator<void> {
  const unzip = new Unzip((file) => {
    const handler = handlerOf(file.name)
    if (!handler) return
    const parser = parserOf(handler)
    const decoder = new TextDecoder()
    let bytes = 0
    file.ondata = (error, chunk, isLast) => {
      if (error) throw unreadable('workbook_damaged', 'The workbook is damaged: it cannot be unpacked.')
      bytes += chunk.length
      if (bytes > maxPartBytes)
        throw unreadable('workbook_too_large', 'The workbook unpacks to more than any list of guests holds.')
      parser.write(decoder.decode(chunk, { stream: !isLast }))
      if (isLast) parser.close()
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  unzip.register(UnzipPassThrough)
  try {
    for await (const chunk of await open()) {
      unzip.push(chunk)
      yield
    }
    unzip.push(new Uint8Array(0), true)
    yield
  } catch (error) {
    if (error instanceof Error && isDamage(error))
      throw unreadable('workbook_damaged', 'The workbook is damaged: it cannot be read.')
    throw error
  }
}

/** What the libraries throw for broken content; everything else (a disk, our own refusals) goes on as it is. */
const isDamage = (error: Error): boolean => error.constructor === Error && !('syscall' in error)

function parserOf({ onOpen, onClose, onText }: PartHandler): Pick<SaxesParser, 'write' | 'close'> {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  if (onOpen) parser.on('opentag', onOpen)
  if (onClose) parser.on('closetag', onClose)
  if (onText) parser.on('text', onText)
  parser.on('error', (error) => {
    throw error
  })
  return parser
}

/** Names without the prefix that some programs give every tag: `x:row` is `row`. */
export const localName = (tag: SaxesTagPlain): string => tag.name.slice(tag.name.indexOf(':') + 1)
const attribute = (tag: SaxesTagPlain, name: string): string => tag.attributes[name] ?? ''

/** @throws AppError for an archive that holds no sheet. */
export async function readWorkbook(open: OpenContent): Promise<Workbook> {
  const strings = new StringTable()
  const targets = new Map<string, string>()
  const formats = new Map<number, string>()
  const styleFormats: number[] = []
  let firstSheet = ''
  let epoch: 1900 | 1904 = 1900
  const handlers: Readonly<Record<string, PartHandler>> = {
    'xl/workbook.xml': {
      onOpen: (tag) => {
        if (localName(tag) === 'sheet' && firstSheet === '') firstSheet = attribute(tag, 'r:id')
        if (localName(tag) === 'workbookPr' && ['1', 'true'].includes(attribute(tag, 'date1904'))) epoch = 1904
      },
    },
    'xl/_rels/workbook.xml.rels': {
      onOpen: (tag) => {
        if (localName(tag) === 'Relationship') targets.set(attribute(tag, 'Id'), attribute(tag, 'Target'))
      },
    },
    'xl/styles.xml': stylesHandler(formats, styleFormats),
    'xl/sharedStrings.xml': stringsHandler(strings),
  }
  const parts = readParts(open, (part) => handlers[part])
  while (!(await parts.next()).done);
  const target = targets.get(firstSheet)
  if (!target) throw unreadable('no_sheet', 'The workbook has no sheet.')
  return {
    strings,
    epoch,
    dateStyles: styleFormats.map((id) => dateStyleOf(id, formats.get(id))),
    sheetPart: target.startsWith('/') ? target.slice(1) : `xl/${target}`,
  }
}

function stylesHandler(formats: Map<number, string>, styleFormats: number[]): PartHandler {
  let isInCells = false
  return {
    onOpen: (tag) => {
      const name = localName(tag)
      if (name === 'numFmt') formats.set(Number(attribute(tag, 'numFmtId')), attribute(tag, 'formatCode'))
      if (name === 'cellXfs') isInCells = true
      if (name === 'xf' && isInCells) styleFormats.push(Number(attribute(tag, 'numFmtId') || 0))
    },
    onClose: (tag) => {
      if (localName(tag) === 'cellXfs') isInCells = false
    },
  }
}

/** A text may stand in several runs of different look; how it is to be pronounced (`rPh`) is not part of it. */
function stringsHandler(strings: StringTable): PartHandler {
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
function dateStyleOf(id: number, code: string | undefined): DateStyle {
  if (code === undefined) {
    if (id === 22) return 'datetime'
    if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || (id >= 50 && id <= 58)) return 'date'
    return (id >= 18 && id <= 21) || (id >= 32 && id <= 36) || (id >= 45 && id <= 47) ? 'time' : 'none'
  }
  // text in quotes, colors and currencies in brackets, escaped characters are no part of the pattern
  const pattern = code.replaceAll(/"[^"]*"|\[(?!h+\]|m+\]|s+\])[^\]]*\]|\\.|_./gi, '').toLowerCase()
  const hasDate = /[yd]/.test(pattern) || /m{3,}/.test(pattern)
  const hasTime = /[hs]/.test(pattern)
  if (hasDate) return hasTime ? 'datetime' : 'date'
  return hasTime ? 'time' : 'none'
}
