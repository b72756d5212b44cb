import type { DocumentSnapshot, JsonObject } from '@tour-ops/contract/live/documents'
import { isLiveTopic, liveChangesCounter, livePath } from '@tour-ops/contract/live/live-paths'
import { CompiledQuery, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database, Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { changesSnapshot } from '../live/live-frames.ts'
import { documentsTopic } from '../live/listen-targets.ts'
import { readChanges, type ChangeRow, type ReadPlace } from '../live/read-changes.ts'
import type { LiveStore, ServerWrite } from './firestore-writer.ts'

export interface PublisherParts {
  readonly db: Database
  readonly store: LiveStore
  readonly log: Logger
}

/** Rows of one batch; each becomes at most two writes, and a commit takes 500. Source: `documentBatchLimit`. */
const batchRows = 200
/** A call waits this long for another publisher, which then has most likely published its changes as well. */
const lockTimeoutMs = 2_000

/**
 * Publishes what the change log holds beyond the cursor: changed topics, live documents that the server wrote, and the
 * members that the rules of the database read. At least once, in the order of commits: the cursor's row is locked from
 * reading to writing, so that two publishers cannot overtake each other.
 *
 * @returns how many rows of the log were published.
 * @throws Error when the store refuses; the cursor stays, and the next run repeats the batch.
 */
export async function publishChanges(parts: PublisherParts): Promise<number> {
  for (let published = 0; ;) {
    const { rows, isMore } = await publishBatch(parts)
    published += rows
    if (!isMore) return published
  }
}

/** The same for the end of a call: whatever goes wrong is left to the sweep and never fails the call. */
export async function publishQuietly(parts: PublisherParts): Promise<void> {
  try {
    await publishChanges(parts)
  } catch (error) {
    parts.log.warn({ err: error }, 'live documents were not published; the sweep repeats it')
  }
}

interface CursorRow {
  seen: string
  upto: string | null
  tx: string | null
  seq: string | null
}

function publishBatch({ db, store }: PublisherParts): Promise<{ rows: number; isMore: boolean }> {
  const scope = {
    orgId: null,
    actor: { kind: 'system', id: null },
    action: 'publish-live-documents',
    requestId: newId(),
  } as const
  return db.transaction(scope, async (tx) => {
    await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`.execute(tx)
    // Two statements: one that waits for the lock reads by a snapshot that is older than the cursor it gets.
    const { rows: cursors } = await sql<CursorRow>`
      select seen::text, upto::text, tx::text, seq::text from feed.cursors where name = 'firestore' for update`.execute(
      tx,
    )
    const [cursor] = cursors
    if (!cursor) return { rows: 0, isMore: false }
    const place = placeOf(cursor)
    const { rows, next, isMore } = await readChanges(
      (text, values) => tx.executeQuery(CompiledQuery.raw(text, [...values])),
      place,
      batchRows,
    )
    const writes = await writesOf(tx, rows)
    if (writes.length > 0) await store.commit(writes)
    if (rows.length > 0 || next.seen !== place.seen) await moveCursor(tx, next)
    return { rows: rows.length, isMore }
  })
}

const placeOf = ({ seen, upto, tx, seq }: CursorRow): ReadPlace => ({
  seen,
  within: upto !== null && tx !== null && seq !== null ? { upto, after: { tx, seq } } : null,
})

async function moveCursor(tx: Tx, { seen, within }: ReadPlace): Promise<void> {
  await sql`
    update feed.cursors set seen = ${seen}::pg_snapshot, upto = ${within?.upto ?? null}::pg_snapshot,
      tx = ${within?.after.tx ?? null}::xid8, seq = ${within?.after.seq ?? null}::bigint, moved_at = clock_timestamp()
    where name = 'firestore'`.execute(tx)
}

/** What the rows of a batch say, each place once. */
async function writesOf(tx: Tx, rows: readonly ChangeRow[]): Promise<ServerWrite[]> {
  const documentRows = rows.filter(({ topic }) => topic === documentsTopic)
  return [
    ...topicWrites(rows),
    ...(await memberWrites(
      tx,
      rows.filter(({ topic }) => topic === 'members'),
    )),
    ...(await documentWrites(tx, [...new Set(documentRows.map(({ entityId }) => entityId))])),
  ]
}

function topicWrites(rows: readonly ChangeRow[]): ServerWrite[] {
  const lanes = new Map<string, ChangeRow[]>()
  for (const row of rows) {
    if (!isLiveTopic(row.topic)) continue
    const path = livePath.changes(row.owner, row.topic)
    const lane = lanes.get(path)
    if (lane) lane.push(row)
    else lanes.set(path, [row])
  }
  return [...lanes].map(([path, changes]) => {
    const last = changes.at(-1) as ChangeRow
    const ids = [...new Set(changes.map(({ entityId }) => entityId))]
    const data = { ...(changesSnapshot(path, ids, last).data as JsonObject), at: new Date().toISOString() }
    return { kind: 'count', path, data, counter: liveChangesCounter }
  })
}

async function documentWrites(tx: Tx, paths: readonly string[]): Promise<ServerWrite[]> {
  if (paths.length === 0) return []
  const { rows } = await sql<Pick<DocumentSnapshot, 'path' | 'data'>>`
    select path, data from read_documents(${[...paths]}::text[])`.execute(tx)
  const found = new Map(rows.map(({ path, data }) => [path, data]))
  return paths.map((path) => {
    const data = found.get(path)
    return data ? { kind: 'set', path, data } : { kind: 'delete', path }
  })
}

interface MemberRow {
  userId: string
  role: string
  staffId: string | null
}

/** What the rules of the database know of a member: nobody who is suspended or gone has a document. */
async function memberWrites(tx: Tx, rows: readonly ChangeRow[]): Promise<ServerWrite[]> {
  const byOrganization = Map.groupBy(rows, ({ owner }) => owner)
  const writes: ServerWrite[] = []
  for (const [orgId, changes] of byOrganization) {
    const userIds = [...new Set(changes.map(({ entityId }) => entityId))]
    await sql`select set_config('app.org_id', ${orgId}, true)`.execute(tx)
    const { rows: members } = await sql<MemberRow>`
      select user_id as "userId", role, staff_id as "staffId" from members
      where org_id = ${orgId} and user_id = any (${userIds}::text[]) and status = 'active'`.execute(tx)
    const active = new Map(members.map((member) => [member.userId, member]))
    for (const userId of userIds) {
      const member = active.get(userId)
      const path = memberPath(orgId, userId)
      writes.push(
        member ? { kind: 'set', path, data: { role: member.role, staffId: member.staffId } } : { kind: 'delete', path },
      )
    }
  }
  await sql`select set_config('app.org_id', '', true)`.execute(tx)
  return writes
}

/** Read by `firestore.rules` alone; no client listens to it. */
const memberPath = (orgId: string, userId: string): string => `orgs/${orgId}/members/${userId}`
