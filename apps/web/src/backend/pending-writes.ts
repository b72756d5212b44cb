import { DatabaseError, isTransient } from '@tour-ops/contract/database-codes'
import type { DocumentWrite } from '@tour-ops/contract/live/documents'
import type { DocumentsEnvironment } from './documents-environment.ts'
import { databaseErrorOf } from './documents-wire.ts'
import { pendingWriteBatchesLimit, reconnectDelayMs } from './reconnect.ts'

interface Batch {
  writes: readonly DocumentWrite[]
  readonly idempotencyKey: string
  isSent: boolean
  readonly settle: { readonly resolve: () => void; readonly reject: (error: DatabaseError) => void }[]
}

/** The document that a batch replaces as a whole and without conditions; undefined for any other batch. */
function replacedPath(writes: readonly DocumentWrite[]): string | undefined {
  const [only] = writes
  return writes.length === 1 && only?.kind === 'set' && !only.precondition ? only.path : undefined
}

/** Write batches in the order of the calls, one on its way at a time, kept and repeated while the server cannot be reached. */
export class PendingWrites {
  readonly #send: (writes: readonly DocumentWrite[], idempotencyKey: string) => Promise<void>
  readonly #env: DocumentsEnvironment
  readonly #batches: Batch[] = []
  readonly #stopOnline: () => void
  #isRunning = false
  #attempt = 0
  #timer: unknown

  constructor(
    env: DocumentsEnvironment,
    send: (writes: readonly DocumentWrite[], idempotencyKey: string) => Promise<void>,
  ) {
    this.#env = env
    this.#send = send
    this.#stopOnline = env.onOnline(() => this.#runNow())
  }

  /**
   * Resolves when the server has applied the batch. A newer `set` of a document takes the place of an older one that has not
   * been sent, so that a form which saves its draft every few seconds does not fill the queue.
   *
   * @throws DatabaseError `resource-exhausted` when 10 batches wait already. Source: spec, section 9.
   */
  commit(writes: readonly DocumentWrite[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const last = this.#batches.at(-1)
      const path = replacedPath(writes)
      if (last && !last.isSent && path !== undefined && replacedPath(last.writes) === path) {
        last.writes = writes
        last.settle.push({ resolve, reject })
        return
      }
      if (this.#batches.length >= pendingWriteBatchesLimit) {
        reject(new DatabaseError('resource-exhausted', 'Too many changes are waiting for the connection.'))
        return
      }
      this.#batches.push({ writes, idempotencyKey: this.#env.newId(), isSent: false, settle: [{ resolve, reject }] })
      void this.#run()
    })
  }

  /** Gives up what is waiting: the person has left. */
  clear(): void {
    const error = new DatabaseError('cancelled', 'The change was not sent.')
    for (const batch of this.#batches.splice(0)) batch.settle.forEach(({ reject }) => reject(error))
    this.#attempt = 0
    this.#stopTimer()
  }

  close(): void {
    this.clear()
    this.#stopOnline()
  }

  async #run(): Promise<void> {
    if (this.#isRunning || this.#timer !== undefined) return
    this.#isRunning = true
    try {
      for (let batch = this.#batches[0]; batch; batch = this.#batches[0]) {
        if (!(await this.#deliver(batch))) return
      }
    } finally {
      this.#isRunning = false
    }
  }

  /** Returns false when the batch must wait. */
  async #deliver(batch: Batch): Promise<boolean> {
    batch.isSent = true
    try {
      await this.#send(batch.writes, batch.idempotencyKey)
      this.#finish(batch, ({ resolve }) => resolve())
    } catch (cause) {
      const error = databaseErrorOf(cause)
      if (isTransient(error.code)) {
        if (this.#batches[0] !== batch) return true // given up meanwhile
        this.#wait()
        return false
      }
      this.#finish(batch, ({ reject }) => reject(error))
    }
    this.#attempt = 0
    return true
  }

  #finish(batch: Batch, tell: (waiting: Batch['settle'][number]) => void): void {
    if (this.#batches[0] === batch) this.#batches.shift()
    batch.settle.forEach(tell)
  }

  #wait(): void {
    this.#timer = this.#env.setTimeout(() => this.#runNow(), reconnectDelayMs(this.#attempt))
    this.#attempt += 1
  }

  #runNow(): void {
    this.#stopTimer()
    void this.#run()
  }

  #stopTimer(): void {
    if (this.#timer !== undefined) this.#env.clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
