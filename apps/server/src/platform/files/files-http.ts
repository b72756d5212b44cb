import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { AppError, type ErrorCode } from '@tour-ops/contract/errors'
import { fileTypes, StorageError, uploadChunkBytes, type StorageCode, type UploadState } from '@tour-ops/contract/files'
import { refuse } from '@tour-ops/contract/refusals'
import type { Caller, Services } from '../../context.ts'
import { readBody } from '../http/body.ts'
import type { Tx } from '../db/database.ts'
import { callerOf, dataOf } from '../http/callables.ts'
import { deadlineOf } from '../http/deadline.ts'
import { sendJson, type Exchange, type Handler } from '../http/exchange.ts'
import { sendError } from '../http/wire-error.ts'
import type { Metrics } from '../metrics.ts'
import { findMembership, type Reader } from '../membership.ts'
import { outageOf } from '../outages.ts'
import { execute, type Verb } from '../verb.ts'
import { BlobMissing } from './blobs.ts'
import { savedName } from './file-content.ts'
import { linkPath, type LinkTarget } from './file-links.ts'
import { uploadGone, uploadState, uploadVerbs } from './files-verbs.ts'
import { publicPath, type StoredFiles } from './stored-files.ts'
import type { UploadPlace } from './uploads.ts'

export interface FileRouteParts {
  readonly services: Services
  readonly files: StoredFiles
  readonly metrics: Metrics
  /** @throws AppError `unauthenticated` */
  readonly verifyBackendToken: (bearer: string) => Promise<Caller>
}

/** An upload of one piece on a slow line may take as long as the server lets any request take. */
const pieceTimeoutMs = 300_000
const announcementLimitBytes = 16 * 1024

const uploadPath = /^\/api\/files\/uploads\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(\/finish)?$/
const publicFilePath = /^\/api\/files\/public\/([^/]+)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(\w+)$/

/**
 * The addresses of files.
 *
 * - `POST   /api/files/uploads` `{ data: { use, name, size } }`: announces an upload
 * - `PUT    /api/files/uploads/{id}` with `content-range: bytes 0-1048575/3000000`: one piece; any may be sent again
 * - `GET    /api/files/uploads/{id}`: how far it is; `HEAD` says so in `upload-offset`
 * - `POST   /api/files/uploads/{id}/finish`: checks the content and makes the file; may be sent again
 * - `DELETE /api/files/uploads/{id}`: gives it up
 * - `GET    /api/files/links/{token}`, `GET /api/files/public/{organization}/{id}/{size}`: content
 */
export function filesHandler(parts: FileRouteParts): Handler {
  const handle = routes(parts)
  return async (exchange) => {
    exchange.route = 'files'
    const deadline = deadlineOf(exchange, pieceTimeoutMs)
    try {
      await handle(exchange, deadline.signal)
    } catch (error) {
      sendError(exchange, withStorageCode(error), parts.services.log)
    } finally {
      deadline.clear()
    }
  }
}

type Route = (exchange: Exchange, signal: AbortSignal) => Promise<void>

