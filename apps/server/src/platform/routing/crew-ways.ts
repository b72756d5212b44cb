import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { farKm, nearKm } from '../operations/rest.ts'
import { statuses } from '../operations/status-sets.ts'
import { isWayOf, roomForWays } from './road-ways.ts'
import type { RouterQuestion } from './router.ts'

/** Crew is planned this far ahead, for the most part. */
const aheadDays = 7
/** A duty that begins later than this after the other leaves time for the way and the longest rest. */
const betweenDays = 2
/** Of a minute: a week of a large operator is asked for in an hour. */
const questionsAtOnce = 20

interface CrewRow {
  readonly fromLat: number
  readonly fromLng: number
  readonly toLat: number
  readonly toLng: number
}

/**
 * Ways of crew that the planning of the next days needs, that may be driven and that are not stored yet: from bases to first stops, and from last stops to the
 * first stops of departures that begin soon after. The soonest first, a few at once. Places count once, however many departures are there.
 */
export async function selectCrewWays(tx: Tx, orgId: string): Promise<RouterQuestion[]> {
  const limit = Math.min(questionsAtOnce, await roomForWays(tx, orgId))
  if (limit === 0) return []
  const { rows } = await sql<CrewRow>`
    with soon as materialized (
      select d.starts_at::date as start_day, d.ends_at::date as end_day, first.lat as first_lat, first.lng as first_lng, last.lat as last_lat,
        last.lng as last_lng
      from departures d
        cross join lateral (select p.lat, p.lng from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
          where s.org_id = ${orgId} and s.departure_id = d.id order by s.stop_order limit 1) first
        cross join lateral (select p.lat, p.lng from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
          where s.org_id = ${orgId} and s.departure_id = d.id order by s.stop_order desc limit 1) last
      where d.org_id = ${orgId} and d.status in ${statuses.active}
        and d.starts_at between app_now() - make_interval(days => ${betweenDays}::int) and app_now() + make_interval(days => ${aheadDays}::int)
    ), starts as (
      select first_lat as lat, first_lng as lng, start_day as day from soon group by 1, 2, 3
    ), ends as (
      select last_lat as lat, last_lng as lng, end_day as day from soon group by 1, 2, 3
    ), bases as (
      select distinct p.lat, p.lng from field_staff f join places p on p.org_id = ${orgId} and p.id = f.home_base_place_id
      where f.org_id = ${orgId} and f.status = 'active' and f.archived_at is null
    ), origins as (
      select lat, lng, null::date as day from bases union all select lat, lng, day from ends
    )
    select a.lat as "fromLat", a.lng as "fromLng", b.lat as "toLat", b.lng as "toLng"
    from origins a join starts b on a.day is null or b.day between a.day and a.day + ${betweenDays}::int
    where 111.195 * sqrt((a.lat - b.lat) ^ 2 + (least(abs(a.lng - b.lng), 360 - abs(a.lng - b.lng)) * cos(radians((a.lat + b.lat) / 2))) ^ 2)
        between ${nearKm}::int and ${farKm}::int
      and not exists (select from road_ways w where w.org_id = ${orgId} and w.mode = 'drive' and ${isWayOf('a', 'b')})
    group by a.lat, a.lng, b.lat, b.lng
    order by min(b.day), a.lat, a.lng, b.lat, b.lng limit ${limit}`.execute(tx)
  return rows.map(({ fromLat, fromLng, toLat, toLng }) => ({
    from: { lat: fromLat, lng: fromLng },
    to: { lat: toLat, lng: toLng },
    mode: 'drive',
  }))
}
