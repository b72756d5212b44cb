import { cancelInvoice, issueInvoice } from '@tour-ops/contract/bookings/billing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, book, coreVerbOf, publishedTour } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

/** One connection makes a queue and no race: there the small number shows only that the numbers are right. */
const sales = (): number => (world.database.kind === 'pglite' ? 40 : 500)

class Abandoned extends Error {}

/** Takes a number and fails afterwards, as a connection that breaks does. */
const abandon = (caller: TestCaller, bookingId: string): Promise<void> =>
  caller.transaction(async (tx) => {
    await sql`
      insert into billing_documents (org_id, id, booking_id, kind, locale, currency, total_minor, seller, buyer, tour, lines, issued_on)
      select org_id, gen_random_uuid(), id, 'invoice', 'en', currency, amount_total_minor, '{}', '{}', '{}',
        jsonb_build_array(jsonb_build_object('amountMinor', amount_total_minor)), '2030-07-01'
      from bookings where id = ${bookingId}`.execute(tx)
    throw new Abandoned()
  })

test('500 sales at once, some with an invoice that fails or is taken back, leave no number out and give none twice', async () => {
  const caller = await world.as('operations_manager')
  const { tourId } = await publishedTour(caller)
  const departures = await Promise.all(
    ['09:00', '10:00', '11:00', '12:00'].map((startTimeLocal) =>
      addDeparture(caller, tourId, { startTimeLocal, capacity: 300 }),
    ),
  )
  const sell = async (index: number) => {
    const { id } = await book(caller, departures[index % 4] ?? '', 1, { guests: [] })
    if (index % 3 === 0) await expect(abandon(caller, id)).rejects.toBeInstanceOf(Abandoned)
    const invoice = await caller.call(coreVerbOf(issueInvoice), { bookingId: id, buyer: { name: `Party ${index}` } })
    if (index % 5 === 0) await caller.call(coreVerbOf(cancelInvoice), { id: invoice.id, reason: 'Wrong company' })
  }
  await Promise.all(Array.from({ length: sales() }, (_, index) => sell(index)))
  const rows = await caller.transaction(
    async (tx) =>
      (
        await sql<{ kind: string; count: number; first: number; last: number; different: number }>`
          select kind, count(*)::int as count, min(sequence) as first, max(sequence) as last, count(distinct number)::int as different
          from billing_documents group by kind order by kind`.execute(tx)
      ).rows,
  )
  const whole = (kind: string, count: number) => ({ kind, count, first: 1, last: count, different: count })
  expect(rows).toEqual([whole('credit_note', Math.ceil(sales() / 5)), whole('invoice', sales())])
}, 120_000)
