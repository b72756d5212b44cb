import { type MapIncident, type MapStop, maxMapIncidents } from '@tour-ops/contract/map/map'
import { TourContent } from '@tour-ops/contract/tours/tour-content'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { quietUntilNow } from '../../platform/operations/signal-gap.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

interface StopRow extends Omit<MapStop, 'plannedArriveAt' | 'actualArriveAt' | 'actualDepartAt' | 'etaAt'> {
  departureId: string
  startedAt: Date | null
  quietUntil: Date | null
  plannedArriveAt: Date
  actualArriveAt: Date | null
  actualDepartAt: Date | null
  etaAt: Date | null
}

export interface Way {
  readonly stops: MapStop[]
  readonly startedAt: string | null
  readonly quietUntil: string | null
}

/** Stops that have a place on the map, in their order, when the tour set out, and until when no signal is expected, by departure. */
export async function selectWays(call: MemberCall, departureIds: readonly string[]): Promise<Map<string, Way>> {
  const { rows } = await sql<StopRow>`
    select s.departure_id as "departureId", d.actual_start_at as "startedAt", d.quiet_until as "quietUntil", s.id, s.stop_order as "order", s.day_index as "dayIndex", p.name, s.kind, s.status,
      p.lat, p.lng, p.enter_m as "enterM", p.exit_m as "exitM", s.planned_arrive_at as "plannedArriveAt", s.actual_arrive_at as "actualArriveAt",
      s.actual_depart_at as "actualDepartAt", s.eta_at as "etaAt", s.delay_seconds as "delaySeconds"
    from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
      join (
        -- once for each departure, and not for each of its stops
        select d.org_id, d.id, d.actual_start_at, ${quietUntilNow} as quiet_until from departures d
        where d.org_id = ${call.orgId} and d.id = any (${[...departureIds]}::uuid[]) offset 0
      ) d on d.id = s.departure_id
    where s.org_id = ${call.orgId} and s.departure_id = any (${[...departureIds]}::uuid[])
    order by s.departure_id, s.stop_order`.execute(call.tx)
  const found = new Map<string, Way>()
  for (const { departureId, startedAt, quietUntil, ...stop } of rows) {
    const way = found.get(departureId) ?? {
      stops: [],
      startedAt: isoOrNull(startedAt),
      quietUntil: isoOrNull(quietUntil),
    }
    way.stops.push(stopOf(stop))
    found.set(departureId, way)
  }
  return found
}

const stopOf = (row: Omit<StopRow, 'departureId' | 'startedAt' | 'quietUntil'>): MapStop => ({
  ...row,
  plannedArriveAt: iso(row.plannedArriveAt),
  actualArriveAt: isoOrNull(row.actualArriveAt),
  actualDepartAt: isoOrNull(row.actualDepartAt),
  etaAt: isoOrNull(row.etaAt),
})

/**
 * The ways that the departure's own revision of the tour has.
 *
 * @throws AppError `not-found`, also for departures outside the caller's reach.
 */
export async function selectRoutes(call: MemberCall, departureId: string): Promise<TourContent['routes']> {
  const { rows } = await sql<{ content: unknown }>`
    select r.content from departures d left join tour_revisions r on r.org_id = d.org_id and r.id = d.revision_id
    where d.org_id = ${call.orgId} and d.id = ${departureId}`.execute(call.tx)
  if (!rows[0]) throw notFound('departure')
  return TourContent.parse(rows[0].content ?? {}).routes
}

/** Where each was reported, or else the place that it names; those without either are on no map. */
export async function selectIncidents(call: MemberCall): Promise<MapIncident[]> {
  const { rows } = await sql<MapIncident>`
    select i.id, i.number, i.title, i.category, i.severity, coalesce(i.lat, p.lat) as lat, coalesce(i.lng, p.lng) as lng, p.name as "placeName"
    from incidents i left join places p on p.org_id = i.org_id and p.id = i.place_id
    where i.org_id = ${call.orgId} and i.status not in ${statuses.overIncident}
      and coalesce(i.lat, p.lat) is not null and coalesce(i.lng, p.lng) is not null
    order by i.severity, i.created_at desc, i.id limit ${maxMapIncidents}`.execute(call.tx)
  return rows
}

interface Office {
  timeZone: string
  lat: number
  lng: number
  zoom: number
}

/** Zone and usual view of the office. */
export async function selectOffice(call: MemberCall): Promise<Office> {
  const { rows } = await sql<Office>`
    select time_zone as "timeZone", map_center_lat as lat, map_center_lng as lng, map_zoom as zoom
    from org_settings where org_id = ${call.orgId}`.execute(call.tx)
  return rows[0] ?? { timeZone: 'UTC', lat: 0, lng: 0, zoom: 2 }
}
