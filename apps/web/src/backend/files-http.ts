import { AppError } from '@tour-ops/contract/errors'
import { StorageError } from '@tour-ops/contract/files'
import { storageRetryMs } from './constants.ts'
import type { TokenSource } from './documents-wire.ts'
import type { FileStore } from './files-port.ts'
import {
  browserFilesEnvironment,
  fileRequests,
  untilThrough,
  type FileRequest,
  type FilesEnvironment,
  type SendFileRequest,
} from './files-requests.ts'
import { piecesTransfer } from './upload-pieces.ts'
import { AnnouncedUpload, type Transfer } from './upload-task.ts'

export interface FilesHttpParts {
  /** Start of the addresses, `/api`. */
  readonly apiUrl: string
  readonly token: TokenSource
  /** Sends requests; the browser's own without. */
  readonly fetch?: typeof globalThis.fetch
  readonly environment?: FilesEnvironment
  /** How contents travel; in pieces to our own server without. */
  readonly transferOf?: (content: Blob, send: SendFileRequest, environment: FilesEnvironment) => Transfer
}

/**
 * Files on our own server: uploads in pieces that continue after a pause or a lost connection, links to private files.
 * Source of the limits: spec, section 9, "storage retry 2 minutes; upload retry 10 minutes".
 */
export function filesHttp({
  apiUrl,
  token,
  fetch,
  environment = browserFilesEnvironment(fetch),
  transferOf = piecesTransfer,
}: FilesHttpParts): FileStore {
  const send = fileRequests(apiUrl, token, environment)
  return {
    upload: (content, options) =>
      new AnnouncedUpload(content, options, {
        transfer: transferOf(content, send, environment),
        send,
        environment,
      }),
    async link(fileId, size) {
      const { signal } = new AbortController()
      const request: FileRequest = {
        method: 'POST',
        path: '/files-link',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: { id: fileId, size: size ?? null } }),
        signal,
      }
      try {
        const answer = await untilThrough(environment, storageRetryMs, signal, () => send<{ url: string }>(request))
        return answer.url
      } catch (error) {
        throw storageErrorOf(error)
      }
    },
  }
}

/** The link is a call and is refused with a call's codes. */
function storageErrorOf(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  if (error.code === 'not-found') return new StorageError('object-not-found', error.message, { cause: error })
  if (error.code === 'permission-denied') return new StorageError('unauthorized', error.message, { cause: error })
  return error
}
