import { refuse } from '@tour-ops/contract/refusals'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type ImportJob, type ImportPhase, updateProgress } from './batches-store.ts'
import type { BatchKey } from './plan-types.ts'

/** The job payload. */
export interface ImportJobData {
  readonly orgId: string
  readonly batchId: string
  readonly userId: string
  readonly runId: string
  readonly requestId: string
}

/** Somebody asked to stop, or another run took over. Not an error: there is nothing to report. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** How often a run says how far it is, and listens whether it shall continue. */
const reportEveryMs = 250

/** One run of a job on a batch: its transactions, and what it says about its progress. */
export class ImportRun {
  readonly services: Services
  readonly data: ImportJobData
  readonly job: ImportJob
  readonly #halt = new AbortController()
  readonly #processSignal: AbortSignal
  readonly #signal: AbortSignal
  #lastReport = 0
  #at: { phase: ImportPhase; done: number; total: number } = { phase: 'waiting', done: 0, total: 0 }

  constructor(services: Services, job: ImportJob, data: ImportJobData, signal: AbortSignal) {
    this.services = services
    this.job = job
    this.data = data
    this.#processSignal = signal
    this.#signal = AbortSignal.any([signal, this.#halt.signal])
  }

  /** Aborted when the run shall not continue. */
  get signal(): AbortSignal {
    return this.#signal
  }

  get key(): BatchKey {
    return { orgId: this.data.orgId, batchId: this.data.batchId }
  }

  /** A transaction in the name of the person who started the job. */
  transaction<T>(run: (tx: Tx) => Promise<T>, importBatchId?: string): Promise<T> {
    return this.#transaction(run, this.#signal, importBatchId)
  }

  /** The same once the run is over, also one that was stopped. */
  conclude<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transaction(run, this.#processSignal)
  }

  #transaction<T>(run: (tx: Tx) => Promise<T>, signal: AbortSignal, importBatchId?: string): Promise<T> {
    const { orgId, userId, requestId } = this.data
    return this.services.db.transaction(
      {
        orgId,
        actor: { kind: 'user', id: userId },
        action: `imports-${this.job}`,
        requestId,
        signal,
        clock: this.services.clock,
        ...(importBatchId === undefined ? {} : { importBatchId }),
      },
      run,
    )
  }

  /**
   * Says how far the run is, a few times a second at most.
   *
   * @throws Stopped when it shall not continue.
   */
  async report(phase: ImportPhase, done: number, total: number): Promise<void> {
    const isNewPhase = phase !== this.#at.phase
    this.#at = { phase, done, total }
    if (!isNewPhase && performance.now() - this.#lastReport < reportEveryMs) return
    this.#lastReport = performance.now()
    if (!(await this.#tell())) throw new Stopped()
  }

  /**
   * A long transaction, whose progress is reported on another connection; a stop ends the statement that runs. PGlite has one connection,
   * which the transaction holds: nobody could ask meanwhile, and nobody be answered.
   */
  watchedTransaction(run: (tx: Tx) => Promise<void>, importBatchId?: string): Promise<void> {
    const work = (): Promise<void> => this.transaction(run, importBatchId)
    return this.services.db.kind === 'pglite' ? work() : this.watched(work)
  }

  /** The same for work that holds no transaction while it waits or computes. */
  async watched<T>(run: () => Promise<T>): Promise<T> {
    let isTelling = false
    const timer = setInterval(() => {
      // the end of the work holds its row for a while: those who wait for it would take every connection
      if (isTelling) return
      isTelling = true
      this.#tell()
        .then(
          (goesOn) => {
            if (!goesOn) this.#halt.abort(refuse('import_stopped'))
          },
          (error: unknown) => this.services.log.warn({ err: error }, 'the progress of an import could not be told'),
        )
        .finally(() => {
          isTelling = false
        })
    }, reportEveryMs)
    try {
      return await run()
    } catch (error) {
      throw this.#halt.signal.aborted ? new Stopped() : error
    } finally {
      clearInterval(timer)
    }
  }

  /** Remembers how far it is; `watchedTransaction` reports it. */
  at(phase: ImportPhase, done: number, total: number): void {
    this.#at = { phase, done, total }
  }

  #tell(): Promise<boolean> {
    const { orgId, batchId, runId, requestId } = this.data
    return this.services.db.transaction(
      { orgId, actor: { kind: 'system', id: null }, action: 'imports-progress', requestId, clock: this.services.clock },
      (tx) => updateProgress(tx, orgId, batchId, runId, this.#at),
    )
  }
}
