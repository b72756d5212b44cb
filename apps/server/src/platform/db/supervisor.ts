import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** One run of a server that we started or adopted. */
export interface ServerRun {
  readonly pid: number
  /** Resolves with the reason when the process has ended, in whatever way. */
  readonly ended: Promise<string>
}

export interface SupervisorOptions<Run extends ServerRun> {
  /** Starts the server again at its old address. */
  readonly launch: () => Promise<Run>
  readonly log: Logger
  /** The server could not be started again; nothing more is tried. */
  readonly onLost: (error: Error) => void
  /** Pauses before each attempt, ms; after the last one the server is lost. */
  readonly delaysMs?: readonly number[]
}

/** A quarter of a minute in all: temporary failures are over by then, and the process supervisor should not wait longer. */
const defaultDelaysMs = [0, 250, 500, 1_000, 2_000, 4_000, 8_000]
/** A server that ended sooner than this after its start is not started again at once. */
const shortLifeMs = 3_000
const afterShortLifeMs = 1_000

/** Starts a server again whenever it ends without being asked to. */
export class Supervisor<Run extends ServerRun> {
  readonly #options: SupervisorOptions<Run>
  readonly #stopping = new AbortController()
  readonly #watching: Promise<void>
  #run: Run
  #isRunning = true
  #startedAtMs = performance.now()

  constructor(first: Run, options: SupervisorOptions<Run>) {
    this.#options = options
    this.#run = first
    this.#watching = this.#watch()
  }

  /** The present run, or the last one. */
  get run(): Run {
    return this.#run
  }

  /** False from the end of one run to the beginning of the next. */
  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Stops watching; a start under way is waited for. Ends the server with `end`, if it runs. */
  async stop(end: (run: Run) => Promise<void>): Promise<void> {
    this.#stopping.abort()
    // A start that is under way ends with a server that runs, which must not stay behind.
    if (!this.#isRunning) await this.#watching
    await end(this.#run)
  }

  async #watch(): Promise<void> {
    for (;;) {
      const why = await this.#run.ended
      if (this.#stopping.signal.aborted) return
      this.#isRunning = false
      this.#options.log.error({ pid: this.#run.pid, why }, 'PostgreSQL ended by itself; it is started again')
      const next = await this.#launchAgain()
      if (!next) return
      this.#run = next
      this.#startedAtMs = performance.now()
      this.#isRunning = true
      this.#options.log.warn({ pid: next.pid }, 'PostgreSQL runs again')
    }
  }

  async #launchAgain(): Promise<Run | undefined> {
    const { launch, log, onLost, delaysMs = defaultDelaysMs } = this.#options
    const isShortLived = performance.now() - this.#startedAtMs < shortLifeMs
    let failure: unknown
    for (const [attempt, delayMs] of delaysMs.entries()) {
      const pauseMs = attempt === 0 && isShortLived ? Math.max(delayMs, afterShortLifeMs) : delayMs
      if (!(await this.#pause(pauseMs))) return undefined
      try {
        return await launch()
      } catch (error) {
        failure = error
        log.warn({ err: error, attempt: attempt + 1, of: delaysMs.length }, 'PostgreSQL did not start again')
      }
    }
    onLost(new Error('PostgreSQL ended and could not be started again.', { cause: failure }))
    return undefined
  }

  /** False when the server is no longer needed. */
  async #pause(delayMs: number): Promise<boolean> {
    const { signal } = this.#stopping
    await sleep(delayMs, undefined, { signal }).catch(() => undefined)
    return !signal.aborted
  }
}
