import { getBooking, moveBookings } from '@tour-ops/contract/bookings/bookings'
import { changeParty, getParty, totalThereMinor } from '@tour-ops/contract/bookings/party'
import { restoreRevision, reviseBooking } from '@tour-ops/contract/bookings/revise'
import type { TourUnit } from '@tour-ops/contract/units'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, addPlace, book, coreVerbOf, officeWithTour, publishedTour } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

/** Two adults on a tour for 89 each, and a departure of another one at other prices. */
async function desk(prices: Partial<TourUnit>[]) {
  const { caller, tourId } = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
  const here = await addDeparture(caller, tourId, { capacity: 8 })
  const stop = { dayIndex: 1, placeId: await addPlace(caller, 'Harbor') } as const
  const units = prices.map((price) => ({ unitType: 'adult' as const, priceMinor: 0, currency: 'EUR', ...price }))
  const stops = [
    { ...stop, order: 1, kind: 'start' as const, offsetMin: 0 },
    { ...stop, order: 2, kind: 'end' as const, offsetMin: 480 },
  ]
  const other = await publishedTour(caller, { name: 'South Coast', content: { stops, units } })
  const there = await addDeparture(caller, other.tourId, { startTimeLocal: '10:00', capacity: 8 })
  return { caller, here, there }
}
const bookingOf = (caller: TestCaller, id: string) => caller.call(coreVerbOf(getBooking), { id })
async function move(caller: TestCaller, id: string, toDepartureId: string, atPriceThere?: boolean) {
  const { version } = await bookingOf(caller, id)
  await caller.call(coreVerbOf(moveBookings), {
    parties: [{ id, version }],
    toDepartureId,
    atPriceThere,
    tellGuests: false,
  })
  return bookingOf(caller, id)
}

test('a party that moves keeps its price, or pays what its seats cost there', async () => {
  const { caller, here, there } = await desk([{ priceMinor: 12_000 }])
  const one = await book(caller, here, 2, { guests: [] })
  expect(await move(caller, one.id, there)).toMatchObject({ amountTotalMinor: 17_800 })
  const other = await book(caller, here, 2, { guests: [], amountPaidMinor: 17_800, paidBy: 'cash' })
  expect(await move(caller, other.id, there, true)).toMatchObject({
    amountTotalMinor: 24_000,
    paymentStatus: 'deposit',
  })
  // from now on its seats cost that
  const { version } = await bookingOf(caller, other.id)
  const units = [{ unitType: 'adult' as const, quantity: 3 }]
  const { booking } = await caller.call(coreVerbOf(changeParty), { id: other.id, version, units, tellGuest: false })
  expect(booking.amountTotalMinor).toBe(36_000)
})

test('a party that moves and changes its seats in one step pays alike whether it becomes larger or smaller, and nothing of it once that is undone', async () => {
  const { caller, here, there } = await desk([{ priceMinor: 12_000 }])
  const revise = async (pax: number, quantity: number, atPriceThere: boolean) => {
    const { id, version } = await book(caller, here, pax, { guests: [] })
    const units = [{ unitType: 'adult' as const, quantity }]
    const change = { id, version, departureId: there, units, atPriceThere, feeMinor: 0, feeReason: 'None' }
    return (await caller.call(coreVerbOf(reviseBooking), change)).booking
  }
  expect(await revise(2, 3, true)).toMatchObject({ pax: 3, amountTotalMinor: 36_000 })
  expect(await revise(2, 1, true)).toMatchObject({ pax: 1, amountTotalMinor: 12_000 })
  // seats that it has bought keep their price
  const larger = await revise(1, 2, false)
  expect(larger).toMatchObject({ pax: 2, amountTotalMinor: 17_800 })
  const { id, version } = larger
  const back = await caller.call(coreVerbOf(restoreRevision), { id, version })
  expect(back).toMatchObject({ departureId: here, pax: 1, amountTotalMinor: 8900 })
})

test('what was agreed on beyond the price list is kept beyond that of the other tour', async () => {
  const { caller, here, there } = await desk([{ priceMinor: 12_000 }])
  const { id } = await book(caller, here, 2, { guests: [], amountTotalMinor: 16_000, priceReason: 'Regulars' })
  expect(await move(caller, id, there, true)).toMatchObject({ amountTotalMinor: 22_200, priceReason: 'Regulars' })
})

test('moving back gives back the price', async () => {
  const { caller, here, there } = await desk([{ priceMinor: 12_000 }])
  const before = await book(caller, here, 2, { guests: [] })
  await move(caller, before.id, there, true)
  const { amountTotalMinor } = await move(caller, before.id, here)
  expect(amountTotalMinor).toBe(17_800)
  const { version } = await bookingOf(caller, before.id)
  const units = [{ unitType: 'adult' as const, quantity: 1 }]
  const { booking } = await caller.call(coreVerbOf(changeParty), { id: before.id, version, units, tellGuest: false })
  expect(booking.amountTotalMinor).toBe(8_900)
})

test.each([
  ['a kind that is not sold there', [{ unitType: 'senior' as const, priceMinor: 5_000 }]],
  ['another currency', [{ priceMinor: 12_000, currency: 'USD' }]],
  ['a kind that is for more people there', [{ priceMinor: 12_000, paxCount: 2 }]],
])('%s is refused, and nothing is moved', async (_what, prices) => {
  const { caller, here, there } = await desk(prices)
  const { id } = await book(caller, here, 2, { guests: [] })
  await expect(move(caller, id, there, true)).rejects.toMatchObject({
    details: { fieldIssues: { atPriceThere: expect.anything() } },
  })
  expect(await bookingOf(caller, id)).toMatchObject({ departureId: here, amountTotalMinor: 17_800 })
})

test('before a party moves it reads what kinds cost there that it has not bought; what it has bought costs what it cost', async () => {
  const { caller, here, there } = await desk([{ priceMinor: 12_000 }, { unitType: 'child', priceMinor: 3_000 }])
  const { id } = await book(caller, here, 2, { guests: [] })
  const pricesAt = async (departureId?: string) => {
    const { prices } = await caller.call(coreVerbOf(getParty), { id, ...(departureId && { departureId }) })
    return Object.fromEntries(prices.map(({ unitType, priceMinor }) => [unitType, priceMinor]))
  }
  expect(await pricesAt()).toEqual({ adult: 8_900, child: 4_500 })
  expect(await pricesAt(there)).toEqual({ adult: 8_900, child: 3_000 })
  const foreign = await desk([{ priceMinor: 12_000 }])
  await expect(pricesAt(foreign.there)).rejects.toMatchObject({ code: 'not-found' })
})

test('no party pays less than nothing', () => {
  const adult = {
    unitType: 'adult' as const,
    currency: 'EUR',
    paxCount: 1,
    minAge: null,
    maxAge: null,
    requiresAdult: false,
  }
  const party = { units: [{ unitType: 'adult' as const, quantity: 2 }], amountTotalMinor: 1_000, currency: 'EUR' }
  expect(totalThereMinor(party, [{ ...adult, priceMinor: 8_900 }], [{ ...adult, priceMinor: 500 }])).toBe(0)
})
