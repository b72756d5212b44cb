import { refuse } from '@tour-ops/contract/refusals'
import type { Services } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import type { Trail } from './jumps.ts'
import { type Delivery, type Dropped, ensureDays, type Outcome, writePositions } from './write-positions.ts'

/** A delivery waits this long for others to be written with it. */
const flushAfterMs = 50
/** Fixes of one transaction; a delivery is not divided. */
const fixesOfBatch = 1_000
/** Fixes that wait in this process at most; beyond, phones are told to retry, and keep what they have. */
const mostWaiting = 50_000
/** Organizations that write at once, so that connections are left for everybody else. */
const writersAtOnce = 3
/** Devices of which the way is remembered. */
const mostTrails = 50_000

interface Waiting {
  readonly delivery: Delivery
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

interface OrganizationQueue {
  readonly orgId: string
  readonly waiting: Waiting[]
  fixes: number
  timer: NodeJS.Timeout | null
  isWriting: boolean
}

/**
 * Gathers what devices send and writes it in batches, for each organization one after the other. A delivery is answered when its transaction has
 * committed, and not before.
 */
export class PositionQueue {
  readonly #services: Pick<Services, 'db' | 'clock'>
  readonly #queues = new Map<string, OrganizationQueue>()
  readonly #ready: OrganizationQueue[] = []
  readonly #trails = new Map<string, Trail>()
  readonly #days = new Set<string>()
  #writers = 0
  #waiting = 0

  constructor(services: Pick<Services, 'db' | 'clock'>) {
    this.#services = services
  }

  /** Fixes that are not written yet. */
  get waiting(): number {
    return this.#waiting
  }

  /**
   * Resolves when everything in it is stored or counted.
   *
   * @throws AppError `invalid-argument`, reason `device_not_paired`, for a device that was revoked meanwhile; `unavailable` when too much waits.
   */
  async take(delivery: Delivery): Promise<Dropped> {
    if (this.#waiting >= mostWaiting) throw refuse('server_busy', { retryAfterSeconds: 2 })
    const outcome = await new Promise<Outcome>((resolve, reject) => this.#add({ delivery, resolve, reject }))
    if (!outcome) throw refuse('device_not_paired', {})
    return outcome.dropped
  }

  #add(waiting: Waiting): void {
    const { sender, parsed } = waiting.delivery
    const queue = this.#queueOf(sender.orgId)
    queue.waiting.push(waiting)
    queue.fixes += parsed.fixes.length
    this.#waiting += parsed.fixes.length
    if (queue.isWriting) return
    if (queue.fixes >= fixesOfBatch) this.#write(queue)
    else queue.timer ??= setTimeout(() => this.#write(queue), flushAfterMs)
  }

  #queueOf(orgId: string): OrganizationQueue {
    const found = this.#queues.get(orgId)
    if (found) return found
    const queue: OrganizationQueue = { orgId, waiting: [], fixes: 0, timer: null, isWriting: false }
    this.#queues.set(orgId, queue)
    return queue
  }

  #write(queue: OrganizationQueue): void {
    if (queue.timer) clearTimeout(queue.timer)
    queue.timer = null
    queue.isWriting = true
    this.#ready.push(queue)
    this.#next()
  }

  #next(): void {
    if (this.#writers >= writersAtOnce) return
    const queue = this.#ready.shift()
    if (!queue) return
    this.#writers += 1
    void this.#writeBatch(queue).finally(() => {
      this.#writers -= 1
      queue.isWriting = false
      if (queue.waiting.length > 0) this.#write(queue)
      else this.#queues.delete(queue.orgId)
      this.#next()
    })
  }

  async #writeBatch(queue: OrganizationQueue): Promise<void> {
    const batch = this.#takeBatch(queue)
    const deliveries = batch.map(({ delivery }) => delivery)
    const { db, clock } = this.#services
    const scope = {
      orgId: queue.orgId,
      actor: { kind: 'system', id: null },
      action: 'positions-write',
      requestId: newId(),
      clock,
    } as const
    try {
      const missing = this.#missingDays(deliveries)
      const [first, last] = [missing[0], missing.at(-1)]
      if (first && last) await db.transaction(scope, (tx) => ensureDays(tx, new Date(first), new Date(last)))
      const { outcomes, trails } = await db.transaction(scope, (tx) =>
        writePositions(tx, queue.orgId, deliveries, this.#trails),
      )
      for (const day of missing) this.#days.add(day)
      this.#remember(trails)
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] ?? null)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  /** At least one delivery, however long. */
  #takeBatch(queue: OrganizationQueue): readonly Waiting[] {
    let fixes = 0
    let count = 0
    for (const { delivery } of queue.waiting) {
      if (count > 0 && fixes + delivery.parsed.fixes.length > fixesOfBatch) break
      fixes += delivery.parsed.fixes.length
      count += 1
    }
    queue.fixes -= fixes
    this.#waiting -= fixes
    return queue.waiting.splice(0, count)
  }

  /** Days that may have no table yet, in their order; a month back at most, since older fixes are not stored. */
  #missingDays(deliveries: readonly Delivery[]): readonly string[] {
    const monthMs = 31 * 86_400_000
    const days = deliveries.flatMap(({ parsed, receivedAt }) =>
      parsed.fixes
        .filter(({ recordedAt }) => Math.abs(receivedAt.getTime() - recordedAt.getTime()) < monthMs)
        .map(({ recordedAt }) => recordedAt.toISOString().slice(0, 10)),
    )
    return [...new Set(days)].filter((day) => !this.#days.has(day)).toSorted()
  }

  #remember(trails: ReadonlyMap<string, Trail>): void {
    if (this.#trails.size > mostTrails) this.#trails.clear()
    for (const [deviceId, trail] of trails) this.#trails.set(deviceId, trail)
  }
}
