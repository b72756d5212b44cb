import { type Booking, getBooking } from '@tour-ops/contract/bookings/bookings'
import { bringSomeBack, moveSomeGuests } from '@tour-ops/contract/bookings/move-some'
import { restoreRevision, reviseBooking } from '@tour-ops/contract/bookings/revise'
import { splitParty } from '@tour-ops/contract/bookings/split'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { move } from '../../../testing/bookings.ts'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const now = (caller: TestCaller, { id }: { id: string }) => caller.call(coreVerbOf(getBooking), { id })
const statusesOf = async (caller: TestCaller, booking: { id: string }) =>
  (await now(caller, booking)).guests.map(({ status }) => status)

/** A party of two, of whom the last did not come, and another departure of the tour. */
async function missedParty() {
  const { caller, tourId } = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
  const departureId = await addDeparture(caller, tourId, { capacity: 6 })
  const laterId = await addDeparture(caller, tourId, { startTimeLocal: '12:00', capacity: 6 })
  const booking = await book(caller, departureId, 2)
  const missed = booking.guests.at(-1)
  await caller.transaction((tx) =>
    sql`update manifest_entries set status = 'no_show' where org_id = ${caller.orgId} and id = ${missed?.entryId ?? ''}`.execute(
      tx,
    ),
  )
  return { caller, departureId, laterId, booking: await now(caller, booking), missedId: missed?.travelerId ?? '' }
}

const goers = (booking: Booking, travelerId: string) => ({
  id: booking.id,
  version: booking.version,
  units: [{ unitType: 'adult' as const, quantity: 1 }],
  guests: [travelerId],
  contact: { ...booking.contact, name: 'Nora Lind' },
})

describe('a guest who did not come', () => {
  test('is expected where their party is moved, and has not come where it is moved back', async () => {
    const { caller, departureId, laterId, booking } = await missedParty()
    expect(await statusesOf(caller, booking)).toEqual(['expected', 'no_show'])
    const { parties } = await move(caller, [booking], laterId)
    expect(await statusesOf(caller, booking)).toEqual(['expected', 'expected'])
    await move(caller, parties, departureId)
    expect(await statusesOf(caller, booking)).toEqual(['expected', 'no_show'])
  })

  test('is expected where only they are moved, and not where they are brought back', async () => {
    const { caller, laterId, booking, missedId } = await missedParty()
    const { booking: left, other } = await caller.call(coreVerbOf(moveSomeGuests), {
      ...goers(booking, missedId),
      toDepartureId: laterId,
    })
    expect(other.guests).toMatchObject([{ travelerId: missedId, status: 'expected' }])
    const { id, version } = left
    await caller.call(coreVerbOf(bringSomeBack), { id, version, other: { id: other.id, version: other.version } })
    expect(await statusesOf(caller, booking)).toEqual(['expected', 'no_show'])
  })

  test('is expected where the booking is edited to go, until that is undone', async () => {
    const { caller, laterId, booking } = await missedParty()
    const { id, version } = booking
    const { booking: there } = await caller.call(coreVerbOf(reviseBooking), { id, version, departureId: laterId })
    expect(await statusesOf(caller, booking)).toEqual(['expected', 'expected'])
    await caller.call(coreVerbOf(restoreRevision), { id, version: there.version })
    expect(await statusesOf(caller, booking)).toEqual(['expected', 'no_show'])
  })

  test('has not come, whatever booking of the departure they are on', async () => {
    const { caller, booking, missedId } = await missedParty()
    const { other } = await caller.call(coreVerbOf(splitParty), goers(booking, missedId))
    expect(other.guests).toMatchObject([{ travelerId: missedId, status: 'no_show' }])
  })
})
