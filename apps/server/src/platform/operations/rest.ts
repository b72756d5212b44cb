import { metersBetween, paceSeconds, type Point, wayMeters } from '@tour-ops/contract/tracking/arrivals/travel'
import { type RawBuilder, sql } from 'kysely'

/** The duty before or after, and where the person is then. */
export interface Neighbor {
  readonly code: string | null
  /** From the end of the one duty to the start of the other, report and release included. */
  readonly gapHours: number
  readonly at: Point | null
  /** Of the way between the two, by the router of the organization; null where it has none or knows none. */
  readonly roadSeconds: number | null
}

/** Up to here the way is part of the report time. Straight line. */
export const nearKm = 25

/** From here on flying is sooner, also at 130 km/h on a straight road: no router has to be asked. Straight line. */
export const farKm = 640

/** Kilometers of the straight line between two points. */
export const kilometers = (from: Point, to: Point): number => metersBetween(from, to) / 1000

/**
 * Hours from one place to another: by road as the router says, or else by the estimate that stops of a tour have as well; or by air with four
 * hours for both airports, whichever is sooner. Short ways are part of the report time.
 */
export function travelHours(from: Point | null, to: Point | null, roadSeconds: number | null): number {
  if (!from || !to) return 0
  const km = kilometers(from, to)
  const byRoad = roadSeconds ?? paceSeconds(wayMeters(from, to, 'drive'), 'drive')
  return km < nearKm ? 0 : Math.min(byRoad / 3600, 4 + km / 700)
}

/** Rest between a duty and its neighbor: what is left of the gap after the way; below zero nobody arrives. */
export function restWith(
  neighbor: Neighbor | null,
  place: Point | null,
): { hours: number; code: string | null } | null {
  return (
    neighbor && {
      hours: neighbor.gapHours - travelHours(neighbor.at, place, neighbor.roadSeconds),
      code: neighbor.code,
    }
  )
}

/** A place of a departure as a point. */
export const stopOf = (departure: 'd' | 'duty', end: 'first' | 'last') => sql`(
  select jsonb_build_object('lat', p.lat, 'lng', p.lng) from departure_stops stop
    join places p on p.org_id = stop.org_id and p.id = stop.place_id
   where stop.org_id = ${sql.ref(`${departure}.org_id`)} and stop.departure_id = ${sql.ref(`${departure}.id`)}
   order by stop.stop_order ${end === 'first' ? sql`asc` : sql`desc`} limit 1)`

/** Seconds of the way between two places of `stopOf`, as the router of the organization said; null where that is not known. */
export const roadSeconds = (orgId: string, from: RawBuilder<unknown>, to: RawBuilder<unknown>) => sql`(
  select w.seconds from road_ways w where w.org_id = ${orgId} and w.mode = 'drive'
    and w.from_lat = (${from}->>'lat')::float8 and w.from_lng = (${from}->>'lng')::float8
    and w.to_lat = (${to}->>'lat')::float8 and w.to_lng = (${to}->>'lng')::float8)`
