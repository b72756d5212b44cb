import { type Booking, createBooking } from '@tour-ops/contract/bookings/bookings'
import { discountRecord } from '@tour-ops/contract/bookings/discount-codes'
import { holdSeats } from '@tour-ops/contract/bookings/form-holds'
import { restoreRevision, reviseBooking } from '@tour-ops/contract/bookings/revise'
import type { In } from '@tour-ops/contract/callable'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seats } from '../../../testing/bookings.ts'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'

const verbOf = verbsOf(allVerbs)
let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const adults = (quantity: number) => ({ unitType: 'adult' as const, quantity })

/** Two departures whose adults pay 89 EUR. */
async function desk(capacity = 4) {
  const { caller, tourId } = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
  const here = await addDeparture(caller, tourId, { capacity })
  const there = await addDeparture(caller, tourId, { capacity, startTimeLocal: '14:00' })
  const addCode = (fields: Partial<In<typeof discountRecord.create>>) =>
    caller.call(verbOf(discountRecord.create), { code: 'SUMMER', kind: 'percent', value: 10, ...fields })
  const usesOf = async () =>
    Object.fromEntries(
      (await caller.call(verbOf(discountRecord.list), {})).rows.map(({ code, uses }) => [code, uses] as const),
    )
  const revise = async (
    { id, version }: Pick<Booking, 'id' | 'version'>,
    to: Omit<In<typeof reviseBooking>, 'id' | 'version'>,
  ) => (await caller.call(coreVerbOf(reviseBooking), { id, version, ...to })).booking
  const undo = ({ id, version }: Booking) => caller.call(coreVerbOf(restoreRevision), { id, version })
  return { caller, here, there, addCode, usesOf, revise, undo }
}

const same = ({ version: _version, ...booking }: Booking) => booking

describe('the discount of a booking that is revised', () => {
  test('is what the code takes off its seats as they are then, and what was agreed on follows it', async () => {
    const { caller, here, addCode, usesOf, revise } = await desk()
    await addCode({})
    await addCode({ code: 'MINUS-20', kind: 'amount', value: 20, currency: 'EUR' })
    const sold = await book(caller, here, 2, { amountTotalMinor: 15_000, priceReason: 'Loyal' })
    const summer = await revise(sold, { discountCode: 'summer', units: [adults(3)] })
    expect(summer).toMatchObject({
      discount: { code: 'SUMMER', amountMinor: 2670 },
      amountTotalMinor: 15_000 + 8900 - 2670,
    })
    // the same code again is no other one, whatever it would take off now
    const smaller = await revise(summer, { discountCode: 'SUMMER', notes: 'Called' })
    expect(smaller.discount).toEqual(summer.discount)
    const other = await revise(smaller, { discountCode: 'MINUS-20' })
    expect(other).toMatchObject({
      discount: { code: 'MINUS-20', amountMinor: 2000 },
      amountTotalMinor: 15_000 + 8900 - 2000,
    })
    expect(await usesOf()).toEqual({ SUMMER: 0, 'MINUS-20': 1 })
    const none = await revise(other, { discountCode: null })
    expect(none).toMatchObject({ discount: null, amountTotalMinor: 15_000 + 8900 })
    expect(await usesOf()).toEqual({ SUMMER: 0, 'MINUS-20': 0 })
  })

  test('comes back with Undo, with its use; left out it stays', async () => {
    const { caller, here, addCode, usesOf, revise, undo } = await desk()
    await addCode({})
    const sold = await book(caller, here, 2, { discountCode: 'SUMMER' })
    expect(await revise(sold, { notes: 'Left alone' })).toMatchObject({
      discount: { amountMinor: 1780 },
      amountTotalMinor: 16_020,
    })
    const second = await book(caller, here, 1, { discountCode: 'SUMMER' })
    const without = await revise(second, { discountCode: null })
    expect(without).toMatchObject({ discount: null, amountTotalMinor: 8900, priceReason: null })
    expect(same(await undo(without))).toEqual(same(second))
    expect(await usesOf()).toEqual({ SUMMER: 2 })
  })

  test('is refused as at a sale, and nothing else is written: a code that is unknown, of another currency, or used up', async () => {
    const { caller, here, addCode, revise } = await desk()
    await addCode({ code: 'ONCE', maxUses: 1 })
    await addCode({ code: 'DOLLARS', kind: 'amount', value: 5, currency: 'USD' })
    await book(caller, here, 1, { discountCode: 'ONCE' })
    const sold = await book(caller, here, 1)
    const issue = (code: string) => ({ details: { fieldIssues: { discountCode: [{ code }] } } })
    await expect(revise(sold, { discountCode: 'WINTER', notes: 'No' })).rejects.toMatchObject(issue('discount_unknown'))
    await expect(revise(sold, { discountCode: 'DOLLARS' })).rejects.toMatchObject(issue('discount_other_currency'))
    await expect(revise(sold, { discountCode: 'ONCE' })).rejects.toMatchObject({
      details: { reason: 'discount_used_up' },
    })
    expect(await revise(sold, {})).toEqual(sold)
  })
})

