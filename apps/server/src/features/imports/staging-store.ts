import type { ImportCounts } from '@tour-ops/contract/imports/import-batch'
import type { ImportProblem } from '@tour-ops/contract/imports/import-problems'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { countRows } from '../../platform/select-page.ts'
import type { Claim } from './claims.ts'
import type { ImportSeal } from './import-seal.ts'
import { describeProblem, describeWarning, problemText } from './import-problems.ts'
import {
  type BatchKey,
  type EntityPlan,
  nameOf,
  type PlannedRow,
  type StagedAfter,
  type StagedRow,
  type WritePlan,
} from './plan-types.ts'

export async function deleteRows(tx: Tx, { orgId, batchId }: BatchKey): Promise<void> {
  await sql`delete from import_rows where org_id = ${orgId} and batch_id = ${batchId}`.execute(tx)
}

/** Lines as they were read, before they are compared with anything. */
export async function insertRows(tx: Tx, { orgId, batchId }: BatchKey, rows: readonly StagedRow[]): Promise<void> {
  const staged = rows.map(({ line, party, values, problems, warnings }) => {
    const after: StagedAfter = {
      values,
      name: nameOf(values),
      departureCode: values.departureCode ?? null,
      problems: problems.map(describeProblem),
      ...(warnings.length > 0 && { warnings: warnings.map(describeWarning) }),
    }
    return {
      line,
      party,
      status: problems.length > 0 ? 'rejected' : 'unchanged',
      reason: problems.length > 0 ? problems.map(problemText).join('; ') : null,
      after,
    }
  })
  await sql`
    insert into import_rows (org_id, batch_id, line, party, status, reason, after)
    select ${orgId}, ${batchId}, line, party, status, reason, after
    from jsonb_to_recordset(${JSON.stringify(staged)}::jsonb) as r (line int, party int, status text, reason text, after jsonb)`.execute(
    tx,
  )
}

/** The next whole parties, about `limit` lines of them, in the order of the file. */
export async function selectParties(
  tx: Tx,
  { orgId, batchId }: BatchKey,
  afterParty: number,
  limit: number,
): Promise<StagedRow[]> {
  const { rows } = await sql<{ line: number; party: number; after: StagedAfter }>`
    select line, party, after from import_rows
    where org_id = ${orgId} and batch_id = ${batchId} and party > ${afterParty} and party <= (
      select max(party) from (select party from import_rows where org_id = ${orgId} and batch_id = ${batchId} and party > ${afterParty}
        order by party, line limit ${limit}) next_ones)
      and after is not null
    order by party, line`.execute(tx)
  return rows.map(({ line, party, after }) => ({
    line,
    party,
    values: after.values ?? {},
    problems: after.problems,
    warnings: after.warnings ?? [],
  }))
}

/**
 * A plan as it waits to be carried out. Of a row that is made, empty columns and the values before are left out: they are half of it, and
 * there are up to 100,000.
 */
function storedPlan({ kept: _kept, ...plan }: EntityPlan): Partial<EntityPlan> {
  if (!plan.isNew) return plan
  const { id, isNew, set } = plan
  return { id, isNew, set: Object.fromEntries(Object.entries(set).filter(([, value]) => value !== null)) }
}

function storedWrite({ more, ...write }: WritePlan): object {
  return { ...storedParts(write), ...(more && { more: more.map(storedParts) }) }
}

const storedParts = (parts: object): object =>
  Object.fromEntries(
    Object.entries(parts).map(([part, plan]) => [part, isPlan(plan) ? storedPlan(plan) : (plan as unknown)]),
  )

const isPlan = (part: unknown): part is EntityPlan => typeof part === 'object' && part !== null && 'isNew' in part

/** Keeps what the comparison found for lines. */
export async function updatePlanned(
  tx: Tx,
  { orgId, batchId }: BatchKey,
  rows: readonly PlannedRow[],
  seal: ImportSeal,
): Promise<void> {
  const planned = rows.map((row) => {
    const after: StagedAfter = {
      name: row.name,
      departureCode: row.departureCode,
      problems: row.problems.map(describeProblem),
      ...(row.warnings.length > 0 && { warnings: row.warnings.map(describeWarning) }),
      write: storedWrite(seal.sealWrite(row.write)),
    }
    return {
      line: row.line,
      status: row.outcome,
      reason: row.problems.length > 0 ? row.problems.map(problemText).join('; ') : null,
      before: row.changes,
      after,
      departure_id: row.departureId,
      booking_id: row.bookingId,
      traveler_id: row.travelerId,
      manifest_entry_id: row.entryId,
    }
  })
  await sql`
    update import_rows r set status = p.status, reason = p.reason, before = p.before, after = p.after, departure_id = p.departure_id,
      booking_id = p.booking_id, traveler_id = p.traveler_id, manifest_entry_id = p.manifest_entry_id
    from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) as p (line int, status text, reason text, before jsonb, after jsonb,
      departure_id uuid, booking_id uuid, traveler_id uuid, manifest_entry_id uuid)
    where r.org_id = ${orgId} and r.batch_id = ${batchId} and r.line = any (${rows.map((row) => row.line)}::int[])
      and r.line = p.line`.execute(tx)
}

