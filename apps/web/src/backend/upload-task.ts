import { StorageError, uploadChunkBytes, type StoredFile, type UploadState } from '@tour-ops/contract/files'
import { uploadRetryMs } from './constants.ts'
import type { UploadOptions, UploadTask, UploadTaskState } from './files-port.ts'
import { Interrupted, untilThrough, type FilesEnvironment, type SendFileRequest } from './files-requests.ts'

/** Pieces begin small, so that a slow line shows progress, and double while each takes less than this. */
const firstPieceBytes = 128 * 1024
const quickPieceMs = 1_000

interface Upload extends UploadTask {
  readonly content: Blob
}

/** One upload: announced, sent piece by piece from where the server says it is, finished. */
export class HttpUpload implements Upload {
  readonly content: Blob
  readonly result: Promise<StoredFile>
  readonly #options: UploadOptions
  readonly #send: SendFileRequest
  readonly #environment: FilesEnvironment
  readonly #settle: PromiseWithResolvers<StoredFile>
  #state: UploadTaskState = 'running'
  #upload: UploadState | undefined
  #bytesSent = 0
  #pieceBytes = firstPieceBytes
  #running = new AbortController()

  constructor(content: Blob, options: UploadOptions, send: SendFileRequest, environment: FilesEnvironment) {
    this.content = content
    this.#options = options
    this.#send = send
    this.#environment = environment
    this.#settle = Promise.withResolvers()
    this.result = this.#settle.promise
    // whoever only watches `state` has no handler of their own
    this.result.catch(() => undefined)
    void this.#run(this.#running.signal)
  }

  get state(): UploadTaskState {
    return this.#state
  }

  pause(): void {
    if (this.#state !== 'running') return
    this.#become('paused')
    this.#running.abort()
  }

  resume(): void {
    if (this.#state !== 'paused') return
    this.#running = new AbortController()
    this.#become('running')
    void this.#run(this.#running.signal)
  }

  cancel(): void {
    if (this.#state !== 'running' && this.#state !== 'paused') return
    this.#become('canceled')
    this.#running.abort()
    this.#settle.reject(new StorageError('canceled', 'The upload was canceled.'))
    if (this.#upload) void this.#forget(this.#upload.uploadId)
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      const file = await untilThrough(this.#environment, uploadRetryMs, signal, (progressed) =>
        this.#go(signal, progressed),
      )
      if (signal.aborted) return
      this.#become('done')
      this.#settle.resolve(file)
    } catch (error) {
      // paused or canceled: whatever broke off with it is no failure
      if (signal.aborted) return
      this.#become('failed')
      this.#settle.reject(error)
    }
  }

  /** From wherever it is to the end. After an interruption it is called again and asks the server how far it is. */
  async #go(signal: AbortSignal, progressed: () => void): Promise<StoredFile> {
    const isNew = this.#upload === undefined
    const upload = (this.#upload ??= await this.#announce(signal))
    const path = `/files/uploads/${upload.uploadId}`
    let offset = isNew ? 0 : (await this.#send<UploadState>({ method: 'GET', path, signal })).offset
    this.#tell(offset)
    while (offset < this.content.size) {
      offset = await this.#sendPiece(path, offset, signal)
      progressed()
      this.#tell(offset)
    }
    return this.#send<StoredFile>({ method: 'POST', path: `${path}/finish`, signal })
  }

  async #announce(signal: AbortSignal): Promise<UploadState> {
    const { use, name } = this.#options
    const given = name ?? (this.content instanceof File ? this.content.name : use)
    const data = { use, name: given.slice(-200), size: this.content.size }
    const upload = await this.#send<UploadState>({
      method: 'POST',
      path: '/files/uploads',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data }),
      signal,
    })
    // canceled while the answer was on its way
    if (this.#state === 'canceled') void this.#forget(upload.uploadId)
    return upload
  }

  async #sendPiece(path: string, from: number, signal: AbortSignal): Promise<number> {
    const { size } = this.content
    const to = Math.min(size, from + this.#pieceBytes)
    const startedMs = this.#environment.now()
    const { offset } = await this.#send<UploadState>({
      method: 'PUT',
      path,
      headers: { 'content-type': 'application/octet-stream', 'content-range': `bytes ${from}-${to - 1}/${size}` },
      body: this.content.slice(from, to),
      signal,
    })
    if (offset <= from) throw new Interrupted('The server kept nothing of the piece.')
    const tookMs = this.#environment.now() - startedMs
    if (tookMs < quickPieceMs) this.#pieceBytes = Math.min(uploadChunkBytes, this.#pieceBytes * 2)
    return offset
  }

  /** The server forgets it after a day by itself; a failure to say so now is nobody's concern. */
  async #forget(uploadId: string): Promise<void> {
    const request = {
      method: 'DELETE',
      path: `/files/uploads/${uploadId}`,
      signal: AbortSignal.timeout(10_000),
    } as const
    await this.#send(request).catch(() => undefined)
  }

  #tell(bytesSent: number): void {
    this.#bytesSent = bytesSent
    this.#options.onProgress?.({ bytesSent, bytesTotal: this.content.size })
  }

  #become(state: UploadTaskState): void {
    this.#state = state
    this.#tell(this.#bytesSent)
  }
}
