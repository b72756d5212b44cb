import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { livePath, type LiveChanges } from '@tour-ops/contract/live/live-paths'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { seededRandom } from '../seed/random.ts'
import { migrateDatabase, openDatabase } from '../src/platform/db/database.ts'
import { isAlive, readIfThere } from '../src/platform/db/folder-lock.ts'
import { startEmbedded } from '../src/platform/db/launcher.ts'
import { makePool } from '../src/platform/db/pool.ts'
import { listenTo, type HeardFrame } from '../testing/listen.ts'
import { accountOf, boardingDeparture, foundOrganization } from '../testing/accounts.ts'
import { WriteLedger } from '../testing/ledger.ts'
import { freePort, newDataFolder, signIn, startProgram, type Person, type Program } from '../testing/programs.ts'

// The embedded PostgreSQL is killed under a program that continues: it starts the database again, serves, and has lost nothing.

const kills = 6
const clients = 6
const onPostgres = inject('embeddedPostgres') !== null
const name = onPostgres
  ? 'a database that is killed under load'
  : 'a database that is killed under load (runs on the embedded PostgreSQL: TEST_DATABASE=embedded)'

const log = pino({ level: 'silent' })
let dataDir: string
let program: Program
let orgId: string

/** Of the database's first process; 0 while there is none. */
const postmaster = (): number => Number(readIfThere(path.join(dataDir, 'postgres/postmaster.pid'))?.split('\n')[0] ?? 0)
const ownerAddress = () => ({
  host: path.join(dataDir, 'postgres'),
  user: 'app_owner',
  database: 'tour_operations',
})
const statusOf = async (address: string): Promise<number> => (await fetch(program.base + address)).status

/** Asks both probes all the time. */
function watchProbes() {
  const seen = new Set<string>()
  let isOver = false
  const run = async (probe: string): Promise<void> => {
    for (;;) {
      if (isOver) return
      seen.add(`${probe} ${await statusOf(probe)}`)
      await sleep(5)
    }
  }
  const over = Promise.all(['/healthz', '/readyz'].map(run))
  return {
    /** Everything they answered, each once. */
    async stop(): Promise<string[]> {
      isOver = true
      await over
      return [...seen].toSorted()
    },
  }
}

/** A browser that reconnects with its last event whenever its stream ends. */
function faithfulListener(person: Person, targets: readonly string[]) {
  const heard: HeardFrame[] = []
  let isOver = false
  let lastEventId = ''
  let present: Awaited<ReturnType<typeof listenTo>> | undefined
  const run = async (): Promise<void> => {
    for (;;) {
      if (isOver) return
      const resume = lastEventId ? { lastEventId, known: targets } : {}
      present = await listenTo(program.base, person.bearer, targets, resume).catch(() => undefined)
      if (!present) return // the program has ended
      await present.ended
      heard.push(...present.frames)
      lastEventId = present.lastEventId() || lastEventId
      if (!isOver) await sleep(50)
    }
  }
  const over = run()
  const frames = () => [
    ...heard,
    ...(present && !heard.includes(present.frames[0] as HeardFrame) ? present.frames : []),
  ]
  return {
    ids: () =>
      new Set(
        frames().flatMap(({ frame }) =>
          frame.event === 'document' ? ((frame.data.data as LiveChanges | null)?.ids ?? []) : [],
        ),
      ),
    resets: () => frames().filter(({ frame }) => frame.event === 'reset').length,
    isOpen: () => frames().some(({ frame }) => frame.event === 'current'),
    async stop() {
      isOver = true
      present?.cut()
      await over
    },
  }
}

/** Jobs that ended since the program started. */
async function jobsDone(owner: ReturnType<typeof makePool>): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    `select count(*)::int as n from jobs.job where state = 'completed' and completed_on > clock_timestamp() - interval '2 minutes'`,
  )
  return rows[0]?.n ?? 0
}

