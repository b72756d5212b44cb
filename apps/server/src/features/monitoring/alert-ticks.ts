import type { Logger } from 'pino'
import { reportOutage } from '../../platform/outages.ts'
import { FailedTick, type Tick } from './due-evaluation.ts'

/** What is due waits this long at most, beside the work before it. */
const tickMs = 1_000

/**
 * Evaluates what is due, once a second, from its start until it is stopped; at once again while there is more than one tick takes. Every server
 * process has one.
 */
export class AlertTicks {
  readonly #log: Logger
  readonly #evaluate: () => Promise<Tick>
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isStopped = false
  /** How long what was evaluated last had been due, milliseconds; of the newest tick that had something to do. */
  lagMs = 0

  /** @param evaluate One tick: `evaluateDue`. */
  constructor(log: Logger, evaluate: () => Promise<Tick>) {
    this.#log = log
    this.#evaluate = evaluate
  }

  start(): void {
    this.#wait(tickMs)
  }

  /** Waits for the tick that is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => void (this.#running = this.#tick()), ms)
  }

  async #tick(): Promise<void> {
    const tick = await this.#evaluated()
    if (tick && tick.evaluated > 0) this.lagMs = tick.lagMs
    if (!this.#isStopped) this.#wait(tick?.hasMore ? 0 : tickMs)
  }

  /** Also what was done where one organization failed: the others go on at once if they have more. */
  async #evaluated(): Promise<Tick | null> {
    try {
      return await this.#evaluate()
    } catch (error) {
      if (!reportOutage(this.#log, error)) this.#log.error({ err: error }, 'alerts could not be evaluated')
      return error instanceof FailedTick ? error.tick : null
    }
  }
}
