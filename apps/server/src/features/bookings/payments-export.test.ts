import { issueInvoice, issueReceipt } from '@tour-ops/contract/bookings/billing'
import { recordPayment, voidPayment } from '@tour-ops/contract/bookings/payments'
import { exportPayments } from '@tour-ops/contract/bookings/payments-export'
import type { In } from '@tour-ops/contract/callable'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

async function desk() {
  const office = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
  const departureId = await addDeparture(office.caller, office.tourId, { capacity: 20 })
  const contact = { name: '=HYPERLINK("https://example.org")' }
  return { ...office, booking: await book(office.caller, departureId, 2, { guests: [], contact }) }
}

const pay = async (caller: TestCaller, bookingId: string, more: Partial<In<typeof recordPayment>>) =>
  (await caller.call(coreVerbOf(recordPayment), { bookingId, amountMinor: 5000, method: 'cash', ...more })).payment

async function exported(caller: TestCaller, from = '2030-06-01', to = '2030-07-31') {
  const { csv, rows, fileName } = await caller.call(coreVerbOf(exportPayments), { from, to })
  const lines = parse<Record<string, string>>(csv, { bom: true, columns: true })
  expect(lines).toHaveLength(rows)
  return { lines, fileName }
}

test('each payment and refund is a row, and the amounts add up to what the ledger says', async () => {
  const { caller, booking } = await desk()
  const first = await pay(caller, booking.id, { receivedOn: '2030-06-20', reference: '+49 4711', note: 'At the desk' })
  await pay(caller, booking.id, { kind: 'refund', amountMinor: 1250, method: 'transfer' })
  const wrong = await pay(caller, booking.id, { amountMinor: 700 })
  await caller.call(coreVerbOf(voidPayment), { id: wrong.id, reason: 'Typed twice' })
  const receipt = await caller.call(coreVerbOf(issueReceipt), { paymentId: first.id })
  const invoice = await caller.call(coreVerbOf(issueInvoice), { bookingId: booking.id, buyer: { name: 'Acme' } })
  const { lines, fileName } = await exported(caller)
  expect(fileName).toBe('payments-2030-06-01-2030-07-31.csv')
  expect(lines[0]).toMatchObject({
    received_on: '2030-06-20',
    kind: 'payment',
    method: 'cash',
    amount: '50',
    currency: 'EUR',
    amount_minor: '5000',
    receipt: receipt.number,
    invoice: invoice.number,
    booking_ref: booking.bookingRef,
    tour: 'Golden Circle',
    note: 'At the desk',
  })
  expect(lines.map(({ amount }) => Number(amount)).toSorted((a, b) => a - b)).toEqual([-12.5, 0, 50])
  expect(lines.find(({ void_reason }) => void_reason !== '')).toMatchObject({ amount: '0', voided_amount: '7' })
  expect(lines.reduce((sum, line) => sum + Number(line['amount_minor']), 0)).toBe(3750)
})

test('texts that a spreadsheet would run stay texts, amounts stay numbers', async () => {
  const { caller, booking } = await desk()
  await pay(caller, booking.id, { reference: '=1+1', note: '@SUM(A1)' })
  await pay(caller, booking.id, { kind: 'refund', amountMinor: 100 })
  const { lines } = await exported(caller)
  const [line, refund] = lines
  expect([line?.['contact'], line?.['reference'], line?.['note']].map((text) => text?.[0])).toEqual(["'", "'", "'"])
  expect(refund?.['amount']).toBe('-1')
})

test('a day is that of the organization, from its midnight to the next', async () => {
  const { caller, booking } = await desk()
  await caller.transaction((tx) => sql`update org_settings set time_zone = 'Asia/Kathmandu'`.execute(tx))
  const at = (moment: string) =>
    caller.transaction((tx) =>
      sql`insert into payments (org_id, id, booking_id, kind, amount_minor, currency, received_at)
        values (${caller.orgId}, gen_random_uuid(), ${booking.id}, 'payment', 100, 'EUR', ${moment})`.execute(tx),
    )
  for (const moment of [
    '2030-06-09T18:14:59Z',
    '2030-06-09T18:15:00Z',
    '2030-06-10T18:14:59Z',
    '2030-06-10T18:15:00Z',
  ]) {
    await at(moment)
  }
  const { lines } = await exported(caller, '2030-06-10', '2030-06-10')
  expect(lines.map((line) => line['received_on'])).toEqual(['2030-06-10', '2030-06-10'])
})

test('is for those who may export, and of their own organization', async () => {
  const { caller, booking } = await desk()
  await pay(caller, booking.id, {})
  const { caller: other } = await desk()
  expect((await exported(other)).lines).toEqual([])
  const dispatcher = await world.as('dispatcher', { orgId: caller.orgId })
  await expect(exported(dispatcher)).rejects.toMatchObject({ code: 'permission-denied' })
  await expect(exported(caller, '2030-07-02', '2030-07-01')).rejects.toMatchObject({ code: 'invalid-argument' })
})

test('who took which days away is in the audit log, each time', async () => {
  const { caller, booking } = await desk()
  await pay(caller, booking.id, { receivedOn: '2030-06-20' })
  await exported(caller)
  await exported(caller, '2030-06-21', '2030-06-30')
  const { rows } = await caller.transaction((tx) =>
    sql<{ actor: string; about: unknown }>`select actor_id as actor, diff as about from audit_entries
      where org_id = ${caller.orgId} and action = 'payments-export' order by id`.execute(tx),
  )
  expect(rows.map(({ about }) => about)).toEqual([
    { from: '2030-06-01', to: '2030-07-31', rows: 1 },
    { from: '2030-06-21', to: '2030-06-30', rows: 0 },
  ])
  expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set([caller.caller.userId]))
})
