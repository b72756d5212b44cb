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
  const perBooking = await importer.preview(await importer.map(await importer.upload(file), { amountsOf: 'booking' }))
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

const shown = async (...lines: string[]) => (await importer.upload(lines.join('\n'))).amounts
const head = 'Order id;Departure;Name;Total;Price'

test('what amounts are amounts of is guessed with the reason where the file proves it', async () => {
  const line = (ref: string, name: string, ...amounts: string[]) => [ref, gold.code, name, ...amounts].join(';')
  expect(
    await shown(head, line('A', 'Ana Ruiz', '60'), line('A', 'Ben Ruiz', '30'), line('B', 'Mia Wolf', '60')),
  ).toEqual({
    of: 'guest',
    reason: 'amounts_differ',
    column: 'Total',
    other: null,
    parties: 1,
  })
  expect(await shown(head, line('A', 'Ana Ruiz', '90'), line('A', 'Ben Ruiz'))).toMatchObject({
    of: 'booking',
    reason: 'one_line',
  })
  expect(
    await shown(head, line('A', 'Ana Ruiz', '90,00', '45,00'), line('A', 'Ben Ruiz', '90,00', '45,00')),
  ).toMatchObject({ of: 'booking', reason: 'sum_of', column: 'Total', other: 'Price', parties: 1 })
  const each = [
    'Order id;Departure;Name;Total;Whole order',
    line('A', 'Ana Ruiz', '45', '90'),
    line('A', 'Ben Ruiz', '45', '90'),
  ]
  expect(await shown(...each)).toMatchObject({
    of: 'guest',
    reason: 'adds_up_to',
    column: 'Total',
    other: 'Whole order',
  })
})

test('a header that says per person is believed, whatever the lines say', async () => {
  for (const header of [
    'Price per person',
    'Preis pro Person',
    'Precio por persona',
    'Prix par personne',
    'Price p.p.',
  ]) {
    const batch = await importer.upload(`Order id;Departure;Name;${header}\nA;${gold.code};Ana Ruiz;45`)
    const mapped = await importer.map(batch, { columns: { ...batch.mapping.columns, [header]: 'total' } })
    expect(mapped.amounts, header).toMatchObject({ of: 'guest', reason: 'header_per_guest', column: header })
  }
})

test('where nothing proves it, the file is asked about once; a file without such lines is not', async () => {
  const equal = [head, `A;${gold.code};Ana Ruiz;90`, `A;${gold.code};Ben Ruiz;90`]
  expect(await shown(...equal)).toMatchObject({ of: null, reason: 'nothing', column: 'Total', parties: 1 })
  const asked = await importer.upload(equal.join('\n'))
  await expect(importer.preview(asked)).rejects.toMatchObject({ details: { reason: 'question_open', column: 'Total' } })
  await importer.preview(await importer.map(asked, { amountsOf: 'booking' }))
  expect(await shown(head, `A;${gold.code};Ana Ruiz;90`, `B;${gold.code};Ben Ruiz;90`)).toBeNull()
  expect(await shown(head, `A;${gold.code};Ana Ruiz;0`, `A;${gold.code};Ben Ruiz;0`)).toBeNull()
})

test('lines that a later one replaces prove nothing by their amounts', async () => {
  const versions = ['Order id;Departure;Name;Total;Last modified', `A;${gold.code};Ana Ruiz;90;2031-01-01 10:00`]
  const batch = await importer.upload([...versions, `A;${gold.code};Ana Ruiz;60;2031-01-02 10:00`].join('\n'))
  const changed = await importer.map(batch, { columns: { ...batch.mapping.columns, 'Last modified': 'changed_at' } })
  expect(changed.amounts).toBeNull()
})

test('a guess counts in the check', async () => {
  const file = [head, `A;${gold.code};Ana Ruiz;60.00;`, `A;${gold.code};Ben Ruiz;30.50;`].join('\n')
  await importer.importFile(file)
  expect(await amounts()).toMatchObject([{ ref: 'A', total: 9050 }])
})

test('a currency for the whole file counts where an amount has neither a column nor a sign', async () => {
  const file = [head, `A;${gold.code};Ana Ruiz;90`, `B;${gold.code};Ben Ruiz;90 EUR`, `C;${gold.code};Mia Wolf;`].join(
    '\n',
  )
  const batch = await importer.upload(file)
  const checked = await importer.preview(await importer.map(batch, { currency: 'USD' }))
  expect((await importer.rows(checked)).map(({ problems }) => problems[0]?.code)).toEqual([
    'currency_not_departure',
    undefined,
    undefined,
  ])
  await importer.apply(await importer.preview(await importer.map(checked, { otherCurrency: 'accept' })))
  expect((await amounts()).map(({ ref, total, currency }) => [ref, total, currency])).toEqual([
    ['A', 9000, 'USD'],
    ['B', 9000, 'EUR'],
    ['C', 4900, 'EUR'],
  ])
})

test('a commission is kept in the note of the booking with its label', async () => {
  const file = ['Order id;Departure;Name;Total;Provision', `A;${gold.code};Ana Ruiz;90;15 %`].join('\n')
  const batch = await importer.upload(file)
  expect(batch.columns.at(-1)).toMatchObject({ header: 'Provision', field: 'commission' })
  await importer.apply(await importer.preview(batch))
  const notes = await importer.look(
    (orgId) => sql<{ notes: string }>`select notes from bookings where org_id = ${orgId}`,
  )
  expect(notes).toEqual([{ notes: 'Provision: 15 %' }])
})
