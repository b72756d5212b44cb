import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { readArchive, writeArchive, type Line } from './archive.ts'
import { checkBackup } from './check-backup.ts'
import type { Manifest } from './manifest.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tour-operations-archive-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const manifest: Manifest = {
  section: 'manifest',
  format: 1,
  version: '0.1.0',
  createdAt: '2026-07-14T08:00:00.000Z',
  migrations: [],
  sequences: [],
  positionDays: [],
  jobs: [],
  keys: {},
  secretFingerprint: '',
  files: 'here',
}

let count = 0
async function archive(...lines: Line[]): Promise<string> {
  const file = path.join(folder, `${(count += 1)}.backup`)
  await writeArchive(file, stream(lines))
  return file
}

async function* stream(lines: readonly Line[]): AsyncGenerator<Line> {
  yield* lines
}

async function linesIn(file: string): Promise<Line[]> {
  const lines: Line[] = []
  for await (const line of readArchive(file)) lines.push(line)
  return lines
}

/** The file after a change of its text. */
function changed(file: string, change: (text: string) => string): string {
  fs.writeFileSync(file, gzipSync(change(gunzipSync(fs.readFileSync(file)).toString())))
  return file
}

describe('an archive', () => {
  test('gives its lines back as they were, whatever they hold, and only its owner reads it', async () => {
    const rows = ['(1,"Grüße\n\u2028",)', '("\\\\x00",\u0001)', 'x'.repeat(1_000_000), '']
    const file = await archive(manifest, ...rows)
    expect(await linesIn(file)).toEqual([manifest, ...rows])
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  })

  test('replaces no file, and a failure leaves none', async () => {
    const file = await archive('row')
    await expect(writeArchive(file, stream(['other']))).rejects.toThrow('exists already')
    expect(await linesIn(file)).toEqual(['row'])
    const broken = path.join(folder, 'broken.backup')
    const failing = (async function* failing(): AsyncGenerator<Line> {
      yield 'row'
      throw new Error('the database went away')
    })()
    await expect(writeArchive(broken, failing)).rejects.toThrow('went away')
    expect(fs.readdirSync(folder).filter((name) => name.startsWith('broken'))).toEqual([])
  })

  test.each<[string, (file: string) => unknown]>([
    ['cut off', (file) => fs.truncateSync(file, fs.statSync(file).size - 20)],
    ['without its last line', (file) => changed(file, (text) => text.replace(/\{"section":"end".*\n/, ''))],
    ['without one row', (file) => changed(file, (text) => text.replace('"second"\n', ''))],
    ['with a changed row', (file) => changed(file, (text) => text.replace('second', 'Second'))],
    ['followed by another', (file) => changed(file, (text) => text + text)],
    ['of another kind', (file) => fs.writeFileSync(file, 'PK\u0003\u0004')],
    ['empty', (file) => fs.writeFileSync(file, '')],
  ])('%s is refused in words', async (_, damage) => {
    const file = await archive(manifest, 'first', 'second')
    damage(file)
    await expect(checkBackup(file)).rejects.toThrow(/is not a whole backup|is not a backup/)
  })
})

test('a backup of a newer version, or of a database with another history, is refused', async () => {
  const migrations = [{ name: '9999_future.sql', hash: 'a' }]
  await expect(checkBackup(await archive({ ...manifest, migrations, version: '7.0.0' }))).rejects.toThrow(
    'newer version of this program (7.0.0)',
  )
  const format = 2 as 1
  await expect(checkBackup(await archive({ ...manifest, format }))).rejects.toThrow('newer version')
  const other = [{ name: '0001_foundation.sql', hash: 'a' }]
  await expect(checkBackup(await archive({ ...manifest, migrations: other }))).rejects.toThrow(
    'another 0001_foundation.sql',
  )
})
