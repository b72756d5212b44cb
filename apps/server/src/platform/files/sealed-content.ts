import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Blob } from './blobs.ts'
import { BlobMissing } from './blobs.ts'

// A content is encrypted in pieces, so that it can be read while it streams by, and nothing of it is given out that was not checked before. The
// key is used for this content alone, so that the number of a piece is nonce enough; the last piece says so, which shows a content cut short.
// Source: Hoang, Reyhanitabar, Rogaway, Vizár, "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", STREAM.

const algorithm = 'aes-256-gcm'
const keyBytes = 32
const tagBytes = 16
/** Of the content, in one piece. */
const pieceBytes = 64 * 1024

/**
 * Writes the content of one file of this machine into another, encrypted with a new key.
 *
 * @returns the key, and hash and size of the content as it was.
 */
export async function sealContent(from: string, to: string): Promise<{ key: Buffer; clear: Blob }> {
  const key = randomBytes(keyBytes)
  const hash = createHash('sha256')
  let size = 0
  await pipeline(
    createReadStream(from),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const { piece, index, isLast } of pieces(chunks, pieceBytes)) {
        hash.update(piece)
        size += piece.length
        const cipher = createCipheriv(algorithm, key, nonceOf(index, isLast))
        const body = Buffer.concat([cipher.update(piece), cipher.final()])
        yield Buffer.concat([cipher.getAuthTag(), body])
      }
    },
    createWriteStream(to, { mode: 0o600 }),
  )
  return { key, clear: { sha256: hash.digest('hex'), size } }
}

/** The content of what `sealContent` wrote. It ends with BlobMissing where that was changed or cut short. */
export function openContent(sealed: Readable, key: Buffer): Readable {
  const opened = Readable.from(openedPieces(sealed, key), { objectMode: false })
  // one that nobody reads has not begun, and would leave its source open
  opened.once('close', () => sealed.destroy())
  return opened
}

async function* openedPieces(sealed: AsyncIterable<Buffer>, key: Buffer): AsyncGenerator<Buffer> {
  for await (const { piece, index, isLast } of pieces(sealed, tagBytes + pieceBytes)) {
    if (piece.length < tagBytes) throw damaged()
    const decipher = createDecipheriv(algorithm, key, nonceOf(index, isLast), { authTagLength: tagBytes })
    decipher.setAuthTag(piece.subarray(0, tagBytes))
    try {
      yield Buffer.concat([decipher.update(piece.subarray(tagBytes)), decipher.final()])
    } catch (cause) {
      throw damaged(cause)
    }
  }
}

const damaged = (cause?: unknown): BlobMissing =>
  new BlobMissing('A content was changed after it was encrypted.', { cause })

/** 11 bytes for the number of the piece, one that says whether it is the last. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(index, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

interface Piece {
  readonly piece: Buffer
  readonly index: number
  readonly isLast: boolean
}

/** The bytes in pieces of one length; the last one may be shorter, and of an empty content it is empty. */
async function* pieces(chunks: AsyncIterable<Buffer>, length: number): AsyncGenerator<Piece> {
  let waiting = Buffer.alloc(0)
  let index = 0
  for await (const chunk of chunks) {
    waiting = Buffer.concat([waiting, chunk])
    // a full one waits until it is known whether it is the last
    while (waiting.length > length) {
      yield { piece: waiting.subarray(0, length), index, isLast: false }
      waiting = waiting.subarray(length)
      index += 1
    }
  }
  yield { piece: waiting, index, isLast: true }
}
