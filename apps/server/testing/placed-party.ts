import { getBooking, type Booking } from '@tour-ops/contract/bookings/bookings'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { sql } from 'kysely'
import { movableClock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { addDeparture, book, coreVerbOf, publishedTour, setStatus } from './operations.ts'
import type { TestCaller, TestWorld } from './world.ts'

interface Place {
  name: string
  seat: string | null
  pickup: string | null
  room: string | null
}

/** Where the guests of a booking sit, are picked up and sleep. */
export const placesOf = (caller: TestCaller, bookingId: string): Promise<Place[]> =>
  caller.transaction(async (tx) => {
    const { rows } = await sql<Place>`
      select t.last_name as name, m.seat_or_group as seat, m.pickup_stop_id::text as pickup, r.room_key as room
        from manifest_entries m
        join travelers t on t.org_id = m.org_id and t.id = m.traveler_id
        left join room_assignments a on a.org_id = m.org_id and a.manifest_entry_id = m.id
        left join rooms r on r.org_id = a.org_id and r.id = a.room_id
       where m.org_id = ${caller.orgId} and m.booking_id = ${bookingId} order by t.last_name`.execute(tx)
    return rows
  })

/** A party with a pickup each, a seat each and a room for both, on a departure that is cancelled then; and a tour to move to. */
export async function placedParty(
  world: TestWorld,
): Promise<{ caller: TestCaller; departureId: string; booking: Booking; target: string }> {
  const caller = await world.as('operations_manager', { clock: movableClock(new Date('2030-07-01T12:00:00Z')) })
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId)
  const { id } = await book(caller, departureId, 2)
  const { stops } = await caller.call(coreVerbOf(getDeparture), { id: departureId })
  const pickup = stops.find((stop) => stop.kind === 'pickup')
  const roomId = newId()
  await caller.transaction(async (tx) => {
    await sql`insert into rooms (org_id, id, departure_id, night_date, type, room_key)
      values (${caller.orgId}, ${roomId}, ${departureId}, '2030-07-14', 'DBL', '204')`.execute(tx)
    await sql`update bookings set pickup_place_id = ${pickup?.placeId}, pickup_at = ${pickup?.plannedArriveAt}
      where org_id = ${caller.orgId} and id = ${id}`.execute(tx)
    await sql`update manifest_entries m set pickup_stop_id = ${pickup?.id}, seat_or_group = 'Bus ' || t.last_name
      from travelers t where t.org_id = m.org_id and t.id = m.traveler_id and m.org_id = ${caller.orgId} and m.booking_id = ${id}`.execute(
      tx,
    )
    await sql`insert into room_assignments (org_id, room_id, manifest_entry_id)
      select org_id, ${roomId}, id from manifest_entries where org_id = ${caller.orgId} and booking_id = ${id}`.execute(
      tx,
    )
  })
  await setStatus(caller, departureId, { to: 'cancelled', cancelReason: 'weather' })
  // Stops at the start only: the pickup does not exist there.
  const elsewhere = await publishedTour(caller, { name: 'South Coast' })
  const target = await addDeparture(caller, elsewhere.tourId, { startTimeLocal: '10:00' })
  return { caller, departureId, booking: await caller.call(coreVerbOf(getBooking), { id }), target }
}