const carriers: Readonly<Record<string, string>> = { t: 'traveler', p: 'private', d: 'passport', b: 'booking' }

/** Writes plans again that a later line has added to. */
export async function updateAmended(
  tx: Tx,
  { orgId, batchId }: BatchKey,
  amended: ReadonlyMap<string, Claim>,
  seal: ImportSeal,
): Promise<void> {
  for (const [key, { line, more, plan }] of amended) {
    const part = carriers[key[0] ?? ''] ?? ''
    const path = more === undefined ? ['write', part] : ['write', 'more', String(more), part]
    await sql`update import_rows set after = jsonb_set(after, ${path}::text[],
        ${JSON.stringify(storedPlan(seal.sealPlan(part, plan)))}::jsonb)
      where org_id = ${orgId} and batch_id = ${batchId} and line = ${line}`.execute(tx)
  }
}

const isDuplicate = sql`after -> 'warnings' @> '[{"code": "likely_duplicate"}]'`
const isWarned = sql`jsonb_path_exists(after, '$.warnings[*] ? (@.code != "likely_duplicate")')`

export async function countOutcomes(tx: Tx, { orgId, batchId }: BatchKey): Promise<ImportCounts> {
  const { rows } = await sql<ImportCounts>`
    select (count(*) filter (where status = 'rejected'))::int as reject, (count(*) filter (where status = 'change'))::int as change,
      (count(*) filter (where status = 'add'))::int as add, (count(*) filter (where status = 'unchanged'))::int as unchanged,
      (count(*) filter (where (after #>> '{write,booking,isNew}')::boolean))::int as bookings,
      (count(distinct departure_id) filter (where status = 'add'))::int as departures,
      coalesce(sum((after #>> '{write,seats}')::int), 0)::int as seats,
      (count(*) filter (where after -> 'write' ? 'booking'))::int as "bookingsWritten",
      (count(*) filter (where ${isWarned}))::int as warned, (count(*) filter (where ${isDuplicate}))::int as duplicates,
      coalesce(sum(1 + coalesce(jsonb_array_length(after #> '{write,more}'), 0)) filter (where status = 'add'), 0)::int as guests
    from import_rows where org_id = ${orgId} and batch_id = ${batchId}`.execute(tx)
  if (!rows[0]) throw new Error('an aggregate has one row')
  return rows[0]
}

export interface ShownRow {
  line: number
  status: 'add' | 'change' | 'unchanged' | 'rejected'
  changes: { field: string; before: string | null; after: string | null }[] | null
  after: StagedAfter
}

/** Lines for the screen: what needs a person first, then in the order of the file. */
export async function selectRows(
  tx: Tx,
  { orgId, batchId }: BatchKey,
  wantedRows: { statuses: readonly string[] | undefined; warned: boolean; duplicates: boolean },
  page: { limit: number; offset: number },
): Promise<{ rows: ShownRow[]; total: number }> {
  const { statuses, warned, duplicates } = wantedRows
  const wanted = sql`from import_rows where org_id = ${orgId} and batch_id = ${batchId}
    and (${statuses === undefined} or status = any (${[...(statuses ?? [])]}::text[]))
    and (not ${warned}::boolean or ${isWarned}) and (not ${duplicates}::boolean or ${isDuplicate})`
  const { rows } = await sql<ShownRow>`
    select line, status, before as changes, after - 'write' as after ${wanted}
    order by array_position(array['rejected', 'change', 'add', 'unchanged'], status), line
    limit ${page.limit} offset ${page.offset}`.execute(tx)
  return { rows, total: await countRows(tx, wanted) }
}

/** Refused lines with what is wrong with them, by line. */
export async function selectRejected(
  tx: Tx,
  { orgId, batchId }: BatchKey,
): Promise<Map<number, readonly ImportProblem[]>> {
  const { rows } = await sql<{ line: number; problems: ImportProblem[] }>`
    select line, after -> 'problems' as problems from import_rows
    where org_id = ${orgId} and batch_id = ${batchId} and status = 'rejected'`.execute(tx)
  return new Map(rows.map((row) => [row.line, row.problems]))
}
