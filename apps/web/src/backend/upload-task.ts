import { StorageError, type StoredFile, type UploadState } from '@tour-ops/contract/files'
import { uploadRetryMs } from './constants.ts'
import type { UploadOptions, UploadTask, UploadTaskState } from './files-port.ts'
import { untilThrough, type FilesEnvironment, type SendFileRequest } from './files-requests.ts'

/** How one content travels. */
export interface Transfer {
  /**
   * Sends what is missing. After a pause or an interruption it is called again and resumes from where the server is.
   *
   * @param arrived Called with the number of bytes received, and whether that resets the time limit.
   */
  run(upload: UploadState, signal: AbortSignal, arrived: (bytes: number, isProgress: boolean) => void): Promise<void>
  /** The content is no longer wanted; without it the signal has ended everything. */
  cancel?(): void
}

interface AnnouncedUploadParts {
  readonly transfer: Transfer
  readonly send: SendFileRequest
  readonly environment: FilesEnvironment
}

interface Upload extends UploadTask {
  readonly content: Blob
}

/** One upload: announced to our server, sent on its way, finished by our server. */
export class AnnouncedUpload implements Upload {
  readonly content: Blob
  readonly result: Promise<StoredFile>
  readonly #options: UploadOptions
  readonly #transfer: Transfer
  readonly #send: SendFileRequest
  readonly #environment: FilesEnvironment
  readonly #settle: PromiseWithResolvers<StoredFile>
  #state: UploadTaskState = 'running'
  #upload: UploadState | undefined
  #bytesSent = 0
  #running = new AbortController()

  constructor(content: Blob, options: UploadOptions, { transfer, send, environment }: AnnouncedUploadParts) {
    this.content = content
    this.#options = options
    this.#transfer = transfer
    this.#send = send
    this.#environment = environment
    this.#settle = Promise.withResolvers()
    this.result = this.#settle.promise
    // a caller that only watches `state` has no handler of its own
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
    this.#transfer.cancel?.()
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
    const upload = (this.#upload ??= await this.#announce(signal))
    await this.#transfer.run(upload, signal, (bytes, isProgress) => {
      if (isProgress) progressed()
      this.#tell(bytes)
    })
    const path = `/files/uploads/${upload.uploadId}/finish`
    return this.#send<StoredFile>({ method: 'POST', path, signal })
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

  /** The server forgets it after a day by itself; a failure of this request has no consequences. */
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
