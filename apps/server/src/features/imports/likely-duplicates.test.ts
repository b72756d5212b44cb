import { importRows, previewImport } from '@tour-ops/contract/imports/imports'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { importDesk, type Importer, type TestDeparture, verbOf } from '../../../testing/imports.ts'

// Parties that look like a booking which is there under another reference: said, decided by a person, never merged.

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
  await book('PHONE-1', { name: 'J. Weber', phone: '+4930901820', pax: 2 })
})

const csv = (...lines: string[]) => ['Order id;Departure;Name;Adults;Phone;Email', ...lines].join('\n')

/** A booking as the office has made it by phone. */
function book(ref: string, contact: { name: string; phone?: string; email?: string; pax: number }) {
  const { name, phone = null, email = null, pax } = contact
  return who.transaction((tx) =>
    sql`insert into bookings (org_id, id, booking_ref, departure_id, status, units, pax, currency, contact_name, contact_phone, contact_email)
      values (${who.orgId}, gen_random_uuid(), ${ref}, ${gold.id}, 'confirmed', ${JSON.stringify([{ unitType: 'adult', qty: pax }])}::jsonb, ${pax}, 'EUR',
        ${name}, ${phone}, ${email})`.execute(tx),
  )
}

const check = async (...lines: string[]) => importer.preview(await importer.upload(csv(...lines)))

const duplicatesOf = async ({ id }: { id: string }) => {
  const { rows } = await who.call(verbOf(importRows), { id, duplicates: true })
  return rows.map(({ line, outcome, warnings }) => {
    const found = warnings.find(({ code }) => code === 'likely_duplicate')
    return [line, outcome, found?.column, found?.params['bookingRef'], found?.result]
  })
}

test('the same contact, departure and number of guests under another reference is said, and imported unless a person leaves it out', async () => {
  const checked = await check(
    `A-1;${gold.code};Jonas Weber;2;+49 30 901820;`,
    `A-1;${gold.code};Eva Weber;2;;`,
    `A-2;${gold.code};Mia Wolf;1;;`,
  )
  expect(checked).toMatchObject({ duplicates: { usual: 'take', except: [] } })
  expect(checked.counts).toMatchObject({ add: 3, bookings: 2, seats: 3, duplicates: 1, warned: 0 })
  expect(await duplicatesOf(checked)).toEqual([[2, 'add', 'Phone', 'PHONE-1', 'taken']])

  await who.call(verbOf(previewImport), {
    id: checked.id,
    version: checked.version,
    duplicates: { usual: 'take', except: [2] },
  })
  const decided = await importer.work('preview', checked.id)
  expect(decided.duplicates).toEqual({ usual: 'take', except: [2] })
  expect(decided.counts).toMatchObject({ add: 1, unchanged: 2, bookings: 1, seats: 1, duplicates: 1, warned: 1 })
  expect(await duplicatesOf(decided)).toEqual([[2, 'unchanged', 'Phone', 'PHONE-1', 'left_out']])
  const rows = (await importer.rows(decided)).flatMap(({ line, warnings }) =>
    warnings.map(({ code, result }) => [line, code, result]),
  )
  expect(rows).toEqual([
    [2, 'likely_duplicate', 'left_out'],
    [3, 'same_party', 'left_out'],
  ])
  // a check without a decision keeps the one that was made
  expect((await importer.preview(decided)).counts).toMatchObject({ add: 1, unchanged: 2 })

  await importer.apply(await importer.get(checked.id))
  expect((await importer.guests()).map(({ name }) => name)).toEqual(['Mia Wolf'])
  expect(await importer.seats(gold.id)).toBe(3)
})

