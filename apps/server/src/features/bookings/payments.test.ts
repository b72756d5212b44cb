import { cancelBooking, confirmBooking, getBooking, updateBooking } from '@tour-ops/contract/bookings/bookings'
import { listPayments, type Payment, recordPayment, voidPayment } from '@tour-ops/contract/bookings/payments'
import type { In } from '@tour-ops/contract/callable'
import { AppError } from '@tour-ops/contract/errors'
import { maxMinor } from '@tour-ops/contract/fields'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture, assignGuide, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-01T12:00:00Z')
/** What two adults cost. */
const total = 17_800

async function desk() {
  const office = await officeWithTour(world, start)
  const departureId = await addDeparture(office.caller, office.tourId, { capacity: 20 })
  return { ...office, departureId, booking: await book(office.caller, departureId, 2, { guests: [] }) }
}

async function pay(
  caller: TestCaller,
  bookingId: string,
  amountMinor: number,
  more: Partial<In<typeof recordPayment>> = {},
): Promise<Payment> {
  const wanted = { bookingId, amountMinor, method: 'cash' as const, ...more }
  return (await caller.call(coreVerbOf(recordPayment), wanted)).payment
}
const refund = (caller: TestCaller, bookingId: string, amountMinor: number) =>
  pay(caller, bookingId, amountMinor, { kind: 'refund' })
const undo = async (caller: TestCaller, id: string): Promise<Payment> =>
  (await caller.call(coreVerbOf(voidPayment), { id, reason: 'Typed twice' })).payment
const bookingOf = (caller: TestCaller, id: string) => caller.call(coreVerbOf(getBooking), { id })
const ledgerOf = (caller: TestCaller, bookingId: string) => caller.call(coreVerbOf(listPayments), { bookingId })

