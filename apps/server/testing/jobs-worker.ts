import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { pino } from 'pino'
import { connectDatabase, type Database } from '../src/platform/db/database.ts'
import { bossJobs } from '../src/platform/jobs/boss-jobs.ts'
import type { Jobs } from '../src/platform/jobs/jobs.ts'

// For the test of several workers: writes into a ledger what it has begun. Started as a program, it is one more worker.

export const ledgerJob = 'ledger'

/** A worker that takes about 20 ms for each job. */
export function ledgerJobs(db: Database, worker: string): Jobs {
  const jobs = bossJobs({
    db,
    log: pino({ level: 'silent' }),
    timings: { heartbeatSeconds: 10, superviseSeconds: 1, pollSeconds: 0.5 },
  })
  jobs.register<{ n: number }>(
    ledgerJob,
    async ({ n }) => {
      await db.ownerPool.query('insert into job_ledger (n, worker) values ($1, $2)', [n, worker])
      await sleep(20)
    },
    { concurrency: 2 },
  )
  return jobs
}

const connection = process.env['LEDGER_DATABASE']
if (connection && process.argv[1] === import.meta.filename) {
  const config = JSON.parse(connection) as pg.ClientConfig
  const database = connectDatabase(
    'url',
    { application: config, owner: config },
    pino({ level: 'silent' }),
    async () => undefined,
  )
  await ledgerJobs(database, 'child').start()
  process.send?.('ready')
}
