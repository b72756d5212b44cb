import { AppError } from '@tour-ops/contract/errors'
import { fieldError, fieldIssue, issueError } from '@tour-ops/contract/field-rules'
import sharp from 'sharp'
import { WorkSlots } from '../work-slots.ts'

/** Pictures that would take more memory than this to open are refused: 40 million pixels are 160 MB. */
const maxPixels = 40_000_000
/** A picture that is not opened by then was made to take long: passes over the same pixels, say. The largest honest ones take one second. */
const maxSeconds = 8
const webpQuality = 82

// one core and one thread of the pool that the disk is read with as well, for each picture
sharp.concurrency(1)

/** Each picture that is opened is in memory; one organization with many of them leaves room for others. */
const pictureSlots = new WorkSlots({ perOrganization: 1, inAll: 2, waiting: 8 })

/** A picture and for whom it is made smaller. */
interface Picture {
  readonly file: string
  readonly orgId: string
  /** Ends the waiting, and the work as soon as it can be ended: an image that is being opened takes `maxSeconds` at most. */
  readonly signal: AbortSignal
}

/**
 * Smaller copies of an image as WebP, upright, without what the camera wrote into the file (place, owner).
 *
 * @param sizes Longest edge in pixels, by name; an image is never made larger.
 * @throws AppError `invalid-argument` when the content cannot be read as an image, or has more pixels than fit into memory;
 *   `resource-exhausted` when many of the organization wait; the reason of the signal.
 */
export function imageSizes(
  { file, orgId, signal }: Picture,
  sizes: Readonly<Record<string, number>>,
): Promise<Map<string, Buffer>> {
  return pictureSlots.run(orgId, signal, () => makeSizes(file, sizes, signal))
}

async function makeSizes(
  file: string,
  sizes: Readonly<Record<string, number>>,
  signal: AbortSignal,
): Promise<Map<string, Buffer>> {
  try {
    const image = await requirePixels(file)
    signal.throwIfAborted()
    const opened = await openedOnce(file, within(image, Math.max(...Object.values(sizes))))
    const made = new Map<string, Buffer>()
    for (const [name, edge] of Object.entries(sizes)) {
      signal.throwIfAborted()
      const resized = sharp(opened.data, { raw: opened.info }).resize({ ...within(image, edge), fit: 'fill' })
      made.set(name, await resized.webp({ quality: webpQuality }).toBuffer())
    }
    return made
  } catch (cause) {
    if (cause instanceof AppError || signal.aborted) throw cause
    throw issueError('file', fieldIssue('image_unreadable'), cause)
  }
}

/** Pixels of an image, upright. */
interface Extent {
  readonly width: number
  readonly height: number
}

/** The same proportions with a longest edge, or the image's own size where it is smaller. */
function within({ width, height }: Extent, edge: number): Extent {
  const scale = Math.min(1, edge / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The pixels in the largest size that is needed: opening is what takes long, and is done once for all sizes. */
const openedOnce = (file: string, extent: Extent) =>
  sharp(file, { limitInputPixels: maxPixels, failOn: 'error' })
    .rotate()
    .resize({ ...extent, fit: 'fill' })
    .timeout({ seconds: maxSeconds })
    .raw()
    .toBuffer({ resolveWithObject: true })

/** Says it before anything is opened: the header is enough. */
async function requirePixels(file: string): Promise<Extent> {
  const { width, height, autoOrient } = await sharp(file, { limitInputPixels: false }).metadata()
  if (width * height <= maxPixels) return autoOrient
  throw fieldError('file', 'image_too_large', { width, height, max: maxPixels })
}
