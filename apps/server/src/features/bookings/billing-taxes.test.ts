import { cancelInvoice, getBillingDocument, issueInvoice, issueReceipt } from '@tour-ops/contract/bookings/billing'
import { getBooking } from '@tour-ops/contract/bookings/bookings'
import { changeParty } from '@tour-ops/contract/bookings/party'
import { recordPayment } from '@tour-ops/contract/bookings/payments'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { taxesOf, taxesTakenBack } from './billing-taxes.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

/** An organization with these settings of tax, and a booking of two adults for 178.00. */
async function desk(settings: object) {
  const office = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
  await set(office.caller, settings)
  const departureId = await addDeparture(office.caller, office.tourId, { capacity: 20 })
  return { ...office, booking: await book(office.caller, departureId, 2, { guests: [] }) }
}

const set = (caller: TestCaller, settings: object) =>
  caller.transaction((tx) => sql`update org_settings set general = ${JSON.stringify(settings)}`.execute(tx))
const invoice = (caller: TestCaller, bookingId: string) =>
  caller.call(coreVerbOf(issueInvoice), { bookingId, buyer: { name: 'Amara Okafor' } })
const printed = (caller: TestCaller, id: string) => caller.call(coreVerbOf(getBillingDocument), { id })

const standard = { name: 'VSK', rateBp: 1900, netMinor: 14_958, taxMinor: 2842, grossMinor: 17_800 }
const withTax = { taxScheme: 'included', taxName: 'VSK', taxPercent: 19 }

test('prices include the tax of the settings, and an invoice keeps what it stated when they change', async () => {
  const { caller, booking } = await desk(withTax)
  const { id } = await invoice(caller, booking.id)
  await set(caller, { ...withTax, taxPercent: 7 })
  expect(await printed(caller, id)).toMatchObject({ taxScheme: 'included', taxes: [standard] })
})

test('a credit note states the tax of its invoice with the other sign, whatever the settings are by then', async () => {
  const { caller, booking } = await desk(withTax)
  const { id } = await invoice(caller, booking.id)
  await set(caller, {})
  const credit = await caller.call(coreVerbOf(cancelInvoice), { id, reason: 'Wrong company' })
  expect(await printed(caller, credit.id)).toMatchObject({
    taxScheme: 'included',
    taxes: [{ ...standard, netMinor: -14_958, taxMinor: -2842, grossMinor: -17_800 }],
  })
})

test('a fee that is exempt is a rate of its own, and all rates together are the total', async () => {
  const { caller, booking } = await desk({ ...withTax, feeTax: 'exempt' })
  const { version } = await caller.call(coreVerbOf(getBooking), { id: booking.id })
  const units = [{ unitType: 'adult' as const, quantity: 1 }]
  await caller.call(coreVerbOf(changeParty), { id: booking.id, version, units, feeMinor: 2000, feeReason: 'Late' })
  const { taxes, totalMinor } = await printed(caller, (await invoice(caller, booking.id)).id)
  expect(taxes).toEqual([
    { name: 'VSK', rateBp: 1900, netMinor: 7479, taxMinor: 1421, grossMinor: 8900 },
    { name: 'VSK', rateBp: 0, netMinor: 2000, taxMinor: 0, grossMinor: 2000 },
  ])
  expect(totalMinor).toBe(10_900)
})

test('without settings, under a margin scheme and on receipts no tax is stated', async () => {
  const { caller, booking } = await desk({})
  expect(await printed(caller, (await invoice(caller, booking.id)).id)).toMatchObject({ taxScheme: 'none', taxes: [] })
  const agency = await desk({ taxScheme: 'margin', taxPercent: 19 })
  const margin = await invoice(agency.caller, agency.booking.id)
  expect(await printed(agency.caller, margin.id)).toMatchObject({ taxScheme: 'margin', taxes: [] })
  const taxed = await desk(withTax)
  const of = { bookingId: taxed.booking.id, amountMinor: 5000, method: 'cash' as const }
  const { payment } = await taxed.caller.call(coreVerbOf(recordPayment), of)
  const receipt = await taxed.caller.call(coreVerbOf(issueReceipt), { paymentId: payment.id })
  expect(await printed(taxed.caller, receipt.id)).toMatchObject({ taxScheme: 'none', taxes: [] })
})

