/** Answers kept at once. */
const maxKept = 100

interface Kept {
  readonly at: number
  readonly answer: Promise<unknown>
}

/**
 * Answers that are costly and may be a little old, as long as they say how old: whoever asks for the same within that time gets the same, and of many who ask at
 * once the first one makes it. Who may ask is checked before, for each by itself.
 */
export class AnswersForAWhile {
  readonly #kept = new Map<string, Kept>()

  /**
   * @param question Names the answer, with everything that it depends on other than time.
   * @param at Now, milliseconds.
   * @param make Reads the answer. Others get the same object: nobody changes it.
   */
  async answer<T>(question: readonly unknown[], at: number, maxAgeMs: number, make: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(question)
    for (;;) {
      const kept = this.#kept.get(key)
      if (kept && Math.abs(at - kept.at) < maxAgeMs) {
        const found = await kept.answer.then(
          (value) => ({ value: value as T }),
          () => null,
        )
        if (found) return found.value
      }
      // of several whose answer failed one makes the next
      if (this.#kept.get(key) === kept) return this.#keep(key, { at, answer: make() }) as Promise<T>
    }
  }

  #keep(key: string, entry: Kept): Promise<unknown> {
    this.#kept.delete(key)
    this.#kept.set(key, entry)
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= maxKept) break
      this.#kept.delete(old)
    }
    entry.answer.catch(() => {
      if (this.#kept.get(key) === entry) this.#kept.delete(key)
    })
    return entry.answer
  }
}
