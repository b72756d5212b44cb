import { AppError } from '@tour-ops/contract/errors'
import sharp from 'sharp'

/** Pictures that would take more memory than this to open are refused: 40 million pixels are 160 MB. */
const maxPixels = 40_000_000
/** A picture that is not done by then was made to take long: passes over the same pixels, say. */
const maxSeconds = 20
const webpQuality = 82

// one core and, by the queue below, one thread of the pool that the disk is read with as well
sharp.concurrency(1)

/** The end of the queue: one picture of this process is in memory at a time. */
let lastPicture: Promise<unknown> = Promise.resolve()

/**
 * Smaller copies of an image as WebP, upright, without what the camera wrote into the file (place, owner).
 *
 * @param sizes Longest edge in pixels, by name; an image is never made larger.
 * @throws AppError `invalid-argument` when the content cannot be read as an image, or has more pixels than fit into memory.
 */
export function imageSizes(file: string, sizes: Readonly<Record<string, number>>): Promise<Map<string, Buffer>> {
  const made = lastPicture.then(() => makeSizes(file, sizes))
  lastPicture = made.catch(() => undefined)
  return made
}

async function makeSizes(file: string, sizes: Readonly<Record<string, number>>): Promise<Map<string, Buffer>> {
  try {
    await requirePixels(file)
    const made = new Map<string, Buffer>()
    for (const [name, edge] of Object.entries(sizes)) {
      const resized = sharp(file, { limitInputPixels: maxPixels, failOn: 'error' })
        .rotate()
        .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
        .timeout({ seconds: maxSeconds })
      made.set(name, await resized.webp({ quality: webpQuality }).toBuffer())
    }
    return made
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw refused('This image cannot be read. Try another file.', cause)
  }
}

/** Says it before anything is opened: the header is enough. */
async function requirePixels(file: string): Promise<void> {
  const { width, height } = await sharp(file, { limitInputPixels: false }).metadata()
  if (width * height <= maxPixels) return
  const has = `${width.toLocaleString('en')} × ${height.toLocaleString('en')}`
  throw refused(`The image has ${has} pixels; ${maxPixels / 1_000_000} million are the most. Make it smaller.`)
}

const refused = (message: string, cause?: unknown): AppError =>
  new AppError('invalid-argument', message, { cause, details: { fieldErrors: { file: [message] } } })
