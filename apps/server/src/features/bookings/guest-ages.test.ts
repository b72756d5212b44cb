import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { nameGuests } from '@tour-ops/contract/bookings/bookings'
import { getGuestAges } from '@tour-ops/contract/bookings/guest-ages'
import { getManifest } from '@tour-ops/contract/bookings/manifest'
import { reviseBooking } from '@tour-ops/contract/bookings/revise'
import { getTour, publishTour, saveTourDraft } from '@tour-ops/contract/tours/tours'
import { createTraveler } from '@tour-ops/contract/travelers/travelers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { travelersVerbs } from '../travelers/verbs.ts'

// How old guests are on the day of a departure: who may see it, what counts first, and that it stays right when a party moves.

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-01T12:00:00Z')
const units = [
  { unitType: 'adult' as const, priceMinor: 8900, currency: 'EUR' },
  { unitType: 'child' as const, minAge: 3, maxAge: 11, priceMinor: 4500, currency: 'EUR', requiresAdult: true },
  { unitType: 'senior' as const, minAge: 65, priceMinor: 7900, currency: 'EUR' },
]
const family = [
  { unitType: 'adult' as const, quantity: 1 },
  { unitType: 'child' as const, quantity: 1 },
]

async function desk() {
  const office = await officeWithTour(world, start)
  const { caller, tourId } = office
  const tour = await caller.call(coreVerbOf(getTour), { id: tourId })
  if (!tour.revision) throw new Error('The tour is published')
  const content = { ...tour.revision.content, units }
  const { version } = await caller.call(coreVerbOf(saveTourDraft), { id: tourId, version: tour.version, content })
  await caller.call(coreVerbOf(publishTour), { id: tourId, version })
  const departureId = await addDeparture(office.caller, office.tourId)
  const nextSummer = await addDeparture(office.caller, office.tourId, { localDate: '2031-08-02' })
  return { ...office, departureId, nextSummer }
}

const agesOf = (caller: TestCaller, departureId: string, travelerIds: string[], bookingId?: string) =>
  caller
    .call(coreVerbOf(getGuestAges), { departureId, travelerIds, ...(bookingId && { bookingId }) })
    .then(({ guests }) => guests.map(({ travelerId: _id, ...guest }) => guest))

const addTraveler = (caller: TestCaller, dateOfBirth?: string) =>
  caller
    .call(verbsOf(travelersVerbs)(createTraveler), { lastName: 'Okafor', ...(dateOfBirth && { dateOfBirth }) })
    .then(({ id }) => id)

const onManifest = async (caller: TestCaller, departureId: string) => {
  const { groups } = await caller.call(coreVerbOf(getManifest), { departureId })
  return groups.flatMap(({ parties }) => parties.flatMap(({ entries }) => entries.map(({ age }) => age)))
}

const child = (said: object) => ({ unitType: 'child' as const, ...said })
const zoeOf = ({ guests }: Booking): string => guests[0]?.travelerId ?? ''

test('by the date of birth a guest has an age on the day of each departure, and the kinds of seats that fit', async () => {
  const { caller, departureId, nextSummer } = await desk()
  const id = await addTraveler(caller, '2019-07-20')
  expect(await agesOf(caller, departureId, [id])).toEqual([
    { age: { from: 10, to: 10 }, fits: ['child'], unfit: ['senior'], needsChildSeat: true },
  ])
  expect(await agesOf(caller, nextSummer, [id])).toEqual([
    { age: { from: 12, to: 12 }, fits: [], unfit: ['child', 'senior'], needsChildSeat: false },
  ])
  expect(await agesOf(caller, departureId, [await addTraveler(caller)])).toEqual([])
})

test('a dispatcher learns which seats fit, and the age only while the guest is on a departure that is near', async () => {
  const { caller, departureId, clock } = await desk()
  const id = await addTraveler(caller, '2019-07-20')
  const dispatcher = await world.as('dispatcher', { orgId: caller.orgId, clock })
  const hidden = [{ age: null, fits: ['child'], unfit: ['senior'], needsChildSeat: true }]
  expect(await agesOf(dispatcher, departureId, [id])).toEqual(hidden)
  await book(caller, departureId, 2, { units: family, guests: [child({ travelerId: id })] })
  expect(await agesOf(dispatcher, departureId, [id])).toEqual(hidden)
  clock.set(new Date('2030-07-13T12:00:00Z'))
  expect(await agesOf(dispatcher, departureId, [id])).toMatchObject([{ age: { from: 10, to: 10 } }])
})

