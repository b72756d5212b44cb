import { askRouter, type RoadWay, type Router, type RouterQuestion } from './router.ts'

/** Questions to one router at once: it belongs to somebody, and may be small. */
const atOnce = 4
/** This many failures one after the other, and the other questions are no longer asked. */
const failuresInARow = 3

interface Asking {
  readonly trustedHosts: readonly string[]
  readonly signal: AbortSignal
  /** When this is aborted, what is left is not asked; what was answered counts. */
  readonly deadline?: AbortSignal
}

/** What a router said. */
export interface WayAnswers<Q> {
  /** Null: it knows no way. Questions that were not answered are missing. */
  readonly answers: readonly { readonly question: Q; readonly way: RoadWay | null }[]
  /** Why the last question that failed did. */
  readonly failure: unknown
}

/**
 * Asks a router for many ways, a few at once, and no more when it fails. With no transaction open. See decision 0086.
 *
 * @throws the reason of the signal.
 */
export async function askWays<Q extends RouterQuestion>(
  router: Router,
  questions: readonly Q[],
  { trustedHosts, signal, deadline }: Asking,
): Promise<WayAnswers<Q>> {
  const answers: { question: Q; way: RoadWay | null }[] = []
  const waiting = questions.values()
  const until = deadline ? AbortSignal.any([signal, deadline]) : signal
  let inARow = 0
  let failure: unknown = null
  const work = async (): Promise<void> => {
    for (const question of waiting) {
      if (inARow >= failuresInARow || until.aborted) return
      try {
        const way = await askRouter(router, question, { trustedHosts, signal: until })
        inARow = 0
        answers.push({ question, way })
      } catch (error) {
        signal.throwIfAborted()
        inARow += 1
        failure = error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, questions.length) }, work))
  signal.throwIfAborted()
  return { answers, failure }
}
