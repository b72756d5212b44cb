import type { Services } from '../../context.ts'
import { reportOutage } from '../../platform/outages.ts'
import { evaluateDue } from './due-evaluation.ts'

/** What is due waits this long at most, beside the work before it. */
const tickMs = 1_000

/** Evaluates what is due, once a second, from its start until it is stopped. Every server process has one. */
export class AlertTicks {
  readonly #services: Services
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isStopped = false
  /** How long what was evaluated last had been due, milliseconds; of the newest tick that had something to do. */
  lagMs = 0

  constructor(services: Services) {
    this.#services = services
  }

  start(): void {
    this.#timer = setTimeout(() => void (this.#running = this.#tick()), tickMs)
  }

  /** Waits for the tick that is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #tick(): Promise<void> {
    const { log } = this.#services
    try {
      const { evaluated, lagMs } = await evaluateDue(this.#services)
      if (evaluated > 0) this.lagMs = lagMs
    } catch (error) {
      if (!reportOutage(log, error)) log.error({ err: error }, 'alerts could not be evaluated')
    }
    if (!this.#isStopped) this.start()
  }
}
