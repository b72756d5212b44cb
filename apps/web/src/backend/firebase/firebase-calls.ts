import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { AppError } from '@tour-ops/contract/errors'
import type { FirebaseSettings } from '@tour-ops/contract/page-config'
import { callableTimeoutMs } from '../constants.ts'
import type { CallOptions } from '../port.ts'
import { callErrorOfFirebase } from './firebase-errors.ts'

/** Sends one request; the SDK adds bearer, messaging-instance and app-check headers. */
export type SendCall = (name: string, data: unknown) => Promise<unknown>

export interface FirebaseCallParts {
  readonly send: SendCall
  /** Gets a new backend token, after the server refused the present one. */
  readonly renewToken: () => Promise<void>
  /** All of them one function, `api`, with the name as the rest of the path, or each one of its own. */
  readonly callables: FirebaseSettings['callables']
  readonly timeoutMs?: number
}

/**
 * Callables by the SDK, at `{region}-{project}.{host}/api/{name}` or `{region}-{project}.{host}/{name}`. Our own time limit is
 * around the SDK's, which does not hold while App Check waits for a script that never comes.
 * Source: spec, section 9, "callable timeout 70 s".
 */
export function makeFirebaseCalls({ send, renewToken, callables, timeoutMs = callableTimeoutMs }: FirebaseCallParts) {
  const addressOf = ({ name }: Callable): string => (callables === 'api' ? `api/${name}` : name)
  const sendTwice = async (callable: Callable, data: unknown): Promise<unknown> => {
    try {
      return await send(addressOf(callable), data)
    } catch (error) {
      const refusal = callErrorOfFirebase(error)
      // Nothing ran, so nothing runs twice.
      if (refusal.code !== 'unauthenticated' || callable.permission === 'public') throw refusal
      await renewToken()
      return send(addressOf(callable), data)
    }
  }

  return async <C extends Callable>(callable: C, input: In<C>, { signal }: CallOptions = {}): Promise<Out<C>> => {
    if (signal?.aborted) throw cancelled()
    const limits = limitsOf(signal, timeoutMs)
    try {
      // The SDK would turn a field that is undefined into null, which is another thing.
      const data: unknown = JSON.parse(JSON.stringify(input ?? null))
      return (await Promise.race([sendTwice(callable, data), limits.over])) as Out<C>
    } catch (error) {
      throw callErrorOfFirebase(error)
    } finally {
      limits.clear()
    }
  }
}

const cancelled = (): AppError => new AppError('cancelled', 'The request was cancelled.')

/** Rejects when the time is up or the caller no longer wants the answer; the SDK supports neither. */
function limitsOf(signal: AbortSignal | undefined, timeoutMs: number): { over: Promise<never>; clear: () => void } {
  const { promise: over, reject } = Promise.withResolvers<never>()
  // the race's caller gets it; after the race nobody does
  over.catch(() => undefined)
  const timer = setTimeout(
    () => reject(new AppError('deadline-exceeded', 'The server took too long to answer.')),
    timeoutMs,
  )
  const onAbort = () => reject(cancelled())
  signal?.addEventListener('abort', onAbort)
  return {
    over,
    clear() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}
