import {
  cancelInvoice,
  getBillingDocument,
  issueInvoice,
  issueReceipt,
  listBillingDocuments,
} from '@tour-ops/contract/bookings/billing'
import {
  type BookingRow,
  cancelBooking,
  getBooking,
  listBookings,
  moveBookings,
  restoreBooking,
} from '@tour-ops/contract/bookings/bookings'
import { bringSomeBack, moveSomeGuests } from '@tour-ops/contract/bookings/move-some'
import { changeParty } from '@tour-ops/contract/bookings/party'
import { listPayments, recordPayment, voidPayment } from '@tour-ops/contract/bookings/payments'
import { joinParties, splitParty } from '@tour-ops/contract/bookings/split'
import { AppError } from '@tour-ops/contract/errors'
import { getTour, saveTourOptions } from '@tour-ops/contract/tours/tours'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seats } from '../../../testing/bookings.ts'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { sweepExpiredHolds } from './sweep-holds.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

type Chance = (below: number) => number

const oneOf = <T>(list: readonly T[], number: Chance): T => {
  const one = list[number(list.length)]
  if (one === undefined) throw new Error('There is nothing to choose from')
  return one
}

/** The same numbers each time for a seed (Park and Miller). */
function numbersOf(seed: number): Chance {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** What the office does to its bookings, each time something else. A refusal is an answer; everything else is a failure. */
async function act(caller: TestCaller, departures: readonly string[], ids: string[], number: Chance) {
  const kind = number(14)
  const id = ids[number(Math.max(1, ids.length))]
  if (kind === 0 || id === undefined) {
    const pax = 1 + number(3)
    const paid = number(2) === 0 ? 0 : 1 + number(20_000)
    const mode = number(4) === 0 ? ('hold' as const) : ('confirm' as const)
    const sale = { guests: [], amountPaidMinor: paid, paidBy: 'cash' as const, mode, holdMinutes: 5 }
    ids.push((await book(caller, oneOf(departures, number), pax, sale)).id)
    return
  }
  const amountMinor = 1 + number(12_000)
  const pay = (sort: 'payment' | 'refund') =>
    caller.call(coreVerbOf(recordPayment), { bookingId: id, kind: sort, method: 'transfer', amountMinor })
  if (kind <= 2) await pay('payment')
  else if (kind <= 4) await pay('refund')
  else if (kind >= 10) await regroup(caller, departures, ids, number)
  else if (kind >= 7) await bill(caller, id, number)
  else if (kind === 5) {
    const { payments } = await caller.call(coreVerbOf(listPayments), { bookingId: id })
    const one = payments[number(Math.max(1, payments.length))]
    if (one) await caller.call(coreVerbOf(voidPayment), { id: one.id, reason: 'Typed wrongly' })
  } else {
    const { version } = await caller.call(coreVerbOf(getBooking), { id })
    if (number(4) === 0) {
      const fee = number(3) === 0 ? { feeMinor: number(9000), feeReason: 'Came late' } : {}
      await caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request', note: null, ...fee })
    } else if (number(3) === 0) {
      await caller.call(coreVerbOf(restoreBooking), { id, version })
    } else {
      const units = [{ unitType: 'adult' as const, quantity: 1 + number(4) }]
      await caller.call(coreVerbOf(changeParty), { id, version, units })
    }
  }
}

/** Moves a party or some of it, at either price, splits it, makes one of two, or undoes that some were moved. */
async function regroup(caller: TestCaller, departures: readonly string[], ids: string[], number: Chance) {
  const get = (id: string) => caller.call(coreVerbOf(getBooking), { id })
  const kind = number(5)
  const { id, version, contact, pax } = await get(oneOf(ids, number))
  const toDepartureId = oneOf(departures, number)
  const goers = { units: [{ unitType: 'adult' as const, quantity: 1 + number(pax) }], guests: [], contact }
  const atPriceThere = number(2) === 0
  if (kind === 0) {
    await caller.call(coreVerbOf(moveBookings), { parties: [{ id, version }], toDepartureId, atPriceThere })
  } else if (kind === 1) {
    ids.push((await caller.call(coreVerbOf(splitParty), { id, version, ...goers })).other.id)
  } else if (kind <= 3) {
    const wish = { id, version, toDepartureId, ...goers, atPriceThere }
    const { booking, other } = await caller.call(coreVerbOf(moveSomeGuests), wish)
    ids.push(other.id)
    if (number(3) > 0) return
    const both = { id, version: booking.version, other: { id: other.id, version: other.version } }
    await caller.call(coreVerbOf(bringSomeBack), both)
  } else {
    const other = await get(oneOf(ids, number))
    await caller.call(coreVerbOf(joinParties), { id, version, other: { id: other.id, version: other.version } })
  }
}

/** Issues an invoice, whether or not one is in force, replaces or cancels one, or issues a receipt. */
async function bill(caller: TestCaller, bookingId: string, number: Chance): Promise<void> {
  const { documents } = await caller.call(coreVerbOf(listBillingDocuments), { bookingId })
  const invoice = documents.find((one) => one.kind === 'invoice' && one.cancelledByNumber === null)
  const kind = number(4)
  const buyer = { name: 'Amara Okafor' }
  const reason = 'The price changed'
  if (kind === 0 || (kind < 3 && !invoice)) await caller.call(coreVerbOf(issueInvoice), { bookingId, buyer })
  else if (kind === 1 && invoice) {
    await caller.call(coreVerbOf(issueInvoice), { bookingId, buyer, replaces: { id: invoice.id, reason } })
  } else if (kind === 2 && invoice) await caller.call(coreVerbOf(cancelInvoice), { id: invoice.id, reason })
  else {
    const { payments } = await caller.call(coreVerbOf(listPayments), { bookingId })
    const one = payments[number(Math.max(1, payments.length))]
    if (one) await caller.call(coreVerbOf(issueReceipt), { paymentId: one.id })
  }
}

/** What a booking costs by now. */
const owedOf = ({ status, amountTotalMinor, cancellationFeeMinor }: BookingRow): number =>
  status === 'confirmed' || status === 'on_hold' ? amountTotalMinor : cancellationFeeMinor

/** Documents agree with their booking, and all numbers of a kind are there, each once. */
async function expectBilled(caller: TestCaller, ids: readonly string[]): Promise<void> {
  const numbers = new Map<string, string[]>()
  for (const bookingId of ids) {
    const { documents, isOutdated } = await caller.call(coreVerbOf(listBillingDocuments), { bookingId })
    const booking = await caller.call(coreVerbOf(getBooking), { id: bookingId })
    const { payments } = await caller.call(coreVerbOf(listPayments), { bookingId })
    const inForce = documents.filter((one) => one.kind === 'invoice' && one.cancelledByNumber === null)
    expect(inForce.length).toBeLessThanOrEqual(1)
    const billed = documents.filter(({ kind }) => kind !== 'receipt').reduce((sum, one) => sum + one.totalMinor, 0)
    expect(billed).toBe(inForce[0]?.totalMinor ?? 0)
    if (inForce[0] && !isOutdated) expect(billed).toBe(owedOf(booking))
    expect(booking.cancellationFeeMinor).toBeLessThanOrEqual(booking.amountTotalMinor)
    for (const one of documents) {
      numbers.set(one.kind, [...(numbers.get(one.kind) ?? []), one.number])
      const { lines } = await caller.call(coreVerbOf(getBillingDocument), { id: one.id })
      expect(lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(one.totalMinor)
      const payment = payments.find(({ id }) => id === one.paymentId)
      if (payment) expect(Math.abs(one.totalMinor)).toBe(payment.amountMinor)
    }
  }
  expect(numbers.size).toBeGreaterThan(0)
  for (const given of numbers.values()) {
    const counted = given.map((one) => Number(one.split('-')[1])).toSorted((a, b) => a - b)
    expect(counted).toEqual(counted.map((_, index) => index + 1))
  }
}

async function expectConsistent(caller: TestCaller, departureId: string): Promise<void> {
  const { rows } = await caller.call(coreVerbOf(listBookings), { filters: { departureId: [departureId] }, size: 100 })
  let taken = 0
  let held = 0
  for (const booking of rows) {
    const { payments } = await caller.call(coreVerbOf(listPayments), { bookingId: booking.id })
    const counted = payments.filter(({ voidedAt }) => voidedAt === null)
    const sum = counted.reduce((so, { kind, amountMinor }) => so + (kind === 'payment' ? amountMinor : -amountMinor), 0)
    expect(booking.amountPaidMinor).toBe(sum)
    expect(sum).toBeGreaterThanOrEqual(0)
    const price = owedOf(booking) || booking.amountTotalMinor
    if (sum > 0) expect(booking.paymentStatus).toBe(sum >= price ? 'paid' : 'deposit')
    else expect(['unpaid', 'refunded']).toContain(booking.paymentStatus)
    if (booking.status === 'confirmed') taken += booking.pax
    if (booking.status === 'on_hold') held += booking.pax
  }
  expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: taken, seatsHeld: held })
}

