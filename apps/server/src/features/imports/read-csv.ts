import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { type Delimiter, type FileTable, type OpenContent, type TableRow, unreadable } from './file-table.ts'
import { Reading, type ReadingOptions } from './reading.ts'

/** Enough of the file to find the separator: the header and some lines. */
const lookBytes = 64 * 1024
/** A record larger than this is a quote that was never closed. */
const maxRecordBytes = 256 * 1024
const delimiters: readonly Delimiter[] = [',', ';', '\t']

/** Characters that are parsed before others may have their turn. */
const pieceLength = 4 * 1024

/**
 * Opens text of comma, semicolon or tab separated values. It is UTF-8, with or without byte order mark, if every byte of it is;
 * else Windows-1252, in which every sequence of bytes is valid.
 */
export async function openCsv(open: OpenContent, options: ReadingOptions = {}): Promise<FileTable> {
  const { encoding, head } = await lookThrough(open, new Reading(options))
  const { delimiter, headLines } = separatorOf(new TextDecoder(encoding).decode(head))
  return {
    encoding,
    delimiter,
    async *records() {
      const reading = new Reading(options)
      // Lines are counted while the parser reads: what it has not handed out yet is lost when it fails.
      let endOfLast = 0
      const numbered = (cells: string[]): TableRow => {
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
      const text = Readable.from(decoded(await open(), encoding, reading))
      text.on('error', (error) => parser.destroy(error))
      try {
        for await (const found of text.pipe(parser)) {
          const { line, cells } = found as TableRow
          reading.cells(cells.length)
          if (line > headLines && reading.row(line, cells)) {
            yield { line, cells }
            await reading.pace()
          }
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

async function lookThrough(
  open: OpenContent,
  reading: Reading,
): Promise<{ encoding: 'utf-8' | 'windows-1252'; head: Uint8Array }> {
  const pieces: Uint8Array[] = []
  let length = 0
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let encoding: 'utf-8' | 'windows-1252' = 'utf-8'
  const check = (chunk?: Uint8Array): void => {
    try {
      if (encoding === 'utf-8') decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      encoding = 'windows-1252'
    }
  }
  for await (const chunk of await open()) {
    await reading.pace()
    if (length < lookBytes) {
      pieces.push(chunk)
      length += chunk.length
    } else if (encoding !== 'utf-8') break
    check(chunk)
  }
  check()
  return { encoding, head: Buffer.concat(pieces).subarray(0, lookBytes) }
}

/** The text in small pieces, each when it is this reader's turn. */
async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: string, reading: Reading): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    for (let at = 0; at < text.length; at += pieceLength) {
      await reading.pace()
      yield text.slice(at, at + pieceLength)
    }
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

/** The separator that cuts the first record into the most cells; a line `sep=;`, as Excel knows it, says it by itself. */
function separatorOf(head: string): { delimiter: Delimiter; headLines: number } {
  const declared = /^sep=([,;\t])\r?\n/.exec(head)?.[1] as Delimiter | undefined
  if (declared) return { delimiter: declared, headLines: 1 }
  const counts = new Map<string, number>(delimiters.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  let hasText = false
  for (const character of head) {
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '\n' && hasText) break
    else if (counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1)
    else if (character.trim() !== '') hasText = true
  }
  const [best = ','] = delimiters.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
  return { delimiter: best, headLines: 0 }
}
