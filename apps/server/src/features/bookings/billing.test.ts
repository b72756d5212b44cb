import {
  cancelInvoice,
  getBillingDocument,
  issueInvoice,
  issueReceipt,
  listBillingDocuments,
} from '@tour-ops/contract/bookings/billing'
import { cancelBooking, getBooking, moveBookings, updateBooking } from '@tour-ops/contract/bookings/bookings'
import { changeParty } from '@tour-ops/contract/bookings/party'
import { recordPayment, voidPayment } from '@tour-ops/contract/bookings/payments'
import type { In } from '@tour-ops/contract/callable'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture, assignGuide, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'

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

const invoice = (caller: TestCaller, bookingId: string, more: Partial<In<typeof issueInvoice>> = {}) =>
  caller.call(coreVerbOf(issueInvoice), { bookingId, buyer: { name: 'Amara Okafor' }, ...more })
const takeBack = (caller: TestCaller, id: string) =>
  caller.call(coreVerbOf(cancelInvoice), { id, reason: 'Wrong company' })
const listOf = (caller: TestCaller, bookingId: string) => caller.call(coreVerbOf(listBillingDocuments), { bookingId })
const printed = (caller: TestCaller, id: string) => caller.call(coreVerbOf(getBillingDocument), { id })
const bookingOf = (caller: TestCaller, id: string) => caller.call(coreVerbOf(getBooking), { id })
const pay = async (
  caller: TestCaller,
  bookingId: string,
  amountMinor: number,
  kind: 'payment' | 'refund' = 'payment',
) => (await caller.call(coreVerbOf(recordPayment), { bookingId, amountMinor, kind, method: 'cash' })).payment
const reprice = async (caller: TestCaller, id: string, amountTotalMinor: number) => {
  const { version, contact } = await bookingOf(caller, id)
  const price = { amountTotalMinor, priceReason: 'With lunch' }
  return caller.call(coreVerbOf(updateBooking), { id, version, contact, ...price })
}

test('a booking that is cancelled has an invoice over the fee that was kept, and none without a fee', async () => {
  const { caller, booking } = await desk()
  const first = await invoice(caller, booking.id)
  const end = async (id: string, feeMinor: number, feeReason: string | null) => {
    const { version } = await bookingOf(caller, id)
    await caller.call(coreVerbOf(cancelBooking), {
      id,
      version,
      reason: 'guest_request',
      note: null,
      feeMinor,
      feeReason,
    })
  }
  await end(booking.id, 4000, 'Asked for a taxi, which was booked')
  expect((await listOf(caller, booking.id)).isOutdated).toBe(true)
  const { id } = await invoice(caller, booking.id, { replaces: { id: first.id, reason: 'Cancelled' } })
  expect(await printed(caller, id)).toMatchObject({ totalMinor: 4000, lines: [{ kind: 'fee', amountMinor: 4000 }] })
  expect((await listOf(caller, booking.id)).isOutdated).toBe(false)
  const free = await book(caller, booking.departureId, 1, { guests: [] })
  await end(free.id, 0, null)
  await expect(invoice(caller, free.id)).rejects.toMatchObject({ details: { reason: 'invoice_not_sold' } })
})

test('what is kept of guests who left a party is a line of its own', async () => {
  const { caller, booking } = await desk()
  const units = [{ unitType: 'adult' as const, quantity: 1 }]
  const { version } = await bookingOf(caller, booking.id)
  await caller.call(coreVerbOf(changeParty), { id: booking.id, version, units, feeMinor: 2000, feeReason: 'Late' })
  const { lines, totalMinor } = await printed(caller, (await invoice(caller, booking.id)).id)
  expect(totalMinor).toBe(total / 2 + 2000)
  expect(lines).toMatchObject([
    { kind: 'unit', quantity: 1 },
    { kind: 'fee', amountMinor: 2000 },
  ])
})

