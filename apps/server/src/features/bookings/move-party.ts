import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import type { LockedDeparture } from '../../platform/operations/seats.ts'
import { selectPickup, type BookingRecord } from './bookings-store.ts'
import { requireUnbooked } from './guests.ts'
import { lastRank } from './waitlist-rank.ts'

/** The stop at which a party is picked up where it was before, if the departure stops there. */
export async function samePlace(
  call: SeatCall,
  { pickupPlaceId }: BookingRecord,
  target: LockedDeparture,
): Promise<string | null> {
  if (pickupPlaceId === null) return null
  const { rows } = await sql<{ id: string }>`select id from departure_stops
    where org_id = ${call.orgId} and departure_id = ${target.id} and place_id = ${pickupPlaceId} and day_index = 1
      and kind in ('pickup', 'start') order by stop_order limit 1`.execute(call.tx)
  return rows[0]?.id ?? null
}

/** Both departures are locked, and the target has the seats. */
export async function moveParty(
  call: SeatCall,
  { id }: BookingRecord,
  target: LockedDeparture,
  pickupStopId: string | null,
): Promise<void> {
  await requireUnbooked(call, target.id, await travelersOf(call, id))
  const pickup = await selectPickup(call, target.id, pickupStopId)
  await leavePlaces(call, id)
  await sql`update bookings set departure_id = ${target.id}, pickup_place_id = ${pickup?.placeId ?? null}, pickup_at = ${pickup?.at ?? null},
    expires_at = case when status = 'on_hold' then least(expires_at, ${target.startsAt}::timestamptz) else expires_at end,
    waitlist_rank = case when status = 'waitlisted' then ${lastRank(call, target.id)} end
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  await sql`update manifest_entries set pickup_stop_id = ${pickupStopId}::uuid where org_id = ${call.orgId} and booking_id = ${id}
    and status <> 'cancelled'`.execute(call.tx)
}

/** Pickups, seats and rooms of guests are of the departure that is left; their entries follow the booking by foreign key. */
export async function leavePlaces(call: SeatCall, id: string): Promise<void> {
  await sql`update manifest_entries set pickup_stop_id = null, seat_or_group = null where org_id = ${call.orgId} and booking_id = ${id}`.execute(
    call.tx,
  )
  await leaveRooms(call, id)
}

/** @param travelers Left out: all of the booking. */
export async function leaveRooms({ tx, orgId }: SeatCall, id: string, travelers?: readonly string[]): Promise<void> {
  await sql`delete from room_assignments r using manifest_entries m
    where r.org_id = ${orgId} and m.org_id = r.org_id and m.id = r.manifest_entry_id and m.booking_id = ${id}
      and (${travelers === undefined}::boolean or m.traveler_id = any (${[...(travelers ?? [])]}::uuid[]))`.execute(tx)
}

/** Travelers of a booking who are on its manifest. */
export async function travelersOf(call: SeatCall, bookingId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select traveler_id as id from manifest_entries
    where org_id = ${call.orgId} and booking_id = ${bookingId} and status <> 'cancelled'`.execute(call.tx)
  return rows.map((row) => row.id)
}

/**
 * @param travelers Left out: all of the booking.
 * @throws AppError `aborted`, reason `guests_aboard`: guests who are aboard count as having travelled.
 */
export async function requireNobodyAboard(
  call: SeatCall,
  bookingId: string,
  travelers?: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ aboard: number }>`select count(*)::int as aboard from manifest_entries
    where org_id = ${call.orgId} and booking_id = ${bookingId} and status not in ('expected', 'cancelled', 'no_show')
    and (${travelers === undefined}::boolean or traveler_id = any (${[...(travelers ?? [])]}::uuid[]))`.execute(call.tx)
  const aboard = rows[0]?.aboard ?? 0
  if (aboard === 0) return
  throw refuse('guests_aboard', { aboard })
}
