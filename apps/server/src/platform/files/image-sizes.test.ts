import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
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

const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: { r: 255, g: 75, b: 0, alpha: 0.5 } } })
    .png()
    .toBuffer()

test('each size fits its edge, keeps the proportions and is never larger than the image', async () => {
  const made = await imageSizes(await stored(await picture(900, 300)), { small: 90, large: 600, huge: 2_000 })
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

test('an image that says it is enormous is refused by what it says, with the limit', async () => {
  const lying = await picture(4, 4)
  lying.writeUInt32BE(30_000, 16)
  lying.writeUInt32BE(20_000, 20)
  lying.writeUInt32BE(crc32(lying.subarray(12, 29)), 29)
  await expect(imageSizes(await stored(lying), { small: 64 })).rejects.toMatchObject({
    code: 'invalid-argument',
    message: 'The image has 30,000 × 20,000 pixels; 40 million are the most. Make it smaller.',
  })
})

test('an image that breaks off is refused, and the next one is made all the same', async () => {
  const whole = await picture(900, 900)
  const broken = imageSizes(await stored(whole.subarray(0, whole.length / 2)), { small: 64 })
  const next = imageSizes(await stored(whole), { small: 64 })
  await expect(broken).rejects.toMatchObject({
    code: 'invalid-argument',
    message: expect.stringContaining('cannot be read'),
  })
  expect([...(await next).keys()]).toEqual(['small'])
})