describe('tax of an amount', () => {
  const of = (amountMinor: number, percent: number) =>
    taxesOf([{ kind: 'fee', amountMinor }], { scheme: 'included', name: null, percent, fees: 'taxed' })
  test('is rounded half away from zero in whole minor units, so that taking it back leaves nothing', () => {
    expect(of(3, 20).taxes).toMatchObject([{ netMinor: 2, taxMinor: 1 }])
    // exactly a half: 9 * 20 / 120 = 1.5
    expect(of(9, 20).taxes).toMatchObject([{ netMinor: 7, taxMinor: 2 }])
    expect(of(-9, 20).taxes).toEqual(taxesTakenBack(of(9, 20)).taxes)
    expect(of(1_000_000_000_000, 25.55).taxes).toMatchObject([{ rateBp: 2555, taxMinor: 203_504_579_849 }])
  })

  test('is what the schema computes, for all amounts and rates', async () => {
    const amounts = [0, 1, 9, 99, 8900, -9, -17_801, 999_999_999_999]
    const cases = amounts.flatMap((amount) => [0, 0.01, 5.5, 8.1, 19, 20, 100].map((percent) => [amount, percent]))
    for (const [amount = 0, percent = 0] of cases) {
      const taxes = JSON.stringify(of(amount, percent).taxes)
      const text = 'select taxes_agree($1::jsonb, $2) as "doAgree"'
      expect(await world.rows(text, [taxes, amount]), `${amount} at ${percent} %`).toEqual([{ doAgree: true }])
    }
  })
})

test('the schema takes no document whose tax does not add up, and no credit note of other tax', async () => {
  const { caller, booking } = await desk(withTax)
  const insert = (kind: string, totalMinor: number, taxes: object[], cancels: string | null, scheme = 'included') =>
    caller.transaction((tx) =>
      sql`insert into billing_documents (org_id, id, booking_id, kind, locale, currency, total_minor, seller, buyer, tour, lines, tax_scheme, taxes,
          cancels_id, reason, issued_on)
        values (${caller.orgId}, gen_random_uuid(), ${booking.id}, ${kind}, 'en', 'EUR', ${totalMinor}, '{}', '{}', '{}',
          ${JSON.stringify([{ amountMinor: totalMinor }])}, ${scheme}, ${JSON.stringify(taxes)}, ${cancels},
          ${cancels === null ? null : 'x'}, '2030-07-01')`.execute(tx),
    )
  const { netMinor, taxMinor, grossMinor } = standard
  const wrong = [
    [{ ...standard, netMinor: netMinor + 1 }],
    [{ ...standard, netMinor: netMinor + 1, taxMinor: taxMinor - 1 }],
    [{ ...standard, rateBp: 10_001 }],
    [{ rateBp: 1900, grossMinor }],
    [standard, { ...standard, rateBp: 0, netMinor: 100, taxMinor: 0, grossMinor: 100 }],
    [],
  ]
  for (const taxes of wrong) {
    await expect(insert('invoice', grossMinor, taxes, null)).rejects.toMatchObject({
      constraint: 'billing_documents_taxes_sum',
    })
  }
  await expect(insert('invoice', grossMinor, [standard], null, 'margin')).rejects.toMatchObject({
    constraint: 'billing_documents_taxes_sum',
  })
  const { id } = await invoice(caller, booking.id)
  const exempt = { name: 'VSK', rateBp: 0, netMinor: -grossMinor, taxMinor: 0, grossMinor: -grossMinor }
  await expect(insert('credit_note', -grossMinor, [exempt], id)).rejects.toMatchObject({
    constraint: 'billing_documents_mirrors_invoice',
  })
})
