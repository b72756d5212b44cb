import { takeBackMinutes } from '@tour-ops/contract/bookings/bookings'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import type { BookingRecord } from './bookings-store.ts'

/** Requests that moved bookings away, by booking: the moves to undo, and where the audit log has the previous values. */
export type MovesAway = ReadonlyMap<string, string>

/**
 * The moves that this one only undoes: each booking's last change was to leave this departure, not long ago. Then the departure need
 * not be on sale; it may be cancelled. Its seats are counted all the same.
 *
 * @returns Null when any of the bookings comes from somewhere else.
 */
export async function movesAwayFrom(
  call: MemberCall,
  bookings: readonly BookingRecord[],
  departureId: string,
): Promise<MovesAway | null> {
  const { rows } = await sql<{ id: string; requestId: string | null }>`
    select moved.id::text as id, last.request_id as "requestId"
    from unnest(${bookings.map((booking) => booking.id)}::uuid[]) as moved (id)
    join lateral (select e.diff, e.at, e.request_id from audit_entries e where e.org_id = ${call.orgId} and e.entity_type = 'bookings'
      and e.entity_id = moved.id::text order by e.id desc limit 1) last
      on last.diff #>> '{departure_id,0}' = ${departureId} and last.at > app_now() - make_interval(mins => ${takeBackMinutes})`.execute(
    call.tx,
  )
  if (rows.length < bookings.length) return null
  return new Map(rows.flatMap(({ id, requestId }) => (requestId === null ? [] : [[id, requestId] as const])))
}

/**
 * Gives a party that came back what it left behind, as the audit log has it: pickups, seats or groups, rooms that are still there, the
 * end of its hold, its place on the waitlist, and its price.
 *
 * @param withPickups False where the person who moves it back chose another pickup.
 */
export async function restoreLeftBehind(
  call: MemberCall,
  bookingId: string,
  requestId: string,
  withPickups: boolean,
): Promise<void> {
  const { orgId, tx } = call
  const before = oldestOf(orgId, requestId)
  await sql`
    update bookings b set pickup_place_id = case when place.was is null or not ${withPickups}::boolean then b.pickup_place_id else (place.was #>> '{}')::uuid end,
      pickup_at = case when moment.was is null or not ${withPickups}::boolean then b.pickup_at else (moment.was #>> '{}')::timestamptz end,
      expires_at = case when hold.was is null or b.status <> 'on_hold' then b.expires_at else (hold.was #>> '{}')::timestamptz end,
      waitlist_rank = coalesce((rank.was #>> '{}')::int, b.waitlist_rank), units = coalesce(sold.was, b.units), amount_total_minor = coalesce((price.was #>> '{}')::bigint, b.amount_total_minor)
    from bookings it
      left join lateral ${before('bookings', 'it.id', 'pickup_place_id')} place on true
      left join lateral ${before('bookings', 'it.id', 'pickup_at')} moment on true
      left join lateral ${before('bookings', 'it.id', 'expires_at')} hold on true
      left join lateral ${before('bookings', 'it.id', 'waitlist_rank')} rank on true
      left join lateral ${before('bookings', 'it.id', 'units')} sold on true
      left join lateral ${before('bookings', 'it.id', 'amount_total_minor')} price on true
    where b.org_id = ${orgId} and b.id = ${bookingId} and it.org_id = b.org_id and it.id = b.id`.execute(tx)
  await restorePlaces(call, bookingId, requestId, withPickups)
  await restoreRooms(call, bookingId, requestId)
}

/** Guests of a booking are again in the rooms that a request took them out of, where these are still there. */
export async function restoreRooms({ orgId, tx }: MemberCall, bookingId: string, requestId: string): Promise<void> {
  await sql`
    insert into room_assignments (org_id, room_id, manifest_entry_id)
    select r.org_id, r.id, m.id
      from manifest_entries m
      join rooms r on r.org_id = m.org_id and r.departure_id = m.departure_id
     where m.org_id = ${orgId} and m.booking_id = ${bookingId} and m.status <> 'cancelled'
       and exists (select 1 from audit_entries e where e.org_id = m.org_id and e.entity_type = 'room_assignments'
         and e.entity_id = r.id::text || ':' || m.id::text and e.op = 'delete' and e.request_id = ${requestId})
    on conflict do nothing`.execute(tx)
}

/** The oldest value of a column that a request changed; several statements of it may have touched the row. */
const oldestOf =
  (orgId: string, requestId: string) =>
  (entity: 'bookings' | 'manifest_entries', id: string, column: string): RawBuilder<unknown> =>
    sql`(
    select e.diff -> ${column}::text -> 0 as was from audit_entries e
     where e.org_id = ${orgId} and e.entity_type = ${entity} and e.entity_id = ${sql.ref(id)}::text and e.request_id = ${requestId}
       and e.diff ? ${column}::text order by e.id limit 1)`

/** Guests of a booking sit, and are picked up, where they were before a request. */
export async function restorePlaces(
  { orgId, tx }: MemberCall,
  bookingId: string,
  requestId: string,
  withPickups: boolean,
): Promise<void> {
  const before = oldestOf(orgId, requestId)
  await sql`
    update manifest_entries m set seat_or_group = case when seat.was is null then m.seat_or_group else seat.was #>> '{}' end,
      pickup_stop_id = case when stop.was is null or not ${withPickups}::boolean then m.pickup_stop_id else (stop.was #>> '{}')::uuid end
    from manifest_entries it
      left join lateral ${before('manifest_entries', 'it.id', 'seat_or_group')} seat on true
      left join lateral ${before('manifest_entries', 'it.id', 'pickup_stop_id')} stop on true
    where m.org_id = ${orgId} and m.booking_id = ${bookingId} and m.status <> 'cancelled' and it.org_id = m.org_id and it.id = m.id`.execute(
    tx,
  )
  await restoreNoShows({ orgId, tx }, bookingId, requestId)
}

/** Who did not come, and was expected where a request had moved them, has not come where they are again. */
async function restoreNoShows(
  { orgId, tx }: Pick<MemberCall, 'orgId' | 'tx'>,
  bookingId: string,
  requestId: string,
): Promise<void> {
  await sql`update manifest_entries m set status = 'no_show' where m.org_id = ${orgId} and m.booking_id = ${bookingId} and m.status = 'expected'
    and exists (select from audit_entries e where e.org_id = m.org_id and e.entity_type = 'manifest_entries' and e.entity_id = m.id::text
      and e.request_id = ${requestId} and e.diff -> 'status' = '["no_show", "expected"]')`.execute(tx)
}
