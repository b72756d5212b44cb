import type { NewDeparture } from '@tour-ops/contract/imports/import-departures'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { BatchKey } from './plan-types.ts'

/** A tour, a day and perhaps a time, as lines of a file name them. */
export interface NamedDay {
  readonly tour: string
  readonly date: string
  readonly time: string | null
  readonly lines: number
}

/** Every day of a tour that readable lines name without the code of a departure. Cancelled bookings need none. */
export async function selectNamedDays(tx: Tx, { orgId, batchId }: BatchKey): Promise<NamedDay[]> {
  const { rows } = await sql<NamedDay>`
    select after #>> '{values,tourCode}' as tour, after #>> '{values,startDate}' as date, after #>> '{values,startTime}' as time,
      count(*)::int as lines
    from import_rows where org_id = ${orgId} and batch_id = ${batchId} and status <> 'rejected'
      and after -> 'values' ? 'tourCode' and after -> 'values' ? 'startDate' and not after -> 'values' ? 'departureCode'
      and after #>> '{values,status}' is distinct from 'cancelled'
    group by 1, 2, 3 order by 2, 3, 1`.execute(tx)
  return rows
}

/** Departures that are there, as `tour date time`, and their days as `tour date `. */
export async function selectStarts(
  tx: Tx,
  orgId: string,
  days: readonly { tourId: string; date: string }[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ day: string; time: string }>`
    select distinct d.tour_id || ' ' || d.local_date as day, to_char(d.local_start_time, 'HH24:MI') as time
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as w ("tourId" uuid, date date)
    join departures d on d.org_id = ${orgId} and d.tour_id = w."tourId" and d.local_date = w.date`.execute(tx)
  return new Set(rows.flatMap(({ day, time }) => [`${day} `, `${day} ${time}`]))
}

/** When departures of tours usually start, by tour. */
export async function selectUsualTimes(
  tx: Tx,
  orgId: string,
  tourIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ tourId: string; times: string[] }>`
    select o.tour_id as "tourId", array_agg(distinct to_char(t.at, 'HH24:MI')) as times
    from tour_options o cross join lateral unnest(o.start_times_local) as t (at)
    where o.org_id = ${orgId} and o.tour_id = any (${[...tourIds]}::uuid[]) and o.archived_at is null group by 1`.execute(
    tx,
  )
  return new Map(rows.map(({ tourId, times }) => [tourId, times]))
}

/** The option of a tour that starts at a time. */
export interface OptionThen {
  readonly id: string
  readonly isPrivate: boolean
}

/** Options of a tour by the time at which they start; of a time at which several do, none. */
export async function selectOptionsByTime(
  tx: Tx,
  orgId: string,
  tourId: string,
): Promise<ReadonlyMap<string, OptionThen>> {
  const { rows } = await sql<OptionThen & { time: string }>`
    select to_char(t.at, 'HH24:MI') as time, (array_agg(o.id))[1] as id, bool_or(o.private) as "isPrivate"
    from tour_options o cross join lateral (select distinct unnest(o.start_times_local) as at) t
    where o.org_id = ${orgId} and o.tour_id = ${tourId} and o.archived_at is null group by t.at having count(*) = 1`.execute(
    tx,
  )
  return new Map(rows.map(({ time, ...option }) => [time, option]))
}

