import type { TravelMode } from '@tour-ops/contract/tours/tour-terms'
import { modeOf, type Point } from '@tour-ops/contract/tracking/arrivals/travel'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { isFresh } from '../../platform/operations/estimates.ts'
import type { Router } from '../../platform/routing/router.ts'

/** The way that a departure has before it. */
export interface WayAhead {
  readonly departureId: string
  readonly stopId: string
  readonly from: Point
  readonly to: Point
  readonly mode: TravelMode
  readonly seenAt: Date
}

interface WayRow {
  readonly departureId: string
  readonly stopId: string
  readonly seenAt: Date
  readonly fromLat: number
  readonly fromLng: number
  readonly toLat: number
  readonly toLng: number
  readonly isWalk: boolean
  readonly travelMode: TravelMode | null
}

/** Of departures that were seen on their way and are not known to have been answered for since. */
export async function selectWaysAhead(tx: Tx, orgId: string): Promise<WayAhead[]> {
  const { rows } = await sql<WayRow>`
    select r.departure_id as "departureId", r.stop_id as "stopId", r.seen_at as "seenAt", r.lat as "fromLat", r.lng as "fromLng",
      p.lat as "toLat", p.lng as "toLng", t.kind = 'walking' as "isWalk", s.travel_mode as "travelMode"
    from departure_reach r join departure_stops s on s.org_id = r.org_id and s.id = r.stop_id
    join places p on p.org_id = s.org_id and p.id = s.place_id
    join departures d on d.org_id = r.org_id and d.id = r.departure_id join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where r.org_id = ${orgId} and ${isFresh} and r.routed_seen_at is distinct from r.seen_at
    order by r.departure_id`.execute(tx)
  return rows.map(({ departureId, stopId, seenAt, fromLat, fromLng, toLat, toLng, isWalk, travelMode }) => ({
    departureId,
    stopId,
    seenAt,
    from: { lat: fromLat, lng: fromLng },
    to: { lat: toLat, lng: toLng },
    mode: modeOf(travelMode, isWalk),
  }))
}

export interface RoutedRow {
  readonly departure_id: string
  readonly stop_id: string
  readonly routed_at: Date
  readonly routed_seen_at: Date
}

/** A departure that has come to its stop meanwhile has another way before it, and keeps nothing of the old one. */
export async function writeRouted(tx: Tx, orgId: string, rows: readonly RoutedRow[]): Promise<void> {
  await sql`
    update departure_reach r set routed_at = e.routed_at, routed_seen_at = e.routed_seen_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (departure_id uuid, stop_id uuid, routed_at timestamptz, routed_seen_at timestamptz)
    where r.org_id = ${orgId} and r.departure_id = e.departure_id and r.stop_id = e.stop_id`.execute(tx)
}

/**
 * Writes whether the router answers.
 *
 * @returns whether that is news. Not of a router that has been changed meanwhile.
 */
export async function writeRouterState(
  tx: Tx,
  orgId: string,
  { router, isSilent }: { router: Router; isSilent: boolean },
): Promise<boolean> {
  const { rows } = await sql<{ orgId: string }>`
    update org_settings set router_silent_since = case when ${isSilent} then app_now() end
    where org_id = ${orgId} and router_kind = ${router.kind} and router_address = ${router.address}
      and (router_silent_since is not null) <> ${isSilent} returning org_id as "orgId"`.execute(tx)
  return rows.length > 0
}
