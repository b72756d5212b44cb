import { updateDeparture } from '@tour-ops/contract/departures/departure-edit'
import { getAvailability } from '@tour-ops/contract/bookings/availability'
import { cancelBooking, getBooking } from '@tour-ops/contract/bookings/bookings'
import { holdSeats } from '@tour-ops/contract/bookings/form-holds'
import { changeParty } from '@tour-ops/contract/bookings/party'
import { splitParty } from '@tour-ops/contract/bookings/split'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { getTour, saveTourOptions } from '@tour-ops/contract/tours/tours'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { move, seats } from '../../../testing/bookings.ts'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const onePartyOnly = { code: 'aborted', details: { reason: 'departure_private' } }
const nothingLeft = { code: 'aborted', details: { reason: 'seats_exhausted', seatsLeft: 0 } }
const localDate = '2030-07-14'

/** A departure of a private option for eight, and one of the same tour that anybody can join. */
async function privateTour() {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-10T12:00:00Z'))
  const tour = await caller.call(coreVerbOf(getTour), { id: tourId })
  await caller.call(coreVerbOf(saveTourOptions), {
    id: tourId,
    version: tour.version,
    options: [
      { name: 'Small group', startTimesLocal: ['09:00'] },
      { name: 'Private', startTimesLocal: ['11:00'], isPrivate: true },
    ],
  })
  const { options } = await caller.call(coreVerbOf(getTour), { id: tourId })
  const optionId = (name: string) => options.find((option) => option.name === name)?.id
  const shared = await addDeparture(caller, tourId, { optionId: optionId('Small group'), capacity: 8 })
  const own = await addDeparture(caller, tourId, {
    optionId: optionId('Private'),
    startTimeLocal: '11:00',
    capacity: 8,
  })
  const offered = async (formId?: string) => {
    const { days } = await caller.call(coreVerbOf(getAvailability), {
      tourId,
      from: localDate,
      days: 1,
      ...(formId !== undefined && { formId }),
    })
    return days[0]?.departures.find(({ id }) => id === own)
  }
  const hold = (formId: string, departureId = own, wanted = 2) =>
    caller.call(coreVerbOf(holdSeats), { formId, departureId, seats: wanted })
  return { caller, clock, shared, own, offered, hold }
}

const isPrivate = async (caller: TestCaller, id: string, wanted: boolean) => {
  const { version, capacity, minPax, overbookLimit, ...rest } = await caller.call(coreVerbOf(getDeparture), { id })
  const { decideBy, language, weatherNote, internalNote } = rest
  const kept = { capacity, minPax, overbookLimit, decideBy, language, weatherNote, internalNote }
  return caller.call(coreVerbOf(updateDeparture), { id, version, ...kept, isPrivate: wanted })
}

