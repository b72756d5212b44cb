import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

export type Encoding = 'br' | 'gzip'

/** Compressed forms of a file; absent while they are being made, or when they would not be smaller. */
export interface Encoded {
  br?: Buffer
  gzip?: Buffer
}

/** Whether a client understands a form, by its `accept-encoding`. A weight of 0 is a refusal. */
export const accepts = (header: string | undefined, name: string): boolean =>
  header !== undefined &&
  new RegExp(`(^|[,\\s])${name}\\s*(;\\s*q=(?!0(\\.0*)?\\s*(,|$))[\\d.]+)?\\s*(,|$)`).test(header)

/** The best form the client understands. */
export function acceptedEncoding(header: string | undefined, encoded: Encoded): Encoding | undefined {
  if (encoded.br && accepts(header, 'br')) return 'br'
  return encoded.gzip && accepts(header, 'gzip') ? 'gzip' : undefined
}

/** Brotli's qualities: 11 takes two seconds for a megabyte and is for what every visit loads. */
const qualities = { best: 11, fast: 6 } as const

/** Below this the headers weigh more than what is saved. */
export const leastBytesToEncode = 400

/** Both forms of a content, cached in `cacheDir` by content hash, so that only the first start after a build pays for them. */
export async function encode(content: Buffer, cacheDir: string | null, effort: 'best' | 'fast'): Promise<Encoded> {
  const quality = qualities[effort]
  const name = `${createHash('sha256').update(content).digest('hex')}-${quality}`
  const params = {
    [zlib.constants.BROTLI_PARAM_QUALITY]: quality,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  const br = await kept(cacheDir, `${name}.br`, () => brotli(content, { params }))
  const gz = await kept(cacheDir, `${name}.gz`, () => gzip(content, { level: 9 }))
  return { ...(br.length < content.length ? { br } : {}), ...(gz.length < content.length ? { gzip: gz } : {}) }
}

async function kept(cacheDir: string | null, name: string, make: () => Promise<Buffer>): Promise<Buffer> {
  if (cacheDir === null) return make()
  const file = path.join(cacheDir, name)
  const found = await fs.promises.readFile(file).catch(() => null)
  if (found) return found
  const made = await make()
  const own = `${file}.${process.pid}`
  try {
    await fs.promises.mkdir(cacheDir, { recursive: true })
    await fs.promises.writeFile(own, made)
    await fs.promises.rename(own, file)
  } catch {
    return made // a build in a read-only folder is compressed again at every start
  }
  return made
}
