import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { BatchKey } from './staging-store.ts'

/** Lines that one statement writes. */
const linesPerStatement = 2_000

/** Spans of lines that have something to write, about 2,000 each, and how many lines are in each. */
export async function selectSpans(
  tx: Tx,
  { orgId, batchId }: BatchKey,
): Promise<{ from: number; to: number; lines: number; bookings: number }[]> {
  const { rows } = await sql<{ from: number; to: number; lines: number; bookings: number }>`
    select min(line)::int as from, max(line)::int as to, count(*)::int as lines,
      (count(*) filter (where after -> 'write' ? 'booking'))::int as bookings
    from (select line, after, (row_number() over (order by line) - 1) / ${linesPerStatement}::int as span from import_rows
      where org_id = ${orgId} and batch_id = ${batchId} and after -> 'write' <> '{}') spans
    group by span order by span`.execute(tx)
  return rows
}

export interface SeatsWanted {
  departureId: string
  seats: number
  channels: string[]
  lines: number[]
}

/** Seats that the import takes, by departure, with the lines that take them. */
export async function selectSeatsWanted(tx: Tx, { orgId, batchId }: BatchKey): Promise<SeatsWanted[]> {
  const { rows } = await sql<SeatsWanted>`
    select departure_id as "departureId", sum((after #>> '{write,seats}')::int)::int as seats, array_agg(line order by line) as lines,
      array_agg(distinct coalesce(after #>> '{write,booking,set,channel}', 'import')) as channels
    from import_rows where org_id = ${orgId} and batch_id = ${batchId} and after -> 'write' ? 'seats'
    group by departure_id order by departure_id`.execute(tx)
  return rows
}

/**
 * Parties that somebody has worked on since the import: a row that it wrote has another version, is gone, or hangs on something new. They
 * are kept whole.
 */
export async function selectEditedParties(tx: Tx, { orgId, batchId }: BatchKey): Promise<number[]> {
  const { rows } = await sql<{ party: number }>`
    with planned as materialized (
      select r.org_id, r.party, r.departure_id, r.booking_id, r.manifest_entry_id, k.key,
        (r.after #>> array['write', k.key, 'id'])::uuid as id, (r.after #>> array['write', k.key, 'isNew'])::boolean as is_new,
        (r.after #>> array['write', k.key, 'version'])::int + 1 as version
      from import_rows r cross join (values ('traveler'), ('private'), ('passport'), ('booking'), ('entry')) as k (key)
      where r.org_id = ${orgId} and r.batch_id = ${batchId} and r.after -> 'write' ? k.key
    )
    select distinct party from (
      select p.party from planned p left join travelers t on t.org_id = p.org_id and t.id = p.id
        where p.key = 'traveler' and t.version is distinct from p.version
      union all
      select p.party from planned p left join traveler_private t on t.org_id = p.org_id and t.traveler_id = p.id
        where p.key = 'private' and t.version is distinct from p.version
      union all
      select p.party from planned p left join traveler_documents t on t.org_id = p.org_id and t.id = p.id
        where p.key = 'passport' and t.version is distinct from p.version
      union all
      select p.party from planned p left join bookings t on t.org_id = p.org_id and t.id = p.id
        where p.key = 'booking' and (t.version is distinct from p.version
          or (p.is_new and exists (select from feedback f where f.org_id = p.org_id and f.booking_id = p.id))
          or (p.is_new and exists (select from manifest_entries m where m.org_id = p.org_id and m.booking_id = p.id
            and m.import_batch_id is distinct from ${batchId}::uuid)))
      union all
      select p.party from planned p left join manifest_entries t on t.org_id = p.org_id and t.id = p.id
        where p.key = 'entry' and (t.version is distinct from p.version
          or (p.is_new and exists (select from check_ins c where c.org_id = p.org_id and c.manifest_entry_id = p.id)))
    ) edited order by party`.execute(tx)
  return rows.map((row) => row.party)
}

/** Guests of parties, as a list shows them. */
export async function selectGuestsOf(
  tx: Tx,
  { orgId, batchId }: BatchKey,
  parties: readonly number[],
  limit: number,
): Promise<{ name: string; departureCode: string | null }[]> {
  if (parties.length === 0) return []
  const { rows } = await sql<{ name: string; departureCode: string | null }>`
    select after ->> 'name' as name, after ->> 'departureCode' as "departureCode" from import_rows
    where org_id = ${orgId} and batch_id = ${batchId} and party = any (${[...parties]}::int[]) and status in ('add', 'change')
    order by line limit ${limit}`.execute(tx)
  return rows
}

/** Departures on which the import made bookings or took seats. */
export async function selectDeparturesWritten(tx: Tx, { orgId, batchId }: BatchKey): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct departure_id as id from import_rows
    where org_id = ${orgId} and batch_id = ${batchId} and after -> 'write' ? 'seats' and departure_id is not null order by 1`.execute(
    tx,
  )
  return rows.map((row) => row.id)
}
