import { type Booking, getBooking, takeBackMinutes } from '@tour-ops/contract/bookings/bookings'
import { bringSomeBack, moveSomeGuests } from '@tour-ops/contract/bookings/move-some'
import type { In, Out } from '@tour-ops/contract/callable'
import { getTour } from '@tour-ops/contract/tours/tours'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { move, seats } from '../../../testing/bookings.ts'
import { splitParty } from '@tour-ops/contract/bookings/split'
import { afterAWhile, sentMails, withoutQuietHours } from '../../../testing/guest-mail.ts'
import {
  addDeparture,
  book,
  coreVerbOf,
  officeWithTour,
  publishedTour,
  setStatus,
} from '../../../testing/operations.ts'
import { placedParty, placesOf } from '../../../testing/placed-party.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-01T12:00:00Z')
const nora = { name: 'Nora Lind', email: 'nora@example.com', phone: null, locale: 'de', country: null }
const adults = (quantity: number) => [{ unitType: 'adult' as const, quantity }]

async function desk(capacity = 6) {
  const office = await officeWithTour(world, start)
  const { caller, tourId } = office
  const departureId = await addDeparture(caller, tourId, { capacity })
  const laterId = await addDeparture(caller, tourId, { startTimeLocal: '12:00', capacity: 2 })
  return { ...office, departureId, laterId }
}

const now = (caller: TestCaller, { id }: { id: string }) => caller.call(coreVerbOf(getBooking), { id })
const lastOf = ({ guests }: Booking) => guests.at(-1)?.travelerId ?? ''
const moneyOf = ({ amountTotalMinor, amountPaidMinor }: Booking) => [amountTotalMinor, amountPaidMinor]
const withoutVersion = (booking: Booking) => ({ ...booking, version: 0 })

async function moveSome(
  caller: TestCaller,
  of: Booking,
  toDepartureId: string,
  wish: Partial<In<typeof moveSomeGuests>> = {},
) {
  const { id, version } = await now(caller, of)
  const usual = { units: adults(1), guests: [lastOf(of)], contact: nora }
  return caller.call(coreVerbOf(moveSomeGuests), { id, version, toDepartureId, ...usual, ...wish })
}

type Moved = Pick<Out<typeof moveSomeGuests>, 'booking' | 'other'>

const bringBack = (caller: TestCaller, { booking, other }: Moved) =>
  caller.call(coreVerbOf(bringSomeBack), {
    id: booking.id,
    version: booking.version,
    other: { id: other.id, version: other.version },
  })

