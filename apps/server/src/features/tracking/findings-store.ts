import { type AlertLimits, speedLimitOf } from '@tour-ops/contract/monitoring/alert-limits'
import type { Shape } from '@tour-ops/contract/tracking/watch/shapes'
import type { Finding, NoGoArea, Way, WayLimits } from '@tour-ops/contract/tracking/watch/way-findings'
import type { vehicleClasses } from '@tour-ops/contract/tours/tour-terms'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { markDue } from '../../platform/operations/alert-dues.ts'

/** What the positions of a departure are compared with, in addition to its stops. */
export interface Watched {
  readonly revisionId: string
  readonly vehicleClasses: readonly (typeof vehicleClasses)[number][]
}

export async function selectWatched(
  tx: Tx,
  orgId: string,
  departureIds: readonly string[],
): Promise<Map<string, Watched>> {
  const { rows } = await sql<Watched & { id: string }>`
    select d.id, d.revision_id as "revisionId", array(
      select distinct v.class from vehicle_assignments va
        join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.status <> 'cancelled'
        join vehicles v on v.org_id = e.org_id and v.id = e.vehicle_id
      where va.org_id = d.org_id and va.departure_id = d.id) as "vehicleClasses"
    from departures d where d.org_id = ${orgId} and d.id = any (${[...departureIds]}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, ...watched }) => [id, watched]))
}

/** The drawn ways of revisions, which never change. */
export async function selectWays(tx: Tx, orgId: string, revisionIds: readonly string[]): Promise<Map<string, Way[]>> {
  if (revisionIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; ways: Way[] }>`
    select id, coalesce(content -> 'routes', '[]') as ways from tour_revisions
    where org_id = ${orgId} and id = any (${[...revisionIds]}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, ways }) => [id, ways]))
}

export async function selectNoGoAreas(tx: Tx, orgId: string): Promise<NoGoArea[]> {
  const { rows } = await sql<Omit<NoGoArea, 'shape'> & { shape: Shape }>`
    select id, name, geojson as shape, enter_m as "enterM", exit_m as "exitM", dwell_s as "dwellS" from geofences
    where org_id = ${orgId} and kind = 'no_go' and archived_at is null order by id`.execute(tx)
  return rows
}

/** Of several vehicles the highest limit counts: which of them a phone is in, it does not say. */
export function wayLimitsOf({ vehicleClasses: classes }: Watched, limits: AlertLimits): WayLimits {
  const speeds = classes.map((each) => speedLimitOf(each, limits))
  return {
    offRouteM: limits.offRouteM,
    offRouteWalkM: limits.offRouteWalkM,
    offRouteMin: limits.offRouteMin,
    longStopMin: limits.longStopMin,
    absentMin: limits.absentMin,
    speedKmh: speeds.length === 0 || speeds.includes(null) ? null : Math.max(...speeds.map(Number)),
  }
}

/** Writes what is found now in place of what was found before, and has the alerts evaluated of which that says something else. */
export async function writeFindings(
  tx: Tx,
  orgId: string,
  departureIds: readonly string[],
  found: readonly (Finding & { readonly departureId: string })[],
): Promise<void> {
  const rows = JSON.stringify(
    found.map(({ departureId, kind, cause, since, seenAt, lat, lng, facts }) => ({
      departure_id: departureId,
      kind,
      cause: cause ?? '',
      since: new Date(since),
      seen_at: new Date(seenAt),
      lat,
      lng,
      facts,
    })),
  )
  const { rows: changed } = await sql<{ id: string }>`
    with found as (
      select * from jsonb_to_recordset(${rows}::jsonb) as e (departure_id uuid, kind text, cause text, since timestamptz,
        seen_at timestamptz, lat double precision, lng double precision, facts jsonb)
    ), gone as (
      delete from departure_findings f where f.org_id = ${orgId} and f.departure_id = any (${[...departureIds]}::uuid[])
        and not exists (select from found e where e.departure_id = f.departure_id and e.kind = f.kind and e.cause = f.cause)
      returning f.departure_id
    ), written as (
      insert into departure_findings as f (org_id, departure_id, kind, cause, since, seen_at, lat, lng, facts)
      select ${orgId}, e.* from found e
      on conflict (org_id, departure_id, kind, cause) do update set since = excluded.since, seen_at = excluded.seen_at, lat = excluded.lat,
        lng = excluded.lng, facts = excluded.facts
      where (f.since, f.seen_at, f.lat, f.lng, f.facts) is distinct from (excluded.since, excluded.seen_at, excluded.lat, excluded.lng, excluded.facts)
      returning f.departure_id
    )
    select departure_id as id from gone union select departure_id from written`.execute(tx)
  await markDue(
    tx,
    orgId,
    changed.map(({ id }) => ({ kind: 'departure', id })),
  )
}