describe('a private departure', () => {
  test('is one of a private option, and says so where it is offered', async () => {
    const { caller, shared, own, offered } = await privateTour()
    expect(await caller.call(coreVerbOf(getDeparture), { id: own })).toMatchObject({ isPrivate: true, seatsLeft: 8 })
    expect(await caller.call(coreVerbOf(getDeparture), { id: shared })).toMatchObject({ isPrivate: false })
    expect(await offered()).toMatchObject({ optionName: 'Private', isPrivate: true, seatsLeft: 8, state: 'available' })
  })

  test('is one of a tour of the kind "private", whatever its option', async () => {
    const { caller, tourId } = await officeWithTour(world, new Date('2030-07-10T12:00:00Z'), { kind: 'private' })
    const id = await addDeparture(caller, tourId)
    expect(await caller.call(coreVerbOf(getDeparture), { id })).toMatchObject({ isPrivate: true })
  })

  test('takes one party: another one is told that nothing is left, and may wait', async () => {
    const { caller, own, offered } = await privateTour()
    await book(caller, own, 2)
    expect(await seats(caller, own)).toMatchObject({ seatsConfirmed: 2, seatsLeft: 0 })
    expect(await offered()).toMatchObject({ seatsTaken: 2, seatsLeft: 0, state: 'sold_out' })
    await expect(book(caller, own, 1, { guests: [] })).rejects.toMatchObject(nothingLeft)
    expect(await book(caller, own, 1, { mode: 'waitlist', guests: [] })).toMatchObject({ status: 'waitlisted' })
  })

  test('lets its party grow up to the capacity, and no further', async () => {
    const { caller, own } = await privateTour()
    const { id, version } = await book(caller, own, 2)
    const grow = (to: number, at: number) =>
      caller.call(coreVerbOf(changeParty), {
        id,
        version: at,
        units: [{ unitType: 'adult', quantity: to }],
        leaving: [],
      })
    const { booking } = await grow(8, version)
    expect(booking.pax).toBe(8)
    await expect(grow(9, booking.version)).rejects.toMatchObject(nothingLeft)
  })

  test('is held by one form, which may hold more and sells what it holds', async () => {
    const { caller, own, offered, hold } = await privateTour()
    const formId = newId()
    await hold(formId)
    await expect(hold(newId())).rejects.toMatchObject(nothingLeft)
    expect(await offered()).toMatchObject({ seatsLeft: 0 })
    expect(await offered(formId)).toMatchObject({ seatsLeft: 8 })
    await hold(formId, own, 5)
    expect(await book(caller, own, 6, { formId, guests: [] })).toMatchObject({ status: 'confirmed', pax: 6 })
  })

  test('goes to the first of those who wait, once its party has left', async () => {
    const { caller, own } = await privateTour()
    const party = await book(caller, own, 2)
    const first = await book(caller, own, 3, { mode: 'waitlist', guests: [] })
    const second = await book(caller, own, 2, { mode: 'waitlist', guests: [] })
    await caller.call(coreVerbOf(cancelBooking), { id: party.id, version: party.version, reason: 'guest_request' })
    expect(await caller.call(coreVerbOf(getBooking), { id: first.id })).toMatchObject({ status: 'on_hold' })
    expect(await caller.call(coreVerbOf(getBooking), { id: second.id })).toMatchObject({ status: 'waitlisted' })
  })

  test('is given to one party that comes from elsewhere, and not to two', async () => {
    const { caller, shared, own } = await privateTour()
    const [one, two] = [await book(caller, shared, 2, { guests: [] }), await book(caller, shared, 3, { guests: [] })]
    await expect(move(caller, [one, two], own)).rejects.toMatchObject(onePartyOnly)
    expect(await seats(caller, shared)).toMatchObject({ seatsConfirmed: 5 })
    await move(caller, [one], own)
    await expect(move(caller, [two], own)).rejects.toMatchObject(nothingLeft)
    expect(await seats(caller, own)).toMatchObject({ seatsConfirmed: 2, seatsLeft: 0 })
  })

  test('keeps its party in one booking', async () => {
    const { caller, own } = await privateTour()
    const { id, version } = await book(caller, own, 4, { guests: [] })
    const split = caller.call(coreVerbOf(splitParty), {
      id,
      version,
      units: [{ unitType: 'adult', quantity: 2 }],
      guests: [],
      contact: { name: 'Rosa Blanco' },
      tellGuest: false,
    })
    await expect(split).rejects.toMatchObject(onePartyOnly)
  })

  test('is sold to one of many who want it at the same moment', async () => {
    const { caller, own } = await privateTour()
    const wanted = await Promise.allSettled(Array.from({ length: 30 }, () => book(caller, own, 1, { guests: [] })))
    expect(wanted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await seats(caller, own)).toMatchObject({ seatsConfirmed: 1, seatsLeft: 0 })
  })
})

describe('a departure that anybody can join', () => {
  test('becomes private while at most one party is on it, and open again at any time', async () => {
    const { caller, shared } = await privateTour()
    await book(caller, shared, 2, { guests: [] })
    await isPrivate(caller, shared, true)
    await expect(book(caller, shared, 1, { guests: [] })).rejects.toMatchObject(nothingLeft)
    await isPrivate(caller, shared, false)
    await book(caller, shared, 1, { guests: [] })
    await expect(isPrivate(caller, shared, true)).rejects.toMatchObject(onePartyOnly)
    expect(await seats(caller, shared)).toMatchObject({ seatsConfirmed: 3, seatsLeft: 5 })
  })

  test('is sold to two, or becomes private, where both are wanted at the same moment', async () => {
    const { caller, shared } = await privateTour()
    await book(caller, shared, 2, { guests: [] })
    const [made] = await Promise.allSettled([
      isPrivate(caller, shared, true),
      ...Array.from({ length: 4 }, () => book(caller, shared, 1, { guests: [] })),
    ])
    const sold = (await seats(caller, shared)).seatsConfirmed
    expect(made.status === 'fulfilled').toBe(sold === 2)
  })
})
