import { maxOnMap, type SharedMap } from '@tour-ops/contract/links/shared-map'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso } from '../../platform/list-query.ts'
import { isOut } from '../../platform/operations/departure-phase.ts'
import type { AnyLink } from '../../platform/operations/open-link.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { isAhead, stopsInOrder } from '../../platform/operations/stops-in-order.ts'
import { selectPositions } from './guest-position.ts'
import { headOf, selectOffice } from './share-facts.ts'

type LiveMap = Omit<SharedMap, 'isPreview'>

/** The departures `d` of the link's tour, or of all. */
const ofTours = ({ orgId, tourId }: AnyLink): RawBuilder<unknown> =>
  sql`d.org_id = ${orgId} and (${tourId}::uuid is null or d.tour_id = ${tourId})`

/** What is out now, with what the scopes allow and nothing more. */
export async function selectLiveMap(tx: Tx, link: AnyLink, now: Date): Promise<LiveMap | undefined> {
  const office = await selectOffice(tx, link.orgId)
  if (!office) return undefined
  const departures = await selectOnMap(tx, link)
  return {
    kind: 'live_map',
    ...headOf(office, office.officeZone, link, now),
    timeZone: office.officeZone,
    tourName: await selectTourName(tx, link),
    onTimeToleranceMin: office.onTimeToleranceMin,
    departures,
    upcoming: departures.length > 0 ? null : await selectUpcoming(tx, link),
  }
}

async function selectTourName(tx: Tx, { orgId, tourId }: AnyLink): Promise<string | null> {
  if (tourId === null) return null
  const { rows } = await sql<{
    name: string
  }>`select name from tours where org_id = ${orgId} and id = ${tourId}`.execute(tx)
  return rows[0]?.name ?? null
}

interface OnMapRow extends Omit<LiveMap['departures'][number], 'startsAt' | 'next' | 'position'> {
  id: string
  startsAt: Date
  stopName: string | null
  stopAt: Date | null
  isHere: boolean | null
  stopLat: number | null
  stopLng: number | null
}

/** Where a departure is or goes next, among the stops that its guests see; never where one of them is picked up. */
async function selectOnMap(tx: Tx, link: AnyLink): Promise<LiveMap['departures']> {
  const { rows } = await sql<OnMapRow>`
    select d.id, d.code, t.name as "tourName", d.status, d.starts_at as "startsAt", d.time_zone as "timeZone", d.delay_seconds as "delaySeconds",
      stop.name as "stopName", stop.at as "stopAt", stop.is_here as "isHere",
      stop.lat as "stopLat", stop.lng as "stopLng"
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
      left join lateral (
        select p.name, coalesce(s.actual_arrive_at, s.eta_at, s.planned_arrive_at) as at, s.status = 'arrived' as is_here,
          case when ${link.scopes.map} then p.lat end as lat, case when ${link.scopes.map} then p.lng end as lng
        from ${stopsInOrder(link.orgId, sql`array[d.id]`)}
          join departure_stops v on v.org_id = d.org_id and v.id = s.id and v.guest_visible
          join places p on p.org_id = d.org_id and p.id = s.place_id
        where ${link.scopes.stops} and s.kind <> 'pickup' and ${isAhead}
        order by s.stop_order limit 1) stop on true
    where ${ofTours(link)} and ${isOut}
    order by d.starts_at, d.code, d.id limit ${maxOnMap}`.execute(tx)
  const positions = await selectPositions(
    tx,
    link,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, startsAt, stopName, stopAt, isHere, stopLat, stopLng, ...row }) => ({
    ...row,
    startsAt: iso(startsAt),
    next:
      stopName !== null && stopAt !== null
        ? { name: stopName, at: iso(stopAt), isHere: isHere === true, lat: stopLat, lng: stopLng }
        : null,
    position: positions.get(id) ?? null,
  }))
}

async function selectUpcoming(tx: Tx, link: AnyLink): Promise<LiveMap['upcoming']> {
  const { rows } = await sql<{ tourName: string; startsAt: Date; timeZone: string }>`
    select t.name as "tourName", d.starts_at as "startsAt", d.time_zone as "timeZone"
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where ${ofTours(link)} and d.status in ${statuses.awaited} and d.starts_at > app_now()
    order by d.starts_at, d.id limit 1`.execute(tx)
  const [next] = rows
  return next ? { ...next, startsAt: iso(next.startsAt) } : null
}
