import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Random, seededRandom } from '../seed/random.ts'
import { type Database, migrateDatabase, openDatabase } from '../src/platform/db/database.ts'
import { startEmbedded } from '../src/platform/db/launcher.ts'
import { makePool } from '../src/platform/db/pool.ts'
import { foundOrganization } from '../testing/accounts.ts'
import { FixLedger } from '../testing/fix-ledger.ts'
import { killHow, ownerIn, ways } from '../testing/kills.ts'
import { addDutyPhones } from '../testing/phones.ts'
import { freePort, newDataFolder, startProgram, type Program } from '../testing/programs.ts'

// The server is killed while phones report, again and again. A fix that it has acknowledged must be there, once: phones forget what was answered.
// POSITION_KILLS=20 for a long run; POSITION_SEED repeats one.

const kills = Number(process.env['POSITION_KILLS'] ?? 3)
const tokens = Array.from({ length: 18 }, () => randomBytes(32).toString('base64url'))
/** The kill comes after this many acknowledgements at most, and in the middle of the next ones. */
const mostRequests = 150
const seed = Number(process.env['POSITION_SEED'] ?? Date.now() % 1_000_000)

const onPostgres = inject('embeddedPostgres') !== null
const engine = onPostgres ? 'postgres' : 'pglite'
const log = pino({ level: 'silent' })
let dataDir: string
let program: Program | undefined

beforeAll(() => {
  dataDir = newDataFolder('positions-killed')
})
afterAll(async () => {
  program?.child.kill('SIGKILL')
  await program?.ended
  if (onPostgres) await (await startEmbedded(dataDir, log)).stop()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

test(
  `on ${engine} every acknowledged fix is there once after ${kills} kills at random moments`,
  { timeout: 60_000 + kills * 20_000 },
  async () => {
    const random = seededRandom(seed)
    const note = `POSITION_SEED=${seed} repeats this`
    const ledger = await prepare(random)
    const env = { DATA_DIR: dataDir, PORT: String(await freePort()), EMBEDDED_ENGINE: engine }
    program = await startProgram(env)
    for (let kill = 0; kill < kills; kill += 1) {
      const loaded = ledger.load(program.base)
      const enough = ledger.acknowledged + random.between(1, mostRequests)
      await expect.poll(() => ledger.acknowledged, { timeout: 30_000, interval: 3 }).toBeGreaterThanOrEqual(enough)
      await sleep(random.between(0, 60))
      await killHow(onPostgres ? random.weighted(ways) : 'server', dataDir, program)
      await loaded
      const found = onPostgres ? undefined : await problemsAtRest(ledger)
      program = await startProgram(env)
      expect(found ?? (await problemsMeanwhile(ledger)), `after kill ${kill + 1}; ${note}`).toEqual([])
      await ledger.repeat(program.base, 2)
    }
    const found = onPostgres ? await problemsMeanwhile(ledger) : undefined
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
    expect(found ?? (await problemsAtRest(ledger)), `after the repeats; ${note}`).toEqual([])
    expect(ledger.acknowledged, note).toBe(ledger.sent)
    console.log(`${engine}: ${ledger.fixes} fixes in ${ledger.sent} requests, ${kills} kills`)
    expect(ledger.sent, 'a load worth the name').toBeGreaterThan(kills * tokens.length)
  },
)

const open = (): Promise<Database> => openDatabase({ dataDir, embeddedEngine: engine, log })

/** A fresh database with people on duty in it, closed again. */
async function prepare(random: Random): Promise<FixLedger> {
  const database = await open()
  await migrateDatabase(database, log)
  const orgId = await foundOrganization(database.ownerPool)
  const ledger = new FixLedger(orgId, await addDutyPhones(database.ownerPool, orgId, tokens), random)
  await database.close()
  return ledger
}

/** Asks PGlite, which one process has at a time, as the next start would find it. */
async function problemsAtRest(ledger: FixLedger): Promise<string[]> {
  const database = await open()
  const problems = await ledger.problems(database.ownerPool)
  await database.close()
  return problems
}

/** Queries PostgreSQL from outside the program, which has adopted or recovered it by itself. */
async function problemsMeanwhile(ledger: FixLedger): Promise<string[]> {
  const pool = makePool({ ...ownerIn(dataDir), max: 1 }, log)
  const problems = await ledger.problems(pool)
  await pool.end()
  return problems
}