test('what was said for a trip is there again, holds for its day, and is less certain where the party moves', async () => {
  const { caller, departureId, nextSummer } = await desk()
  const booking = await book(caller, departureId, 2, {
    units: family,
    guests: [child({ lastName: 'Okafor', age: 10 })],
  })
  const ages = (on: string) => agesOf(caller, on, [zoeOf(booking)], booking.id)
  expect(await ages(departureId)).toMatchObject([{ age: { from: 10, to: 10 }, fits: ['child'] }])
  expect(await ages(nextSummer)).toEqual([
    { age: { from: 11, to: 12 }, fits: [], unfit: ['senior'], needsChildSeat: null },
  ])
  const { id, version } = booking
  const moved = await caller.call(coreVerbOf(reviseBooking), { id, version, departureId: nextSummer })
  expect(await ages(nextSummer)).toMatchObject([{ age: { from: 11, to: 12 } }])
  expect(await onManifest(caller, nextSummer)).toEqual([11])

  // said again for the new day, it is certain again; emptied, nobody knows
  const said = (v: number, age: number | null) =>
    caller.call(coreVerbOf(reviseBooking), {
      id,
      version: v,
      guests: [child({ travelerId: zoeOf(booking), age })],
    })
  const again = await said(moved.booking.version, 11)
  expect(await ages(nextSummer)).toMatchObject([{ age: { from: 11, to: 11 }, fits: ['child'] }])
  await said(again.booking.version, null)
  expect(await ages(nextSummer)).toEqual([])
  expect(await onManifest(caller, nextSummer)).toEqual([null])
})

test('what was said for a day counts before the date of birth, and on no other day', async () => {
  const { caller, departureId, nextSummer } = await desk()
  const id = await addTraveler(caller, '2019-07-20')
  const booking = await book(caller, departureId, 2, { units: family, guests: [child({ travelerId: id, age: 11 })] })
  expect(await agesOf(caller, departureId, [id], booking.id)).toMatchObject([{ age: { from: 11, to: 11 } }])
  expect(await onManifest(caller, departureId)).toEqual([11])
  expect(await agesOf(caller, nextSummer, [id])).toMatchObject([{ age: { from: 12, to: 12 } }])
  const { version } = booking
  await caller.call(coreVerbOf(reviseBooking), { id: booking.id, version, departureId: nextSummer })
  expect(await agesOf(caller, nextSummer, [id], booking.id)).toMatchObject([{ age: { from: 12, to: 12 } }])
  expect(await onManifest(caller, nextSummer)).toEqual([12])
})

test('an age that was taken away on a booking is not brought back from an earlier one', async () => {
  const { caller, departureId, nextSummer } = await desk()
  const first = await book(caller, departureId, 2, { units: family, guests: [child({ lastName: 'Okafor', age: 6 })] })
  const zoe = zoeOf(first)
  const again = await book(caller, nextSummer, 2, { units: family, guests: [child({ travelerId: zoe })] })
  const { id, version } = again
  await caller.call(coreVerbOf(reviseBooking), { id, version, guests: [child({ travelerId: zoe, age: null })] })
  expect(await agesOf(caller, nextSummer, [zoe], id)).toEqual([])
})

test('nothing is said of a departure that has started, except of who is on it; a child seat is needed below twelve', async () => {
  const { caller, departureId, clock } = await desk()
  const [on, other] = [await addTraveler(caller, '2019-07-20'), await addTraveler(caller, '2016-01-01')]
  const booking = await book(caller, departureId, 2, { units: family, guests: [child({ travelerId: on })] })
  const seats = async (bookingId?: string) =>
    (
      await caller.call(coreVerbOf(getGuestAges), {
        departureId,
        travelerIds: [on, other],
        ...(bookingId && { bookingId }),
      })
    ).guests
      .map(({ travelerId, needsChildSeat }) => [travelerId === on, needsChildSeat])
      .toSorted(([first], [second]) => Number(first) - Number(second))
  expect(await seats()).toEqual([
    [false, false],
    [true, true],
  ])
  clock.set(new Date('2030-07-14T12:00:00Z'))
  expect(await seats()).toEqual([])
  expect(await seats(booking.id)).toEqual([[true, true]])
})

test('somebody who comes again brings the age that was said last, unless another one is said or the birth date is known', async () => {
  const { caller, departureId, nextSummer } = await desk()
  const first = await book(caller, departureId, 2, { units: family, guests: [child({ lastName: 'Okafor', age: 6 })] })
  const again = await book(caller, nextSummer, 2, { units: family, guests: [child({ travelerId: zoeOf(first) })] })
  expect(await onManifest(caller, nextSummer)).toEqual([7])
  expect(await agesOf(caller, nextSummer, [zoeOf(first)], again.id)).toMatchObject([{ age: { from: 7, to: 8 } }])

  const born = await addTraveler(caller, '2024-01-01')
  const { id, version } = again
  await caller.call(coreVerbOf(nameGuests), { id, version, guests: [child({ travelerId: born })] })
  expect(await onManifest(caller, nextSummer)).toEqual([7])
  expect(await agesOf(caller, nextSummer, [born], id)).toMatchObject([{ age: { from: 7, to: 7 } }])
})

test('is asked by who sells, of guests and departures of the own organization', async () => {
  const { caller, departureId } = await desk()
  const id = await addTraveler(caller, '2019-07-20')
  const other = await desk()
  expect(await agesOf(other.caller, other.departureId, [id])).toEqual([])
  await expect(agesOf(other.caller, departureId, [id])).rejects.toMatchObject({ code: 'not-found' })
  const guide = await world.as('guide', { orgId: caller.orgId })
  await expect(agesOf(guide, departureId, [id])).rejects.toMatchObject({ code: 'permission-denied' })
})
