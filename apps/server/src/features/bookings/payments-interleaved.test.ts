import { cancelBooking, getBooking, listBookings } from '@tour-ops/contract/bookings/bookings'
import { changeParty } from '@tour-ops/contract/bookings/party'
import { listPayments, recordPayment, voidPayment } from '@tour-ops/contract/bookings/payments'
import { AppError } from '@tour-ops/contract/errors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seats } from '../../../testing/bookings.ts'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

/** The same numbers each time for a seed (Park and Miller). */
function numbersOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** What the office does to its bookings, each time something else. A refusal is an answer; everything else is a failure. */
async function act(caller: TestCaller, departureId: string, ids: string[], number: (below: number) => number) {
  const kind = number(7)
  const id = ids[number(Math.max(1, ids.length))]
  if (kind === 0 || id === undefined) {
    const pax = 1 + number(3)
    const paid = number(2) === 0 ? 0 : 1 + number(20_000)
    const booking = await book(caller, departureId, pax, { guests: [], amountPaidMinor: paid, paidBy: 'cash' })
    ids.push(booking.id)
    return
  }
  const amountMinor = 1 + number(12_000)
  const pay = (sort: 'payment' | 'refund') =>
    caller.call(coreVerbOf(recordPayment), { bookingId: id, kind: sort, method: 'transfer', amountMinor })
  if (kind <= 2) await pay('payment')
  else if (kind <= 4) await pay('refund')
  else if (kind === 5) {
    const { payments } = await caller.call(coreVerbOf(listPayments), { bookingId: id })
    const one = payments[number(Math.max(1, payments.length))]
    if (one) await caller.call(coreVerbOf(voidPayment), { id: one.id, reason: 'Typed wrongly' })
  } else {
    const { version } = await caller.call(coreVerbOf(getBooking), { id })
    if (number(4) === 0) {
      await caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request', note: null })
    } else {
      const units = [{ unitType: 'adult' as const, quantity: 1 + number(4) }]
      await caller.call(coreVerbOf(changeParty), { id, version, units })
    }
  }
}

async function expectConsistent(caller: TestCaller, departureId: string): Promise<void> {
  const { rows } = await caller.call(coreVerbOf(listBookings), { filters: { departureId: [departureId] }, size: 100 })
  let taken = 0
  for (const booking of rows) {
    const { payments } = await caller.call(coreVerbOf(listPayments), { bookingId: booking.id })
    const counted = payments.filter(({ voidedAt }) => voidedAt === null)
    const sum = counted.reduce((so, { kind, amountMinor }) => so + (kind === 'payment' ? amountMinor : -amountMinor), 0)
    expect(booking.amountPaidMinor).toBe(sum)
    expect(sum).toBeGreaterThanOrEqual(0)
    if (sum > 0) expect(booking.paymentStatus).toBe(sum >= booking.amountTotalMinor ? 'paid' : 'deposit')
    else expect(['unpaid', 'refunded']).toContain(booking.paymentStatus)
    if (booking.status === 'confirmed') taken += booking.pax
  }
  expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: taken })
}

test.each([11, 4_711, 90_210])(
  'whatever is sold, changed, paid, refunded, voided and cancelled in between, money and seats agree (%i)',
  async (seed) => {
    const number = numbersOf(seed)
    const { caller, tourId } = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
    const departureId = await addDeparture(caller, tourId, { capacity: 30 })
    const ids: string[] = []
    for (let round = 0; round < 14; round += 1) {
      const results = await Promise.allSettled(Array.from({ length: 4 }, () => act(caller, departureId, ids, number)))
      const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
      for (const error of failed) {
        expect(error).toBeInstanceOf(AppError)
        expect(['aborted', 'invalid-argument']).toContain((error as AppError).code)
      }
    }
    await expectConsistent(caller, departureId)
  },
  60_000,
)