describe('what was paid for a booking', () => {
  test('is the sum of its payments less its refunds, and its status follows', async () => {
    const { caller, booking } = await desk()
    expect(booking).toMatchObject({ amountPaidMinor: 0, paymentStatus: 'unpaid' })
    await pay(caller, booking.id, 5000, { method: 'transfer', reference: 'Invoice 12', note: 'Came by mail' })
    expect(await bookingOf(caller, booking.id)).toMatchObject({ amountPaidMinor: 5000, paymentStatus: 'deposit' })
    await pay(caller, booking.id, total - 5000)
    expect(await bookingOf(caller, booking.id)).toMatchObject({ amountPaidMinor: total, paymentStatus: 'paid' })
    await refund(caller, booking.id, 800)
    expect(await bookingOf(caller, booking.id)).toMatchObject({ amountPaidMinor: 17_000, paymentStatus: 'deposit' })
    await refund(caller, booking.id, 17_000)
    expect(await bookingOf(caller, booking.id)).toMatchObject({ amountPaidMinor: 0, paymentStatus: 'refunded' })
    const { payments, today } = await ledgerOf(caller, booking.id)
    expect(today).toBe('2030-07-01')
    expect(payments.map(({ kind, amountMinor }) => `${kind} ${amountMinor}`).toSorted()).toEqual([
      'payment 12800',
      'payment 5000',
      'refund 17000',
      'refund 800',
    ])
    expect(payments.find(({ method }) => method === 'transfer')).toMatchObject({
      reference: 'Invoice 12',
      note: 'Came by mail',
      currency: 'EUR',
      receivedOn: '2030-07-01',
      isImported: false,
      voidedAt: null,
    })
  })

  test('follows the price', async () => {
    const { caller, booking } = await desk()
    await pay(caller, booking.id, total)
    const { version, contact } = await bookingOf(caller, booking.id)
    const dearer = await caller.call(coreVerbOf(updateBooking), {
      id: booking.id,
      version,
      contact,
      amountTotalMinor: total + 1000,
      priceReason: 'Lunch',
    })
    expect(dearer).toMatchObject({ amountPaidMinor: total, paymentStatus: 'deposit' })
  })

  test('is at most the largest amount, also by several payments at once', async () => {
    const { caller, booking } = await desk()
    await pay(caller, booking.id, maxMinor)
    await expect(pay(caller, booking.id, 1)).rejects.toMatchObject({
      code: 'invalid-argument',
      details: { fieldIssues: { amountMinor: [{ code: 'too_large' }] } },
    })
    expect(await bookingOf(caller, booking.id)).toMatchObject({ amountPaidMinor: maxMinor })
  })

  test('at once becomes a payment, with a sale as with its confirmation', async () => {
    const { caller, departureId } = await desk()
    const held = await book(caller, departureId, 2, {
      guests: [],
      mode: 'hold',
      amountPaidMinor: 2000,
      paidBy: 'voucher',
    })
    expect(held).toMatchObject({ amountPaidMinor: 2000, paymentStatus: 'deposit' })
    const { id, version } = held
    const paid = { amountPaidMinor: total - 2000, paidBy: 'cash' as const }
    expect(await caller.call(coreVerbOf(confirmBooking), { id, version, ...paid })).toMatchObject({
      amountPaidMinor: total,
      paymentStatus: 'paid',
    })
    const { payments } = await ledgerOf(caller, id)
    expect(payments.map(({ method, amountMinor }) => `${method} ${amountMinor}`).toSorted()).toEqual([
      'cash 15800',
      'voucher 2000',
    ])
  })

  test('stays on the account of an agent until it is taken off, then the amounts say', async () => {
    const { caller, departureId } = await desk()
    const { id } = await book(caller, departureId, 2, { guests: [], isOnAgentCredit: true })
    await pay(caller, id, 1000)
    const { version, contact, amountTotalMinor, paymentStatus } = await bookingOf(caller, id)
    expect(paymentStatus).toBe('agent_credit')
    const form = { id, contact, amountTotalMinor }
    const same = await caller.call(coreVerbOf(updateBooking), { ...form, version, notes: 'Window seat' })
    expect(same.paymentStatus).toBe('agent_credit')
    const off = await caller.call(coreVerbOf(updateBooking), { ...form, version: same.version, isOnAgentCredit: false })
    expect(off.paymentStatus).toBe('deposit')
    const on = await caller.call(coreVerbOf(updateBooking), { ...form, version: off.version, isOnAgentCredit: true })
    expect(on.paymentStatus).toBe('agent_credit')
  })

  test('cannot be set past the payments, and no payment changes', async () => {
    const { caller, booking } = await desk()
    const { id } = await pay(caller, booking.id, 5000)
    const write = (statement: ReturnType<typeof sql>) => caller.transaction((tx) => statement.execute(tx))
    await expect(
      write(sql`update bookings set amount_paid_minor = 6000 where id = ${booking.id}`),
    ).rejects.toMatchObject({
      constraint: 'bookings_paid_is_derived',
    })
    await expect(write(sql`update bookings set currency = 'ISK' where id = ${booking.id}`)).rejects.toMatchObject({
      constraint: 'bookings_paid_is_derived',
    })
    await write(sql`update bookings set payment_status = 'paid' where id = ${booking.id}`)
    expect((await bookingOf(caller, booking.id)).paymentStatus).toBe('deposit')
    await expect(write(sql`update payments set amount_minor = 1 where id = ${id}`)).rejects.toThrow(/permission denied/)
    await expect(write(sql`delete from payments where id = ${id}`)).rejects.toThrow(/permission denied/)
    await undo(caller, id)
    await expect(write(sql`update payments set void_reason = 'Other' where id = ${id}`)).rejects.toMatchObject({
      details: { reason: 'payment_voided' },
    })
  })
})

