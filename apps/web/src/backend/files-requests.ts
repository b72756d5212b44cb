import { AppError, codeOfHttpStatus, codeOfWireStatus, type ErrorDetails } from '@tour-ops/contract/errors'
import { StorageError, storageCodes, type StorageCode } from '@tour-ops/contract/files'
import type { TokenSource } from './documents-wire.ts'

/** What the file store takes from the browser; tests bring their own. */
export interface FilesEnvironment {
  readonly fetch: typeof globalThis.fetch
  now(): number
  /** Resolves after the time, or at once when the network comes back or the signal is aborted. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>
}

export const browserFilesEnvironment = (send = globalThis.fetch): FilesEnvironment => ({
  fetch: (input, init) => send(input, init),
  now: () => performance.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        window.removeEventListener('online', done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, delayMs)
      window.addEventListener('online', done)
      signal.addEventListener('abort', done)
      if (signal.aborted) done()
    }),
})

export interface FileRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Sends one request; the answer's `result`, or what the server refused. A token that it refuses is renewed once. */
export type SendFileRequest = <T>(request: FileRequest) => Promise<T>

/** The connection broke, or the server answered "later": the same request may be sent again. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Statuses after which the same request may succeed. Source: spec, section 7, "HTTP client"; 409 is our own refusal. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504])

export function fileRequests(apiUrl: string, token: TokenSource, environment: FilesEnvironment): SendFileRequest {
  const attempt = async ({ method, path, body, headers, signal }: FileRequest, renew: boolean): Promise<Response> => {
    const bearer = await bearerFrom(token, renew)
    try {
      return await environment.fetch(`${apiUrl}${path}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${bearer}` },
        signal,
        ...(body === undefined ? {} : { body }),
      })
    } catch (cause) {
      throw new Interrupted('The connection broke.', { cause })
    }
  }
  return async <T>(request: FileRequest): Promise<T> => {
    let response = await attempt(request, false)
    if (response.status === 401) response = await attempt(request, true)
    const answer = await bodyOf(response)
    if (response.ok && answer) return answer.result as T
    throw refusalOf(response, answer)
  }
}

/** Nobody signed in is `unauthorized`; a renewal that did not get through may be tried again. */
async function bearerFrom(token: TokenSource, renew: boolean): Promise<string> {
  try {
    return await token(renew)
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    if (cause.code === 'unauthenticated') throw new StorageError('unauthorized', cause.message, { cause })
    if (cause.code === 'unavailable') throw new Interrupted(cause.message, { cause })
    throw cause
  }
}

interface WireAnswer {
  readonly result?: unknown
  readonly error?: { status?: string; message?: string; details?: ErrorDetails & { storageCode?: unknown } }
}

async function bodyOf(response: Response): Promise<WireAnswer | undefined> {
  try {
    return (await response.json()) as WireAnswer
  } catch {
    return undefined // not our server's words: a proxy's page, or a connection that broke in the middle
  }
}

function refusalOf(response: Response, answer: WireAnswer | undefined): Error {
  const { status, message, details } = answer?.error ?? {}
  const words = message ?? `The server answered ${response.status}.`
  const storageCode = details?.storageCode
  if (isStorageCode(storageCode)) return new StorageError(storageCode, words)
  if (passing.has(response.status) || response.ok) return new Interrupted(words)
  return new AppError(status ? codeOfWireStatus(status) : codeOfHttpStatus(response.status), words, {
    details: { ...details },
  })
}

const isStorageCode = (code: unknown): code is StorageCode => storageCodes.includes(code as StorageCode)

/** Wait before the first repetition; it doubles up to the longest, with some spread so that clients do not come in step. */
const firstDelayMs = 1_000
const longestDelayMs = 30_000

/**
 * Repeats what was interrupted until it succeeds, is refused, or has made no progress for `limitMs`.
 *
 * @param run Says through `progressed` that something new arrived; the clock then starts again.
 * @throws StorageError `retry-limit-exceeded` when the time is up; what `run` throws otherwise.
 */
export async function untilThrough<T>(
  environment: FilesEnvironment,
  limitMs: number,
  signal: AbortSignal,
  run: (progressed: () => void) => Promise<T>,
): Promise<T> {
  let startedMs = environment.now()
  let failures = 0
  const progressed = () => {
    startedMs = environment.now()
    failures = 0
  }
  for (;;) {
    try {
      return await run(progressed)
    } catch (error) {
      if (!(error instanceof Interrupted) || signal.aborted) throw error
      const delayMs = Math.min(firstDelayMs * 2 ** failures, longestDelayMs) * (0.75 + Math.random() / 2)
      if (environment.now() + delayMs - startedMs > limitMs) {
        throw new StorageError('retry-limit-exceeded', 'The server could not be reached for too long.', {
          cause: error,
        })
      }
      failures += 1
      await environment.sleep(delayMs, signal)
    }
  }
}
