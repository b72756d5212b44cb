interface Waiter<Asker, Answer> {
  readonly asker: Asker
  resolve(answer: Answer): void
  reject(reason: unknown): void
}

/** What came of it for one who asked. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly refusal: unknown }

/**
 * Work that is done once for all who ask the same at the same moment. A caller who asks while none of it runs is served at once and alone; those
 * who come meanwhile wait for it to end and are served together, by work that begins after the last of them has asked. So nobody
 * gets what was found before they asked, and any number of people cost two rounds.
 */
export class Gathered<Asker, Answer> {
  /** Who waits, by question; an entry is work that runs. */
  readonly #waiting = new Map<string, Waiter<Asker, Answer>[]>()

  /**
   * @param question Equal for those who may be served together.
   * @param work Gives an outcome for each asker, in their order; what it throws is the outcome of all.
   */
  ask(
    question: string,
    asker: Asker,
    work: (askers: readonly Asker[]) => Promise<readonly Outcome<Answer>[]>,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const waiter = { asker, resolve, reject }
      const waiting = this.#waiting.get(question)
      if (waiting) waiting.push(waiter)
      else void this.#serve(question, [waiter], work)
    })
  }

  async #serve(
    question: string,
    waiters: readonly Waiter<Asker, Answer>[],
    work: (askers: readonly Asker[]) => Promise<readonly Outcome<Answer>[]>,
  ): Promise<void> {
    const next: Waiter<Asker, Answer>[] = []
    this.#waiting.set(question, next)
    try {
      const outcomes = await work(waiters.map(({ asker }) => asker))
      for (const [at, waiter] of waiters.entries()) settle(waiter, outcomes[at])
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error)
    }
    if (next.length > 0) await this.#serve(question, next, work)
    else this.#waiting.delete(question)
  }
}

function settle<Answer>(waiter: Waiter<unknown, Answer>, outcome: Outcome<Answer> | undefined): void {
  if (outcome && 'answer' in outcome) waiter.resolve(outcome.answer)
  else waiter.reject(outcome?.refusal)
}
