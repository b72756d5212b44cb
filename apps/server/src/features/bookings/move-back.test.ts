import { getBooking, moveBookings, type Booking } from '@tour-ops/contract/bookings/bookings'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { addDeparture, book, coreVerbOf, publishedTour, setStatus } from '../../../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { move } from '../../../testing/bookings.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

interface Place {
  name: string
  seat: string | null
  pickup: string | null
  room: string | null
}

/** Where the guests of a booking sit, are picked up and sleep. */
const placesOf = (caller: TestCaller, bookingId: string): Promise<Place[]> =>
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
async function placed(): Promise<{ caller: TestCaller; departureId: string; booking: Booking; target: string }> {
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

test('a party that is moved back has its pickups, seats and rooms again', async () => {
  const { caller, departureId, booking, target } = await placed()
  const before = await placesOf(caller, booking.id)
  expect(before).toMatchObject([
    { name: 'Number 1', seat: 'Bus Number 1', pickup: expect.any(String), room: '204' },
    { name: 'Number 2', seat: 'Bus Number 2', pickup: expect.any(String), room: '204' },
  ])
  const away = await move(caller, [booking], target)
  expect(await placesOf(caller, booking.id)).toMatchObject([
    { seat: null, pickup: null, room: null },
    { seat: null, pickup: null, room: null },
  ])
  const back = await move(caller, away.parties, departureId)
  expect(await placesOf(caller, booking.id)).toEqual(before)
  const { pickupPlaceName, pickupAt } = await caller.call(coreVerbOf(getBooking), { id: booking.id })
  expect({ pickupPlaceName, pickupAt }).toEqual({
    pickupPlaceName: booking.pickupPlaceName,
    pickupAt: booking.pickupAt,
  })
  // A second time, as a person does who is undecided.
  await move(caller, (await move(caller, back.parties, target)).parties, departureId)
  expect(await placesOf(caller, booking.id)).toEqual(before)
})

test('a room that was taken apart meanwhile, and a pickup chosen again, are not brought back', async () => {
  const { caller, departureId, booking, target } = await placed()
  const away = await move(caller, [booking], target)
  await caller.transaction((tx) =>
    sql`delete from rooms where org_id = ${caller.orgId} and departure_id = ${departureId}`.execute(tx),
  )
  await caller.call(coreVerbOf(moveBookings), {
    parties: away.parties.map((party) => ({ ...party, pickupStopId: null })),
    toDepartureId: departureId,
  })
  expect(await placesOf(caller, booking.id)).toEqual([
    { name: 'Number 1', seat: 'Bus Number 1', pickup: null, room: null },
    { name: 'Number 2', seat: 'Bus Number 2', pickup: null, room: null },
  ])
})
