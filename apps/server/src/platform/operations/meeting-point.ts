import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** Where guests meet their tour. */
export interface MeetingPoint {
  readonly placeName: string
  readonly address: string | null
  readonly at: Date
  /** With the delay that is known now. */
  readonly expectedAt: Date
  readonly isPickup: boolean
  readonly isPast: boolean
  /** The vehicle has yet to come there, by the estimates; false where there are none. */
  readonly isComing: boolean
  /** Stops at which the vehicle calls before it. */
  readonly stopsBefore: number
  readonly lat: number
  readonly lng: number
}

/** Puts the stop `s` first at which a booking `b` meets its tour: its pickup, else the start. */
export const meetingFirst: RawBuilder<unknown> = sql`
    order by (b.id is not null and s.place_id = b.pickup_place_id) desc, (s.kind = 'start') desc, (s.kind <> 'pickup') desc, s.stop_order`

/** When the vehicle comes for a booking `b` to its stop `s`, with the delay that is known now. */
export const expectedAt: RawBuilder<Date> = sql<Date>`(coalesce(b.pickup_at, s.planned_arrive_at)
    + make_interval(secs => case when s.status in ('departed', 'skipped') then 0 else greatest(0, s.delay_seconds) end))`

/** Whether the vehicle has yet to come to a stop `s`, by the estimates. */
export const isComing: RawBuilder<boolean> = sql<boolean>`(s.status in ('planned', 'approaching') and s.eta_at is not null)`

/** The pickup of a booking, else where its tour starts: a row of a `MeetingPoint`, or none for a departure without stops. */
export const meetingPointOf = (
  orgId: string,
  departureId: RawBuilder<unknown>,
  bookingId: RawBuilder<unknown>,
): RawBuilder<MeetingPoint> => sql<MeetingPoint>`
    select p.name as "placeName", p.address, coalesce(b.pickup_at, s.planned_arrive_at) as at, ${expectedAt} as "expectedAt",
      s.kind = 'pickup' or b.pickup_place_id is not null as "isPickup", (s.status = 'departed' or d.actual_start_at is not null) as "isPast",
      ${isComing} as "isComing",
      (select count(*)::int from departure_stops b where b.org_id = s.org_id and b.departure_id = s.departure_id and b.stop_order < s.stop_order
        and b.status in ('planned', 'approaching', 'arrived') and b.kind in ('pickup', 'start')) as "stopsBefore", p.lat, p.lng
    from departure_stops s join departures d on d.org_id = s.org_id and d.id = s.departure_id
      left join bookings b on b.org_id = s.org_id and b.id = ${bookingId}::uuid and b.pickup_place_id is not null
      join places p on p.org_id = s.org_id and p.id = coalesce(b.pickup_place_id, s.place_id)
    where s.org_id = ${orgId} and s.departure_id = ${departureId}
    ${meetingFirst} limit 1`

/**
 * The same for one booking; undefined for a departure without stops.
 *
 * @param bookingId Null for guests whose booking is not known.
 */
export async function selectMeetingPoint(
  tx: Tx,
  orgId: string,
  departureId: string,
  bookingId: string | null,
): Promise<MeetingPoint | undefined> {
  const { rows } = await meetingPointOf(orgId, sql`${departureId}`, sql`${bookingId}`).execute(tx)
  return rows[0]
}
