import { getBooking, moveBookings } from '@tour-ops/contract/bookings/bookings'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { move } from '../../../testing/bookings.ts'
import { coreVerbOf } from '../../../testing/operations.ts'
import { placedParty, placesOf } from '../../../testing/placed-party.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

test('a party that is moved back has its pickups, seats and rooms again', async () => {
  const { caller, departureId, booking, target } = await placedParty(world)
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
  const { caller, departureId, booking, target } = await placedParty(world)
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
