import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { BatchKey } from './plan-types.ts'
import { type Span, within } from './write-plans.ts'

interface Leaving {
  readonly line: number
  readonly id: string
  readonly version: number
  readonly batch: string | null
}

/** Guests of bookings that lines cancel, read before anything is done with them, for the reason that `write-plans.ts` gives. */
async function selectLeaving(tx: Tx, lines: Span): Promise<Leaving[]> {
  const { rows } = await sql<Leaving>`
    select r.line, c.id, c.version, c.batch
    from import_rows r cross join lateral jsonb_to_recordset(r.after #> '{write,cancel}') as c (id uuid, version int, batch uuid)
    where ${within(lines)} and r.after -> 'write' ? 'cancel' order by r.line`.execute(tx)
  return rows
}

/**
 * Takes the guests of cancelled bookings off the manifest.
 *
 * @returns lines with a guest whom somebody has changed since the check.
 */
export async function cancelGuests(tx: Tx, lines: Span): Promise<number[]> {
  const leaving = await selectLeaving(tx, lines)
  if (leaving.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    update manifest_entries t set status = 'cancelled'
    from jsonb_to_recordset(${JSON.stringify(leaving)}::jsonb) as p (id uuid, version int)
    where t.org_id = ${lines.orgId} and t.id = any (${leaving.map(({ id }) => id)}::uuid[]) and t.id = p.id and t.version = p.version
      and t.status = 'expected'
    returning t.id`.execute(tx)
  const left = new Set(rows.map(({ id }) => id))
  return leaving.filter(({ id }) => !left.has(id)).map(({ line }) => line)
}

/** Puts them back. The transaction is one that undoes the batch. */
export async function restoreGuests(tx: Tx, lines: Span): Promise<void> {
  const leaving = await selectLeaving(tx, lines)
  if (leaving.length === 0) return
  await sql`
    update manifest_entries t set status = 'expected', import_batch_id = p.batch
    from jsonb_to_recordset(${JSON.stringify(leaving)}::jsonb) as p (id uuid, batch uuid)
    where t.org_id = ${lines.orgId} and t.id = any (${leaving.map(({ id }) => id)}::uuid[]) and t.id = p.id
      and t.status = 'cancelled' and t.import_batch_id = ${lines.batchId}::uuid`.execute(tx)
}

/** Departures on which the import cancelled bookings: seats became free there. */
export async function selectDeparturesFreed(tx: Tx, { orgId, batchId }: BatchKey): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct departure_id as id from import_rows
    where org_id = ${orgId} and batch_id = ${batchId} and after -> 'write' ? 'cancel' and departure_id is not null order by 1`.execute(
    tx,
  )
  return rows.map((row) => row.id)
}
