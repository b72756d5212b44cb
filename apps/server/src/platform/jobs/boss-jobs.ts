import { randomUUID } from 'node:crypto'
import { fromKysely, PgBoss, type Db, type Job, type QueueOptions, type QueuePolicy, type WorkOptions } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { withoutLimits } from '../db/pool.ts'
import { applicationRole } from '../db/transaction.ts'
import { reportOutage } from '../outages.ts'
import type { EnqueueOptions, JobHandler, Jobs, RegisterOptions } from './jobs.ts'

export interface BossJobsOptions {
  readonly db: Database
  readonly log: Logger
  /** False for a program that puts jobs on queues and leaves everything else to others: work, schedules, care of the tables. */
  readonly works?: boolean
  /** Shorter waits, for tests that kill a worker. */
  readonly timings?: Partial<JobTimings>
}

interface JobTimings {
  /** A worker that gives no sign of life for this long has died; another process takes its job over. At least 10. */
  readonly heartbeatSeconds: number
  /** How often jobs of dead workers are looked for. */
  readonly superviseSeconds: number
  /** How often a queue is checked for what nobody is woken for: retries and jobs that start later. At least 0.5. */
  readonly pollSeconds: number
}

const defaultTimings: JobTimings = { heartbeatSeconds: 60, superviseSeconds: 30, pollSeconds: 5 }
export const jobsSchema = 'jobs'
/** Holds the jobs that failed for good, with their data, until somebody checks them. */
export const deadLetterQueue = 'dead-letters'
const stopMs = 10_000
const secondsPerDay = 86_400

interface Registered {
  readonly handler: JobHandler<object>
  readonly options: RegisterOptions
}

/** Jobs on pg-boss, in the schema `jobs` of the same database. The owner's connections work; the application only enqueues. */
export function bossJobs({ db, log, works = true, timings: given }: BossJobsOptions): Jobs {
  const timings = { ...defaultTimings, ...given }
  const registered = new Map<string, Registered>()
  const boss = new PgBoss({
    schema: jobsSchema,
    db: ownerConnection(db),
    backend: db.kind === 'pglite' ? 'pglite' : 'postgres',
    useListenNotify: works,
    ...(works ? {} : { migrate: false, supervise: false, schedule: false }),
    superviseIntervalSeconds: timings.superviseSeconds,
    monitorIntervalSeconds: timings.superviseSeconds,
    // two checks of the schedules a minute, as the library does by itself, but the first one soon after the start
    cronWorkerIntervalSeconds: 5,
  })
  boss.on('error', (error) => {
    if (!reportOutage(log, asError(error))) log.error({ err: error }, 'the job queue met an error')
  })
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue warns'))
  let isStarted = false

  return {
    register(name, handler, options = {}) {
      if (isStarted) throw new Error(`Register the job ${name} before the jobs are started`)
      if (registered.has(name)) throw new Error(`The job ${name} is registered twice`)
      registered.set(name, { handler: handler as JobHandler<object>, options })
    },
    async start() {
      isStarted = true
      // A process that only enqueues finds everything created, and may have a single connection.
      if (!works) return void (await boss.start())
      await oneProcessAtATime(db, async () => {
        await boss.start()
        await allowEnqueuing(db)
        await createQueue(boss, deadLetterQueue, 'standard', { retentionSeconds: 90 * secondsPerDay })
        for (const [name, { options }] of registered) {
          await createQueue(boss, name, onePerKey, queueOptions(options, timings))
        }
        await keepSchedules(boss, registered)
      })
      for (const [name, entry] of registered) await work(boss, log, timings, name, entry)
    },
    async enqueue(tx, name, data, options) {
      if (!registered.has(name)) throw new Error(`No job ${name} is registered`)
      await boss.send(name, data, { ...sendOptions(options), db: fromKysely(tx) })
    },
    async stop() {
      if (!isStarted) return
      await boss.stop({ graceful: true, timeout: stopMs })
    },
  }
}

/** The library hands the errors of its workers on as plain copies. */
const asError = (error: Error): Error =>
  error instanceof Error ? error : Object.assign(new Error('the job queue'), error)

/**
 * Every job has a key: with this policy one job per key waits, and jobs that were given none get one of their own.
 * Scheduled jobs come without, so at most one of a kind waits while nobody can work.
 */
export const onePerKey = 'short'

const queueOptions = (
  { retryLimit = 5, expireInSeconds = 900 }: RegisterOptions,
  { heartbeatSeconds }: JobTimings,
) => ({
  retryLimit,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds,
  heartbeatSeconds,
  deleteAfterSeconds: 7 * secondsPerDay,
  deadLetter: deadLetterQueue,
  notify: true,
})

const sendOptions = ({ startAfter, singletonKey }: EnqueueOptions = {}) => ({
  singletonKey: singletonKey ?? randomUUID(),
  ...(startAfter ? { startAfter } : {}),
})

/** Held while the library makes its tables. The number is arbitrary. */
const startLockKey = 7_263_548_118