describe('guests of a party who are moved', () => {
  test('have a booking there with their share of price and payment; the rest stays, and who waits is offered the seat', async () => {
    const { caller, departureId, laterId } = await desk(3)
    const booking = await book(caller, departureId, 3, { amountPaidMinor: 26_700 })
    const waiting = await book(caller, departureId, 1, { mode: 'waitlist', guests: [] })
    const moved = await moveSome(caller, booking, laterId)
    expect(moved.promoted).toEqual([waiting.bookingRef])
    expect(moved.other).toMatchObject({ departureId: laterId, status: 'confirmed', pax: 1, contact: nora })
    expect(moved.other.guests.map(({ travelerId }) => travelerId)).toEqual([lastOf(booking)])
    expect(moved.booking).toMatchObject({ departureId, pax: 2 })
    expect([moneyOf(moved.booking), moneyOf(moved.other)]).toEqual([
      [17_800, 17_800],
      [8_900, 8_900],
    ])
    expect(await seats(caller, laterId)).toMatchObject({ seatsConfirmed: 1, seatsLeft: 1 })
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 2, seatsHeld: 1 })
  })

  test('pay what it costs there where that is wanted', async () => {
    const { caller, departureId, tourId } = await desk()
    const { revision } = await caller.call(coreVerbOf(getTour), { id: tourId })
    const units = revision?.content.units.map((unit) => ({ ...unit, priceMinor: 12_000 }))
    const other = await publishedTour(caller, { name: 'South Coast', content: { ...revision?.content, units } })
    const target = await addDeparture(caller, other.tourId, { startTimeLocal: '10:00' })
    const moved = await moveSome(caller, await book(caller, departureId, 2), target, { atPriceThere: true })
    expect([moved.booking.amountTotalMinor, moved.other.amountTotalMinor]).toEqual([8_900, 12_000])
  })

  test('are told once, of the departure that they go to; whose party becomes smaller is told that', async () => {
    const { caller, clock, departureId, laterId } = await desk()
    await withoutQuietHours(caller)
    const contact = { name: 'Amara Okafor', email: 'amara@example.com' }
    const booking = await book(caller, departureId, 3, { contact })
    await sentMails(world, clock)
    const { other } = await moveSome(caller, booking, laterId)
    await afterAWhile(caller)
    const mails = await sentMails(world, clock)
    expect(mails.map(({ to }) => to).toSorted()).toEqual(['amara@example.com', 'nora@example.com'])
    const toNora = mails.find(({ to }) => to === nora.email)
    expect(toNora?.body).toContain(other.bookingRef)
    expect(toNora?.body).toContain('12:00')
  })

  test('come from a departure that was cancelled, one by one', async () => {
    const { caller, departureId, booking, target } = await placedParty(world)
    const { other } = await moveSome(caller, booking, target)
    expect(other).toMatchObject({ departureId: target, departureStatus: 'scheduled', pax: 1 })
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 1 })
  })

  test('of a cancelled departure, and those who stay there, are told nothing about it', async () => {
    const { caller, clock, departureId, laterId } = await desk()
    await withoutQuietHours(caller)
    const contact = { name: 'Amara Okafor', email: 'amara@example.com' }
    const booking = await book(caller, departureId, 4, { contact })
    await setStatus(caller, departureId, { to: 'cancelled', cancelReason: 'weather' })
    await afterAWhile(caller)
    await sentMails(world, clock)
    const { other } = await moveSome(caller, booking, laterId)
    const { id, version } = await now(caller, booking)
    const guests = [booking.guests[0]?.travelerId ?? '']
    const goers = { units: adults(1), guests, contact: { ...nora, email: 'stays@example.com' } }
    await caller.call(coreVerbOf(splitParty), { id, version, ...goers })
    await afterAWhile(caller)
    const mails = await sentMails(world, clock)
    expect(mails.map(({ to }) => to)).toEqual([nora.email])
    expect(mails[0]?.body).toContain(other.bookingRef)
  })

  test('leave a departure that takes one party only', async () => {
    const { caller, departureId, laterId } = await desk()
    const booking = await book(caller, departureId, 3)
    await caller.transaction((tx) =>
      sql`update departures set private = true where org_id = ${caller.orgId} and id = ${departureId}`.execute(tx),
    )
    const moved = await moveSome(caller, booking, laterId)
    expect([moved.booking.departureId, moved.other.departureId]).toEqual([departureId, laterId])
    expect((await bringBack(caller, moved)).booking.pax).toBe(3)
  })

  test('leave nothing changed where seats are short, nobody stays, or they are there already', async () => {
    const { caller, departureId, laterId } = await desk()
    const booking = await book(caller, departureId, 4)
    const three = booking.guests.slice(1).map(({ travelerId }) => travelerId)
    await expect(moveSome(caller, booking, laterId, { units: adults(3), guests: three })).rejects.toMatchObject({
      details: { reason: 'seats_exhausted', seatsLeft: 2, asked: 3 },
    })
    await expect(moveSome(caller, booking, laterId, { units: adults(4), guests: [] })).rejects.toMatchObject({
      details: { fieldIssues: { units: [{ code: 'nobody_stays' }] } },
    })
    await expect(moveSome(caller, booking, departureId)).rejects.toMatchObject({
      details: { fieldIssues: { toDepartureId: [{ code: 'same_departure' }] } },
    })
    const there = { guests: [{ travelerId: lastOf(booking), unitType: 'adult' as const }] }
    await book(caller, laterId, 1, there)
    await expect(moveSome(caller, booking, laterId)).rejects.toMatchObject({
      details: { reason: 'traveler_booked_already' },
    })
    expect(withoutVersion(await now(caller, booking))).toEqual(withoutVersion(booking))
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 4 })
  })

  test('do not take more seats there than there are, whoever else sells them at that moment', async () => {
    const { caller, departureId, laterId } = await desk(20)
    const parties = await Promise.all(Array.from({ length: 6 }, () => book(caller, departureId, 2, { guests: [] })))
    const done = await Promise.allSettled([
      ...parties.map((party) => moveSome(caller, party, laterId, { guests: [] })),
      ...Array.from({ length: 4 }, () => book(caller, laterId, 1, { guests: [] })),
    ])
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const moved = done.slice(0, 6).filter(({ status }) => status === 'fulfilled').length
    expect(await seats(caller, laterId)).toMatchObject({ seatsConfirmed: 2, seatsLeft: 0 })
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 12 - moved })
  })
})