function routes({ services, files, metrics, verifyBackendToken }: FileRouteParts): Route {
  const verbs = uploadVerbs(files, services.config.files.quotaBytes)
  /** Runs one of the verbs for the sender of the request. */
  const runnerOf = async (exchange: Exchange, signal: AbortSignal) => {
    const caller = await callerOf(exchange, verifyBackendToken)
    const request = { requestId: exchange.id, ip: exchange.ip, signal }
    const run = <C extends Callable>(verb: Verb<C>, input: In<C>): Promise<Out<C>> =>
      execute(services, request, caller, verb, input)
    return { run, orgId: caller?.orgId ?? '', userId: caller?.userId ?? '' }
  }
  /** An upload of the request's sender, how far it is, and the file if it is one by now. */
  const find = async (exchange: Exchange, signal: AbortSignal, id: string) => {
    const { run, ...person } = await runnerOf(exchange, signal)
    const { use, size, file } = await run(verbs.uploaded, { id })
    const place: UploadPlace = { ...person, use, id }
    const offset = file ? size : await files.incoming.offset(place)
    if (offset === undefined) throw uploadGone()
    return { run, place, file, state: uploadState(files, place, { offset, size }) }
  }

  const announce: Route = async (exchange, signal) => {
    const data = dataOf(await readBody(exchange.request, announcementLimitBytes))
    const { run } = await runnerOf(exchange, signal)
    const state = await run(verbs.start, data as In<typeof verbs.start.callable>)
    sendJson(exchange, 201, { result: state })
  }
  const piece = async (exchange: Exchange, signal: AbortSignal, id: string): Promise<void> => {
    const { state } = await find(exchange, signal, id)
    const from = pieceStart(exchange, state)
    const offset =
      state.offset === state.size ? state.size : await files.incoming.append(id, from, exchange.request, state.size)
    metrics.uploadedBytes.inc(Math.max(0, offset - state.offset))
    sendJson(exchange, 200, { result: { ...state, offset } })
  }
  const progress = async (exchange: Exchange, signal: AbortSignal, id: string): Promise<void> => {
    const { state } = await find(exchange, signal, id)
    sendJson(exchange, 200, { result: state }, { 'upload-offset': String(state.offset) })
  }
  const finish = async (exchange: Exchange, signal: AbortSignal, id: string): Promise<void> => {
    exchange.request.resume()
    const { run, place, file, state } = await find(exchange, signal, id)
    if (file) return sendJson(exchange, 200, { result: file })
    const { offset, size } = state
    if (offset !== size) {
      throw refuse('upload_incomplete', { offset, size })
    }
    const content = await keepOrForget(place, signal)
    const { sealed, ...known } = content
    const key = sealed && { ...sealed, key: sealed.key.toString('base64') }
    const stored = await run(verbs.finish, { id, ...known, sealed: key })
    await files.incoming.remove(place)
    sendJson(exchange, 200, { result: stored })
  }
  /** Content that was refused for what it is would be so again; one that was given up or has to wait may be finished later. */
  const keepOrForget = async (place: UploadPlace, signal: AbortSignal) => {
    const { orgId, use, id } = place
    try {
      return await files.incoming.withFile(place, (file) => files.keep({ orgId, id, use, file, signal }))
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid-argument') await files.incoming.remove(place)
      throw error
    }
  }
  const cancel = async (exchange: Exchange, signal: AbortSignal, id: string): Promise<void> => {
    const { run, ...person } = await runnerOf(exchange, signal)
    const { use, isGivenUp } = await run(verbs.cancel, { id })
    if (isGivenUp) await files.incoming.remove({ ...person, use, id })
    sendJson(exchange, 200, { result: {} })
  }
  const content = async (
    exchange: Exchange,
    signal: AbortSignal,
    target: FileTarget,
    isPublic: boolean,
  ): Promise<void> => {
    const file = await services.db.transaction(
      {
        orgId: target.orgId,
        actor: { kind: 'guest_link', id: null },
        action: 'files-open',
        requestId: exchange.id,
        signal,
      },
      async (tx) => {
        if (target.reader) await requireReader(tx, target.reader)
        return files.get(tx, target.orgId, target.fileId)
      },
    )
    if (isPublic && !file.isPublic) throw gone()
    const size = target.size ?? undefined
    const type = size === undefined ? file.contentType : fileTypes.webp
    await sendContent(exchange, {
      body: await files.open(target.orgId, file, size),
      type,
      length: size === undefined ? file.size : (file.sizes[size]?.size ?? 0),
      name: savedName(type, file.name),
      cacheControl: isPublic ? 'public, max-age=31536000, immutable' : 'private, max-age=60',
    })
  }

  return (exchange, signal) => {
    const { method, path } = exchange
    const isRead = method === 'GET' || method === 'HEAD'
    if (path === '/api/files/uploads' && method === 'POST') return announce(exchange, signal)
    const upload = uploadPath.exec(path)
    if (upload?.[1]) {
      if (upload[2]) return method === 'POST' ? finish(exchange, signal, upload[1]) : rejected(gone())
      if (method === 'PUT') return piece(exchange, signal, upload[1])
      if (isRead) return progress(exchange, signal, upload[1])
      if (method === 'DELETE') return cancel(exchange, signal, upload[1])
    }
    if (isRead && path.startsWith(linkPath)) {
      const target = files.links.read(path.slice(linkPath.length), services.clock.now())
      return target ? content(exchange, signal, { ...target, reader: target }, false) : rejected(linkOver())
    }
    const known = isRead && path.startsWith(publicPath) ? publicTarget(path) : undefined
    return known ? content(exchange, signal, known, true) : rejected(gone())
  }
}