/**
 * The library makes its schema without a lock: of two processes that start on a new database at once, one would fail. PGlite
 * serves one process and has one connection, which a lock would only block.
 */
async function oneProcessAtATime(db: Database, prepare: () => Promise<void>): Promise<void> {
  if (db.kind === 'pglite') return prepare()
  await withoutLimits(db.ownerPool, async (client) => {
    await client.query('select pg_advisory_lock($1)', [startLockKey])
    try {
      await prepare()
    } finally {
      await client.query('select pg_advisory_unlock($1)', [startLockKey])
    }
  })
}

/** Makes the queue, or gives an older one the present options. */
async function createQueue(
  boss: PgBoss,
  name: string,
  policy: QueuePolicy,
  options: QueueOptions & { readonly deadLetter?: string; readonly notify?: boolean },
): Promise<void> {
  await boss.createQueue(name, { policy, ...options })
  await boss.updateQueue(name, options)
}

/** Schedules are rows: those of jobs that no longer exist would continue forever. */
async function keepSchedules(boss: PgBoss, registered: ReadonlyMap<string, Registered>): Promise<void> {
  for (const { name } of await boss.getSchedules()) {
    if (!registered.get(name)?.options.cron) await boss.unschedule(name)
  }
  for (const [name, { options }] of registered) {
    const { cron, tz = 'UTC', catchUp = false } = options
    if (cron) await boss.schedule(name, cron, {}, { tz, missed: catchUp ? 'once' : 'skip' })
  }
}

/**
 * Starts the workers of a job. The library waits out its interval after every batch of one; waking the worker when a job is done
 * lets it continue until its queue is empty.
 */
async function work(boss: PgBoss, log: Logger, timings: JobTimings, name: string, entry: Registered): Promise<void> {
  const options: WorkOptions = {
    batchSize: 1,
    pollingIntervalSeconds: Math.min(timings.pollSeconds, 2),
    notifyPollingIntervalSeconds: timings.pollSeconds,
  }
  for (let index = 0; index < (entry.options.concurrency ?? 1); index += 1) {
    let workerId = ''
    workerId = await boss.work<object>(name, options, async (jobs) => {
      boss.notifyWorker(workerId)
      for (const job of jobs) await runJob(log, job, entry.handler)
    })
  }
}

async function runJob(log: Logger, job: Job, handler: JobHandler<object>): Promise<void> {
  const attempt = job.retryCount + 1
  const startedMs = performance.now()
  try {
    await handler(job.data ?? {}, { id: job.id, attempt, signal: job.signal })
    const durationMs = Math.round(performance.now() - startedMs)
    log.debug({ job: job.name, jobId: job.id, attempt, durationMs }, 'job done')
  } catch (error) {
    if (reportOutage(log, error)) log.debug({ job: job.name, jobId: job.id, attempt }, 'job failed in an outage')
    else log.error({ err: error, job: job.name, jobId: job.id, attempt }, 'job failed')
    throw error
  }
}

/**
 * The owner's connections for the library. A statement of its may be several with BEGIN and COMMIT in one text; when one of them
 * fails, the connection is left inside a broken transaction and must not go back to the pool like that.
 */
export function ownerConnection(db: Database): Db {
  return {
    async executeSql(text, values) {
      const client = await db.ownerPool.connect()
      try {
        const result = await client.query(text, values)
        client.release()
        return result
      } catch (error) {
        await client.query('rollback').then(
          () => client.release(),
          (broken: Error) => client.release(broken),
        )
        throw error
      }
    },
    async listen(channel, onNotification, onReconnect) {
      // the listener reconnects by itself and then wakes with an empty payload
      const close = await db.listen(channel, (payload) => (payload === '' ? onReconnect() : onNotification(payload)))
      onReconnect()
      return { close }
    },
  }
}

/**
 * Lets the application's role put jobs on queues and nothing more: the jobs of all organizations are in one table, and what it
 * put there it cannot read again.
 */
async function allowEnqueuing(db: Database): Promise<void> {
  await db.ownerPool.query(`
    do $$
    declare
      jobs record;
    begin
      perform pg_advisory_xact_lock(hashtext('jobs.grants'));
      grant usage on schema ${jobsSchema} to ${applicationRole};
      grant select on ${jobsSchema}.queue to ${applicationRole};
      for jobs in select c.relname from pg_class c where c.relnamespace = '${jobsSchema}'::regnamespace
        and c.relkind in ('r', 'p') and (c.relname = 'job' or c.relname like 'job\\_%' or c.relname ~ '^j[0-9a-f]{20,}$')
      loop
        if exists (select from pg_attribute a where a.attrelid = format('${jobsSchema}.%I', jobs.relname)::regclass and a.attname = 'start_after') then
          execute format('grant insert, select (id, start_after) on ${jobsSchema}.%I to ${applicationRole}', jobs.relname);
        end if;
      end loop;
    end $$`)
}