describe('an invoice', () => {
  test('says who sold what to whom, line by line, and what is paid and due by now', async () => {
    const { caller, booking } = await desk()
    const buyer = { name: 'Ōkafor & Söhne <GmbH>', address: 'Große Straße 1\n10115 Berlin', taxNumber: 'DE123456789' }
    const { id, number } = await invoice(caller, booking.id, { buyer })
    expect(number).toBe('INV-00001')
    await pay(caller, booking.id, 5000)
    expect(await printed(caller, id)).toMatchObject({
      number,
      kind: 'invoice',
      currency: 'EUR',
      totalMinor: total,
      issuedOn: '2030-07-01',
      buyer,
      tour: { name: 'Golden Circle', localDate: '2030-07-14', bookingRef: booking.bookingRef },
      lines: [{ kind: 'unit', unitType: 'adult', quantity: 2, priceMinor: 8900, amountMinor: total }],
      settled: { on: '2030-07-01', paidMinor: 5000, dueMinor: total - 5000 },
      cancelledByNumber: null,
    })
  })

  test('names what was agreed on beyond the price list, with the reason', async () => {
    const { caller, booking } = await desk()
    await reprice(caller, booking.id, 20_000)
    const { id } = await invoice(caller, booking.id)
    const { lines } = await printed(caller, id)
    expect(lines).toEqual([
      { kind: 'unit', unitType: 'adult', quantity: 2, priceMinor: 8900, amountMinor: total },
      { kind: 'difference', reason: 'With lunch', amountMinor: 2200 },
    ])
  })

  test('is one for each booking: another one is refused, at once or later', async () => {
    const { caller, booking } = await desk()
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => invoice(caller, booking.id)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(invoice(caller, booking.id)).rejects.toMatchObject({ details: { reason: 'invoice_in_force' } })
    expect((await listOf(caller, booking.id)).documents).toHaveLength(1)
  })

  test('of a booking that changed is outdated, and is replaced in one step: credit note and new invoice', async () => {
    const { caller, booking } = await desk()
    const first = await invoice(caller, booking.id)
    expect((await listOf(caller, booking.id)).isOutdated).toBe(false)
    await reprice(caller, booking.id, 20_000)
    expect((await listOf(caller, booking.id)).isOutdated).toBe(true)
    const second = await invoice(caller, booking.id, { replaces: { id: first.id, reason: 'Lunch added' } })
    const { documents, isOutdated } = await listOf(caller, booking.id)
    expect(isOutdated).toBe(false)
    expect(
      documents.map(({ number, totalMinor, cancelledByNumber }) => [number, totalMinor, cancelledByNumber]),
    ).toEqual(
      expect.arrayContaining([
        ['INV-00001', total, 'CN-00001'],
        ['CN-00001', -total, null],
        ['INV-00002', 20_000, null],
      ]),
    )
    await expect(invoice(caller, booking.id, { replaces: { id: first.id, reason: 'Again' } })).rejects.toMatchObject({
      details: { reason: 'invoice_cancelled' },
    })
    expect(await printed(caller, second.id)).toMatchObject({ number: 'INV-00002' })
  })

  test('follows seats and days, not the name of the tour', async () => {
    const { caller, booking, tourId } = await desk()
    await invoice(caller, booking.id)
    await caller.transaction((tx) => sql`update tours set name = 'Renamed' where id = ${tourId}`.execute(tx))
    expect((await listOf(caller, booking.id)).isOutdated).toBe(false)
    const { version } = await bookingOf(caller, booking.id)
    const units = [{ unitType: 'adult' as const, quantity: 3 }]
    await caller.call(coreVerbOf(changeParty), { id: booking.id, version, units })
    expect((await listOf(caller, booking.id)).isOutdated).toBe(true)
  })

  test('names a departure: its booking on another one of that day at that price leaves it outdated, until it is back', async () => {
    const { caller, departureId, tourId, booking } = await desk()
    const other = await addDeparture(caller, tourId, { capacity: 20, startTimeLocal: '14:00' })
    await invoice(caller, booking.id)
    const moveTo = async (toDepartureId: string) => {
      const { version } = await bookingOf(caller, booking.id)
      await caller.call(coreVerbOf(moveBookings), { parties: [{ id: booking.id, version }], toDepartureId })
    }
    await moveTo(other)
    expect((await listOf(caller, booking.id)).isOutdated).toBe(true)
    await moveTo(departureId)
    expect((await listOf(caller, booking.id)).isOutdated).toBe(false)
  })

  test('is taken back by a credit note that mirrors it, once, with a reason', async () => {
    const { caller, booking } = await desk()
    const { id } = await invoice(caller, booking.id)
    const credit = await takeBack(caller, id)
    expect(await printed(caller, credit.id)).toMatchObject({
      number: 'CN-00001',
      cancelsNumber: 'INV-00001',
      totalMinor: -total,
      reason: 'Wrong company',
      lines: [{ kind: 'unit', quantity: -2, priceMinor: 8900, amountMinor: -total }],
      settled: null,
    })
    expect(await printed(caller, id)).toMatchObject({ cancelledByNumber: 'CN-00001', settled: null })
    await expect(takeBack(caller, id)).rejects.toMatchObject({ details: { reason: 'invoice_cancelled' } })
    await expect(takeBack(caller, credit.id)).rejects.toMatchObject({ details: { reason: 'invoice_cancelled' } })
    expect((await invoice(caller, booking.id)).number).toBe('INV-00002')
  })

  test('is of a confirmed booking; one that is cancelled later leaves it outdated', async () => {
    const { caller, departureId, booking } = await desk()
    const held = await book(caller, departureId, 1, { guests: [], mode: 'hold' })
    await expect(invoice(caller, held.id)).rejects.toMatchObject({ details: { reason: 'invoice_not_sold' } })
    await invoice(caller, booking.id)
    const { version } = await bookingOf(caller, booking.id)
    await caller.call(coreVerbOf(cancelBooking), { id: booking.id, version, reason: 'guest_request', note: null })
    expect((await listOf(caller, booking.id)).isOutdated).toBe(true)
  })

  test('begins with the buyer of the one before, else with the contact', async () => {
    const { caller, booking } = await desk()
    expect((await listOf(caller, booking.id)).buyer).toEqual({ name: 'Amara Okafor', address: null, taxNumber: null })
    const buyer = { name: 'Acme', address: '1 Main St', taxNumber: null }
    const { id } = await invoice(caller, booking.id, { buyer })
    await takeBack(caller, id)
    expect((await listOf(caller, booking.id)).buyer).toEqual(buyer)
  })

  test('names the organization as its settings did on that day', async () => {
    const { caller, booking } = await desk()
    const write = (general: object) =>
      caller.transaction((tx) => sql`update org_settings set general = ${JSON.stringify(general)}`.execute(tx))
    await write({
      phone: '1',
      legalName: 'Aurora ehf.',
      address: 'Laugavegur 1',
      taxNumber: 'IS 1',
      invoiceNote: 'Net 14',
    })
    const { id } = await invoice(caller, booking.id)
    expect((await listOf(caller, booking.id)).hasSellerAddress).toBe(true)
    await write({})
    const seller = { name: 'Aurora ehf.', address: 'Laugavegur 1', taxNumber: 'IS 1', note: 'Net 14' }
    expect((await printed(caller, id)).seller).toEqual(seller)
    expect((await listOf(caller, booking.id)).hasSellerAddress).toBe(false)
  })

  test('is written in the language of the guest, else in that of the organization', async () => {
    const { caller, departureId } = await desk()
    const localeOf = async (locale: string | null) => {
      const { id } = await book(caller, departureId, 1, { guests: [], contact: { name: 'Ana', locale } })
      return (await printed(caller, (await invoice(caller, id)).id)).locale
    }
    expect([await localeOf('es-MX'), await localeOf('fr'), await localeOf(null)]).toEqual(['es', 'en', 'en'])
  })
})