describe('guests who are brought back', () => {
  test('are part of their party again, with pickup, seat, room, price and payment', async () => {
    const { caller, departureId, booking, target } = await placedParty(world)
    const before = await placesOf(caller, booking.id)
    const back = await bringBack(caller, await moveSome(caller, booking, target))
    expect(withoutVersion(back.booking)).toEqual(withoutVersion(booking))
    expect(back.other.status).toBe('cancelled')
    expect(await placesOf(caller, booking.id)).toEqual(before)
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 2 })
    expect(await seats(caller, target)).toMatchObject({ seatsConfirmed: 0 })
  })

  test('are not expected there any more: a confirmation that waits is not sent, and who has read one reads that it is cancelled', async () => {
    const { caller, clock, departureId, laterId } = await desk()
    await withoutQuietHours(caller)
    const told = async (isSent: boolean) => {
      const moved = await moveSome(caller, await book(caller, departureId, 2), laterId)
      if (isSent) await sentMails(world, clock)
      await bringBack(caller, moved)
      await afterAWhile(caller)
      const mails = await sentMails(world, clock)
      return mails.filter(({ body }) => body.includes(moved.other.bookingRef)).map(({ subject }) => subject)
    }
    expect(await told(false)).toEqual([])
    expect(await told(true)).toEqual([expect.stringContaining('storniert')])
  })

  test('have their old price where they were to pay the one of another tour', async () => {
    const { caller, departureId, tourId } = await desk()
    const { revision } = await caller.call(coreVerbOf(getTour), { id: tourId })
    const units = revision?.content.units.map((unit) => ({ ...unit, priceMinor: 12_000 }))
    const other = await publishedTour(caller, { name: 'South Coast', content: { ...revision?.content, units } })
    const target = await addDeparture(caller, other.tourId, { startTimeLocal: '10:00' })
    const booking = await book(caller, departureId, 3, { amountPaidMinor: 10_000 })
    const back = await bringBack(caller, await moveSome(caller, booking, target, { atPriceThere: true }))
    expect(withoutVersion(back.booking)).toEqual(withoutVersion(booking))
  })

  test('stay where they are when their seats were sold, they have been moved on, or it is too long ago', async () => {
    const { caller, clock, departureId, laterId, tourId } = await desk(2)
    const booking = await book(caller, departureId, 2)
    const moved = await moveSome(caller, booking, laterId)
    const sold = await book(caller, departureId, 1, { guests: [] })
    await expect(bringBack(caller, moved)).rejects.toMatchObject({ details: { reason: 'seats_exhausted' } })
    const elsewhere = await addDeparture(caller, tourId, { startTimeLocal: '14:00' })
    await move(caller, [sold], elsewhere)
    clock.set(new Date(start.getTime() + (takeBackMinutes + 1) * 60_000))
    await expect(bringBack(caller, moved)).rejects.toMatchObject({ details: { reason: 'cancellation_stays' } })
    clock.set(start)
    await move(caller, [moved.other], elsewhere)
    const other = await now(caller, moved.other)
    await expect(bringBack(caller, { ...moved, other })).rejects.toMatchObject({
      details: { reason: 'cancellation_stays' },
    })
  })
})