describe('a payment', () => {
  test('that comes twice under one id is recorded once', async () => {
    const { caller, booking, departureId } = await desk()
    const id = newId()
    const [first, second] = await Promise.all([
      pay(caller, booking.id, 5000, { clientEventId: id }),
      pay(caller, booking.id, 5000, { clientEventId: id }),
    ])
    expect(first).toEqual(second)
    expect((await bookingOf(caller, booking.id)).amountPaidMinor).toBe(5000)
    const other = await book(caller, departureId, 1, { guests: [] })
    await expect(pay(caller, other.id, 5000, { clientEventId: id })).rejects.toMatchObject({
      details: { reason: 'payment_differs' },
    })
  })

  test('of an earlier day is of that day in the zone of the organization, and none is of a day to come', async () => {
    const { caller, booking } = await desk()
    expect(await pay(caller, booking.id, 100, { receivedOn: '2030-06-28' })).toMatchObject({ receivedOn: '2030-06-28' })
    await expect(pay(caller, booking.id, 100, { receivedOn: '2030-07-02' })).rejects.toMatchObject({
      details: { fieldErrors: { receivedOn: [expect.any(String)] } },
    })
  })

  test('is voided once, with a reason, and then counts no longer', async () => {
    const { caller, booking } = await desk()
    const { id } = await pay(caller, booking.id, 5000)
    expect(await undo(caller, id)).toMatchObject({ voidReason: 'Typed twice', voidedAt: expect.any(String) })
    expect(await bookingOf(caller, booking.id)).toMatchObject({ amountPaidMinor: 0, paymentStatus: 'unpaid' })
    await expect(undo(caller, id)).rejects.toMatchObject({ details: { reason: 'payment_voided' } })
  })

  test('that was refunded is voided only after its refund', async () => {
    const { caller, booking } = await desk()
    const { id } = await pay(caller, booking.id, 5000)
    const back = await refund(caller, booking.id, 2000)
    await expect(undo(caller, id)).rejects.toMatchObject({ details: { reason: 'payment_refunded' } })
    await undo(caller, back.id)
    expect(await undo(caller, id)).toMatchObject({ voidReason: 'Typed twice' })
  })
})

describe('a refund', () => {
  test('of more than was paid is refused at its field', async () => {
    const { caller, booking } = await desk()
    await pay(caller, booking.id, 5000)
    await expect(refund(caller, booking.id, 5001)).rejects.toMatchObject({
      details: { fieldErrors: { amountMinor: ['No more can be refunded than was paid.'] } },
    })
  })

  test('is one of many at once that goes through, by verb and by statement', async () => {
    const { caller, booking } = await desk()
    await pay(caller, booking.id, 5000)
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => refund(caller, booking.id, 3000)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(AppError)
    }
    const rows = Array.from({ length: 10 }, () =>
      caller.transaction((tx) =>
        sql`insert into payments (org_id, id, booking_id, kind, amount_minor, currency, received_at)
          values (${caller.orgId}, ${newId()}, ${booking.id}, 'refund', 1500, 'EUR', app_now())`.execute(tx),
      ),
    )
    const past = await Promise.allSettled(rows)
    expect(past.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await bookingOf(caller, booking.id)).amountPaidMinor).toBe(500)
  })

  test('after a cancellation leaves the booking refunded', async () => {
    const { caller, booking } = await desk()
    await pay(caller, booking.id, total)
    const { version } = await bookingOf(caller, booking.id)
    await caller.call(coreVerbOf(cancelBooking), { id: booking.id, version, reason: 'guest_request', note: null })
    await refund(caller, booking.id, total)
    expect(await bookingOf(caller, booking.id)).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded' })
  })
})

describe('who', () => {
  test('is in another organization finds no booking and no payment', async () => {
    const { caller, booking } = await desk()
    const { id } = await pay(caller, booking.id, 5000)
    const { caller: other } = await desk()
    const calls = [() => ledgerOf(other, booking.id), () => pay(other, booking.id, 100), () => undo(other, id)]
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ code: 'not-found' })
    }
  })

  test('guides a departure reads its payments and records none; others are not found', async () => {
    const { caller, booking, departureId, tourId } = await desk()
    await pay(caller, booking.id, 5000)
    const staffId = await assignGuide(caller, departureId)
    const guide = await world.as('guide', { orgId: caller.orgId, staffId })
    expect((await ledgerOf(guide, booking.id)).payments).toHaveLength(1)
    await expect(pay(guide, booking.id, 100)).rejects.toMatchObject({ code: 'permission-denied' })
    const elsewhere = await book(caller, await addDeparture(caller, tourId, { startTimeLocal: '16:00' }), 1, {
      guests: [],
    })
    await expect(ledgerOf(guide, elsewhere.id)).rejects.toMatchObject({ code: 'not-found' })
  })
})
