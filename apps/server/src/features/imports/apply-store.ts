import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { BatchKey } from './plan-types.ts'

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
      and departure_id is not null
    group by departure_id order by departure_id`.execute(tx)
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
