import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { parseSnapshot, writeSnapshot } from './feed-position.ts'

/** What was written in an organization since a snapshot. */
export interface ChangesSince {
  /** What this transaction sees: for whoever looks again later. */
  readonly seen: string
  /** Whether this transaction has written something itself: what it reads may be taken back and is not to be kept. */
  readonly hasWritten: boolean
  /** Ids of the rows by topic, live documents left out; null where that is not known, or more than `maxIds` were written. */
  readonly changed: ReadonlyMap<string, TopicChanges> | null
}

export interface TopicChanges {
  readonly ids: readonly string[]
  readonly hasDeleted: boolean
}

/** More than this many rows are not named one by one. */
const maxIds = 1_000
/** Live documents are no rows of a record; a presence is written every few seconds. */
const documents = 'documents'

/**
 * Looks into the change log, in the caller's transaction: exact whatever the order in which transactions end, for all processes.
 *
 * @param seen `seen` of an earlier look; null to begin.
 */
export async function changesSince(
  { tx, orgId }: Pick<MemberCall, 'tx' | 'orgId'>,
  seen: string | null,
): Promise<ChangesSince> {
  // its first number, apart from it: only a plain comparison reaches the index under row-level security
  const xmin = seen?.slice(0, seen.indexOf(':')) ?? null
  const { rows } = await sql<Look>`
    select pg_current_snapshot()::text as snapshot, pg_current_xact_id_if_assigned() is not null as "hasWritten",
      (select l.tx from changes l where l.org_id = ${orgId} order by l.tx desc limit 1)::text as last,
      c.topic, c.ids, c."hasDeleted"
    from (select) as present left join lateral (
      select c.topic, array_agg(distinct c.entity_id) as ids, bool_or(c.op = 'delete') as "hasDeleted"
      from changes c where c.org_id = ${orgId} and c.tx >= ${xmin}::xid8 and not pg_visible_in_snapshot(c.tx, ${seen}::pg_snapshot)
        and c.topic <> ${documents}
      group by c.topic
    ) c on true`.execute(tx)
  const [present] = rows
  if (!present) throw new Error('A snapshot is one row.')
  const topics = rows.flatMap(({ topic, ids, hasDeleted }) => (topic && ids ? [{ topic, ids, hasDeleted }] : []))
  const isMany = topics.reduce((sum, { ids }) => sum + ids.length, 0) > maxIds
  return {
    seen: upToLast(present.snapshot, present.last),
    hasWritten: present.hasWritten,
    changed: seen === null || isMany ? null : new Map(topics.map(({ topic, ...changes }) => [topic, changes])),
  }
}

interface Look {
  snapshot: string
  hasWritten: boolean
  last: string | null
  topic: string | null
  ids: string[] | null
  hasDeleted: boolean
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
