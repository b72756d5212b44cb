import { AppError, codeOfHttpStatus } from '@tour-ops/contract/errors'
import { FetchError } from 'ofetch'

/** Awaits a request to the identity service; its refusals become errors of the application. */
export const asked = <Answer>(request: Promise<Answer>): Promise<Answer> =>
  request.catch((error: unknown) => {
    throw accountErrorOf(error)
  })

interface ErrorAnswer {
  code?: string
  message?: string
  requestId?: string
}

/** The library's refusals as errors of the application. */
function accountErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (!(error instanceof FetchError) || error.status === undefined) {
    return new AppError('unavailable', 'The server cannot be reached.', { cause: error })
  }
  const answer = (error.data ?? {}) as ErrorAnswer
  const headers = error.response?.headers
  const retryAfterS = Number(headers?.get('x-retry-after') ?? headers?.get('retry-after') ?? Number.NaN)
  const requestId = answer.requestId ?? headers?.get('x-request-id') ?? undefined
  return new AppError(codeOfHttpStatus(error.status), answer.message ?? 'The request was refused.', {
    cause: error,
    details: {
      ...(answer.code ? { reason: answer.code.toLowerCase() } : {}),
      ...(requestId ? { requestId } : {}),
      ...(Number.isFinite(retryAfterS) ? { retryAfterS } : {}),
    },
  })
}
