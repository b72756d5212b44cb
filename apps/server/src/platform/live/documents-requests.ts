import { DatabaseError } from '@tour-ops/contract/database-codes'
import type {
  documentRequests,
  DocumentRequestName,
  DocumentResults,
  DocumentSnapshot,
  DocumentWrite,
  JsonObject,
} from '@tour-ops/contract/live/documents'
import { mayReadLive, mayWriteLive, type LivePerson } from '@tour-ops/contract/live/live-access'
import { matchLivePath, type MatchedLivePath } from '@tour-ops/contract/live/live-paths'
import { sql } from 'kysely'
import type { infer as Infer } from 'zod/mini'
import type { Tx } from '../db/database.ts'
import {
  checkPrecondition,
  countDocuments,
  lockDocument,
  putDocument,
  queryDocuments,
  removeDocument,
  selectDocuments,
  type DocumentOwner,
} from './documents-store.ts'

type RequestOf<Name extends DocumentRequestName> = Infer<(typeof documentRequests)[Name]>

/** What each request of the documents interface does, in one transaction of the person. */
export const documentVerbs: {
  readonly [Name in DocumentRequestName]: (
    tx: Tx,
    person: LivePerson,
    request: RequestOf<Name>,
  ) => Promise<DocumentResults[Name]>
} = {
  async get(tx, person, { path }) {
    const [document] = await readDocuments(tx, person, [path])
    return document as DocumentSnapshot
  },
  async batchGet(tx, person, { paths }) {
    return { documents: await readDocuments(tx, person, paths) }
  },
  async runQuery(tx, person, query) {
    requireReadable(person, query.collection, 'collection')
    return { documents: await queryDocuments(tx, query) }
  },
  async count(tx, person, query) {
    requireReadable(person, query.collection, 'collection')
    return { count: await countDocuments(tx, query) }
  },
  async commit(tx, person, { writes }) {
    await lockPaths(tx, writes)
    for (const write of writes) await applyWrite(tx, person, write)
    const { rows } = await sql<{ at: string }>`
      select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`.execute(tx)
    return { commitTime: rows[0]?.at ?? '' }
  },
}

async function readDocuments(tx: Tx, person: LivePerson, paths: readonly string[]): Promise<DocumentSnapshot[]> {
  paths.forEach((path) => requireReadable(person, path, 'document'))
  return selectDocuments(tx, paths)
}

/** @throws DatabaseError `invalid-argument` for a place that stores nothing, `permission-denied` */
function requireReadable(person: LivePerson, path: string, target: MatchedLivePath['target']): void {
  const match = requireMatch(path, target)
  if (!mayReadLive(match, person)) throw new DatabaseError('permission-denied', `You may not read ${path}.`)
}

function requireMatch(path: string, target: MatchedLivePath['target']): MatchedLivePath {
  const match = matchLivePath(path)
  if (!match || match.target !== target || match.rule.kind !== 'stored') {
    throw new DatabaseError('invalid-argument', `There is no ${target} at ${path}.`)
  }
  return match
}

/** Two commits that touch the same documents wait for each other, in an order in which they cannot lock each other out. */
async function lockPaths(tx: Tx, writes: readonly DocumentWrite[]): Promise<void> {
  const paths = [...new Set(writes.map(({ path }) => path))].toSorted()
  await sql`select pg_advisory_xact_lock(hashtextextended(path, 0)) from unnest(${paths}::text[]) as path`.execute(tx)
}

async function applyWrite(tx: Tx, person: LivePerson, write: DocumentWrite): Promise<void> {
  const { path } = write
  const match = requireMatch(path, 'document')
  if (!mayWriteLive(match, person)) throw new DatabaseError('permission-denied', `You may not write ${path}.`)
  const present = await lockDocument(tx, path)
  checkPrecondition(present, write.precondition)
  if (write.kind === 'delete') {
    await removeDocument(tx, path)
    return
  }
  if (write.kind === 'update' && !present.data) throw new DatabaseError('not-found', `There is no document ${path}.`)
  const given = write.data as JsonObject
  const next = write.kind === 'set' ? given : { ...present.data, ...given }
  requireWritableFields(match, present.data, next)
  checkData(match, next)
  await putChecked(tx, match, path, match.name === 'presence' ? await asSeenHere(tx, person, next) : next)
}

/** Presence is published with the account's name and the server's time, whatever a client sends. */
async function asSeenHere(tx: Tx, { orgId, userId }: LivePerson, data: JsonObject): Promise<JsonObject> {
  const { rows } = await sql<{ name: string; now: Date }>`
    select left(coalesce(name, email::text, user_id), 200) as name, clock_timestamp() as now
    from members where org_id = ${orgId} and user_id = ${userId}`.execute(tx)
  const account = rows[0]
  return account ? { ...data, name: account.name, seenAt: account.now.toISOString() } : data
}

/** Where a client may write some fields only, the document must exist and every other field stay as it is. */
function requireWritableFields({ rule }: MatchedLivePath, before: JsonObject | null, after: JsonObject): void {
  if (!rule.writableFields) return
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after)])
  const changed = [...fields].filter((field) => JSON.stringify(before?.[field]) !== JSON.stringify(after[field]))
  if (before && changed.every((field) => rule.writableFields?.includes(field))) return
  throw new DatabaseError('permission-denied', `Only these fields may be written: ${rule.writableFields.join(', ')}.`)
}

/**
 * Writes a document that obeys the rule of its path.
 *
 * @throws DatabaseError `invalid-argument`, by field where the shape is wrong.
 */
export async function putChecked(tx: Tx, match: MatchedLivePath, path: string, data: JsonObject): Promise<void> {
  checkData(match, data)
  await putDocument(tx, path, ownerOf(match), data)
}

export function checkData({ rule }: MatchedLivePath, data: JsonObject): void {
  const parsed = rule.data.safeParse(data)
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join('.'))
    throw new DatabaseError('invalid-argument', 'The document has not the shape of its place.', { details: { fields } })
  }
  if (Buffer.byteLength(JSON.stringify(data)) > rule.maxBytes) {
    throw new DatabaseError('invalid-argument', `The document is larger than ${rule.maxBytes} bytes.`)
  }
}

const ownerOf = ({ params, rule }: MatchedLivePath): DocumentOwner =>
  rule.pattern.startsWith('orgs/')
    ? { orgId: params['org'] ?? null, userId: null }
    : { orgId: null, userId: params['user'] ?? null }
