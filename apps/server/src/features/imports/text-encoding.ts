import type { TextEncodingName } from '@tour-ops/contract/imports/import-reading'
import type { OpenContent } from './file-table.ts'
import { guessEncodings } from './guess-encoding.ts'

/** Bytes of lines by which the encoding is guessed. */
const sampleBytes = 32 * 1024
/** Bytes of one line of them: a line without end is no sample of names. */
const sampleLineBytes = 2 * 1024

/** Encodings in which not every sequence of bytes is text; one of them is taken only when the whole file is. */
const strict: ReadonlySet<string> = new Set(['gb18030', 'big5', 'shift_jis'])

/**
 * The encoding of a file, from all of its bytes: what the byte order mark says; UTF-16 where there are zero bytes; UTF-8 where every byte fits,
 * whatever statistics say; else the likeliest one that can read the whole file.
 */
export async function findEncoding(open: OpenContent): Promise<TextEncodingName> {
  const look = new Look()
  for await (const chunk of await open()) look.see(chunk)
  const certain = look.unicode()
  if (certain) return certain
  const sample = look.sample()
  if (isMostlyUtf8(sample)) return 'utf-8'
  for (const guess of guessEncodings(sample)) {
    if (!strict.has(guess) || (await isAll(guess, open))) return guess
  }
  return 'windows-1252'
}

/** A file that lost some bytes on its way is still UTF-8: what cannot be read in it is counted and shown. */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const foreign = new TextDecoder().decode(sample).match(/\P{ASCII}/gu) ?? []
  return foreign.filter((character) => character === '\ufffd').length * 10 < foreign.length
}

/** One pass through the bytes. */
class Look {
  readonly #first: number[] = []
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true })
  readonly #lines: Uint8Array[] = []
  #isUtf8 = true
  #seen = 0
  #collected = 0
  /** Zero bytes at even and at odd places. */
  readonly #zeros = [0, 0]
  /** What the last chunk had after its last line break. */
  #rest: Uint8Array = new Uint8Array(0)

  see(chunk: Uint8Array): void {
    if (this.#first.length < 3) this.#first.push(...chunk.subarray(0, 3 - this.#first.length))
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, at + 1)) {
      const place = (this.#seen + at) % 2
      this.#zeros[place] = (this.#zeros[place] ?? 0) + 1
    }
    this.#seen += chunk.length
    this.#checkUtf8(chunk)
    if (this.#collected < sampleBytes) this.#collect(chunk)
  }

  /** @returns undefined where the bytes are neither UTF-16 nor UTF-8. */
  unicode(): TextEncodingName | undefined {
    const marked = markOf(this.#first)
    if (marked) return marked
    const [even = 0, odd = 0] = this.#zeros
    // the letters A to Z have their zero in front in big endian, and no other encoding has zeros
    if (even + odd > 0) return odd >= even ? 'utf-16le' : 'utf-16be'
    this.#checkUtf8()
    return this.#isUtf8 ? 'utf-8' : undefined
  }

  /** Lines with bytes beyond ASCII. */
  sample(): Uint8Array {
    if (this.#collected < sampleBytes) this.#take(this.#rest)
    return Buffer.concat(this.#lines)
  }

  #checkUtf8(chunk?: Uint8Array): void {
    if (!this.#isUtf8) return
    try {
      this.#utf8.decode(chunk, { stream: chunk !== undefined })
    } catch {
      this.#isUtf8 = false
    }
  }

  /** A line break is no part of a character in any of the encodings that are guessed. */
  #collect(chunk: Uint8Array): void {
    let start = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, start)) {
      this.#take(joined(this.#rest, chunk.subarray(start, at + 1)))
      this.#rest = new Uint8Array(0)
      start = at + 1
      if (this.#collected >= sampleBytes) return
    }
    this.#rest = joined(this.#rest, chunk.subarray(start))
  }

  /** Copies it, since a view would keep the whole chunk. */
  #take(line: Uint8Array): void {
    if (!line.some((byte) => byte > 0x7f)) return
    const part = Uint8Array.from(line.length < sampleLineBytes ? line : line.subarray(0, lastBoundary(line)))
    this.#lines.push(part)
    this.#collected += part.length
  }
}

const lineFeed = 0x0a

/** The beginning of a line, of which more may follow. */
function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const more = second.subarray(0, sampleLineBytes - first.length)
  return first.length === 0 ? more : Buffer.concat([first, more])
}

/** Where a line may be cut: behind a byte that is the second one of no character. */
const lastBoundary = (line: Uint8Array): number =>
  line.findLastIndex((byte) => byte < 0x30 || (byte > 0x39 && byte < 0x40)) + 1

function markOf([first, second, third]: readonly number[]): TextEncodingName | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

async function isAll(encoding: TextEncodingName, open: OpenContent): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of await open()) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    // the content may be out of reach
    if (error instanceof TypeError) return false
    throw error
  }
}
