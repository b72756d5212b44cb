import { unreadable } from './file-table.ts'

/** Bytes of shared texts of a workbook at most: a manifest of 100,000 guests has about 20 MB. */
const maxBytes = 96 * 1024 * 1024
/** Shared texts at most, empty ones included. */
const maxTexts = 4_000_000

/**
 * Many short texts in one piece of memory: the shared strings of a workbook. As JavaScript strings they would take four times
 * as much.
 */
export class StringTable {
  #bytes = Buffer.alloc(64 * 1024)
  #length = 0
  #ends = new Uint32Array(4096)
  #count = 0

  get size(): number {
    return this.#count
  }

  /** @throws AppError when the workbook holds more text than any list of guests does. */
  add(text: string): void {
    const length = Buffer.byteLength(text)
    if (this.#count === maxTexts) throw tooManyTexts()
    if (this.#length + length > maxBytes) throw tooMuchText()
    if (this.#length + length > this.#bytes.length) this.#bytes = grown(this.#bytes, this.#length + length)
    this.#bytes.write(text, this.#length)
    this.#length += length
    if (this.#count === this.#ends.length) {
      const ends = new Uint32Array(this.#ends.length * 2)
      ends.set(this.#ends)
      this.#ends = ends
    }
    this.#ends[this.#count] = this.#length
    this.#count += 1
  }

  /** The text of that number; empty for a number that the workbook does not have. */
  at(index: number): string {
    if (!(index >= 0 && index < this.#count)) return ''
    return this.#bytes.toString('utf8', index === 0 ? 0 : this.#ends[index - 1], this.#ends[index])
  }
}

const tooMuchText = () =>
  unreadable(
    'too_much_text',
    `The workbook holds more than ${maxBytes.toLocaleString('en')} characters of text. Split it, or delete columns that are not needed.`,
    { max: String(maxBytes) },
  )

const tooManyTexts = () =>
  unreadable(
    'too_many_cells',
    `The workbook holds more than ${maxTexts.toLocaleString('en')} different texts. Split it, or delete columns that are not needed.`,
    { max: String(maxTexts) },
  )

function grown(bytes: Buffer, needed: number): Buffer<ArrayBuffer> {
  const larger = Buffer.alloc(Math.min(maxBytes, Math.max(needed, bytes.length * 2)))
  bytes.copy(larger)
  return larger
}
