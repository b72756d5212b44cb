import type { DocumentSnapshot, JsonObject } from '@tour-ops/contract/live/documents'
import { liveChangesCounter, recentChangesMs } from '@tour-ops/contract/live/live-paths'

/**
 * Makes news of the one document that a topic is in the hosted database. The port reports a topic only when something
 * changed: the first state is news when it is fresh, and later ones when the counter went up. By more than one, ids were
 * missed and anything may have changed.
 */
export class TopicListener {
  readonly #path: string
  readonly #now: () => number
  #count: number | undefined

  constructor(path: string, now: () => number) {
    this.#path = path
    this.#now = now
  }

  /** @param data The document as the server has it now, undefined where there is none. Never a cached one. */
  take(data: JsonObject | undefined): DocumentSnapshot | undefined {
    const count = Number(data?.[liveChangesCounter] ?? 0)
    const before = this.#count
    this.#count = count
    if (!data || count === before) return undefined
    if (before === undefined) return this.#isFresh(data) ? this.#news(data, true) : undefined
    return this.#news(data, count === before + 1)
  }

  #isFresh({ at }: JsonObject): boolean {
    return typeof at === 'string' && this.#now() - Date.parse(at) < recentChangesMs
  }

  #news({ version = '', ids = [], isComplete = false }: JsonObject, isNext: boolean): DocumentSnapshot {
    const known = isNext && isComplete === true
    const data: JsonObject = { version, ids: known ? ids : [], isComplete: known }
    return { path: this.#path, data, createTime: null, updateTime: null }
  }
}
