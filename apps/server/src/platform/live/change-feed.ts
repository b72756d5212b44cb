import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import type { FeedPosition } from './feed-position.ts'

/** One row of the change log. `owner` is an organization's id, or `users/{id}` for the documents of one person. */
export interface ChangeRow extends FeedPosition {
  readonly owner: string
  readonly topic: string
  readonly entityId: string
}

export interface ChangeFeedOptions {
  readonly db: Database
  readonly log: Logger
  /** `notify` is woken by the database, `poll` only looks; both find the same. Poll works through PgBouncer as well. */
  readonly mode: 'notify' | 'poll'
  /** Rows in the order of the log, each once; `before` is the place in front of the first. */
  readonly onRows: (rows: readonly ChangeRow[], before: FeedPosition) => void
}

export interface ChangeFeed {
  readonly epoch: string
  /** Every row up to here has been handed on. */
  readonly position: FeedPosition
  readonly close: () => Promise<void>
}

/** A woken look may be too early, while an older transaction is still open: one more after this time. */
const secondLookMs = 25
/** Finds what no wake-up told of. */
const pollMs = { notify: 1_000, poll: 100 } as const
const batchRows = 500

/** Greater than any `seq`: stands for "after the whole transaction". */
const endOfTransaction = '9223372036854775807'

/**
 * Follows the change log for this process: every committed row once, none skipped. Only rows of transactions older than every
 * running one are read, because a row that commits late has a lower place than rows already seen; following the identity column
 * alone loses them.
 */
export async function openChangeFeed({ db, log, mode, onRows }: ChangeFeedOptions): Promise<ChangeFeed> {
  const epoch = await readEpoch(db)
  let position = await readHorizon(db)
  let isLooking = false
  let lookAgain = false
  let isClosed = false
  let looking: Promise<void> = Promise.resolve()
  let secondLook: NodeJS.Timeout | undefined

  const readBatch = async (): Promise<number> => {
    const { rows } = await db.pool.query<ChangeRow>({
      name: 'live-read-changes',
      text: `select tx::text, seq::text, org_id as owner, topic, entity_id as "entityId" from read_changes($1::xid8, $2::bigint, $3)`,
      values: [position.tx, position.seq, batchRows],
    })
    const last = rows.at(-1)
    if (last && !isClosed) {
      const before = position
      position = { tx: last.tx, seq: last.seq }
      onRows(rows, before)
    }
    return rows.length
  }

  const readAll = async (): Promise<void> => {
    try {
      for (let isMore = true; isMore;) {
        lookAgain = false
        const isFull = (await readBatch()) === batchRows
        isMore = (isFull || lookAgain) && !isClosed
      }
    } catch (error) {
      if (!isClosed) log.warn({ err: error }, 'the change log could not be read; the next look repeats it')
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

  const wake = (): void => {
    look()
    clearTimeout(secondLook)
    secondLook = setTimeout(look, secondLookMs)
  }

  const poll = setInterval(look, pollMs[mode])
  const unlisten = mode === 'notify' ? await db.listen('changes', wake) : undefined
  return {
    epoch,
    get position() {
      return position
    },
    async close() {
      isClosed = true
      clearInterval(poll)
      clearTimeout(secondLook)
      await looking
      await unlisten?.()
    },
  }
}

/** Everything committed before this moment lies at or before it. */
async function readHorizon(db: Database): Promise<FeedPosition> {
  const { rows } = await db.pool.query<{ tx: string }>(
    'select (pg_snapshot_xmin(pg_current_snapshot())::text::numeric - 1)::text as tx',
  )
  return { tx: rows[0]?.tx ?? '0', seq: endOfTransaction }
}

/**
 * Names the database. Transaction numbers start again after dump and restore; a restored database has another identifier
 * (another cluster) or another number in its cluster.
 */
async function readEpoch(db: Database): Promise<string> {
  const { rows } = await db.pool.query<{ cluster: string; database: string }>(
    `select system_identifier::text as cluster, (select oid::text from pg_database where datname = current_database()) as database
     from pg_control_system()`,
  )
  const cluster = BigInt(rows[0]?.cluster ?? '0').toString(36)
  return `${cluster}-${rows[0]?.database ?? '0'}`
}
