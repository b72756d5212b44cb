import { timelineSql } from '../db/primary.ts'
import { parseSnapshot, writeSnapshot, type RowPlace } from './feed-position.ts'

/** One row of the change log. `owner` is an organization's id, or `users/{id}` for the documents of one person. */
export interface ChangeRow extends RowPlace {
  readonly owner: string
  readonly topic: string
  readonly entityId: string
}

/** The position of a reader of the change log. */
export interface ReadPlace {
  /** Everything visible in this snapshot was read. */
  readonly seen: string
  /** While a read continues that is too long for one batch: the snapshot at which it ends, and its last row so far. */
  readonly within: { readonly upto: string; readonly after: RowPlace } | null
}

type Query = (text: string, values: readonly unknown[]) => Promise<{ readonly rows: readonly unknown[] }>

type ReadRow = (ChangeRow | { readonly [Column in keyof ChangeRow]: null }) & {
  readonly upto: string
  readonly timeline: string | null
}

/**
 * Reads what has become visible since `place`, at most `limit` rows, in the order of (tx, seq) within one read. A transaction that is
 * still open delays its own rows only: they belong to the first read after its commit, whatever its number.
 *
 * @returns the rows and the place behind them; `isMore` when the read continues. `timeline` says where they are from: the place of another
 *   timeline is not valid there.
 */
export async function readChanges(
  query: Query,
  { seen, within }: ReadPlace,
  limit: number,
): Promise<{ rows: ChangeRow[]; next: ReadPlace; isMore: boolean; timeline: string | null }> {
  const { rows } = await query(readChangesText, [
    seen,
    within?.upto ?? null,
    within?.after.tx ?? '0',
    within?.after.seq ?? '0',
    limit,
  ])
  const read = rows as readonly ReadRow[]
  const found = read.filter((row): row is ChangeRow & ReadRow => row.tx !== null)
  const upto = read[0]?.upto ?? seen
  const last = found.at(-1)
  const isMore = last !== undefined && found.length === limit
  return {
    rows: found,
    next: isMore
      ? { seen, within: { upto, after: { tx: last.tx, seq: last.seq } } }
      : { seen: seenAfter(seen, upto, last ?? within?.after), within: null },
    isMore,
    timeline: read[0]?.timeline ?? null,
  }
}

/**
 * What was seen after a read that ended at `upto` and whose last row is `last`: the end of it, but no further than the newest
 * transaction that is known to be on disk. After a crash PostgreSQL gives numbers again that it had given to transactions of which
 * nothing was on disk; such a number must not count as seen.
 */
function seenAfter(seen: string, upto: string, last: RowPlace | undefined): string {
  const [before, end] = [parseSnapshot(seen), parseSnapshot(upto)]
  if (!before || !end) throw new Error(`Not a snapshot: ${seen} or ${upto}`)
  const behindLast = last ? BigInt(last.tx) + 1n : 0n
  const xmax = behindLast > before.xmax ? behindLast : before.xmax
  return writeSnapshot({ xmax, running: end.running.filter((xid) => xid < xmax) })
}

/** The end of the read comes in every row, and in one without a change where there is none. */
const readChangesText = `
  select present.upto::text, present.timeline, c.tx::text, c.seq::text, c.org_id as owner, c.topic, c.entity_id as "entityId"
  from (select coalesce($2::pg_snapshot, pg_current_snapshot()) as upto, ${timelineSql} as timeline) as present
  left join lateral read_changes($1::pg_snapshot, present.upto, $3::xid8, $4::bigint, $5::int) as c on true
  order by c.tx, c.seq`
