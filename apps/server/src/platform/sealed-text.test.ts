import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createDataKeyFile,
  derivedDataKey,
  fileDataKeys,
  fixedDataKeys,
  newDataKey,
  parseDataKeys,
  readDataKeyFile,
  textOfDataKey,
  writeDataKeyFile,
} from './data-keys.ts'
import { keyIdOf, SealedText, type SealedPlace } from './sealed-text.ts'

const secret = 'a secret of the installation, long enough'
const derived = derivedDataKey(secret)
const place: SealedPlace = { orgId: 'org_1', column: 'traveler_documents.number_encrypted', id: 'document 1' }
const older = newDataKey()
const newer = newDataKey()
const box = new SealedText(fixedDataKeys([newer, older], derived))

let folder: string
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'data-keys-'))
})
afterAll(() => fs.rm(folder, { recursive: true, force: true }))

/** As it was sealed before keys had ids. */
function sealedBefore(text: string): Buffer {
  const nonce = randomBytes(12)
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sealed-text', 32))
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

test('a sealed number opens again and is never the same twice', () => {
  expect(box.open(box.seal('X1234567', place), place)).toBe('X1234567')
  expect(box.seal('X1234567', place).equals(box.seal('X1234567', place))).toBe(false)
  expect(box.seal('X1234567', place).includes('X1234567')).toBe(false)
})

test('the first key seals and is named by the value, the others open', () => {
  expect(keyIdOf(box.seal('X', place))).toBe(newer.id)
  const before = new SealedText(fixedDataKeys([older], derived)).seal('X1234567', place)
  expect(keyIdOf(before)).toBe(older.id)
  expect(box.open(before, place)).toBe('X1234567')
})

test('a value from before keys had ids opens', () => {
  expect(keyIdOf(sealedBefore('X1234567'))).toBeNull()
  expect(box.open(sealedBefore('X1234567'), place)).toBe('X1234567')
})

test.each<[string, Partial<SealedPlace>]>([
  ['another organization', { orgId: 'org_2' }],
  ['another row', { id: 'document 2' }],
  ['another column', { column: 'traveler_private.medical_sealed' }],
])('a value does not open in %s', (_, other) => {
  const sealed = box.seal('X1234567', place)
  expect(() => box.open(sealed, { ...place, ...other })).toThrow(
    expect.objectContaining({ details: { reason: 'sealed_value_broken' } }),
  )
})

test('a changed value is refused, wherever it was changed', () => {
  const sealed = box.seal('X1234567', place)
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => box.open(changed, place), `byte ${at}`).toThrow(/cannot be read/)
  }
  expect(() => box.open(Buffer.alloc(0), place)).toThrow(/cannot be read/)
})

test('without the key the refusal says so, and nothing of the value', () => {
  const stranger = new SealedText(fixedDataKeys([newDataKey()], derivedDataKey('another secret of an installation')))
  for (const sealed of [box.seal('X1234567', place), sealedBefore('X1234567')]) {
    expect(() => stranger.open(sealed, place)).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        details: expect.objectContaining({ reason: 'data_key_missing' }),
      }),
    )
  }
})

test('keys are read in base64 and hexadecimal, with comments; a wrong one is not repeated', () => {
  const hex = newer.key.toString('hex')
  expect(parseDataKeys(`# ours\n${textOfDataKey(older)} # first\n${hex}, ${textOfDataKey(older)}`)).toEqual([
    older,
    newer,
  ])
  expect(() => parseDataKeys('# nothing')).toThrow('holds no key')
  expect(() => parseDataKeys(`${hex} too-short`)).toThrow(/^entry 2 is not a key/)
  expect(() => parseDataKeys(`${hex} too-short`)).not.toThrow(/too-short/)
})

test('a changed file of keys counts at the next value, and only its owner may read it', async () => {
  const file = path.join(folder, 'changing')
  createDataKeyFile(file)
  const [first] = readDataKeyFile(file)
  createDataKeyFile(file)
  expect(readDataKeyFile(file)).toEqual([first])
  if (process.platform !== 'win32') expect((await fs.stat(file)).mode & 0o777).toBe(0o600)
  const open = new SealedText(fileDataKeys(file, derived))
  const sealed = open.seal('X', place)
  expect(keyIdOf(sealed)).toBe(first?.id)
  writeDataKeyFile(file, [newer, ...(first ? [first] : [])])
  expect(keyIdOf(open.seal('X', place))).toBe(newer.id)
  expect(open.open(sealed, place)).toBe('X')
  expect(await fs.readdir(folder)).toEqual(['changing'])
})
