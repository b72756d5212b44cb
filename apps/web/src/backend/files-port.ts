import type { FileUseName, StoredFile } from '@tour-ops/contract/files'

export interface UploadProgress {
  readonly bytesSent: number
  readonly bytesTotal: number
}

export interface UploadOptions {
  readonly use: FileUseName
  /** The name to keep; a `File` brings its own. */
  readonly name?: string
  /** Called when a piece has arrived, and whenever the state changes. */
  readonly onProgress?: (progress: UploadProgress) => void
}

export type UploadTaskState = 'running' | 'paused' | 'done' | 'failed' | 'canceled'

/** An upload under way. It resumes from where it was after a pause, a lost connection or a restart of the server. */
export interface UploadTask {
  readonly state: UploadTaskState
  /**
   * The stored file.
   *
   * Rejects with a `StorageError` (`canceled`, `unauthorized`, `quota-exceeded`, `retry-limit-exceeded`, `object-not-found`), or
   * with an `AppError` when the server refuses the content (size, type).
   */
  readonly result: Promise<StoredFile>
  pause(): void
  resume(): void
  cancel(): void
}

/** Files, as screens see them. Private unless their use says otherwise. */
export interface FileStore {
  upload(content: Blob, options: UploadOptions): UploadTask
  /**
   * An address that works for some minutes without a token, for `<img>` and downloads.
   *
   * @param size Name of one of the sizes of an image; without it the file itself.
   * @throws StorageError `object-not-found`, `unauthorized` or `retry-limit-exceeded`.
   */
  link(fileId: string, size?: string): Promise<string>
}
