import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { imageSizes } from './image-sizes.ts'

let folder = ''
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'image-sizes-'))
})
afterAll(() => fs.rm(folder, { recursive: true, force: true }))

async function stored(content: Buffer): Promise<string> {
  const file = path.join(folder, String(crc32(content)))
  await fs.writeFile(file, content)
  return file
}

const never = new AbortController().signal
const sizesOf = (file: string, sizes: Record<string, number>, orgId = 'org_a', signal = never) =>
  imageSizes({ file, orgId, signal }, sizes)

/** Takes a while to open: 16 million pixels, each of its own color. */
async function slowPicture(): Promise<string> {
  const edge = 4_000
  const raw = { width: edge, height: edge, channels: 3 } as const
  return stored(
    await sharp(randomBytes(edge * edge * 3), { raw })
      .png({ compressionLevel: 1 })
      .toBuffer(),
  )
}

const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: { r: 255, g: 75, b: 0, alpha: 0.5 } } })
    .png()
    .toBuffer()

test('each size fits its edge, keeps the proportions and is never larger than the image', async () => {
  const made = await sizesOf(await stored(await picture(900, 300)), { small: 90, large: 600, huge: 2_000 })
  const found = await Promise.all(
    [...made].map(async ([name, content]) => {
      const { width, height, format, hasAlpha } = await sharp(content).metadata()
      return { name, width, height, format, hasAlpha }
    }),
  )
  expect(found).toEqual([
    { name: 'small', width: 90, height: 30, format: 'webp', hasAlpha: true },
    { name: 'large', width: 600, height: 200, format: 'webp', hasAlpha: true },
    { name: 'huge', width: 900, height: 300, format: 'webp', hasAlpha: true },
  ])
})

test('an image that the camera held on its side is upright in each size', async () => {
  const turned = await sharp(await picture(900, 300))
    .withMetadata({ orientation: 6 })
    .png()
    .toBuffer()
  const made = await sizesOf(await stored(turned), { small: 90, large: 256 })
  const found = await Promise.all([...made.values()].map(async (content) => sharp(content).metadata()))
  expect(found.map(({ width, height }) => [width, height])).toEqual([
    [30, 90],
    [85, 256],
  ])
})

test('an image that says it is enormous is refused by what it says, with the limit', async () => {
  const lying = await picture(4, 4)
  lying.writeUInt32BE(30_000, 16)
  lying.writeUInt32BE(20_000, 20)
  lying.writeUInt32BE(crc32(lying.subarray(12, 29)), 29)
  await expect(sizesOf(await stored(lying), { small: 64 })).rejects.toMatchObject({
    code: 'invalid-argument',
    message: 'The image has 30,000 × 20,000 pixels; 40 million are the most. Make it smaller.',
  })
})

test('a truncated image is refused, and the next one is made all the same', async () => {
  const whole = await picture(900, 900)
  const broken = sizesOf(await stored(whole.subarray(0, whole.length / 2)), { small: 64 })
  const next = sizesOf(await stored(whole), { small: 64 })
  await expect(broken).rejects.toMatchObject({
    code: 'invalid-argument',
    message: expect.stringContaining('cannot be read'),
  })
  expect([...(await next).keys()]).toEqual(['small'])
})

test('slow images of one organization do not delay those of another', async () => {
  const [slow, small] = [await slowPicture(), await stored(await picture(90, 30))]
  const order: string[] = []
  const made = (orgId: string, file: string) => sizesOf(file, { small: 64 }, orgId).then(() => order.push(orgId))
  await Promise.all([...Array.from({ length: 5 }, () => made('org_a', slow)), made('org_b', small)])
  expect(order.indexOf('org_b')).toBeLessThan(2)
})

test('images whose sender went away are given up: the next one waits for what is open at most', async () => {
  const [slow, small] = [await slowPicture(), await stored(await picture(90, 30))]
  const timed = async (run: () => Promise<unknown>): Promise<number> => {
    const startedMs = performance.now()
    await run()
    return performance.now() - startedMs
  }
  const oneMs = await timed(() => sizesOf(slow, { small: 64, medium: 256, large: 512 }))
  const away = new AbortController()
  const left = Promise.allSettled(
    Array.from({ length: 8 }, () => sizesOf(slow, { small: 64, large: 512 }, 'org_a', away.signal)),
  )
  // the first is being opened
  await sleep(oneMs / 4)
  const gone = new Error('went away')
  away.abort(gone)
  expect(await timed(() => sizesOf(small, { small: 64 }))).toBeLessThan(3 * oneMs)
  expect(await left).toEqual(Array.from({ length: 8 }, () => ({ status: 'rejected', reason: gone })))
})

test('an organization with very many images at once is asked to retry', async () => {
  const file = await stored(await picture(90, 30))
  const made = await Promise.allSettled(Array.from({ length: 12 }, () => sizesOf(file, { small: 64 })))
  const refused = made.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []))
  expect(refused).toHaveLength(3)
  expect(refused[0]).toMatchObject({ code: 'resource-exhausted' })
})