const rejected = (error: Error): Promise<never> => Promise.reject(error)

/** What an address leads to; a private one also says for whom. */
type FileTarget = Pick<LinkTarget, 'orgId' | 'fileId' | 'size'> & { readonly reader?: Reader }

/** A link works for whom it was made, while they may read in the organization at all. */
async function requireReader(tx: Tx, reader: Reader): Promise<void> {
  const member = await findMembership(tx, reader)
  if (!member) throw linkOver()
  if (member.lacksFactor) {
    throw refuse('second_factor_required')
  }
}

function publicTarget(path: string): FileTarget | undefined {
  const [, orgId = '', fileId = '', size = ''] = publicFilePath.exec(path) ?? []
  if (fileId === '') return undefined
  try {
    return { orgId: decodeURIComponent(orgId), fileId, size: size === 'original' ? null : size }
  } catch {
    return undefined // a broken percent sign is an address that we never gave out
  }
}

/** @returns where the piece starts. @throws AppError for a header that fits neither the announcement nor the protocol. */
function pieceStart({ request }: Exchange, { size }: UploadState): number {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(request.headers['content-range'] ?? '')
  const [from, to, total] = (match?.slice(1) ?? []).map(Number)
  if (from === undefined || to === undefined || total !== size || to < from || to >= size) {
    throw new AppError('invalid-argument', `A piece says where it belongs: content-range: bytes 0-${size - 1}/${size}.`)
  }
  if (to - from + 1 > uploadChunkBytes) {
    throw new AppError('invalid-argument', `A piece has at most ${uploadChunkBytes} bytes.`)
  }
  return from
}

interface Content {
  readonly body: Readable
  readonly type: string
  readonly length: number
  readonly name: string
  readonly cacheControl: string
}

/** Whatever a file holds, it cannot act as one of our pages: own policy, no sniffing, and everything but images is saved. */
async function sendContent({ request, response }: Exchange, content: Content): Promise<void> {
  const disposition = content.type.startsWith('image/') ? 'inline' : 'attachment'
  response.writeHead(200, {
    'content-type': content.type,
    'content-length': content.length,
    'cache-control': content.cacheControl,
    'content-disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(content.name)}`,
    'content-security-policy': "default-src 'none'; sandbox",
  })
  if (request.method === 'HEAD') {
    content.body.destroy()
    response.end()
    return
  }
  try {
    await pipeline(content.body, response)
  } catch (error) {
    // the reader went away; the log line says 499
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

const gone = (): StorageError => new StorageError('object-not-found', 'There is no such file.')
const linkOver = (): StorageError =>
  new StorageError('unauthorized', 'This link is over. Open the page again for a new one.')

const codeOf: Readonly<Record<StorageCode, ErrorCode>> = {
  'object-not-found': 'not-found',
  unauthorized: 'permission-denied',
  'quota-exceeded': 'resource-exhausted',
  'retry-limit-exceeded': 'unavailable',
  canceled: 'cancelled',
}
const storageCodeOf: Readonly<Partial<Record<ErrorCode, StorageCode>>> = {
  unauthenticated: 'unauthorized',
  'permission-denied': 'unauthorized',
  'not-found': 'object-not-found',
}

/** Every refusal of these addresses as sent to clients, with the storage code. Source: spec, section 8. */
function withStorageCode(thrown: unknown): unknown {
  const error = storageErrorOf(thrown)
  if (error instanceof StorageError) {
    const { code, message } = error
    return new AppError(codeOf[code], message, { cause: thrown, details: { storageCode: code } })
  }
  const storageCode = error instanceof AppError ? storageCodeOf[error.code] : undefined
  if (!(error instanceof AppError) || !storageCode) return error
  return new AppError(error.code, error.message, { cause: error.cause, details: { ...error.details, storageCode } })
}

function storageErrorOf(thrown: unknown): unknown {
  if (thrown instanceof BlobMissing)
    return new StorageError('object-not-found', 'The content of this file is lost.', { cause: thrown })
  const outage = outageOf(thrown)
  if (outage) return outage
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  // a piece that arrives after the upload was finished or given up
  if (code === 'ENOENT')
    return new StorageError('object-not-found', 'There is no such upload any more.', { cause: thrown })
  if (code === 'ECONNRESET') return new StorageError('canceled', 'The connection broke.', { cause: thrown })
  return thrown
}
