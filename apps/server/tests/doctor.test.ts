import fs from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateDatabase, openDatabase } from '../src/platform/db/database.ts'
import { newDataFolder, runToEnd } from '../testing/programs.ts'

// npm run doctor as people start it: a line for each finding, what to do below it, and an exit code that a script can use.

const folder = newDataFolder('doctor')
const env = { DATA_DIR: folder, EMBEDDED_ENGINE: 'pglite', DEMO: 'off', PORT: '18391' }
beforeAll(async () => {
  const log = pino({ level: 'silent' })
  const database = await openDatabase({ dataDir: folder, embeddedEngine: 'pglite', log })
  await migrateDatabase(database, log)
  await database.close()
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const doctor = (more: Record<string, string> = {}) => runToEnd('doctor.ts', [], { ...env, ...more })
/** Mark and subject of every finding. */
const findingsIn = (out: string): string[] =>
  [...out.matchAll(/^(ok|WARNING|PROBLEM) +(.+?)  /gm)].map(([, mark, subject]) => `${mark} ${subject}`)

test('an installation that is as it should be: every subject is named, and the exit code is 0', async () => {
  const { code, out, err } = await doctor()
  expect(err).toBe('')
  const found = findingsIn(out)
  expect(found.map((finding) => finding.slice(finding.indexOf(' ') + 1))).toEqual([
    'Configuration',
    'Database',
    'Clock',
    'Queue',
    'Last backup',
    'Disk',
    'Mail',
    'Certificate',
  ])
  expect(found.filter((finding) => finding.startsWith('PROBLEM'))).toEqual([])
  expect(out.trimEnd().split('\n').at(-1)).toMatch(/^0 problem\(s\), \d+ warning\(s\)\.$/)
  expect(code).toBe(0)
})

test('a database that nobody reaches is a problem with what to do; the rest is checked all the same, and the exit code is 1', async () => {
  const { code, out } = await doctor({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  const found = findingsIn(out)
  expect(found).toContain('PROBLEM Database')
  expect(found).toContain('ok Mail')
  expect(out).toContain('→ Is it running, and are DATABASE_URL or DATA_DIR those of the server?')
  expect(out).toContain('1 problem(s)')
  expect(code).toBe(1)
})

test('warnings alone do not fail', async () => {
  const { code, out } = await doctor({ PUBLIC_URL: 'http://tours.example.com' })
  expect(findingsIn(out)).toContain('WARNING Certificate')
  expect(out).toContain('0 problem(s)')
  expect(code).toBe(0)
})

test('an invalid configuration is reported setting by setting, before anything is opened', async () => {
  const { code, out } = await doctor({ PORT: 'none', LOG_LEVEL: 'loud' })
  expect(findingsIn(out)).toEqual(['PROBLEM Configuration', 'PROBLEM Configuration'])
  expect(out).toMatch(/PORT/)
  expect(out).toMatch(/LOG_LEVEL/)
  expect(out).toContain('2 problem(s)')
  expect(code).toBe(1)
})

test('a folder that is not there is no installation, and nothing is made there', async () => {
  const missing = path.join(folder, 'missing')
  const { code, err } = await doctor({ DATA_DIR: missing })
  expect(err).toContain(missing)
  expect(code).toBe(1)
  expect(fs.existsSync(missing)).toBe(false)
})
