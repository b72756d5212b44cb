import { sql } from 'kysely'

export interface Point {
  readonly lat: number
  readonly lng: number
}

/** The duty before or after, and where the person is then. */
export interface Neighbor {
  readonly code: string | null
  /** From the end of the one duty to the start of the other, report and release included. */
  readonly gapHours: number
  readonly at: Point | null
}

/** Kilometers between two points on the ground, as the crow flies. */
export function kilometers(from: Point, to: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half = (difference: number) => Math.sin(radians(difference) / 2) ** 2
  const chord =
    half(to.lat - from.lat) + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * half(to.lng - from.lng)
  return 6371 * 2 * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/**
 * Hours from one place to another: by road at 60 km/h over a way a third longer than the straight line, or by air with four hours for
 * both airports, whichever is sooner. Short ways are part of the report time. An estimate for planning; there is no router here.
 */
export function travelHours(from: Point | null, to: Point | null): number {
  if (!from || !to) return 0
  const km = kilometers(from, to)
  return km < 25 ? 0 : Math.min((km * 1.3) / 60, 4 + km / 700)
}

/** Rest between a duty and its neighbor: what is left of the gap after the way; below zero nobody arrives. */
export function restWith(
  neighbor: Neighbor | null,
  place: Point | null,
): { hours: number; code: string | null } | null {
  return neighbor && { hours: neighbor.gapHours - travelHours(neighbor.at, place), code: neighbor.code }
}

/** A place of a departure as a point. */
export const stopOf = (departure: 'd' | 'duty', end: 'first' | 'last') => sql`(
  select jsonb_build_object('lat', p.lat, 'lng', p.lng) from departure_stops stop
    join places p on p.org_id = stop.org_id and p.id = stop.place_id
   where stop.org_id = ${sql.ref(`${departure}.org_id`)} and stop.departure_id = ${sql.ref(`${departure}.id`)}
   order by stop.stop_order ${end === 'first' ? sql`asc` : sql`desc`} limit 1)`