describe('a receipt', () => {
  test('is of one payment or refund, once, and says when the payment was voided', async () => {
    const { caller, booking } = await desk()
    const payment = await pay(caller, booking.id, 5000)
    const refund = await pay(caller, booking.id, 1000, 'refund')
    const receiptOf = (paymentId: string) => caller.call(coreVerbOf(issueReceipt), { paymentId })
    const first = await receiptOf(payment.id)
    expect(await receiptOf(payment.id)).toEqual(first)
    expect(first.number).toBe('REC-00001')
    expect(await printed(caller, first.id)).toMatchObject({
      totalMinor: 5000,
      isVoid: false,
      lines: [{ kind: 'payment', method: 'cash', receivedOn: '2030-07-01', amountMinor: 5000 }],
    })
    const back = await receiptOf(refund.id)
    expect(await printed(caller, back.id)).toMatchObject({ number: 'REC-00002', totalMinor: -1000 })
    await caller.call(coreVerbOf(voidPayment), { id: refund.id, reason: 'Typed twice' })
    expect(await printed(caller, back.id)).toMatchObject({ isVoid: true })
    const other = await pay(caller, booking.id, 700)
    await caller.call(coreVerbOf(voidPayment), { id: other.id, reason: 'Typed twice' })
    await expect(receiptOf(other.id)).rejects.toMatchObject({ details: { reason: 'payment_voided' } })
  })
})

