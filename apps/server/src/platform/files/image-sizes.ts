import { AppError } from '@tour-ops/contract/errors'
import sharp from 'sharp'

/** Pictures that would take more memory than this to open are refused: 40 million pixels are 160 MB. */
const maxPixels = 40_000_000
const webpQuality = 82

/**
 * Smaller copies of an image as WebP, upright, without what the camera wrote into the file (place, owner).
 *
 * @param sizes Longest edge in pixels, by name; an image is never made larger.
 * @throws AppError `invalid-argument` when the content cannot be read as an image.
 */
export async function imageSizes(file: string, sizes: Readonly<Record<string, number>>): Promise<Map<string, Buffer>> {
  const made = new Map<string, Buffer>()
  try {
    for (const [name, edge] of Object.entries(sizes)) {
      const resized = sharp(file, { limitInputPixels: maxPixels, failOn: 'error' })
        .rotate()
        .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
      made.set(name, await resized.webp({ quality: webpQuality }).toBuffer())
    }
  } catch (cause) {
    const message = 'This image cannot be read. Try another file.'
    throw new AppError('invalid-argument', message, { cause, details: { fieldErrors: { file: [message] } } })
  }
  return made
}
