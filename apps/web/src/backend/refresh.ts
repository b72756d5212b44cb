import type { Query, QueryClient } from '@tanstack/react-query'
import type { Callable } from '@tour-ops/contract/callable'
import type { LiveTopic } from '@tour-ops/contract/live/live-paths'

/** A query is read again at most once in this time, however much changes; the first change is read at once. */
const mergeMs = 250

/** Longest rest between what others changed and a look at it, for answers that take long. */
const mostRestMs = 5_000

/** What changed in a topic; `ids` is null where it is not known which rows. */
export interface TopicChange {
  readonly topic: LiveTopic
  readonly ids: readonly string[] | null
}

/**
 * Reads again what is on screen and made of what changed; what is not on screen becomes stale and is read when it is shown again.
 * The only place where answers become stale: changes reported by the server and own writes come through here.
 *
 * @returns When everything that is on screen has been read.
 */
export async function refresh(
  cache: QueryClient,
  changes: readonly TopicChange[],
  { isOwn = false }: { isOwn?: boolean } = {},
): Promise<void> {
  const touched = cache.getQueryCache().findAll({ predicate: (query) => changes.some((one) => isTouched(query, one)) })
  await Promise.all(touched.map((query) => paceOf(cache, query).ask(isOwn)))
}

/** Reads again what a write makes old, by the topics that its callable names. */
export const refreshAfter = (cache: QueryClient, { writes = [] }: Pick<Callable, 'writes'>): Promise<void> =>
  refresh(
    cache,
    writes.map((topic) => ({ topic, ids: null })),
    { isOwn: true },
  )

/** Whether an answer is made of something that a write touches. */
export const isMadeOf = ({ meta }: Query, { writes = [] }: Pick<Callable, 'writes'>): boolean =>
  writes.some((topic) => meta?.topics?.includes(topic) || meta?.rowTopics?.includes(topic))

/**
 * Whether a change may show in an answer: any row of its topics may, of its `rowTopics` only those that the question or the answer names. An
 * answer that is on its way, or has not been there yet, may name anything.
 */
function isTouched({ meta, state, queryKey }: Query, { topic, ids }: TopicChange): boolean {
  if (meta?.topics?.includes(topic)) return true
  if (!meta?.rowTopics?.includes(topic)) return false
  if (ids === null || state.data === undefined || state.fetchStatus !== 'idle') return true
  const asked = textsIn(queryKey)
  const shown = textsOf(state.data)
  return ids.some((id) => asked.has(id) || shown.has(id))
}

const known = new WeakMap<object, ReadonlySet<string>>()

/** The same, cached for as long as the answer is. */
function textsOf(data: unknown): ReadonlySet<string> {
  if (typeof data !== 'object' || data === null) return textsIn(data)
  const texts = known.get(data) ?? textsIn(data)
  known.set(data, texts)
  return texts
}

/** Every text in a value: an answer names a row by its id, wherever that is. */
function textsIn(value: unknown): ReadonlySet<string> {
  const texts = new Set<string>()
  const look = (part: unknown): void => {
    if (typeof part === 'string') texts.add(part)
    else if (typeof part === 'object' && part !== null) Object.values(part).forEach(look)
  }
  look(value)
  return texts
}

/** How often one query is read again. */
class Pace {
  readonly #cache: QueryClient
  readonly #query: Query
  #readAt = -mergeMs
  /** Until then only own writes are read: an answer that takes long is asked for half of the time at most, however much others change. */
  #restsUntil = -Infinity
  #dueAt = Infinity
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The last read, with the rest after it. */
  #reading: Promise<void> | undefined
  /** Those who asked since the last read began. */
  #asked: PromiseWithResolvers<void> | undefined

  constructor(cache: QueryClient, query: Query) {
    this.#cache = cache
    this.#query = query
  }

  /**
   * @param isOwn A write of this browser has been answered. What is on its way was asked before that, and is not waited for.
   * @returns When an answer is there that was asked after this.
   */
  ask(isOwn: boolean): Promise<void> {
    const asked = (this.#asked ??= Promise.withResolvers())
    const now = performance.now()
    // a change that is reported while an own write is under way is mostly that write: its answer reads again
    const earliest = !isOwn && this.#isWritten() ? now + mergeMs : now
    // what is on its way was asked before an own write, and would show again what was so before it
    const isOld = isOwn && this.#query.state.fetchStatus === 'fetching'
    const dueAt = isOld ? now : Math.max(earliest, this.#readAt + mergeMs, isOwn ? -Infinity : this.#restsUntil)
    if (dueAt < this.#dueAt) this.#plan(dueAt, isOwn)
    return asked.promise
  }

  #plan(dueAt: number, isOwn: boolean): void {
    clearTimeout(this.#timer)
    this.#dueAt = dueAt
    const wait = dueAt - performance.now()
    if (wait <= 0) void this.#read(isOwn)
    else this.#timer = setTimeout(() => void this.#read(isOwn), wait)
  }

  async #read(isOwn: boolean): Promise<void> {
    if (!isOwn && this.#query.state.fetchStatus === 'fetching') await this.#settled()
    if (!isOwn && this.#dueAt < Infinity && this.#restsUntil > performance.now()) {
      this.#plan(this.#restsUntil, false)
      return
    }
    const asked = this.#asked
    if (this.#dueAt === Infinity || !asked) return
    this.#asked = undefined
    this.#dueAt = Infinity
    this.#readAt = performance.now()
    this.#reading = this.#ask(isOwn)
    await this.#reading
    asked.resolve()
  }

  async #ask(isOwn: boolean): Promise<void> {
    const { queryKey } = this.#query
    await this.#cache.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: isOwn })
    const now = performance.now()
    this.#restsUntil = now + Math.min(now - this.#readAt, mostRestMs)
  }

  /**
   * Waits for what is on its way: it may be older than the change, and every change that cancelled it would leave a busy day without an answer;
   * should it fail, the next one is asked for all the same.
   */
  async #settled(): Promise<void> {
    await this.#query.promise?.catch(() => undefined)
    await this.#reading
  }

  #isWritten(): boolean {
    return this.#cache.isMutating({ predicate: ({ meta }) => isMadeOf(this.#query, meta ?? {}) }) > 0
  }
}

const paces = new WeakMap<Query, Pace>()

function paceOf(cache: QueryClient, query: Query): Pace {
  const pace = paces.get(query) ?? new Pace(cache, query)
  paces.set(query, pace)
  return pace
}