test('taken as it is, it is a booking of its own, and undo takes only that one away', async () => {
  const applied = await importer.importFile(csv(`A-1;${gold.code};Jonas Weber;2;+49 30 901820;`))
  expect(await importer.seats(gold.id)).toBe(4)
  // the same file again is no duplicate of itself
  expect((await check(`A-1;${gold.code};Jonas Weber;2;+49 30 901820;`)).counts).toMatchObject({
    unchanged: 1,
    duplicates: 0,
  })
  await importer.undo(applied)
  expect(await importer.seats(gold.id)).toBe(2)
})

test('name or address alone are enough, another number of guests or an ended booking are not', async () => {
  await book('MAIL-1', { name: '', email: 'mia@example.com', pax: 1 })
  await book('NAME-1', { name: 'Berg, Ole', pax: 3 })
  await book('GONE-1', { name: 'Eva Lund', pax: 1 })
  await who.transaction((tx) =>
    sql`update bookings set status = 'cancelled', cancel_reason = 'other' where org_id = ${who.orgId} and booking_ref = 'GONE-1'`.execute(
      tx,
    ),
  )
  const checked = await check(
    `B-1;${gold.code};Mia Wolf;1;;MIA@example.com`,
    `B-2;${gold.code};Ole Berg;3;;`,
    `B-3;${gold.code};Ole Berg;4;;`,
    `B-4;${gold.code};Eva Lund;1;;`,
  )
  expect(await duplicatesOf(checked)).toEqual([
    [2, 'add', 'Email', 'MAIL-1', 'taken'],
    [3, 'add', 'Name', 'NAME-1', 'taken'],
  ])
})

test('the address of an agent, which many bookings have, says nothing', async () => {
  for (const ref of ['AG-1', 'AG-2', 'AG-3']) await book(ref, { name: ref, email: 'desk@agent.example', pax: 1 })
  const checked = await check(`C-1;${gold.code};Mia Wolf;1;;desk@agent.example`)
  expect(checked.counts).toMatchObject({ add: 1, duplicates: 0 })
})

test('a full departure rejects no duplicate that is left out', async () => {
  await book('FULL', { name: 'Bus', pax: 18 })
  const checked = await check(`D-1;${gold.code};Jonas Weber;2;+49 30 901820;`)
  expect(checked.counts).toMatchObject({ reject: 1 })
  await who.call(verbOf(previewImport), {
    id: checked.id,
    version: checked.version,
    duplicates: { usual: 'leave_out', except: [] },
  })
  expect((await importer.work('preview', checked.id)).counts).toMatchObject({ reject: 0, unchanged: 1, duplicates: 1 })
})

test('two parties of a file that are alike are said as well, and one of them is left out by a person', async () => {
  const lines = [
    `E-1;${gold.code};Ole Berg;3;;`,
    `E-2;${gold.code};Berg, Ole;3;;`,
    `E-3;${gold.code};Eva Lund;3;;desk@agent.example`,
    `E-4;${gold.code};Mia Wolf;3;;desk@agent.example`,
  ]
  const checked = await check(...lines)
  expect(checked.counts).toMatchObject({ add: 4, seats: 12, duplicates: 1 })
  const { rows } = await who.call(verbOf(importRows), { id: checked.id, duplicates: true })
  expect(rows.map(({ line, warnings }) => [line, warnings[0]?.params, warnings[0]?.reason])).toEqual([
    [3, { line: '2' }, 'Looks like line 2: same departure, as many guests, same name'],
  ])
  await who.call(verbOf(previewImport), {
    id: checked.id,
    version: checked.version,
    duplicates: { usual: 'take', except: [3] },
  })
  expect((await importer.work('preview', checked.id)).counts).toMatchObject({ add: 3, seats: 9, duplicates: 1 })
})

test('two guests of one name with different birth dates are two', async () => {
  const born = [
    'Order id;Departure;Name;Born',
    `F-1;${gold.code};Elsa Lund;1980-01-02`,
    `F-2;${gold.code};Elsa Lund;1999-12-31`,
  ]
  const checked = await importer.preview(await importer.upload(born.join('\n')))
  expect(checked.counts).toMatchObject({ add: 2, duplicates: 0 })
})
