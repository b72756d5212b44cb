import type { Tx } from '../db/database.ts'

/** What a handler learns about the run it is in. */
export interface JobRun {
  readonly id: string
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Aborted when the job has run out of time or the process stops; a long handler checks it between its steps. */
  readonly signal: AbortSignal
}

/** Does the work. What it throws is logged, and the job is tried again later. A job may run twice after a crash. */
export type JobHandler<Data extends object> = (data: Data, run: JobRun) => Promise<void>

export interface EnqueueOptions {
  /** Not before this moment. */
  readonly startAfter?: Date
  /**
   * While a job of the same name and key waits, no second one is made. The one that waits may start before the transaction that
   * asked again has committed, so a key is for work that processes everything there is, and not at one new row.
   */
  readonly singletonKey?: string
}

export interface RegisterOptions {
  /** Runs it on a schedule as well, once however many processes there are: `minute hour day month weekday`. */
  readonly cron?: string
  /** Whether a time that passed while no process ran is made up for, once, at the next start. */
  readonly catchUp?: boolean
  /** IANA zone of `cron`; UTC when left out. */
  readonly tz?: string
  /** Attempts after the first, 5 when left out; after the last the job goes to the dead-letter queue. */
  readonly retryLimit?: number
  /** Jobs of this kind at once in one process, 1 when left out. */
  readonly concurrency?: number
  /** Longest time of one run, seconds; 900 when left out. */
  readonly expireInSeconds?: number
}

/** Work that happens later, or again and again, in some process. */
export interface Jobs {
  /**
   * Puts a job on its queue with the transaction: it exists when that commits, and never when it does not.
   *
   * @param name A registered job.
   */
  enqueue(tx: Tx, name: string, data: object, options?: EnqueueOptions): Promise<void>
  /** Says who does a job. Before `start`; every process registers the same ones. */
  register<Data extends object>(name: string, handler: JobHandler<Data>, options?: RegisterOptions): void
  /** Begins to work. Migrates the library's own tables. */
  start(): Promise<void>
  /** Takes no new jobs, waits for those under way (at most 10 s), and leaves what is unfinished to other processes. */
  stop(): Promise<void>
}
