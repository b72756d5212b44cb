import {
  confirmBooking,
  getBooking,
  listBookings,
  updateBooking,
  type Booking,
} from '@tour-ops/contract/bookings/bookings'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { getManifest } from '@tour-ops/contract/bookings/manifest'
import { getTour } from '@tour-ops/contract/tours/tours'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import {
  addDeparture,
  book,
  coreVerbOf,
  officeWithTour,
  publishedTour,
  setStatus,
} from '../../../testing/operations.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { move, seats } from '../../../testing/bookings.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-01T12:00:00Z')

async function desk(capacity = 20) {
  const office = await officeWithTour(world, start)
  return { ...office, departureId: await addDeparture(office.caller, office.tourId, { capacity }) }
}

/** What an edit sends when it changes nothing. */
const pickTheSame = (booking: Booking) => ({
  id: booking.id,
  version: booking.version,
  contact: booking.contact,
  sellerName: booking.sellerName,
  externalRef: booking.externalRef,
  pickupStopId: booking.pickupStopId,
  notes: booking.notes,
  amountTotalMinor: booking.amountTotalMinor,
})

describe('moving', () => {
  test('takes seats there and gives them back here, with the guests', async () => {
    const { caller, departureId, tourId } = await desk(3)
    const target = await addDeparture(caller, tourId, { startTimeLocal: '12:00', capacity: 3 })
    const booking = await book(caller, departureId, 2)
    const waiting = await book(caller, departureId, 3, { mode: 'waitlist' })
    const moved = await move(caller, [booking], target)
    expect(moved.promoted).toEqual([waiting.bookingRef])
    expect(await caller.call(coreVerbOf(getBooking), { id: booking.id })).toMatchObject({
      departureId: target,
      status: 'confirmed',
    })
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 0, seatsHeld: 3 })
    expect(await seats(caller, target)).toMatchObject({ seatsConfirmed: 2 })
    expect((await caller.call(coreVerbOf(getManifest), { departureId: target })).counts.total).toBe(2)
  })

  test('is refused whole when the other departure lacks seats', async () => {
    const { caller, departureId, tourId } = await desk(3)
    const target = await addDeparture(caller, tourId, { startTimeLocal: '12:00', capacity: 1 })
    const booking = await book(caller, departureId, 2)
    await expect(move(caller, [booking], target)).rejects.toMatchObject({
      details: { reason: 'seats_exhausted', seatsLeft: 1, departureId: target },
    })
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 2 })
  })
})

describe('the parties of a cancelled departure', () => {
  const cancelled = async () => {
    const world = await desk()
    const { caller, departureId } = world
    const parties = [
      await book(caller, departureId, 2),
      await book(caller, departureId, 3, { guests: [], contact: { name: 'Noor Haddad' } }),
    ]
    await setStatus(caller, departureId, { to: 'cancelled', cancelReason: 'weather' })
    return { ...world, parties }
  }

  test('say so', async () => {
    const { caller, departureId, parties } = await cancelled()
    const { rows } = await caller.call(coreVerbOf(listBookings), { filters: { departureId: [departureId] } })
    expect(rows).toHaveLength(2)
    expect(rows.every((row) => row.status === 'confirmed' && row.departureStatus === 'cancelled')).toBe(true)
    expect(await caller.call(coreVerbOf(getBooking), { id: parties[0]?.id ?? '' })).toMatchObject({
      departureStatus: 'cancelled',
    })
  })

  test('are not confirmed where they were only requested', async () => {
    const { caller, parties } = await cancelled()
    const id = newId()
    const columns = sql.raw(
      'org_id, departure_id, kind, channel, contact_name, units, pax, amount_total_minor, currency',
    )
    await caller.transaction((tx) =>
      sql`insert into bookings (${columns}, id, booking_ref, status) select ${columns}, ${id}::uuid, 'TOR-REQ234', 'requested'
        from bookings where org_id = ${caller.orgId} and id = ${parties[1]?.id}`.execute(tx),
    )
    await expect(caller.call(coreVerbOf(confirmBooking), { id, version: 1 })).rejects.toMatchObject({
      details: { reason: 'sales_closed', because: 'status' },
    })
  })

  test('move together to another tour, each keeping the pickup where it stops there too', async () => {
    const { caller, departureId, parties, tourId } = await cancelled()
    const [first] = parties
    const stops = (await caller.call(coreVerbOf(getDeparture), { id: departureId })).stops
    const pickup = stops.find((stop) => stop.kind === 'pickup')
    const { revision } = await caller.call(coreVerbOf(getTour), { id: tourId })
    const other = await publishedTour(caller, { name: 'South Coast', content: revision?.content })
    const target = await addDeparture(caller, other.tourId, { startTimeLocal: '10:00', capacity: 5 })
    const edited = await caller.call(coreVerbOf(updateBooking), {
      ...pickTheSame(first as Booking),
      pickupStopId: pickup?.id ?? null,
    })
    const moved = await move(caller, [edited, ...parties.slice(1)], target)
    expect(moved.parties.map((party) => party.id)).toEqual(parties.map((party) => party.id))
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 0 })
    expect(await seats(caller, target)).toMatchObject({ seatsConfirmed: 5, seatsLeft: 0 })
    expect(await caller.call(coreVerbOf(getBooking), { id: edited.id })).toMatchObject({
      pickupPlaceName: 'City Hall',
      pickupAt: '2030-07-14T09:20:00.000Z',
    })
  })

  test('move all or none when seats are short, and one by one as far as they go', async () => {
    const { caller, departureId, parties, tourId } = await cancelled()
    const target = await addDeparture(caller, tourId, { startTimeLocal: '12:00', capacity: 3 })
    await expect(move(caller, parties, target)).rejects.toMatchObject({
      details: { reason: 'seats_exhausted', seatsLeft: 3, asked: 5 },
    })
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 5 })
    await move(caller, parties.slice(1), target)
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 2 })
    expect(await seats(caller, target)).toMatchObject({ seatsConfirmed: 3, seatsLeft: 0 })
  })

  test('can be undone for a quarter of an hour, unless somebody has changed them since', async () => {
    const { caller, departureId, parties, tourId, clock } = await cancelled()
    const target = await addDeparture(caller, tourId, { startTimeLocal: '12:00' })
    const first = await move(caller, parties, target)
    const back = await move(caller, first.parties, departureId)
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 5 })
    const again = await move(caller, back.parties, target)
    const [edited] = again.parties
    const booking = await caller.call(coreVerbOf(getBooking), { id: edited?.id ?? '' })
    const changed = await caller.call(coreVerbOf(updateBooking), { ...pickTheSame(booking), notes: 'Late arrival' })
    await expect(move(caller, [changed], departureId)).rejects.toMatchObject({ details: { reason: 'sales_closed' } })
    clock.set(new Date(start.getTime() + 16 * 60_000))
    await expect(move(caller, again.parties.slice(1), departureId)).rejects.toMatchObject({
      details: { reason: 'sales_closed' },
    })
    expect(await seats(caller, target)).toMatchObject({ seatsConfirmed: 5 })
  })
})
