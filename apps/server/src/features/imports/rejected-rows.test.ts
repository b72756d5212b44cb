import { rejectedImportRows } from '@tour-ops/contract/imports/imports'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import {
  addDeparture,
  amara,
  file,
  fileHead,
  importDesk,
  type Importer,
  jonas,
  mehmet,
  type TestDeparture,
  verbOf,
} from '../../../testing/imports.ts'

// Rows that are not written, each with its reason.

let world: TestWorld
let who: TestCaller
let importer: Importer
let gold: TestDeparture
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  ;({ who, importer, gold } = await importDesk(world))
})

test('rejected rows are listed by line and reason, whole parties together, and can be downloaded as they were', async () => {
  const lines = [
    amara.replace('ADT', 'XYZ'),
    jonas,
    mehmet.replace('GOLD-311121', 'GOLD-311131'),
    'FJ-3;fjordsales;GOLD-311121-0900;Jan;Novák;ADT;;CZ;;;;;free;',
    'FJ-4;fjordsales;GOLD-311121-0900;;;ADT;;;;;;;;',
    'FJ-5;fjordsales;NONE-1;Lara;Conti;XYZ;;;;;;;;',
    'FJ-6;fjordsales;GOLD-311121-0900;=cmd;"A ""quoted""\nname";SNR;;;;;;;;',
  ]
  const batch = await importer.upload(file(...lines))
  const checked = await importer.preview(await importer.map(batch, { dateOrder: 'day_month_year' }))
  const rows = await importer.rows(checked)
  expect(rows.map((row) => [row.line, row.problems.map((found) => [found.column, found.code])])).toEqual([
    [2, [['Type', 'unit_unknown']]],
    [3, [['Type', 'same_party']]],
    [4, [['Trip code', 'departure_date_impossible']]],
    [5, [['Balance', 'amount_unreadable']]],
    [6, [[null, 'name_missing']]],
    [7, [['Type', 'unit_unknown']]],
    [8, [['Type', 'unit_not_sold']]],
  ])
  expect(rows[2]?.problems[0]?.reason).toBe('No departure with this code: GOLD-311131-0900. Month 11 has 30 days')
  expect(checked.counts).toMatchObject({ reject: 7, add: 0 })

  const download = await who.call(verbOf(rejectedImportRows), { id: batch.id })
  expect(download).toMatchObject({ fileName: 'november-rejected.csv', rows: 7 })
  const text = download.csv.split('\r\n')
  expect(text[0]).toBe(`\uFEFFLine,Reason,${fileHead.replaceAll(';', ',')}`)
  expect(text[1]).toContain('Unit type XYZ is not known')
  expect(download.csv).toContain(`'=cmd,"A ""quoted""\nname"`)
})

test('seats are never oversold by a file: parties that do not fit are refused whole, in the order of the file', async () => {
  const small = await addDeparture(who, { code: 'TINY-311121-0900', capacity: 3 })
  const row = (ref: string, name: string) => `${ref};viator;${small.code};${name};Test;ADT;;;;;;;;`
  const checked = await importer.preview(
    await importer.upload(
      file(row('A', 'One'), row('A', 'Two'), row('B', 'Three'), row('B', 'Four'), row('C', 'Five')),
    ),
  )
  const rows = await importer.rows(checked)
  expect(rows.map((found) => [found.line, found.outcome, found.problems[0]?.code, found.problems[0]?.params])).toEqual([
    [4, 'reject', 'no_seat', { left: '1', asked: '2' }],
    [5, 'reject', 'no_seat_same_party', { line: '4' }],
    [2, 'add', undefined, undefined],
    [3, 'add', undefined, undefined],
    [6, 'add', undefined, undefined],
  ])

  // somebody takes the last seats between check and import
  await who.transaction((tx) =>
    sql`insert into bookings (org_id, id, booking_ref, departure_id, status, units, pax, currency)
      values (${who.orgId}, gen_random_uuid(), 'LAST-SEAT', ${small.id}, 'confirmed', '[{"unitType": "adult", "qty": 1}]', 1, 'EUR')`.execute(
      tx,
    ),
  )
  const refused = await importer.apply(checked)
  expect(refused).toMatchObject({ status: 'previewed', counts: null })
  expect(refused.error).toEqual({
    reason: 'import_seats_exhausted',
    params: { code: small.code, left: '2', asked: '3' },
    message: `${small.code} has 2 seats left, the file needs 3. Nothing was written; check again.`,
    lines: [2, 6],
  })
  expect(await importer.guests()).toEqual([])
  const rechecked = await importer.preview(refused)
  expect(rechecked.counts).toMatchObject({ add: 2, reject: 3 })
})

test('sales that are paused, bookings that have ended and orders on another departure are refused with their reason', async () => {
  await importer.importFile(file(amara, mehmet))
  await addDeparture(who, { code: 'SHUT-311121-0900', salesStatus: 'paused' })
  await who.transaction((tx) =>
    sql`update bookings set status = 'cancelled' where org_id = ${who.orgId} and external_ref = 'FJ-2'`.execute(tx),
  )
  await addDeparture(who, { code: 'SOUTH-311122-0800' })
  const checked = await importer.preview(
    await importer.upload(
      file(
        amara.replace(gold.code, 'SOUTH-311122-0800'),
        mehmet,
        'FJ-7;fjordsales;SHUT-311121-0900;Ida;Sørensen;ADT;;;;;;;;',
        'FJ-8;fjordsales;GOLD-311121-0900;Ida;Sørensen;SNR;;;;;;;;',
      ),
    ),
  )
  expect(
    (await importer.rows(checked)).map(({ line, problems }) => [line, problems[0]?.code, problems[0]?.params]),
  ).toEqual([
    [2, 'booking_elsewhere', { code: gold.code }],
    [3, 'booking_ended', { status: 'cancelled' }],
    [4, 'departure_not_on_sale', { code: 'SHUT-311121-0900', because: 'paused' }],
    [5, 'unit_not_sold', { unit: 'senior' }],
  ])
})
