import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { timelineSql } from '../db/primary.ts'
import { reportOutage } from '../outages.ts'
import type { FeedPosition } from './feed-position.ts'
import { readChanges, type ChangeRow, type ReadPlace } from './read-changes.ts'

export interface ChangeFeedOptions {
  readonly db: Database
  readonly log: Logger
  /** `notify` is woken by the database, `poll` only reads; both find the same. Poll works through PgBouncer as well. */
  readonly mode: 'notify' | 'poll'
  /** Rows as they were committed, each once; resuming from `before` gives all of them again. */
  readonly onRows: (rows: readonly ChangeRow[], before: FeedPosition) => void
  /** Another server is the primary now. Some reported changes may never have reached it, and what was written there first is not reported. */
  readonly onBreak?: () => void
}

export interface ChangeFeed {
  /** Another one after a break. */
  readonly epoch: string
  /** Every row up to here has been handed on. */
  readonly position: FeedPosition
  readonly close: () => Promise<void>
}

/** Finds changes that no wake-up announced. */
const pollMs = { notify: 1_000, poll: 100 } as const
const batchRows = 1_000

/**
 * Follows the change log for this process: every committed row once, none skipped, and none later because another transaction is
 * still open. Each look reads what has become visible since the last one; see `read-changes.ts`.
 */
export async function openChangeFeed({ db, log, mode, onRows, onBreak }: ChangeFeedOptions): Promise<ChangeFeed> {
  let epoch = await readEpoch(db)
  let place: ReadPlace = { seen: await presentSnapshot(db), within: null }
  let position: FeedPosition = { read: 0, snapshot: place.seen }
  let isLooking = false
  let lookAgain = false
  let isClosed = false
  let looking: Promise<void> = Promise.resolve()

  const query = (text: string, values: readonly unknown[]) =>
    db.pool.query({ name: 'live-read-changes', text, values: [...values] })

  const readBatch = async (): Promise<boolean> => {
    const { rows, next, isMore, timeline } = await readChanges(query, place, batchRows)
    if (isClosed) return false
    if (timeline !== epoch.timeline) {
      await beginAgain()
      return true
    }
    const before = position
    place = next
    if (next.seen !== position.snapshot) position = { read: position.read + 1, snapshot: next.seen }
    if (rows.length > 0) onRows(rows, before)
    return isMore
  }

  /** Places of the former primary mean nothing on this one. */
  const beginAgain = async (): Promise<void> => {
    log.warn({ before: epoch.timeline }, 'another database server is the primary: streams begin again')
    const [there, seen] = [await readEpoch(db), await presentSnapshot(db)]
    epoch = there
    place = { seen, within: null }
    position = { read: position.read + 1, snapshot: seen }
    onBreak?.()
  }

  const readAll = async (): Promise<void> => {
    try {
      for (let isMore = true; isMore;) {
        lookAgain = false
        isMore = ((await readBatch()) || lookAgain) && !isClosed
      }
    } catch (error) {
      if (!isClosed && !reportOutage(log, error))
        log.warn({ err: error }, 'the change log could not be read; the next look repeats it')
    } finally {
      isLooking = false
    }
  }

  const look = (): void => {
    if (isClosed) return
    if (isLooking) {
      lookAgain = true
      return
    }
    isLooking = true
    looking = readAll()
  }

  const poll = setInterval(look, pollMs[mode])
  const unlisten = mode === 'notify' ? await db.listen('changes', look) : undefined
  return {
    get epoch() {
      return epoch.name
    },
    get position() {
      return position
    },
    async close() {
      isClosed = true
      clearInterval(poll)
      await looking
      await unlisten?.()
    },
  }
}

/** Every row that is committed now is visible in it. */
async function presentSnapshot(db: Database): Promise<string> {
  const { rows } = await db.pool.query<{ snapshot: string }>('select changes_seen_now()::text as snapshot')
  const [row] = rows
  if (!row) throw new Error('The database named no snapshot')
  return row.snapshot
}

interface Epoch {
  readonly name: string
  readonly timeline: string | null
}

/**
 * Names the database. Transaction numbers start again after dump and restore; a restored database has another identifier
 * (another cluster) or another number in its cluster. A standby that is promoted gives some of them again, on another timeline.
 */
async function readEpoch(db: Database): Promise<Epoch> {
  const { rows } = await db.pool.query<{ cluster: string; database: string; timeline: string | null }>(
    `select system_identifier::text as cluster, (select oid::text from pg_database where datname = current_database()) as database,
       ${timelineSql} as timeline
     from pg_control_system()`,
  )
  const { cluster = '0', database = '0', timeline = null } = rows[0] ?? {}
  return { name: `${BigInt(cluster).toString(36)}-${database}-${String(timeline)}`, timeline }
}
