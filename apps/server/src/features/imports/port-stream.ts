import type { MessagePort, Transferable } from 'node:worker_threads'
import { AppError, type ErrorCode, type ErrorDetails } from '@tour-ops/contract/errors'

/** One answer to "the next one, please". */
type Answer<T> = { readonly value: T } | { readonly refusal: SentRefusal } | { readonly isEnd: true }

/** A refusal as it crosses between threads, which keep no class of an error. What caused it may quote the file and stays where it was. */
interface SentRefusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
}

/**
 * Sends values over a port, each when the other side asks for it, so that no more than a few are ever under way. Closing the port ends the
 * iteration.
 *
 * @param moved What of a value the other side gets without a copy.
 * @returns Ends it at once: no value is taken any more, however many were asked for.
 */
export function sendOver<T>(
  port: MessagePort,
  values: AsyncGenerator<T>,
  onFailure: (error: unknown) => void,
  moved: (value: T) => Transferable[] = () => [],
): () => void {
  const answer = (content: Answer<T>, transferred: Transferable[] = []) => port.postMessage(content, transferred)
  let asked = 0
  let isSending = false
  let isStopped = false
  // one after the other: a generator gives everything that it was asked for before it can be ended
  const send = async (): Promise<void> => {
    isSending = true
    for (; asked > 0; asked -= 1) {
      const next = await values.next()
      if (isStopped) return
      if (next.done) answer({ isEnd: true })
      else answer({ value: next.value }, moved(next.value))
    }
    isSending = false
  }
  const stop = (): void => {
    if (isStopped) return
    isStopped = true
    port.close()
    void values.return(undefined).catch(onFailure)
  }
  port.on('message', () => {
    asked += 1
    if (!isSending && !isStopped) send().catch(onFailure)
  })
  port.on('close', stop)
  return stop
}

/** Sends a refusal instead of the next value. */
export const refuseOver = (port: MessagePort, { code, message, details }: AppError): void =>
  port.postMessage({ refusal: { code, message, details } } satisfies Answer<never>)

/** Values that are asked for before they are wanted: where processors are busy, waking the other side for each one takes longer than the work. */
const askedAhead = 8

/**
 * Values that come over a port.
 *
 * @param failure Rejects when none will come any more.
 * @throws AppError where the other side refused.
 */
export async function* receivedOver<T>(
  port: MessagePort,
  failure: Promise<never> = new Promise(() => undefined),
): AsyncGenerator<T> {
  const unanswered: ((answer: Answer<T>) => void)[] = []
  port.on('message', (answer: Answer<T>) => unanswered.shift()?.(answer))
  const ask = (): Promise<Answer<T>> => {
    port.postMessage('next')
    return new Promise((resolve) => unanswered.push(resolve))
  }
  const asked = Array.from({ length: askedAhead }, ask)
  try {
    for (;;) {
      const answer = await Promise.race([failure, asked.shift() ?? ask()])
      if ('isEnd' in answer) return
      if ('refusal' in answer) {
        const { refusal: error } = answer
        throw new AppError(error.code, error.message, { details: error.details })
      }
      asked.push(ask())
      yield answer.value
    }
  } finally {
    port.close()
  }
}
