import { Readable } from 'node:stream'
import type { FileDelimiter, TextEncodingName } from '@tour-ops/contract/imports/import-reading'
import { CsvError, parse } from 'csv-parse'
import { type FileTable, type OpenContent, type TableRow, tooManyColumns, unreadable } from './file-table.ts'
import { Reading, readingLimits } from './reading.ts'
import { separatorOf } from './separator.ts'
import { findEncoding } from './text-encoding.ts'

/** Enough of the file to find the separator: titles, the header and some lines. */
const lookBytes = 64 * 1024
/** A record larger than this is a quote that was never closed. */
const maxRecordBytes = 256 * 1024

/** How web pages and XML begin, which some programs save as .xls. */
const markup =
  /^\s*<(?:!doctype\s|!--|\?xml[\s?]|html[\s>]|head[\s>]|body[\s>]|meta[\s>]|style[\s>]|table[\s>]|div[\s>])/i

/** What is known about a text before it is opened; the rest is found. */
export interface TextForm {
  readonly encoding: TextEncodingName | null
  readonly delimiter: FileDelimiter | null
}

/** Opens text of values that are separated by commas, semicolons, tabs or bars, in one of the encodings of the contract. */
export async function openCsv(
  openContent: OpenContent,
  { encoding: known, delimiter: chosen }: TextForm = { encoding: null, delimiter: null },
  limits = readingLimits,
): Promise<FileTable> {
  const encoding = known ?? (await findEncoding(openContent))
  const head = await headOf(openContent, encoding)
  if (markup.test(head))
    throw unreadable(
      'markup',
      'This is a web page or an XML file under the name of a table. Open it in a spreadsheet program, save it as .xlsx and upload that.',
    )
  const { delimiter, headLines } = separatorOf(head, chosen)
  return {
    encoding,
    delimiter,
    sheets: [],
    sheet: null,
    async *records() {
      const reading = new Reading(limits)
      // Lines are counted while the parser reads: what it has not handed out yet is lost when it fails.
      let endOfLast = 0
      const open = { separators: 0 }
      const numbered = (cells: string[]): TableRow => {
        open.separators = 0
        const line = endOfLast + 1
        endOfLast = line + breaksIn(cells)
        return { line, cells }
      }
      const parser = parse({
        delimiter,
        // its types know records as lists of cells only
        on_record: numbered as unknown as (cells: string[]) => string[],
        relax_column_count: true,
        // a quote in the middle of an unquoted cell is a character like any other: 5" pipe
        relax_quotes: true,
        max_record_size: maxRecordBytes,
      })
      const texts = boundedRecords(decoded(await openContent(), encoding), delimiter, open)
      // the count is about what the parser has: little may be on its way to it
      const text = Readable.from(texts, { highWaterMark: 1 })
      text.on('error', (error) => parser.destroy(error))
      try {
        for await (const found of text.pipe(parser)) {
          const { line, cells } = found as TableRow
          reading.cells(cells.length)
          if (line > headLines && reading.row(line, cells)) yield { line, cells }
        }
      } catch (error) {
        if (error instanceof CsvError)
          throw unreadable(
            'quote_open',
            `The file cannot be read from line ${endOfLast + 1} on: a quotation mark is not closed.`,
            { line: String(endOfLast + 1) },
          )
        throw error
      } finally {
        text.destroy()
      }
    },
  }
}

/** Lines that a record continues for: breaks in quoted cells. */
function breaksIn(cells: readonly string[]): number {
  let breaks = 0
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) breaks += cell.match(/\r\n|\r|\n/g)?.length ?? 0
  }
  return breaks
}

async function headOf(open: OpenContent, encoding: TextEncodingName): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const chunk of await open()) {
    pieces.push(chunk)
    length += chunk.length
    if (length >= lookBytes) break
  }
  return new TextDecoder(encoding).decode(Buffer.concat(pieces).subarray(0, lookBytes))
}

async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: TextEncodingName): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** Characters that go to the parser at once. */
const sliceLength = 64 * 1024
/** Separators since the end of the last record: those of a record, and those that are on their way to the parser. */
const maxSeparators = 2 * maxRecordBytes

/**
 * The parser counts the text of a record and not its cells: separators without end would become one list that takes all the memory at once, which
 * ends the process and not only the thread. A line break does not end a record, since it may be in a quoted cell; the parser says what does.
 *
 * @param open Separators since the last record that the parser has handed out.
 */
async function* boundedRecords(
  texts: AsyncIterable<string>,
  delimiter: FileDelimiter,
  open: { separators: number },
): AsyncGenerator<string> {
  for await (const text of texts) {
    for (let at = 0; at < text.length; at += sliceLength) {
      const slice = text.slice(at, at + sliceLength)
      open.separators += slice.split(delimiter).length - 1
      if (open.separators > maxSeparators) throw tooManyColumns()
      yield slice
    }
  }
}
