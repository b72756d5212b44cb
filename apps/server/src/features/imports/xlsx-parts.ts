import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { damagedWorkbook, type OpenContent, unreadable } from './file-table.ts'
import type { Reading } from './reading.ts'
import { unpackParts } from './unpack-parts.ts'

type OnTag = (tag: SaxesTagPlain) => void
export interface PartHandler {
  onOpen?: OnTag
  onClose?: OnTag
  onText?: (text: string) => void
  /** Nothing more of the part is of interest. */
  isDone?: () => boolean
}

/** Bytes that are parsed at once: what comes of them is counted, and taken, before the next ones. */
const sliceBytes = 8 * 1024

/**
 * Reads parts of a workbook while the archive streams by. It returns after each small piece of them, so that a reader may take what
 * has come.
 *
 * @param handlerOf The handler of a part, or nothing to leave it packed.
 */
export async function* readParts(
  open: OpenContent,
  reading: Reading,
  handlerOf: (part: string) => PartHandler | undefined,
): AsyncGenerator<void> {
  const parsers = new Map<string, PartParser>()
  for await (const { part, bytes, isLast } of unpackParts(open, reading, (name) => handlerOf(name) !== undefined)) {
    const parser = parsers.get(part) ?? new PartParser(handlerOf(part) ?? {}, reading)
    parsers.set(part, parser)
    for (let at = 0; at < bytes.length && !parser.isDone; at += sliceBytes) {
      parser.write(bytes.subarray(at, at + sliceBytes))
      yield
    }
    if (isLast && !parser.isDone) parser.close()
    yield
  }
}

/** Parses one part, and refuses what no spreadsheet program writes before it takes memory. */
class PartParser {
  readonly #reading: Reading
  readonly #decoder = new TextDecoder()
  readonly #parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  readonly #isDone: () => boolean
  #depth = 0
  #sinceTag = 0

  constructor({ onOpen, onClose, onText, isDone = () => false }: PartHandler, reading: Reading) {
    this.#reading = reading
    this.#isDone = isDone
    this.#parser.on('opentag', (tag) => {
      reading.tag()
      this.#sinceTag = 0
      this.#depth += 1
      const max = reading.limits.depth
      if (this.#depth > max)
        throw unreadable(
          'workbook_nested',
          `The workbook nests its tags more than ${max} deep. Open it in a spreadsheet program, save it as CSV and upload that.`,
          { max: String(max) },
        )
      onOpen?.(tag)
    })
    this.#parser.on('closetag', (tag) => {
      this.#sinceTag = 0
      this.#depth -= 1
      onClose?.(tag)
    })
    if (onText) this.#parser.on('text', onText)
    this.#parser.on('error', (error) => {
      throw error
    })
  }

  get isDone(): boolean {
    return this.#isDone()
  }

  write(bytes: Uint8Array): void {
    this.#parse(this.#decoder.decode(bytes, { stream: true }))
  }

  close(): void {
    this.#parse(this.#decoder.decode())
    asDamage(() => this.#parser.close())
  }

  #parse(text: string): void {
    asDamage(() => this.#parser.write(text))
    this.#sinceTag += text.length
    const max = this.#reading.limits.betweenTags
    if (this.#sinceTag > max)
      throw unreadable(
        'workbook_long_text',
        `The workbook holds a text of more than ${max.toLocaleString('en')} characters. Open it in a spreadsheet program, save it as CSV and upload that.`,
        { max: String(max) },
      )
  }
}

/** What the parser throws for broken content is an Error and nothing more special; our own refusals and defects pass through unchanged. */
function asDamage(parse: () => void): void {
  try {
    parse()
  } catch (error) {
    if (error instanceof Error && error.constructor === Error) throw damagedWorkbook()
    throw error
  }
}

/** Names without the prefix that some programs give every tag: `x:row` is `row`. */
export const localName = (tag: SaxesTagPlain): string => tag.name.slice(tag.name.indexOf(':') + 1)
export const attribute = (tag: SaxesTagPlain, name: string): string => tag.attributes[name] ?? ''
