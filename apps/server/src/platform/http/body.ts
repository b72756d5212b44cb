import type { IncomingMessage } from 'node:http'
import { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'

/** Largest body of a call; longer content travels as a file. */
export const callBodyLimitBytes = 1024 * 1024

/**
 * The whole body. Bytes are counted as they come, so that a missing or wrong content-length changes nothing.
 *
 * @throws AppError `invalid-argument`, reason `body_too_large`, or `cancelled` when the caller goes away.
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const tooLarge = () => {
      request.removeAllListeners('data')
      request.resume() // the rest is read and dropped, so that the answer reaches the caller
      reject(bodyTooLarge(limitBytes))
    }
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) return tooLarge()
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limitBytes) tooLarge()
      else chunks.push(chunk)
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('close', () => {
      if (!request.complete) reject(new AppError('cancelled', 'The request ended before its content was here.'))
    })
    request.once('error', (error) => reject(new AppError('cancelled', 'The connection broke.', { cause: error })))
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The JSON of a body. @throws AppError `invalid-argument` for anything else. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch (cause) {
    throw new AppError('invalid-argument', 'The content is not JSON in UTF-8.', { cause })
  }
}

const bodyTooLarge = (limitBytes: number): AppError => refuse('body_too_large', { limitBytes })
