import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { timelineSql } from '../db/primary.ts'
import { parseSnapshot, writeSnapshot } from './feed-position.ts'

/** What was written in an organization since a snapshot. */
export interface ChangesSince {
  /** The snapshot that the changes start from; null where there was none. */
  readonly since: string | null
  /** What this transaction sees, and on which timeline of the database: for a later comparison. */
  readonly seen: string
  /** Whether this transaction has written something itself: what it reads may be rolled back and must not be cached. */
  readonly hasWritten: boolean
  /** Ids of the rows by topic, live documents left out; null where that is not known (also after another server became the primary), or more than `maxChanges` were written. */
  readonly changed: ReadonlyMap<string, TopicChanges> | null
}

export interface TopicChanges {
  readonly ids: readonly string[]
  readonly hasDeleted: boolean
}

/** The transaction of a read, and what was found at the beginning of the answer that it is for. */
export interface Looker {
  readonly tx: Tx
  readonly orgId: string
  readonly looked?: ChangesSince
}

/** More than this many changes are not listed one by one. */
const maxChanges = 1_000
/** Live documents are no rows of a record; a presence is written every few seconds. */
const documents = 'documents'

/**
 * Reads the change log, in the caller's transaction: exact whatever the order in which transactions end, for all processes.
 * What was found at the beginning of an answer serves for all of it.
 *
 * @param seen `seen` of an earlier look; null to begin.
 */
export async function changesSince({ tx, orgId, looked }: Looker, seen: string | null): Promise<ChangesSince> {
  if (looked && seen !== null) {
    if (looked.since === seen) return looked
    if (looked.seen === seen) return { ...looked, since: seen, changed: new Map() }
  }
  // its first number, apart from it: only a plain comparison reaches the index under row-level security
  const xmin = seen?.slice(0, seen.indexOf(':')) ?? null
  const [snapshot = null, timeline = null] = seen?.split('@') ?? []
  // read in the order of the index up to a limit, from a number that the planner does not see: it need not plan again for each look
  const { rows } = await sql<Look>`
    select pg_current_snapshot()::text as snapshot, ${sql.raw(timelineSql)} as timeline, pg_current_xact_id_if_assigned() is not null as "hasWritten",
      (select l.tx from changes l where l.org_id = ${orgId} order by l.tx desc limit 1)::text as last,
      c.topic, c.ids, c.changes, c."hasDeleted"
    from (select) as present left join lateral (
      select w.topic, array_agg(distinct w.entity_id) as ids, count(*)::int as changes, bool_or(w.op = 'delete') as "hasDeleted"
      from (
        select c.topic, c.entity_id, c.op from changes c
        where c.org_id = ${orgId} and c.tx >= (select ${xmin}::xid8) and not pg_visible_in_snapshot(c.tx, ${snapshot}::pg_snapshot)
          and c.topic <> ${documents}
        order by c.tx limit ${maxChanges + 1}
      ) w
      group by w.topic
    ) c on true`.execute(tx)
  const [present] = rows
  if (!present) throw new Error('A snapshot is one row.')
  const topics = rows.flatMap(({ topic, ids, hasDeleted }) =>
    topic && ids && hasDeleted !== null ? [{ topic, ids, hasDeleted }] : [],
  )
  // after a promotion the same numbers are of other transactions
  const isElsewhere = seen === null || String(present.timeline) !== timeline
  const isMany = rows.reduce((sum, { changes }) => sum + (changes ?? 0), 0) > maxChanges
  return {
    since: seen,
    seen: `${upToLast(present.snapshot, present.last)}@${String(present.timeline)}`,
    hasWritten: present.hasWritten,
    changed: isElsewhere || isMany ? null : new Map(topics.map(({ topic, ...changes }) => [topic, changes])),
  }
}

interface Look {
  snapshot: string
  timeline: string | null
  hasWritten: boolean
  last: string | null
  topic: string | null
  ids: string[] | null
  changes: number | null
  hasDeleted: boolean | null
}

/**
 * A snapshot, but no further than the last transaction that wrote: that one is known to be on disk. After a crash PostgreSQL gives
 * numbers again that it had given to transactions of which nothing was on disk; such a number must not count as seen.
 */
function upToLast(snapshot: string, lastTx: string | null): string {
  const parsed = parseSnapshot(snapshot)
  if (!parsed) throw new Error(`Not a snapshot: ${snapshot}`)
  const xmax = lastTx === null ? 1n : BigInt(lastTx) + 1n
  return writeSnapshot({ xmax, running: parsed.running.filter((xid) => xid < xmax) })
}
