import { Inflate, Unzip, UnzipPassThrough, type UnzipDecoder } from 'fflate'
import { AppError } from '@tour-ops/contract/errors'
import { damagedWorkbook, type OpenContent, unreadable } from './file-table.ts'
import type { Reading } from './reading.ts'

/** Unpacked bytes of a part, in the order of the archive. */
export interface Unpacked {
  readonly part: string
  readonly bytes: Uint8Array
  readonly isLast: boolean
}

/** Packed bytes that are unpacked at once: a thousand times as many may come of them. */
const pieceBytes = 4 * 1024

/**
 * Unpacks the wanted parts of an archive while it streams by. What headers say about sizes is not trusted: bytes are counted as they
 * come.
 *
 * @throws AppError `invalid-argument` for a damaged archive, one with too many parts, and one that holds a wanted part more than once.
 */
export async function* unpackParts(
  open: OpenContent,
  reading: Reading,
  isWanted: (part: string) => boolean,
): AsyncGenerator<Unpacked> {
  const waiting: Unpacked[] = []
  const seen = new Set<string>()
  const unzip = new Unzip((file) => {
    const part = file.name
    reading.part()
    if (seen.has(part))
      throw unreadable(
        'workbook_repeats',
        'The workbook holds the same part more than once. Open it in a spreadsheet program, save it as CSV and upload that.',
      )
    if (isWanted(part)) seen.add(part)
    if (!(file.compression in decoders)) throw damagedWorkbook()
    file.ondata = (error, bytes, isLast) => {
      if (error) throw error
      if (!isWanted(part)) return
      reading.unpacked(bytes.length)
      waiting.push({ part, bytes, isLast })
    }
    file.start()
  })
  for (const [compression, decoder] of Object.entries(decoders)) {
    unzip.register(decoderOf(Number(compression), (part) => (isWanted(part) ? decoder() : new Skipped())))
  }
  const push = (piece: Uint8Array, isEnd: boolean): Unpacked[] => {
    try {
      unzip.push(piece, isEnd)
    } catch (error) {
      throw error instanceof AppError ? error : damagedWorkbook(error)
    }
    return waiting.splice(0)
  }
  for await (const chunk of await open()) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      yield* push(chunk.subarray(at, at + pieceBytes), false)
    }
  }
  yield* push(new Uint8Array(0), true)
}

/** How contents may be packed. Source: PKZIP application note, 4.4.5. */
const decoders: Readonly<Record<number, () => UnzipDecoder>> = {
  0: () => new UnzipPassThrough(),
  8: () => new BoundedInflate(),
}

const decoderOf = (compression: number, make: (part: string) => UnzipDecoder) =>
  class {
    static readonly compression = compression
    readonly #decoder: UnzipDecoder

    constructor(part: string) {
      this.#decoder = make(part)
    }

    set ondata(handler: UnzipDecoder['ondata']) {
      this.#decoder.ondata = handler
    }

    push(bytes: Uint8Array, isLast: boolean): void {
      this.#decoder.push(bytes, isLast)
    }
  }

/** The library keeps the content of entries that nobody starts in memory, so those are started as well, and dropped. */
class Skipped implements UnzipDecoder {
  ondata: UnzipDecoder['ondata'] = () => undefined

  push(): void {
    // nobody reads it
  }
}

/** Packed bytes from which nothing came at most; a block of deflate has 64 kB. */
const maxSilentBytes = 256 * 1024

/** The library keeps what follows the end of a deflated content and copies it with every further piece; here it ends the reading. */
class BoundedInflate implements UnzipDecoder {
  ondata: UnzipDecoder['ondata'] = () => undefined
  #silent = 0
  readonly #inflate = new Inflate((bytes, isLast) => {
    if (bytes.length > 0) this.#silent = 0
    this.ondata(null, bytes, isLast)
  })

  push(bytes: Uint8Array, isLast: boolean): void {
    this.#silent += bytes.length
    this.#inflate.push(bytes, isLast)
    if (this.#silent > maxSilentBytes) throw damagedWorkbook()
  }
}