export async function selectPlaceNames(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from places where org_id = ${orgId} and id = any (${[...ids]}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

interface ProposedRow {
  readonly departure_id: string
  readonly tour_id: string
  readonly revision_id: string
  readonly code: string
  readonly local_date: string
  readonly local_start_time: string
  readonly capacity: number
  readonly lines: number
  readonly stops: readonly string[]
  readonly option_id: string | null
}

export async function insertProposed(
  tx: Tx,
  { orgId, batchId }: BatchKey,
  proposed: readonly ProposedRow[],
): Promise<void> {
  if (proposed.length === 0) return
  await sql`
    insert into import_departures (org_id, batch_id, departure_id, tour_id, revision_id, code, local_date, local_start_time, capacity, lines, stops, option_id)
    select ${orgId}, ${batchId}, p.* from jsonb_to_recordset(${JSON.stringify(proposed)}::jsonb) as p (departure_id uuid, tour_id uuid,
      revision_id uuid, code text, local_date date, local_start_time time, capacity int, lines int, stops uuid[], option_id uuid)`.execute(
    tx,
  )
}

/** Forgets what a check has proposed. */
export async function deleteProposed(tx: Tx, { orgId, batchId }: BatchKey): Promise<void> {
  await sql`delete from import_departures where org_id = ${orgId} and batch_id = ${batchId} and not is_made`.execute(tx)
}

/** Forgets departures that no line takes seats on, since all of theirs were rejected or left out. */
export async function deleteUnused(tx: Tx, { orgId, batchId }: BatchKey): Promise<void> {
  await sql`
    delete from import_departures d where d.org_id = ${orgId} and d.batch_id = ${batchId} and not d.is_made and not exists (
      select from import_rows r where r.org_id = d.org_id and r.batch_id = d.batch_id and r.departure_id = d.departure_id
        and r.after -> 'write' ? 'seats')`.execute(tx)
}

/** A departure that applying makes. */
export interface ProposedDeparture {
  readonly id: string
  readonly tourId: string
  readonly revisionId: string
  readonly code: string
  readonly localDate: string
  readonly startTimeLocal: string
  readonly capacity: number
  readonly stops: readonly string[]
  readonly optionId: string | null
}

/** What an import has made, or would make, in the order in which they are made. */
export async function selectProposed(
  tx: Tx,
  { orgId, batchId }: BatchKey,
  isMade: boolean,
): Promise<ProposedDeparture[]> {
  const { rows } = await sql<ProposedDeparture>`
    select departure_id as id, tour_id as "tourId", revision_id as "revisionId", code, local_date as "localDate",
      to_char(local_start_time, 'HH24:MI') as "startTimeLocal", capacity, stops,
      option_id as "optionId"
    from import_departures where org_id = ${orgId} and batch_id = ${batchId} and is_made = ${isMade} order by tour_id, code`.execute(
    tx,
  )
  return rows
}

export async function markMade(tx: Tx, { orgId, batchId }: BatchKey): Promise<void> {
  await sql`update import_departures set is_made = true where org_id = ${orgId} and batch_id = ${batchId}`.execute(tx)
}

/** Lines that are on one of the departures. */
export async function selectLinesOn(
  tx: Tx,
  { orgId, batchId }: BatchKey,
  departureIds: readonly string[],
): Promise<number[]> {
  const { rows } = await sql<{ line: number }>`
    select line from import_rows where org_id = ${orgId} and batch_id = ${batchId}
      and departure_id = any (${[...departureIds]}::uuid[]) order by line`.execute(tx)
  return rows.map(({ line }) => line)
}

/** Why an undo leaves a departure. */
export type KeptBecause = NonNullable<NewDeparture['keptBecause']>

/** Notes which departures an undo leaves; the others it removes. */
export async function markKept(
  tx: Tx,
  { orgId, batchId }: BatchKey,
  kept: ReadonlyMap<string, KeptBecause>,
): Promise<void> {
  const reasons = [...kept].map(([id, because]) => ({ id, because }))
  await sql`update import_departures d set kept_because = k.because
    from jsonb_to_recordset(${JSON.stringify(reasons)}::jsonb) as k (id uuid, because text)
    where d.org_id = ${orgId} and d.batch_id = ${batchId} and d.departure_id = k.id`.execute(tx)
  await sql`delete from import_departures where org_id = ${orgId} and batch_id = ${batchId} and is_made and kept_because is null`.execute(
    tx,
  )
}

/** Departures of an import for the screen, in the order of their days. */
export async function selectListed(
  tx: Tx,
  { orgId, batchId }: BatchKey,
  page: { limit: number; offset: number },
): Promise<{ rows: NewDeparture[]; total: number }> {
  const { rows } = await sql<NewDeparture>`
    select n.departure_id as "departureId", n.code, t.name as "tourName", n.local_date as "localDate",
      to_char(n.local_start_time, 'HH24:MI') as "startTimeLocal", n.capacity, n.lines,
      coalesce((select sum((r.after #>> '{write,seats}')::int) from import_rows r where r.org_id = n.org_id and r.batch_id = n.batch_id
        and r.departure_id = n.departure_id), 0)::int as seats, n.is_made as "isMade", n.kept_because as "keptBecause"
    from import_departures n join tours t on t.org_id = n.org_id and t.id = n.tour_id
    where n.org_id = ${orgId} and n.batch_id = ${batchId} order by n.local_date, n.local_start_time, n.code
    limit ${page.limit} offset ${page.offset}`.execute(tx)
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from import_departures where org_id = ${orgId} and batch_id = ${batchId}`.execute(tx)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}