describe('the schema', () => {
  test('changes and deletes no document', async () => {
    const { caller, booking } = await desk()
    const { id } = await invoice(caller, booking.id)
    const write = (statement: ReturnType<typeof sql>) => caller.transaction((tx) => statement.execute(tx))
    await expect(write(sql`update billing_documents set reason = 'x' where id = ${id}`)).rejects.toThrow(
      /permission denied/,
    )
    await expect(write(sql`delete from billing_documents where id = ${id}`)).rejects.toThrow(/permission denied/)
    // the owner of the database neither
    const text = `update billing_documents set locale = 'de' where id = $1 returning id`
    await expect(world.rows(text, [id])).rejects.toMatchObject({ constraint: 'billing_documents_final' })
  })

  test('lets no statement past the rules', async () => {
    const { caller, booking, departureId } = await desk()
    const first = await invoice(caller, booking.id)
    const payment = await pay(caller, booking.id, 5000)
    const other = await book(caller, departureId, 1, { guests: [] })
    const held = await book(caller, departureId, 1, { guests: [], mode: 'hold' })
    const insert = (one: { kind: string; bookingId: string; totalMinor: number; of?: string; reason?: string }) =>
      caller.transaction((tx) =>
        sql`insert into billing_documents (org_id, id, booking_id, kind, locale, currency, total_minor, seller, buyer, tour, lines, cancels_id, payment_id,
            reason, issued_on)
          values (${caller.orgId}, gen_random_uuid(), ${one.bookingId}, ${one.kind}, 'en', 'EUR', ${one.totalMinor}, '{}', '{}', '{}',
            ${JSON.stringify([{ amountMinor: one.totalMinor }])}, ${one.kind === 'credit_note' ? (one.of ?? null) : null},
            ${one.kind === 'receipt' ? (one.of ?? null) : null}, ${one.reason ?? null}, '2030-07-01')`.execute(tx),
      )
    const broken = [
      [{ kind: 'invoice', bookingId: booking.id, totalMinor: total }, 'invoice_in_force'],
      [{ kind: 'invoice', bookingId: held.id, totalMinor: 8900 }, 'invoice_not_sold'],
    ] as const
    for (const [one, reason] of broken) {
      await expect(insert(one)).rejects.toMatchObject({ details: { reason } })
    }
    const named = [
      [{ kind: 'invoice', bookingId: other.id, totalMinor: 1 }, 'billing_documents_total_of_booking'],
      [
        { kind: 'credit_note', bookingId: booking.id, totalMinor: -1, of: first.id, reason: 'x' },
        'billing_documents_mirrors_invoice',
      ],
      [{ kind: 'receipt', bookingId: booking.id, totalMinor: 4000, of: payment.id }, 'billing_documents_of_payment'],
      [{ kind: 'receipt', bookingId: other.id, totalMinor: 5000, of: payment.id }, 'billing_documents_of_payment'],
    ] as const
    for (const [one, constraint] of named) {
      await expect(insert(one)).rejects.toMatchObject({ constraint })
    }
    await caller.transaction((tx) =>
      sql`update number_series set last_value = 7 where name = 'billing-invoice'`.execute(tx),
    )
    await expect(insert({ kind: 'invoice', bookingId: other.id, totalMinor: 8900 })).rejects.toMatchObject({
      constraint: 'billing_documents_no_gap',
    })
  })
})

describe('who', () => {
  test('is in another organization finds none of it, and has numbers of its own', async () => {
    const { caller, booking } = await desk()
    const { id } = await invoice(caller, booking.id)
    const payment = await pay(caller, booking.id, 100)
    const { caller: other, booking: theirs } = await desk()
    expect((await invoice(other, theirs.id)).number).toBe('INV-00001')
    const calls = [
      () => listOf(other, booking.id),
      () => printed(other, id),
      () => invoice(other, booking.id),
      () => takeBack(other, id),
      () => other.call(coreVerbOf(issueReceipt), { paymentId: payment.id }),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'not-found' })
  })

  test('guides the departure reads its documents and issues none', async () => {
    const { caller, booking, departureId, tourId } = await desk()
    const { id } = await invoice(caller, booking.id)
    const guide = await world.as('guide', { orgId: caller.orgId, staffId: await assignGuide(caller, departureId) })
    expect((await listOf(guide, booking.id)).documents).toHaveLength(1)
    await expect(takeBack(guide, id)).rejects.toMatchObject({ code: 'permission-denied' })
    const away = await addDeparture(caller, tourId, { startTimeLocal: '16:00' })
    const elsewhere = await book(caller, away, 1, { guests: [] })
    const { id: hidden } = await invoice(caller, elsewhere.id)
    await expect(printed(guide, hidden)).rejects.toMatchObject({ code: 'not-found' })
  })
})
