import type { JsonObject } from '@tour-ops/contract/live/documents'
import { matchLivePath, type LiveTopic, type MatchedLivePath } from '@tour-ops/contract/live/live-paths'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database, Tx } from '../db/database.ts'
import { announceChanges } from './announce.ts'
import { openChangeFeed, type ChangeFeed } from './change-feed.ts'
import { checkData, putChecked } from './documents-requests.ts'
import { removeDocument } from './documents-store.ts'
import { LivePositions } from './live-positions.ts'
import { StreamHub } from './stream-hub.ts'

/**
 * Live documents, as verbs and jobs write them. Everything happens in the given transaction: listeners are notified when that
 * commits, and never when it does not. Changed records need nothing of this, the database announces them by itself.
 */
export interface Live {
  /**
   * Replaces or creates a document of the transaction's organization, or a notice in anybody's inbox.
   *
   * @throws DatabaseError `invalid-argument` when the path or the data breaks the rules of `live-paths`.
   */
  setDocument(tx: Tx, path: string, data: JsonObject): Promise<void>
  /** Removes a document of the transaction's organization or person; an absent one is fine. */
  deleteDocument(tx: Tx, path: string): Promise<void>
  /** See `announceChanges`. */
  announce(tx: Tx, topic: LiveTopic, ids: readonly string[]): Promise<void>
  /** Ends all streams (their clients reconnect) and stops following the change log. */
  close(): Promise<void>
}

/** The same with what the HTTP side needs. */
export interface LiveServer extends Live {
  readonly db: Database
  readonly hub: StreamHub
  readonly epoch: string
  /** Streams open in this process. */
  openStreams(): number
}

export interface LiveOptions {
  readonly db: Database
  readonly log: Logger
  /** `REALTIME`: `notify` is woken by the database, `poll` reads ten times a second. */
  readonly mode?: 'notify' | 'poll'
  /** How often positions travel, milliseconds. */
  readonly positionsEveryMs?: number
}

/** One message for each organization in this time, milliseconds. */
const positionsMs = 1_000

/** Starts to follow the change log. The database must be migrated. */
export async function openLive({
  db,
  log,
  mode = 'notify',
  positionsEveryMs = positionsMs,
}: LiveOptions): Promise<LiveServer> {
  let feed: ChangeFeed | undefined
  const hub = new StreamHub(db, log, () => feed?.position ?? { read: 0, snapshot: '1:1:' })
  const onRows = hub.take.bind(hub)
  const opened = (feed = await openChangeFeed({ db, log, mode, onRows, onBreak: () => hub.beginAgain() }))
  const positions = new LivePositions({ db, log, everyMs: positionsEveryMs }, hub)
  return {
    db,
    hub,
    get epoch() {
      return opened.epoch
    },
    openStreams: () => hub.size,
    ...liveWrites,
    async close() {
      positions.close()
      hub.close()
      await opened.close()
    },
  }
}

/** Writing needs no feed: programs that serve nobody (the seed, a command) use this. */
export const liveWrites: Omit<Live, 'close'> = {
  async setDocument(tx, path, data) {
    const match = storedDocumentAt(path)
    if (match.name !== 'inbox') {
      await putChecked(tx, match, path, data)
      return
    }
    checkData(match, data)
    const { user, message } = match.params
    await sql`select put_inbox_message(${user}, ${message}, ${JSON.stringify(data)}::jsonb)`.execute(tx)
  },
  async deleteDocument(tx, path) {
    storedDocumentAt(path)
    await removeDocument(tx, path)
  },
  announce: announceChanges,
}

/** @throws Error for a path that no rule covers: a programming error, since only the server's own code comes here. */
function storedDocumentAt(path: string): MatchedLivePath {
  const match = matchLivePath(path)
  if (match?.target !== 'document' || match.rule.kind !== 'stored')
    throw new Error(`No live document is kept at ${path}`)
  return match
}
