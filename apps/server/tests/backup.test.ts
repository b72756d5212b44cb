import fs from 'node:fs'
import path from 'node:path'
import { listTours } from '@tour-ops/contract/tours/tours'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { seededRandom } from '../seed/random.ts'
import { migrateDatabase, openDatabase, openDatabaseBeside } from '../src/platform/db/database.ts'
import { diskBlobs } from '../src/platform/files/blobs.ts'
import { filesFolder } from '../src/platform/files/stored-files.ts'
import { accountOf, boardingDeparture, foundOrganization } from '../testing/accounts.ts'
import { WriteLedger } from '../testing/ledger.ts'
import { freePort, newDataFolder, runToEnd, signIn, startProgram, type Program } from '../testing/programs.ts'

// A backup is taken by its command while clients write, and restored by its command into an empty place.

const onPostgres = inject('embeddedPostgres') !== null
const name = onPostgres
  ? 'backup under load'
  : 'backup under load (runs on the embedded PostgreSQL: TEST_DATABASE=embedded)'
const log = pino({ level: 'silent' })
const clients = 4
/** Acknowledged before the backup begins, and while it is taken. */
const writesEach = 60

describe.runIf(onPostgres)(name, () => {
  const folders: string[] = []
  const running: Program[] = []
  const newFolder = (label: string): string => {
    const folder = newDataFolder(label)
    folders.push(folder)
    return folder
  }
  let dataDir: string
  beforeAll(() => {
    dataDir = newFolder('backup')
  })
  afterAll(async () => {
    for (const program of running) program.child.kill('SIGTERM')
    for (const program of running) await program.ended
    folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true }))
  })

  test(
    'everything acknowledged before it is in the restored copy once and whole, and people continue where they were',
    { timeout: 300_000 },
    async () => {
      const orgId = await prepare()
      const port = String(await freePort())
      // the address is part of every token
      const env = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` }
      const server = await startProgram({ ...env, DATA_DIR: dataDir })
      running.push(server)
      const admin = await signIn(server.base, accountOf('admin'))
      const access = await openDatabaseBeside({ dataDir, log })
      const departureIds = [await boardingDeparture(admin, access.ownerPool, { orgId, capacity: 1000 })]
      await access.close()

      const ledger = new WriteLedger({ person: admin, orgId, departureIds, random: seededRandom(7) })
      const loaded = ledger.load(server.base, clients)
      const untilMore = async (writes: number) => {
        const enough = ledger.acknowledged + writes
        await expect.poll(() => ledger.acknowledged, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(enough)
      }
      await untilMore(writesEach)
      const expected = ledger.acknowledgedNow()
      const file = path.join(newFolder('backup-file'), 'tours.backup')
      expect(await runToEnd('backup.ts', [file], { DATA_DIR: dataDir })).toEqual({
        code: 0,
        out: expect.stringMatching(/^Backed up [\d,]+ rows of \d+ tables and 1 file /) as unknown,
        err: '',
      })
      expect(ledger.acknowledged, 'clients write on meanwhile').toBeGreaterThan(expected.size)
      ledger.stop()
      await loaded
      server.child.kill('SIGTERM')
      expect(await server.ended).toBe(0)

      const place = newFolder('restored')
      expect(await runToEnd('restore.ts', [file], { DATA_DIR: place })).toEqual({
        code: 0,
        out: expect.stringMatching(/^Restored [\d,]+ rows/) as unknown,
        err: '',
      })
      const copy = await startProgram({ ...env, DATA_DIR: place })
      running.push(copy)
      const restored = await openDatabaseBeside({ dataDir: place, log })
      expect(await ledger.problems(restored.ownerPool, expected)).toEqual([])
      await restored.close()
      // the token from before the backup, and a repeated request that was answered before it
      expect((await admin.call(listTours, {}, copy.base)).rows).toHaveLength(1)
      const again = await runToEnd('restore.ts', [file], { DATA_DIR: place })
      expect(again).toMatchObject({ code: 1, err: expect.stringContaining('is in use by process') as unknown })
    },
  )

  test('a data folder whose database is gone does not become a new installation', async () => {
    const place = newFolder('without-database')
    for (const kept of ['secret', 'files']) {
      fs.cpSync(path.join(dataDir, kept), path.join(place, kept), { recursive: true })
    }
    await expect(startProgram({ DATA_DIR: place, DEMO: 'on' })).rejects.toThrow('npm run restore -- FILE')
  })

  /** A fresh database with an organization and a file, closed again. */
  async function prepare(): Promise<string> {
    const database = await openDatabase({ dataDir, embeddedEngine: 'postgres', log })
    await migrateDatabase(database, log)
    const orgId = await foundOrganization(database.ownerPool)
    await database.close()
    await diskBlobs(filesFolder({ dataDir })).put(orgId, Buffer.from('a picture'))
    return orgId
  }
})
