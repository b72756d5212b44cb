import { earlierOf, type FeedPosition, type RowPlace } from './feed-position.ts'

/** Changes of one lane that go out together. */
export interface LaneBatch {
  readonly lane: string
  /** Distinct ids, in the order of their last change. */
  readonly entityIds: readonly string[]
  readonly last: RowPlace
}

interface Lane {
  waiting: Map<string, RowPlace>
  /** The position in front of the oldest change that has not gone out. */
  before: FeedPosition | undefined
  /** The same for changes that came while a batch is on its way. */
  nextBefore: FeedPosition | undefined
  isSending: boolean
  /** Runs while the lane keeps changes back. */
  timer: NodeJS.Timeout | undefined
}

export interface LanesOptions<Ready> {
  /** How long what follows a batch of this lane is gathered. */
  windowMs(lane: string): number
  /** Reads what the batch shall say. Handles its own errors. */
  prepare(batch: LaneBatch): Promise<Ready>
  /** Sends it; `oldestWaiting` no longer counts the batch. */
  deliver(batch: LaneBatch, ready: Ready): void
}

/**
 * Gathers changes per lane (a topic of an organization, a collection of documents): the first goes out at once, those of the
 * next `windowMs` together. See ARCHITECTURE.md, "Live documents".
 */
export class Lanes<Ready> {
  readonly #options: LanesOptions<Ready>
  /** Only lanes with something under way or a window open. */
  readonly #lanes = new Map<string, Lane>()
  #isClosed = false

  constructor(options: LanesOptions<Ready>) {
    this.#options = options
  }

  /** @param before The position in front of this change: where a listener must continue if it never gets it. */
  add(name: string, entityId: string, at: RowPlace, before: FeedPosition): void {
    const lane = this.#laneOf(name)
    lane.waiting.delete(entityId)
    lane.waiting.set(entityId, at)
    if (lane.isSending) lane.nextBefore ??= before
    else lane.before ??= before
  }

  /** Sends what may go now. Called once per batch of the feed, so that changes of one transaction go out together. */
  start(): void {
    for (const [name, lane] of this.#lanes) this.#next(name, lane)
  }

  /** Everything up to this place has gone out; undefined when nothing waits at all. */
  oldestWaiting(): FeedPosition | undefined {
    let oldest: FeedPosition | undefined
    for (const { before } of this.#lanes.values()) {
      if (before) oldest = oldest ? earlierOf(oldest, before) : before
    }
    return oldest
  }

  /** Drops everything that waits. */
  forget(): void {
    for (const { timer } of this.#lanes.values()) clearTimeout(timer)
    this.#lanes.clear()
  }

  close(): void {
    this.#isClosed = true
    this.forget()
  }

  #laneOf(name: string): Lane {
    let lane = this.#lanes.get(name)
    if (!lane) {
      lane = { waiting: new Map(), before: undefined, nextBefore: undefined, isSending: false, timer: undefined }
      this.#lanes.set(name, lane)
    }
    return lane
  }

  #next(name: string, lane: Lane): void {
    if (this.#lanes.get(name) !== lane) return
    if (lane.isSending || lane.timer !== undefined || this.#isClosed) return
    if (lane.waiting.size === 0) this.#lanes.delete(name)
    else void this.#flush(name, lane)
  }

  async #flush(name: string, lane: Lane): Promise<void> {
    const { waiting } = lane
    const batch = { lane: name, entityIds: [...waiting.keys()], last: [...waiting.values()].at(-1) as RowPlace }
    lane.waiting = new Map()
    lane.isSending = true
    lane.timer = setTimeout(() => {
      lane.timer = undefined
      this.#next(name, lane)
    }, this.#options.windowMs(name))
    const ready = await this.#options.prepare(batch)
    lane.before = lane.nextBefore
    lane.nextBefore = undefined
    lane.isSending = false
    if (this.#isClosed) return
    this.#options.deliver(batch, ready)
    this.#next(name, lane)
  }
}
