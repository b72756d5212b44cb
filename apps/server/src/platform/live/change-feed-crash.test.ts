import fs from 'node:fs'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newDataFolder } from '../../../testing/programs.ts'
import { migrateDatabase, openDatabase, type Database } from '../db/database.ts'
import { newId } from '../ids.ts'
import { openChangeFeed } from './change-feed.ts'

// A crash of the database between two reads. Transaction numbers of which nothing was on disk are given a second time after it.

const onPostgres = inject('embeddedPostgres') !== null
const name = onPostgres ? 'a crash' : 'a crash (runs on the embedded PostgreSQL: TEST_DATABASE=embedded)'
const log = pino({ level: 'silent' })
const owner = 'an-organization'
let dataDir: string
let database: Database

/** Writes a row of the change log. Returns the number of its transaction. */
async function addChange(entityId: string): Promise<bigint> {
  const { rows } = await database.ownerPool.query<{ tx: string }>(
    `insert into changes (org_id, topic, entity_id, op) values ($1, 'suppliers', $2, 'insert') returning tx::text`,
    [owner, entityId],
  )
  return BigInt(rows[0]?.tx ?? 0)
}

/** The feed is the only one that uses the application's connections here. */
async function severalLooks(): Promise<void> {
  let looks = 0
  const count = (): unknown => (looks += 1)
  database.pool.on('acquire', count)
  await expect.poll(() => looks, { interval: 20 }).toBeGreaterThan(1)
  database.pool.off('acquire', count)
}

/** Takes transaction numbers and gives them up again, without a trace on disk. */
async function takeNumbers(count: number): Promise<bigint> {
  let last = 0n
  for (let n = 0; n < count; n += 1) {
    const client = await database.ownerPool.connect()
    await client.query('begin')
    const { rows } = await client.query<{ tx: string }>('select pg_current_xact_id()::text as tx')
    last = BigInt(rows[0]?.tx ?? 0)
    await client.query('rollback')
    client.release()
  }
  return last
}

const postmaster = (): number => Number(fs.readFileSync(`${dataDir}/postgres/postmaster.pid`, 'utf8').split('\n')[0])

describe.runIf(onPostgres)(name, () => {
  beforeAll(async () => {
    dataDir = newDataFolder('feed-crash')
    database = await openDatabase({ dataDir, embeddedEngine: 'postgres', log })
    await migrateDatabase(database, log)
  }, 120_000)
  afterAll(async () => {
    await database?.close()
    fs.rmSync(dataDir, { recursive: true, force: true })
  })

  test('loses no change, also of transactions whose numbers were given before', { timeout: 180_000 }, async () => {
    const seen: string[] = []
    const feed = await openChangeFeed({
      db: database,
      log,
      // polls once a second, so that rows are written between the crash and the first read after it
      mode: 'notify',
      onRows: (rows) => seen.push(...rows.filter((row) => row.owner === owner).map(({ entityId }) => entityId)),
    })
    // What is not committed stays in memory for as long as PostgreSQL lets it.
    await database.ownerPool.query(`alter system set wal_writer_delay = '10s'`)
    await database.ownerPool.query('select pg_reload_conf()')
    const written: string[] = []
    const add = async (): Promise<bigint> => {
      const id = newId()
      written.push(id)
      return addChange(id)
    }
    await add()
    let isGivenAgain = false
    // Something else in the database may write a checkpoint just then; hence more than one attempt.
    for (let attempt = 0; attempt < 8 && !isGivenAgain; attempt += 1) {
      await expect.poll(() => seen.toSorted()).toEqual(written.toSorted())
      const taken = await takeNumbers(100)
      await severalLooks()
      const before = postmaster()
      process.kill(before, 'SIGKILL')
      await expect.poll(() => database.isRunning() && postmaster() !== before, { timeout: 60_000 }).toBe(true)
      for (let n = 0; n < 40; n += 1) isGivenAgain = (await add()) <= taken || isGivenAgain
    }
    expect(isGivenAgain, 'otherwise this test shows nothing').toBe(true)
    await expect.poll(() => seen.toSorted()).toEqual(written.toSorted())
    await feed.close()
  })
})