describe.runIf(onPostgres)(name, () => {
  beforeAll(async () => {
    dataDir = newDataFolder('database-killed')
    const database = await openDatabase({ dataDir, embeddedEngine: 'postgres', log })
    await migrateDatabase(database, log)
    orgId = await foundOrganization(database.ownerPool)
    await database.close()
    program = await startProgram({ DATA_DIR: dataDir, PORT: String(await freePort()), LOG_LEVEL: 'warn' })
  }, 120_000)
  afterAll(async () => {
    program?.child.kill('SIGKILL')
    await program?.ended
    // Where a test failed in the middle, the killed program has left its database running.
    if (postmaster() > 0 && isAlive(postmaster())) await (await startEmbedded(dataDir, log)).stop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  })

  test(
    `is started again ${kills} times; every acknowledged write is there once, listeners are notified, and jobs continue`,
    { timeout: 300_000 },
    async () => {
      const { base } = program
      const admin = await signIn(base, accountOf('admin'))
      let owner = makePool({ ...ownerAddress(), max: 2 }, log)
      const departureIds = [await boardingDeparture(admin, owner, { orgId, capacity: 1000 })]
      const ledger = new WriteLedger({ person: admin, orgId, departureIds, random: seededRandom(Date.now()) })
      const listener = faithfulListener(admin, [livePath.changes(orgId, 'travelers')])
      await expect.poll(() => listener.isOpen()).toBe(true)

      const probes = watchProbes()
      for (let kill = 0; kill < kills; kill += 1) {
        const loaded = ledger.load(base, clients)
        const enough = ledger.acknowledged + 20
        await expect.poll(() => ledger.acknowledged, { timeout: 30_000, interval: 3 }).toBeGreaterThan(enough)
        await owner.end()
        const before = postmaster()
        process.kill(before, 'SIGKILL')
        await expect.poll(() => ![0, before].includes(postmaster()), { timeout: 60_000 }).toBe(true)
        await expect.poll(() => statusOf('/healthz'), { timeout: 60_000 }).toBe(200)
        await expect.poll(() => statusOf('/readyz'), { timeout: 60_000 }).toBe(200)
        ledger.stop()
        await loaded
        owner = makePool({ ...ownerAddress(), max: 2 }, log)
        expect(await ledger.problems(owner), `after kill ${kill + 1}`).toEqual([])
        await ledger.repeat(base, 5)
        expect(await ledger.problems(owner), `after kill ${kill + 1} and the repeats`).toEqual([])
      }
      expect(ledger.acknowledged).toBe(ledger.sent)
      expect(await probes.stop()).toEqual(['/healthz 200', '/healthz 503', '/readyz 200', '/readyz 503'])

      const { rows } = await owner.query<{ id: string }>('select id from travelers where org_id = $1', [orgId])
      await expect.poll(() => rows.filter(({ id }) => !listener.ids().has(id)), { timeout: 20_000 }).toEqual([])
      expect(listener.resets()).toBe(0)
      await listener.stop()

      // one line for the outage, and none for everybody who met it
      expect(program.output()).toContain('outage: requests are answered with 503')
      expect(program.output()).not.toMatch(/the job queue met an error|job failed|request failed/)

      const done = await jobsDone(owner)
      await expect.poll(() => jobsDone(owner), { timeout: 100_000, interval: 500 }).toBeGreaterThan(done)
      await owner.end()
    },
  )

  test(
    'one killed backend breaks what ran on it and its neighbors, and nothing else',
    { timeout: 60_000 },
    async () => {
      const before = postmaster()
      const client = new Client(ownerAddress())
      client.on('error', () => undefined)
      await client.connect()
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
      await expect.poll(() => statusOf('/readyz').catch(() => 0), { timeout: 30_000 }).toBe(200)
      expect(postmaster()).toBe(before)
    },
  )

  test(
    'a database that cannot start again ends the program, so that its supervisor can act',
    { timeout: 150_000 },
    async () => {
      const needed = path.join(dataDir, 'postgres/global/pg_control')
      fs.renameSync(needed, `${needed}.away`)
      process.kill(postmaster(), 'SIGKILL')
      expect(await program.ended).toBe(1)
      expect(program.output()).toContain('PostgreSQL ended and could not be started again.')
      fs.renameSync(`${needed}.away`, needed)
    },
  )
})
