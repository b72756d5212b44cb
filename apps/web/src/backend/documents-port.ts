import type { DatabaseError } from '@tour-ops/contract/database-codes'
import type { DocumentQuery, DocumentSnapshot, DocumentWrite } from '@tour-ops/contract/live/documents'

export type { DocumentQuery, DocumentSnapshot, DocumentWrite } from '@tour-ops/contract/live/documents'

/** What a target holds now: one document, or every document of a collection, in the order of their paths. */
export interface TargetSnapshot {
  readonly target: string
  /**
   * Existing documents only. `changes` targets are reported only when something changed: one document with the ids since the
   * call before, or since shortly before the listening began.
   */
  readonly documents: readonly DocumentSnapshot[]
}

export interface DocumentsObserver {
  next(snapshot: TargetSnapshot): void
  /** Called at most once; nothing follows. */
  error(error: DatabaseError): void
}

/** `reconnecting` from the loss of the stream, `offline` once that lasts 10 s. Source: spec, section 9, "online-state timeout". */
export type DocumentsConnection = 'live' | 'reconnecting' | 'offline'

export interface DocumentsState {
  readonly connection: DocumentsConnection
  /** When the server last sent something, epoch milliseconds; null before the first time. */
  readonly lastEventAt: number | null
}

/**
 * Live documents, as screens see them. Paths and rules: `@tour-ops/contract/live/live-paths`.
 * Every promise may reject with a `DatabaseError`.
 */
export interface Documents {
  /** Follows a document path or a collection path until the returned function is called. */
  listen(target: string, observer: DocumentsObserver): () => void
  get(path: string): Promise<DocumentSnapshot>
  /** In the order of `paths`. */
  batchGet(paths: readonly string[]): Promise<readonly DocumentSnapshot[]>
  query(query: DocumentQuery): Promise<readonly DocumentSnapshot[]>
  count(query: DocumentQuery): Promise<number>
  /**
   * Writes all or nothing. Waits for the server through lost connections; batches arrive in the order of the calls.
   *
   * @throws DatabaseError `resource-exhausted` when 10 batches wait already.
   */
  commit(writes: readonly DocumentWrite[]): Promise<void>
  /** Calls back at once with the present state, then at every change of it. */
  onState(onChange: (state: DocumentsState) => void): () => void
}
