import zlib from 'node:zlib'

// A stream of texts in the `deflate` form of HTTP (RFC 9110, 8.4.1.2), in which a text that many streams send is compressed once. Each text is
// compressed by itself and ends with its last byte, so that it means the same in every stream and can be read as soon as it is there.

/** A text as it is in any stream. */
interface Deflated {
  /** Blocks of RFC 1951, none of them the last one. */
  readonly blocks: Buffer
  /** Of the text: its checksum (RFC 1950) and how many bytes it has. */
  readonly sum: number
  readonly length: number
}

/** Quick rather than small: of the positions of a thousand phones a fourteenth is left. */
const level = 3
/** A shorter text costs more time than it saves. */
const leastBytes = 400

/** The text of one moment goes to many streams one after the other. */
let last: { readonly text: string; readonly deflated: Deflated } | undefined

function deflated(text: string): Deflated {
  if (last?.text === text) return last.deflated
  const plain = Buffer.from(text)
  const blocks = zlib.deflateRawSync(plain, {
    level: plain.length < leastBytes ? zlib.constants.Z_NO_COMPRESSION : level,
    finishFlush: zlib.constants.Z_SYNC_FLUSH,
  })
  const made = { blocks, sum: adler32(plain), length: plain.length }
  last = { text, deflated: made }
  return made
}

/** One stream: `opening` goes first, then each text as `add` gives it, then `ending`. */
export class DeflatedStream {
  /** A window of 32 kB, no dictionary. Source: RFC 1950, 2.2. */
  static readonly opening = Buffer.from([0x78, 0x01])
  #sum = 1

  add(text: string): Buffer {
    const { blocks, sum, length } = deflated(text)
    this.#sum = joinedSum(this.#sum, sum, length)
    return blocks
  }

  /** An empty last block, and the checksum of everything. */
  ending(): Buffer {
    const end = Buffer.from([0x01, 0x00, 0x00, 0xff, 0xff, 0, 0, 0, 0])
    end.writeUInt32BE(this.#sum, 5)
    return end
  }
}

const base = 65_521
/** Bytes whose sums stay below 2³². Source: RFC 1950, 8.2, as zlib has it. */
const bytesBetween = 5_552

/** Source: RFC 1950, 8.2. */
function adler32(bytes: Uint8Array): number {
  let [low, high] = [1, 0]
  for (let from = 0; from < bytes.length; from += bytesBetween) {
    for (const byte of bytes.subarray(from, from + bytesBetween)) {
      low += byte
      high += low
    }
    low %= base
    high %= base
  }
  return high * 65_536 + low
}

/** The sum of two texts one after the other, from the sum of each and the length of the second. */
function joinedSum(first: number, second: number, secondLength: number): number {
  const [low1, high1] = [first % 65_536, Math.floor(first / 65_536)]
  const [low2, high2] = [second % 65_536, Math.floor(second / 65_536)]
  const low = (low1 + low2 - 1 + base) % base
  const high = (high1 + high2 + (secondLength % base) * (low1 - 1 + base)) % base
  return high * 65_536 + low
}
