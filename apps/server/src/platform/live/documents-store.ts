import { DatabaseError } from '@tour-ops/contract/database-codes'
import type { DocumentQuery, DocumentSnapshot, JsonObject, Precondition } from '@tour-ops/contract/live/documents'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Tx } from '../db/database.ts'
import { queryParts } from './document-query.ts'

interface DocumentRow {
  path: string
  data: JsonObject
  createTime: string
  updateTime: string
}

/** ISO 8601, UTC, microseconds: preconditions compare the text, and JavaScript's dates would lose three digits. */
const timeText = (column: string) =>
  sql.raw<string>(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
const columns = sql`path, data, ${timeText('create_time')} as "createTime", ${timeText('update_time')} as "updateTime"`

const absentDocument = (path: string): DocumentSnapshot => ({
  path,
  data: null,
  createTime: null,
  updateTime: null,
})

/** In the order of `paths`; those that do not exist have null data. Row-level security applies. */
export async function selectDocuments(tx: Tx, paths: readonly string[]): Promise<DocumentSnapshot[]> {
  const { rows } = await sql<DocumentRow>`
    select ${columns} from documents where path = any (${[...paths]}::text[])`.execute(tx)
  return inOrder(paths, rows)
}

/** The same for every organization and person, for the feed; who may see a path was decided when a stream was opened. */
export async function readDocumentsOfAll(pool: pg.Pool, paths: readonly string[]): Promise<DocumentSnapshot[]> {
  const { rows } = await pool.query<DocumentRow>({
    name: 'live-read-documents',
    text: `select path, data, to_char(create_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createTime",
      to_char(update_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "updateTime" from read_documents($1)`,
    values: [paths],
  })
  return inOrder(paths, rows)
}

function inOrder(paths: readonly string[], rows: readonly DocumentRow[]): DocumentSnapshot[] {
  const found = new Map(rows.map((row) => [row.path, row]))
  return paths.map((path) => found.get(path) ?? absentDocument(path))
}

/** Most documents of a collection that one snapshot or query returns. */
const collectionLimit = 1_000

/** @throws DatabaseError `failed-precondition` for a collection that is too large to follow as a whole. */
export async function selectCollection(tx: Tx, collection: string): Promise<DocumentSnapshot[]> {
  const documents = await queryDocuments(tx, { collection, limit: collectionLimit + 1 })
  if (documents.length > collectionLimit) {
    throw new DatabaseError('failed-precondition', `This collection holds more than ${collectionLimit} documents.`)
  }
  return documents
}

export async function queryDocuments(
  tx: Tx,
  query: Omit<DocumentQuery, 'limit'> & { limit?: number | undefined },
): Promise<DocumentSnapshot[]> {
  const { where, orderBy } = queryParts(query)
  const { rows } = await sql<DocumentRow>`
    select ${columns} from documents where ${where} order by ${orderBy} limit ${query.limit ?? collectionLimit}`.execute(
    tx,
  )
  return rows
}

export async function countDocuments(tx: Tx, query: DocumentQuery): Promise<number> {
  const { where } = queryParts(query)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from documents where ${where} limit ${query.limit ?? null}::int) as matched`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** The document as it is, held until the end of the transaction. */
export async function lockDocument(tx: Tx, path: string): Promise<DocumentSnapshot> {
  const { rows } = await sql<DocumentRow>`select ${columns} from documents where path = ${path} for update`.execute(tx)
  return rows[0] ?? absentDocument(path)
}

/** Whose document it is, as row-level security asks. */
export interface DocumentOwner {
  readonly orgId: string | null
  readonly userId: string | null
}

/** @throws DatabaseError `aborted` when the document exists but belongs to somebody else, which row-level security hides. */
export async function putDocument(tx: Tx, path: string, owner: DocumentOwner, data: JsonObject): Promise<void> {
  await sql`
    insert into documents as d (path, org_id, user_id, data)
    values (${path}, ${owner.orgId}, ${owner.userId}, ${JSON.stringify(data)}::jsonb)
    on conflict (path) do update
      set data = excluded.data, version = d.version + 1,
        update_time = greatest(clock_timestamp(), d.update_time + interval '1 microsecond')`.execute(tx)
}

export async function removeDocument(tx: Tx, path: string): Promise<void> {
  await sql`delete from documents where path = ${path}`.execute(tx)
}

/**
 * @throws DatabaseError `not-found`, `already-exists` or `failed-precondition`. Source: spec, section 8, "Database codes";
 *   the same case has the same code as in the hosted database.
 */
export function checkPrecondition(present: DocumentSnapshot, precondition: Precondition | undefined): void {
  if (!precondition) return
  const { path } = present
  if ('exists' in precondition) {
    if (precondition.exists && !present.data) throw new DatabaseError('not-found', `There is no document ${path}.`)
    if (!precondition.exists && present.data) throw new DatabaseError('already-exists', `${path} exists already.`)
    return
  }
  if (present.updateTime !== precondition.updateTime) {
    throw new DatabaseError('failed-precondition', `${path} was changed meanwhile.`, {
      details: { updateTime: present.updateTime },
    })
  }
}
