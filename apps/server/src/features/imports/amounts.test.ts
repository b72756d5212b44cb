import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { importDesk, type Importer, type TestDeparture } from '../../../testing/imports.ts'

// What amounts of a file are amounts of, and in which currency.

let world: TestWorld
let importer: Importer
let gold: TestDeparture
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  ;({ importer, gold } = await importDesk(world))
})

const amounts = () =>
  importer.look(
    (orgId) => sql<{ ref: string; total: number; paid: number; currency: string }>`
      select external_ref as ref, amount_total_minor as total, amount_paid_minor as paid, currency from bookings
      where org_id = ${orgId} order by external_ref`,
  )

const csv = (...lines: string[]) => ['Order id;Departure;Name;Pax;Total;Paid;Currency', ...lines].join('\n')

test('the check shows what a new booking costs and what is paid', async () => {
  const checked = await importer.preview(await importer.upload(csv(`A-1;${gold.code};Amara Okafor;2;120.00;20.00;EUR`)))
  expect((await importer.rows(checked))[0]).toMatchObject({
    outcome: 'add',
    changes: [
      { field: 'total', before: null, after: '12000 EUR' },
      { field: 'paid', before: null, after: '2000 EUR' },
    ],
  })
})

test('amounts of each guest are added up where the mapping says so, and the same file again changes nothing', async () => {
  const file = csv(
    `B-1;${gold.code};Amara Okafor;;60.10;10.00;`,
    `B-1;${gold.code};Jonas Weber;;30.20;;`,
    `B-2;${gold.code};Mia Wolf;3;40.00;40.00;`,
  )
  const perBooking = await importer.preview(await importer.upload(file))
  expect((await importer.rows(perBooking)).map(({ line, problems }) => [line, problems[0]?.code])).toEqual([
    [2, 'same_party'],
    [3, 'party_disagrees'],
    [4, undefined],
  ])
  const checked = await importer.preview(await importer.map(perBooking, { amountsOf: 'guest' }))
  await importer.apply(checked)
  expect(await amounts()).toEqual([
    { ref: 'B-1', total: 9030, paid: 1000, currency: 'EUR' },
    { ref: 'B-2', total: 12000, paid: 12000, currency: 'EUR' },
  ])
  const again = await importer.preview(await importer.map(await importer.upload(file), { amountsOf: 'guest' }))
  expect(again.counts).toMatchObject({ change: 0, add: 0 })
})

test('amounts in another currency are rejected, and taken as they are where that is allowed and the total is known', async () => {
  const file = csv(
    `C-1;${gold.code};Amara Okafor;2;130.00;130.00;USD`,
    `C-2;${gold.code};Jonas Weber;1;;50.00;USD`,
    `C-3;${gold.code};Mia Wolf;1;;;USD`,
  )
  const refused = await importer.preview(await importer.upload(file))
  expect((await importer.rows(refused)).map(({ line, problems }) => [line, problems[0]?.params])).toEqual([
    [2, { currency: 'USD', expected: 'EUR' }],
    [3, { currency: 'USD', expected: 'EUR' }],
    [4, undefined],
  ])
  await importer.apply(await importer.preview(await importer.map(refused, { otherCurrency: 'accept' })))
  expect(await amounts()).toEqual([
    { ref: 'C-1', total: 13000, paid: 13000, currency: 'USD' },
    // without an amount the price of the list counts
    { ref: 'C-3', total: 4900, paid: 0, currency: 'EUR' },
  ])
})
