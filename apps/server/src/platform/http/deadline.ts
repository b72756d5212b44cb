import { AppError } from '@tour-ops/contract/errors'
import type { Logger } from 'pino'
import type { Exchange, Handler } from './exchange.ts'
import { sendError } from './wire-error.ts'

/** Source: spec, section 9, "callable timeout 70 s". */
export const callTimeoutMs = 70_000

export interface Deadline {
  readonly signal: AbortSignal
  /** Settles with the work, or with the reason of the abort when that comes first. */
  race<T>(work: Promise<T>): Promise<T>
  clear(): void
}

/** Aborts when the caller goes away (`cancelled`, 499 in log and metrics) or the time is up (`deadline-exceeded`). */
export function deadlineOf({ response }: Exchange, timeoutMs: number = callTimeoutMs): Deadline {
  const controller = new AbortController()
  const seconds = Math.round(timeoutMs / 1000)
  const timer = setTimeout(
    () => controller.abort(new AppError('deadline-exceeded', `This took longer than ${seconds} s and was stopped.`)),
    timeoutMs,
  )
  const onClose = () => {
    if (!response.writableFinished) controller.abort(new AppError('cancelled', 'The caller went away.'))
  }
  response.once('close', onClose)
  return {
    signal: controller.signal,
    race: (work) =>
      Promise.race([
        work,
        new Promise<never>((_resolve, reject) => {
          controller.signal.addEventListener('abort', () => reject(controller.signal.reason as AppError), {
            once: true,
          })
        }),
      ]),
    clear: () => {
      clearTimeout(timer)
      response.off('close', onClose)
    },
  }
}

/** A handler that has as long as a call; a rejection, the end of its time too, is answered as an error. */
export const withinDeadline =
  (log: Logger, handle: (exchange: Exchange, signal: AbortSignal) => Promise<void> | void): Handler =>
  async (exchange) => {
    const deadline = deadlineOf(exchange)
    try {
      await deadline.race(Promise.resolve(handle(exchange, deadline.signal)))
    } catch (error) {
      sendError(exchange, error, log)
    } finally {
      deadline.clear()
    }
  }
