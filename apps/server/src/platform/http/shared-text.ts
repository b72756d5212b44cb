import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { acceptedEncoding, type Encoding, leastBytesToEncode } from './encodings.ts'

/** An answer as it travels. */
export interface SentText {
  readonly body: Buffer
  readonly encoding?: Encoding
}

/** Quick rather than small: somebody waits for it. At these a board of 60 kB takes a millisecond, and a tenth of the bytes is left. */
const encoders: Readonly<Record<Encoding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) => brotli(content, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (content) => gzip(content, { level: 5 }),
}
const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)
const gzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)

interface Texts {
  readonly plain: Buffer
  readonly encoded: Map<Encoding, Promise<Buffer>>
}

const kept = new WeakMap<object, Texts>()

/**
 * The text of a call's answer that several callers get: the same object is written and compressed once, and nobody changes it. Nothing in it
 * is secret and chosen by a caller at once, which is what compression could give away (RFC 9325, 3.3).
 *
 * @param accepts The caller's `accept-encoding`.
 */
export async function sharedText(result: object, accepts: string | undefined): Promise<SentText> {
  const known = kept.get(result)
  const texts = known ?? { plain: Buffer.from(JSON.stringify({ result })), encoded: new Map() }
  if (!known) kept.set(result, texts)
  const { plain, encoded } = texts
  const encoding = plain.length < leastBytesToEncode ? undefined : acceptedEncoding(accepts, { br: plain, gzip: plain })
  if (!encoding) return { body: plain }
  const body = encoded.get(encoding) ?? encoders[encoding](plain)
  encoded.set(encoding, body)
  return { body: await body, encoding }
}
