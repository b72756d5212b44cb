import type { Role, Scope } from '@tour-ops/contract/identity/access'
import type { Clock } from './clock.ts'
import { changesSince, type Looker } from './live/changes-since.ts'

/** Answers cached at once; a board of 500 departures is about a megabyte. */
const maxCached = 100
/** How long an answer may be given again although nothing was written: what the clock alone moves (a day, a phone that fell silent) shows after that. */
const maxAgeMs = 5_000

interface Kept {
  /** Everything that this snapshot sees was there when the answer was made. */
  readonly seen: string
  readonly at: number
  readonly answer: Promise<unknown>
}

interface Reader extends Looker {
  readonly clock: Clock
  readonly role: Role
  readonly scope: Scope
}

/**
 * Answers that many people of an organization ask for at once: after each change all open boards read again, and what one of them made
 * is right for all others of the same role until something else is written. Whether something was written since, the change log says in
 * the caller's own transaction, so that nobody gets an answer from before their own write, whichever process took it.
 *
 * Membership and permission have been checked before, for every caller by itself. Those who see only their own departures share nothing.
 *
 * @see docs/decisions/0032-boards-are-made-once-for-each-change.md
 */
export class SharedAnswers {
  readonly #kept = new Map<string, Kept>()

  /**
   * @param question Names the answer, with everything that it depends on other than organization, role and time.
   * @param make Reads the answer in the transaction of the call that it gets, and writes nothing; nothing in it may depend on the caller.
   *   Others get the same object: nobody changes it.
   */
  async answer<C extends Reader, T>(call: C, question: readonly unknown[], make: (call: C) => Promise<T>): Promise<T> {
    if (call.scope !== 'all') return make(call)
    const key = JSON.stringify([call.orgId, call.role, ...question])
    for (;;) {
      const at = call.clock.now().getTime()
      const kept = this.#kept.get(key)
      const isYoung = kept !== undefined && Math.abs(at - kept.at) < maxAgeMs
      const looked = await changesSince(call, isYoung ? kept.seen : null)
      const found = looked.changed?.size === 0 && (await this.#answerOf<T>(kept))
      if (found) return found.value
      if (looked.hasWritten) return make(call)
      // of many who ask at the same moment the first one makes it; the others look again whether that will do
      if (this.#kept.get(key) === kept) {
        const answer = make({ ...call, looked })
        return this.#keep(key, { seen: looked.seen, at, answer }) as Promise<T>
      }
    }
  }

  /** Null when the caller that started it went away before it was ready. */
  async #answerOf<T>(kept: Kept | undefined): Promise<{ value: T } | null> {
    return (
      (await kept?.answer.then(
        (value) => ({ value: value as T }),
        () => null,
      )) ?? null
    )
  }

  #keep(key: string, entry: Kept): Promise<unknown> {
    this.#kept.delete(key)
    this.#kept.set(key, entry)
    // oldest first: those of no more use, and as many as are too many
    for (const [old, { at }] of this.#kept) {
      if (this.#kept.size <= maxCached && Math.abs(entry.at - at) < maxAgeMs) break
      this.#kept.delete(old)
    }
    entry.answer.catch(() => {
      if (this.#kept.get(key) === entry) this.#kept.delete(key)
    })
    return entry.answer
  }
}