/** Two departures of a tour, at the price of the tour and at a higher one. */
async function twoDepartures(caller: TestCaller, tourId: string): Promise<string[]> {
  const { version } = await caller.call(coreVerbOf(getTour), { id: tourId })
  const options = [{ name: 'With lunch', startTimesLocal: ['11:00'], prices: { adult: 11_900 } }]
  await caller.call(coreVerbOf(saveTourOptions), { id: tourId, version, options })
  const tour = await caller.call(coreVerbOf(getTour), { id: tourId })
  const dearer = { optionId: tour.options[0]?.id, startTimeLocal: '11:00', capacity: 12 }
  return [await addDeparture(caller, tourId, { capacity: 30 }), await addDeparture(caller, tourId, dearer)]
}

test.each([11, 4_711, 90_210])(
  'whatever is sold, held, changed, moved whole or in part, split, joined, paid, refunded, voided, billed, cancelled for a fee and expires in between, seats, money and invoices agree (%i)',
  async (seed) => {
    const number = numbersOf(seed)
    const { caller, tourId, clock } = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
    await caller.transaction((tx) =>
      sql`update tours set cancellation_steps = '[{"daysBefore": 0, "refundPercent": 40}]' where id = ${tourId}`.execute(
        tx,
      ),
    )
    const departures = await twoDepartures(caller, tourId)
    const ids: string[] = []
    for (let round = 0; round < 24; round += 1) {
      clock.set(new Date(clock.now().getTime() + 60_000))
      const results = await Promise.allSettled(Array.from({ length: 4 }, () => act(caller, departures, ids, number)))
      const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
      for (const error of failed) {
        expect(error).toBeInstanceOf(AppError)
        expect(['aborted', 'invalid-argument']).toContain((error as AppError).code)
      }
    }
    await sweepExpiredHolds({ ...world.services, clock })
    for (const departureId of departures) await expectConsistent(caller, departureId)
    await expectBilled(caller, ids)
  },
  60_000,
)