describe('the channel of a booking that is revised', () => {
  test('is another one, and comes back with Undo', async () => {
    const { caller, here, revise, undo } = await desk()
    const sold = await book(caller, here, 1, { channel: 'phone', externalRef: 'A-1' })
    const revised = await revise(sold, { channel: 'partner', sellerName: 'North Travel' })
    expect(revised).toMatchObject({ channel: 'partner', sellerName: 'North Travel', externalRef: 'A-1' })
    expect(same(await undo(revised))).toEqual(same(sold))
  })

  test('has no reference twice', async () => {
    const { caller, here, revise } = await desk()
    await book(caller, here, 1, { channel: 'partner', externalRef: 'A-1' })
    const sold = await book(caller, here, 1, { channel: 'phone', externalRef: 'A-1' })
    await expect(revise(sold, { channel: 'partner' })).rejects.toMatchObject({
      details: { fieldErrors: { externalRef: [expect.anything()] } },
    })
  })
})

describe('seats that the form of a revision holds', () => {
  test('are taken by it where nobody else finds one, for a further guest and for a party that moves', async () => {
    const { caller, here, there, revise } = await desk()
    const sold = await book(caller, here, 2)
    const formId = newId()
    const hold = (departureId: string, wanted: number) =>
      caller.call(coreVerbOf(holdSeats), { formId, departureId, seats: wanted, channel: 'walk_in' })
    const sell = (departureId: string) =>
      caller.call(coreVerbOf(createBooking), {
        departureId,
        mode: 'confirm',
        contact: { name: 'Another' },
        units: [adults(1)],
      })
    const full = { details: { reason: 'seats_exhausted', seatsLeft: 0 } }
    await hold(here, 2)
    await expect(sell(here)).rejects.toMatchObject(full)
    // without the form they are somebody else's
    await expect(revise(sold, { units: [adults(3)] })).rejects.toMatchObject(full)
    const larger = await revise(sold, { units: [adults(4)], formId })
    expect(await seats(caller, here)).toMatchObject({ seatsConfirmed: 4, seatsHeld: 0, seatsLeft: 0 })

    await hold(there, 4)
    await expect(sell(there)).rejects.toMatchObject(full)
    await revise(larger, { departureId: there, formId })
    expect(await seats(caller, there)).toMatchObject({ seatsConfirmed: 4, seatsHeld: 0, seatsLeft: 0 })
    expect(await seats(caller, here)).toMatchObject({ seatsConfirmed: 0, seatsLeft: 4 })
  })

  test('stay held where the revision is refused', async () => {
    const { caller, here, revise } = await desk()
    const sold = await book(caller, here, 2)
    const formId = newId()
    await caller.call(coreVerbOf(holdSeats), { formId, departureId: here, seats: 1, channel: 'walk_in' })
    await expect(revise(sold, { units: [adults(3)], amountTotalMinor: 1, formId })).rejects.toMatchObject({
      details: { fieldIssues: { priceReason: [expect.anything()] } },
    })
    expect(await seats(caller, here)).toMatchObject({ seatsHeld: 1, seatsLeft: 1 })
  })
})
