import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { seededRandom } from '../seed/random.ts'
import { migrateDatabase, openDatabase } from '../src/platform/db/database.ts'
import { startEmbedded } from '../src/platform/db/launcher.ts'
import { makePool } from '../src/platform/db/pool.ts'
import { accountOf, boardingDeparture, foundOrganization } from '../testing/accounts.ts'
import { killHow, ownerIn, ways } from '../testing/kills.ts'
import { WriteLedger } from '../testing/ledger.ts'
import { freePort, newDataFolder, signIn, startProgram, type Program } from '../testing/programs.ts'

// The server is killed while clients write, again and again. What it has acknowledged must be there, once.

const kills = 20
const clients = 6
/** The kill comes after this many acknowledgements at most, and in the middle of the next ones. */
const mostWrites = 40
const seed = Number(process.env['DURABILITY_SEED'] ?? Date.now() % 1_000_000)

const onPostgres = inject('embeddedPostgres') !== null
const name = onPostgres
  ? 'killed under load'
  : 'killed under load (runs on the embedded PostgreSQL: TEST_DATABASE=embedded)'

const log = pino({ level: 'silent' })
let dataDir: string
let program: Program | undefined

describe.runIf(onPostgres)(name, () => {
  beforeAll(() => {
    dataDir = newDataFolder('durability')
  })
  afterAll(async () => {
    program?.child.kill('SIGKILL')
    await program?.ended
    await (await startEmbedded(dataDir, log)).stop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  })

  test(
    `every acknowledged write is there once after ${kills} kills at random moments`,
    { timeout: 900_000 },
    async () => {
      const random = seededRandom(seed)
      const note = `DURABILITY_SEED=${seed} repeats this`
      const orgId = await prepare()
      const env = { DATA_DIR: dataDir, PORT: String(await freePort()) }
      program = await startProgram(env)
      const { base } = program
      const admin = await signIn(base, accountOf('admin'))
      const pool = makePool({ ...ownerIn(dataDir), max: 2 }, log)
      const departureIds: string[] = []
      for (let n = 0; n < 4; n += 1) departureIds.push(await boardingDeparture(admin, pool, { orgId, capacity: 1000 }))
      await pool.end()

      const ledger = new WriteLedger({ person: admin, orgId, departureIds, random })
      for (let kill = 0; kill < kills; kill += 1) {
        const loaded = ledger.load(base, clients)
        await lifeOf(ledger, random.between(1, mostWrites))
        await sleep(random.between(0, 15))
        await killHow(random.weighted(ways), dataDir, program)
        await loaded
        program = await startProgram(env)
        const owner = makePool({ ...ownerIn(dataDir), max: 2 }, log)
        expect(await ledger.problems(owner), `after kill ${kill + 1}; ${note}`).toEqual([])
        await ledger.repeat(base, 5)
        expect(await ledger.problems(owner), `after kill ${kill + 1} and the repeats; ${note}`).toEqual([])
        await owner.end()
      }
      expect(ledger.acknowledged, note).toBe(ledger.sent)
      expect(ledger.sent, 'a load worth the name').toBeGreaterThan(kills * (mostWrites / 4))
      program.child.kill('SIGTERM')
      expect(await program.ended).toBe(0)
    },
  )
})

/** Until this many more writes are acknowledged. Counted, since a slow machine would otherwise die before it has written anything. */
async function lifeOf(ledger: WriteLedger, writes: number): Promise<void> {
  const enough = ledger.acknowledged + writes
  await expect.poll(() => ledger.acknowledged, { timeout: 30_000, interval: 3 }).toBeGreaterThanOrEqual(enough)
}

/** A fresh database with an organization in it, closed again. */
async function prepare(): Promise<string> {
  const database = await openDatabase({ dataDir, embeddedEngine: 'postgres', log })
  await migrateDatabase(database, log)
  const orgId = await foundOrganization(database.ownerPool)
  await database.close()
  return orgId
}
