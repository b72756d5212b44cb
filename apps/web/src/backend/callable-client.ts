import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { AppError, codeOfHttpStatus, codeOfWireStatus, type ErrorDetails } from '@tour-ops/contract/errors'
import { FetchError, type $Fetch } from 'ofetch'
import { callableTimeoutMs } from './constants.ts'
import type { CallOptions } from './port.ts'

/**
 * Gives the backend token, undefined before sign-in, for callables that are open to everybody; `renew` asks for a new one after the server
 * refused the present one.
 */
export type BearerSource = (renew: boolean) => Promise<string | undefined>

interface WireAnswer {
  result?: unknown
  data?: unknown
  error?: { status?: string; message?: string; details?: ErrorDetails }
}

/**
 * The client half of the callable protocol: `POST {base}/{name}` with `{ "data": … }`, answered by `{ "result": … }` (or `data`), or by an
 * error whose status becomes the code. A token that the server refuses is renewed once: nothing ran, so nothing runs twice.
 * Source: spec, section 7, "Callable functions", and section 8, "Function status mapping".
 */
export function makeCallableClient(http: $Fetch, bearerOf: BearerSource, timeoutMs: number = callableTimeoutMs) {
  const send = async <C extends Callable>(
    callable: C,
    input: In<C>,
    signal: AbortSignal,
    renew: boolean,
  ): Promise<Out<C>> => {
    const bearer = await bearerOf(renew)
    const answer = await http<WireAnswer>(`/${callable.name}`, {
      method: 'POST',
      body: { data: input ?? null },
      headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
      signal,
    })
    if (answer?.error) throw errorOfBody(answer, 500, undefined)
    return (answer?.result ?? answer?.data) as Out<C>
  }

  return async <C extends Callable>(callable: C, input: In<C>, options: CallOptions = {}): Promise<Out<C>> => {
    const deadline = AbortSignal.timeout(timeoutMs)
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline
    const isWithToken = callable.permission !== 'public'
    try {
      try {
        return await send(callable, input, signal, false)
      } catch (error) {
        if (!isWithToken || !(error instanceof FetchError) || error.status !== 401) throw error
        return await send(callable, input, signal, true)
      }
    } catch (error) {
      throw callErrorOf(error, { caller: options.signal, deadline })
    }
  }
}

/** Anything that a call can fail with, as an `AppError`: the server's words, our own deadline, the caller's abort, a broken connection. */
export function callErrorOf(
  error: unknown,
  { caller, deadline }: { caller?: AbortSignal | undefined; deadline?: AbortSignal | undefined } = {},
): AppError {
  if (error instanceof AppError) return error
  if (caller?.aborted) return new AppError('cancelled', 'The request was cancelled.', { cause: error })
  if (deadline?.aborted) {
    return new AppError('deadline-exceeded', 'The server took too long to answer.', { cause: error })
  }
  if (error instanceof FetchError && error.status !== undefined) {
    return errorOfBody(error.data as WireAnswer | undefined, error.status, error)
  }
  return new AppError('unavailable', 'The server cannot be reached.', { cause: error, details: { reason: 'network' } })
}

function errorOfBody(answer: WireAnswer | undefined, httpStatus: number, cause: FetchError | undefined): AppError {
  const { status, message, details } = answer?.error ?? {}
  const requestId = details?.requestId ?? cause?.response?.headers.get('x-request-id') ?? undefined
  return new AppError(
    status ? codeOfWireStatus(status) : codeOfHttpStatus(httpStatus),
    message ?? `The server answered ${httpStatus}.`,
    { cause, details: { ...details, ...(requestId ? { requestId } : {}) } },
  )
}
