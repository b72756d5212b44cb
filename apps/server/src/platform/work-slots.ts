import type { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'

/** How many may work at once. */
interface Slots {
  readonly perOrganization: number
  readonly inAll: number
  /** Calls of one organization that may wait; a job may always. */
  readonly waiting: number
}

/** Whether there is a person who can be asked to retry. */
export type Patience = 'call' | 'job'

const tooManyWait = (): AppError => refuse('too_many_at_work')

interface Waiting {
  readonly orgId: string
  readonly begin: () => void
}

/**
 * Lets only so many at once hold what they need in memory; the others wait in the order in which they came, past those whose organization
 * has its share already.
 */
export class WorkSlots {
  readonly #limits: Slots
  readonly #taken = new Map<string, number>()
  #inAll = 0
  #waiting: Waiting[] = []

  constructor(limits: Slots) {
    this.#limits = limits
  }

  /**
   * @throws the reason of the signal, when it is aborted while waiting; AppError `resource-exhausted` for a call when enough of its
   *   organization wait already.
   */
  async run<T>(orgId: string, signal: AbortSignal, work: () => Promise<T>, patience: Patience = 'call'): Promise<T> {
    await this.#take(orgId, signal, patience)
    try {
      return await work()
    } finally {
      this.#giveBack(orgId)
    }
  }

  async #take(orgId: string, signal: AbortSignal, patience: Patience): Promise<void> {
    signal.throwIfAborted()
    if (this.#hasRoom(orgId)) return this.#count(orgId, 1)
    const ahead = this.#waiting.filter((each) => each.orgId === orgId).length
    if (patience === 'call' && ahead >= this.#limits.waiting) throw tooManyWait()
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting)
        reject(signal.reason as Error)
      }
      const waiting: Waiting = {
        orgId,
        begin: () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  #giveBack(orgId: string): void {
    this.#count(orgId, -1)
    const next = this.#waiting.find((each) => this.#hasRoom(each.orgId))
    if (!next) return
    this.#waiting = this.#waiting.filter((each) => each !== next)
    this.#count(next.orgId, 1)
    next.begin()
  }

  #hasRoom(orgId: string): boolean {
    return this.#inAll < this.#limits.inAll && (this.#taken.get(orgId) ?? 0) < this.#limits.perOrganization
  }

  #count(orgId: string, change: 1 | -1): void {
    this.#inAll += change
    const taken = (this.#taken.get(orgId) ?? 0) + change
    if (taken === 0) this.#taken.delete(orgId)
    else this.#taken.set(orgId, taken)
  }
}
