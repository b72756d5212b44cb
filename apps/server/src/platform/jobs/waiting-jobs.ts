import { PgBoss } from 'pg-boss'
import type pg from 'pg'
import type { Database } from '../db/database.ts'
import { deadLetterQueue, jobsSchema, onePerKey, ownerConnection } from './boss-jobs.ts'

/** A job that waited or was under way, as a backup keeps it. */
export interface WaitingJob {
  readonly queue: string
  readonly id: string
  readonly data: object | null
  readonly singletonKey: string | null
  readonly startAfter: string
}

/** Jobs that somebody asked for. Scheduled ones have no key and come again by themselves. */
export async function selectWaitingJobs(client: pg.PoolClient): Promise<WaitingJob[]> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regclass('${jobsSchema}.job') is not null as "isThere"`,
  )
  if (!rows[0]?.isThere) return []
  const jobs = await client.query<WaitingJob>(
    `select name as queue, id, data, singleton_key as "singletonKey",
       to_char(start_after at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "startAfter"
     from ${jobsSchema}.job
     where state in ('created', 'retry', 'active') and (singleton_key is not null or name = $1) order by created_on, id`,
    [deadLetterQueue],
  )
  return jobs.rows
}

/** Puts jobs on their queues, which are made where they are not there; the server gives the queues their options at its start. */
export async function insertWaitingJobs(db: Database, jobs: readonly WaitingJob[]): Promise<void> {
  if (jobs.length === 0) return
  const boss = new PgBoss({
    schema: jobsSchema,
    db: ownerConnection(db),
    backend: db.kind === 'pglite' ? 'pglite' : 'postgres',
    supervise: false,
    schedule: false,
  })
  await boss.start()
  try {
    for (const [queue, waiting] of Map.groupBy(jobs, (job) => job.queue)) {
      await boss.createQueue(queue, { policy: queue === deadLetterQueue ? 'standard' : onePerKey })
      await boss.insert(
        queue,
        waiting.map(({ id, data, singletonKey, startAfter }) => ({
          id,
          startAfter,
          ...(data === null ? {} : { data }),
          ...(singletonKey === null ? {} : { singletonKey }),
        })),
      )
    }
  } finally {
    await boss.stop({ graceful: false })
  }
}
