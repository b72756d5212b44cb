import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { ledgerJob, ledgerJobs } from '../../../testing/jobs-worker.ts'
import type { Jobs } from './jobs.ts'

// PGlite serves one process, so there is nothing to try on it.
const several = inject('embeddedPostgres') !== null

let world: TestWorld
let child: ChildProcess | undefined
let mine: Jobs | undefined
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await mine?.stop()
  await world?.close()
})

test.runIf(several)(
  'two processes share the work, and what a killed one leaves is done by the other',
  async () => {
    const { ownerPool } = world.database
    await ownerPool.query('create table job_ledger (n int not null, worker text not null)')
    mine = ledgerJobs(world.database, 'parent')
    await mine.start()
    const { host, port, user, password, database } = ownerPool.options
    child = fork(path.join(import.meta.dirname, '../../../testing/jobs-worker.ts'), {
      env: { ...process.env, LEDGER_DATABASE: JSON.stringify({ host, port, user, password, database }) },
    })
    await once(child, 'message')

    const ada = await world.as('dispatcher')
    // More than one of them would finish while the other is held up for a second.
    const numbers = Array.from({ length: 400 }, (_, n) => n)
    const jobs = mine
    await ada.transaction(async (tx) => {
      for (const n of numbers) await jobs.enqueue(tx, ledgerJob, { n })
    })
    const done = async (where = 'true') => {
      const { rows } = await ownerPool.query<{ count: number }>(`select count(*) from job_ledger where ${where}`)
      return Number(rows[0]?.count)
    }
    await expect.poll(() => done(`worker = 'child'`), { interval: 10 }).toBeGreaterThan(20)
    child.kill('SIGKILL')
    await expect.poll(() => done(), { timeout: 40_000 }).toBeGreaterThanOrEqual(numbers.length - 2)

    // Every job was begun; only those that the killed worker had in its hands may have been begun twice.
    const finished = async () => {
      const { rows } = await ownerPool.query<{ count: number }>(
        `select count(*) from jobs.job where name = $1 and state = 'completed'`,
        [ledgerJob],
      )
      return Number(rows[0]?.count)
    }
    await expect.poll(finished, { timeout: 40_000, interval: 250 }).toBe(numbers.length)
    const { rows } = await ownerPool.query<{ n: number; times: number; workers: string[] }>(
      `select n, count(*) as times, array_agg(worker) as workers from job_ledger group by n order by n`,
    )
    expect(rows.map(({ n }) => n)).toEqual(numbers)
    const twice = rows.filter(({ times }) => times > 1)
    expect(twice.length).toBeLessThanOrEqual(2)
    for (const { workers } of twice) expect(workers.toSorted()).toEqual(['child', 'parent'])
  },
  90_000,
)
