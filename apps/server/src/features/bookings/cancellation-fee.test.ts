import { cancelBooking, getBooking, updateBooking } from '@tour-ops/contract/bookings/bookings'
import { changeParty, getParty } from '@tour-ops/contract/bookings/party'
import { recordPayment } from '@tour-ops/contract/bookings/payments'
import type { In } from '@tour-ops/contract/callable'
import { getTour, updateTour } from '@tour-ops/contract/tours/tours'
import { sql } from 'kysely'
import { movableClock } from '../../platform/clock.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sentMails } from '../../../testing/guest-mail.ts'
import { addDeparture, book, coreVerbOf, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-01T12:00:00Z')
const total = 17_800
const steps = [
  { daysBefore: 14, refundPercent: 100 },
  { daysBefore: 7, refundPercent: 50 },
]

/** A departure so many days ahead of a tour that keeps half within two weeks and everything within one. */
async function desk(daysAhead: number) {
  const office = await officeWithTour(world, start)
  const { caller, tourId } = office
  await caller.transaction((tx) =>
    sql`update tours set cancellation_steps = ${JSON.stringify(steps)}::jsonb where id = ${tourId}`.execute(tx),
  )
  const localDate = new Date(start.getTime() + daysAhead * 86_400_000).toISOString().slice(0, 10)
  const departureId = await addDeparture(caller, tourId, { localDate, capacity: 8 })
  const sell = (more: Parameters<typeof book>[3] = {}) =>
    book(caller, departureId, 2, { guests: [], tellGuest: false, ...more })
  return { ...office, departureId, sell }
}

const cancel = async (caller: TestCaller, id: string, more: Partial<In<typeof cancelBooking>> = {}) => {
  const { version } = await caller.call(coreVerbOf(getBooking), { id })
  const given = { id, version, reason: 'guest_request' as const, note: null, tellGuest: false, ...more }
  return (await caller.call(coreVerbOf(cancelBooking), given)).booking
}
const change = async (caller: TestCaller, id: string, quantity: number, more: Partial<In<typeof changeParty>> = {}) => {
  const { version } = await caller.call(coreVerbOf(getBooking), { id })
  const units = [{ unitType: 'adult' as const, quantity }]
  return (await caller.call(coreVerbOf(changeParty), { id, version, units, tellGuest: false, ...more })).booking
}

describe('a guest who cancels', () => {
  test.each([
    [14, 0],
    [13, total / 2],
    [7, total / 2],
    [6, total],
  ])('%i days before the start owes what the tour says', async (days, fee) => {
    const { caller, sell } = await desk(days)
    const { id } = await sell({ amountPaidMinor: total, paidBy: 'cash' })
    expect(await cancel(caller, id)).toMatchObject({ cancellationFeeMinor: fee, cancellationFeeReason: null })
  })

  test('counts the days in the time zone of the tour', async () => {
    const { caller, sell, departureId } = await desk(14)
    const { id } = await sell()
    await caller.transaction((tx) =>
      // it is the next day there already
      sql`update departures set time_zone = 'Pacific/Kiritimati' where id = ${departureId}`.execute(tx),
    )
    expect((await caller.call(coreVerbOf(getParty), { id })).cancellation).toEqual({
      daysBefore: 13,
      refundPercent: 50,
    })
  })

  test('has paid when the fee is paid, and the rest can go back but no more', async () => {
    const { caller, sell } = await desk(8)
    const { id } = await sell({ amountPaidMinor: total, paidBy: 'cash' })
    await cancel(caller, id)
    const pay = (kind: 'payment' | 'refund', amountMinor: number) =>
      caller.call(coreVerbOf(recordPayment), { bookingId: id, kind, amountMinor, method: 'cash' })
    await pay('refund', total / 2)
    expect(await caller.call(coreVerbOf(getBooking), { id })).toMatchObject({
      amountPaidMinor: 8_900,
      paymentStatus: 'paid',
    })
    await pay('refund', 900)
    expect(await caller.call(coreVerbOf(getBooking), { id })).toMatchObject({ paymentStatus: 'deposit' })
  })

  test('of a hold, a duplicate or a departure that does not run owes nothing', async () => {
    const { caller, sell, departureId } = await desk(3)
    const hold = await sell({ mode: 'hold' })
    const twice = await sell()
    const { id } = await sell()
    expect((await cancel(caller, hold.id)).cancellationFeeMinor).toBe(0)
    expect((await cancel(caller, twice.id, { reason: 'duplicate' })).cancellationFeeMinor).toBe(0)
    await setStatus(caller, departureId, { to: 'cancelled', cancelReason: 'weather' })
    expect((await cancel(caller, id)).cancellationFeeMinor).toBe(0)
  })

  test('owes something else only for a reason, and never more than the price', async () => {
    const { caller, sell } = await desk(8)
    const { id } = await sell()
    const refusal = (more: Partial<In<typeof cancelBooking>>) =>
      cancel(caller, id, more).then(
        () => null,
        (error: { details: { fieldIssues?: object } }) => error.details.fieldIssues,
      )
    expect(await refusal({ feeMinor: 100 })).toHaveProperty('feeReason')
    expect(await refusal({ feeMinor: total + 1, feeReason: 'Angry' })).toHaveProperty('feeMinor')
    expect(await cancel(caller, id, { feeMinor: 100, feeReason: 'Ill, with a note of the doctor' })).toMatchObject({
      status: 'cancelled',
      cancellationFeeMinor: 100,
      cancellationFeeReason: 'Ill, with a note of the doctor',
    })
  })

  test('reads in the e-mail what comes back', async () => {
    const { caller, sell } = await desk(8)
    const contact = { name: 'Ana', email: 'ana@example.com', locale: 'de' }
    const { id } = await sell({ contact, amountPaidMinor: total, paidBy: 'cash' })
    await cancel(caller, id, { tellGuest: true })
    const [mail] = await sentMails(world, movableClock(new Date(start.getTime() + 5 * 60_000)))
    expect(mail?.body).toMatch(/Sie bekommen zurück: 89,00\sEUR/)
  })
})

describe('guests of a party who cancel', () => {
  test('leave their part of the fee in its price; the rest is reckoned without it when all cancel', async () => {
    const { caller, sell } = await desk(8)
    const { id } = await sell()
    expect(await change(caller, id, 1)).toMatchObject({ amountTotalMinor: 8_900 + 4_450, cancellationFeeMinor: 4_450 })
    expect(await change(caller, id, 2)).toMatchObject({ amountTotalMinor: total + 4_450, cancellationFeeMinor: 4_450 })
    expect(await cancel(caller, id)).toMatchObject({ cancellationFeeMinor: 4_450 + total / 2 })
  })

  test('pay something else for a reason, at most what their seats cost', async () => {
    const { caller, sell } = await desk(8)
    const { id } = await sell()
    await expect(change(caller, id, 1, { feeMinor: 8_901, feeReason: 'Late' })).rejects.toMatchObject({
      details: { fieldIssues: { feeMinor: expect.anything() } },
    })
    expect(await change(caller, id, 1, { feeMinor: 0, feeReason: 'Regulars' })).toMatchObject({
      amountTotalMinor: 8_900,
      cancellationFeeMinor: 0,
    })
  })

  test('a price that is made smaller than the fee is all that is kept', async () => {
    const { caller, sell } = await desk(8)
    const { id, contact } = await sell()
    const { version } = await change(caller, id, 1)
    const fields = { sellerName: null, externalRef: null, pickupStopId: null, notes: null, priceReason: 'Agreed' }
    const smaller = { id, version, contact, ...fields, amountTotalMinor: 1_000 }
    expect(await caller.call(coreVerbOf(updateBooking), smaller)).toMatchObject({ cancellationFeeMinor: 1_000 })
  })
})

test('steps of a tour are kept with it, and the schema refuses what no form lets through', async () => {
  const { caller, tourId } = await officeWithTour(world, start)
  const tour = await caller.call(coreVerbOf(getTour), { id: tourId })
  const { id, version, requirements, ...rest } = tour
  const fields = Object.fromEntries(Object.entries(rest).filter(([key]) => key in updateTour.input.shape))
  await caller.call(coreVerbOf(updateTour), { ...fields, id, version, requirements, cancellationSteps: steps } as In<
    typeof updateTour
  >)
  expect((await caller.call(coreVerbOf(getTour), { id: tourId })).cancellationSteps).toEqual(steps)
  for (const wrong of [
    '{}',
    '[1]',
    '[{"daysBefore": 3}]',
    '[{"daysBefore": 3, "refundPercent": 10}, {"daysBefore": 5, "refundPercent": 0}]',
  ]) {
    await expect(
      caller.transaction((tx) =>
        sql`update tours set cancellation_steps = ${wrong}::jsonb where id = ${tourId}`.execute(tx),
      ),
    ).rejects.toThrow()
  }
})
