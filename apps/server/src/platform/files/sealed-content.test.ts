import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BlobMissing } from './blobs.ts'
import { openContent, sealContent } from './sealed-content.ts'

let folder = ''
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sealed-content-'))
})
afterAll(() => fs.rm(folder, { recursive: true, force: true }))

async function sealed(content: Buffer) {
  const [from, to] = [path.join(folder, 'clear'), path.join(folder, 'sealed')]
  await fs.writeFile(from, content)
  const made = await sealContent(from, to)
  return { ...made, bytes: await fs.readFile(to) }
}

/** As a disk or a bucket gives it: in pieces that have nothing to do with ours. */
const streamOf = (bytes: Buffer, length = 10_007): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
      bytes.subarray(index * length, (index + 1) * length),
    ),
  )

const piece = 64 * 1024

test.each([0, 1, piece - 1, piece, piece + 1, 3 * piece, 1_000_003])(
  'a content of %i bytes comes back as it was, and shows nothing of itself meanwhile',
  async (size) => {
    const content = Buffer.alloc(size, 'KX83PASS;')
    const { key, clear, bytes } = await sealed(content)
    expect(clear).toEqual({ sha256: createHash('sha256').update(content).digest('hex'), size })
    expect(bytes.includes('KX83')).toBe(false)
    expect((await buffer(openContent(streamOf(bytes), key))).equals(content)).toBe(true)
  },
)

test('the same content looks different each time', async () => {
  const content = Buffer.from('Okafor')
  expect((await sealed(content)).bytes.equals((await sealed(content)).bytes)).toBe(false)
})

test('a content that was changed, cut short, put together again or belongs to another key is not given out', async () => {
  const content = randomBytes(3 * piece)
  const { key, bytes } = await sealed(content)
  const whole = piece + 16
  const changed = Buffer.from(bytes)
  changed.writeUInt8((changed[20] ?? 0) ^ 1, 20)
  const spoiled = {
    changed,
    'cut short within a piece': bytes.subarray(0, -1),
    'cut short by a piece': bytes.subarray(0, 2 * whole),
    'in another order': Buffer.concat([
      bytes.subarray(whole, 2 * whole),
      bytes.subarray(0, whole),
      bytes.subarray(2 * whole),
    ]),
    'with more behind it': Buffer.concat([bytes, Buffer.alloc(100)]),
    empty: Buffer.alloc(0),
  }
  for (const [how, other] of Object.entries(spoiled)) {
    await expect(buffer(openContent(streamOf(other), key)), how).rejects.toThrow(BlobMissing)
  }
  await expect(buffer(openContent(streamOf(bytes), randomBytes(32)))).rejects.toThrow(BlobMissing)
})

test('a content that nobody reads closes its source', async () => {
  const { key, bytes } = await sealed(Buffer.from('Okafor'))
  const source = streamOf(bytes)
  openContent(source, key).destroy()
  await expect.poll(() => source.destroyed).toBe(true)
})
