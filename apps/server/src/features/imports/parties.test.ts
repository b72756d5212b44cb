import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { addDeparture, importDesk, type Importer, type TestDeparture } from '../../../testing/imports.ts'

// Parties as exports of bookings have them: a lead guest with a number of guests, counts by kind, text.

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

interface BookingRow {
  ref: string
  contact: string
  pax: number
  units: { unitType: string; qty: number }[]
  total: number
  paid: number
  notes: string | null
  named: number
}

const bookings = () =>
  importer.look(
    (orgId) => sql<BookingRow>`
      select external_ref as ref, contact_name as contact, pax, (select jsonb_agg(jsonb_build_object('unitType', u ->> 'unitType', 'qty', (u ->> 'qty')::int)
          order by u ->> 'unitType') from jsonb_array_elements(units) u) as units, amount_total_minor as total, amount_paid_minor as paid, notes,
        (select count(*)::int from manifest_entries m where m.org_id = b.org_id and m.booking_id = b.id) as named
      from bookings b where org_id = ${orgId} order by external_ref`,
  )

const csv = (...lines: string[]) => lines.join('\n')

test('a lead guest with a party as text takes its seats; prices, totals and amounts due are those of the file', async () => {
  const batch = await importer.upload(
    csv(
      'Order id;Departure;Customer;Participants;Total;Due;Language',
      `A-1;${gold.code};Amara Okafor;2 Adults, 1 Child (8);EUR 123.00;23.00;English - Guide`,
      `A-2;${gold.code};Jonas Weber;4;;;`,
      `A-3;${gold.code};;1 Adult;;;`,
    ),
  )
  expect(batch.columns.map(({ field }) => field)).toEqual([
    'external_ref',
    'departure_code',
    'full_name',
    'party',
    'total',
    'balance',
    'language',
  ])
  const checked = await importer.preview(batch)
  expect(checked.counts).toMatchObject({ reject: 0, add: 3, bookings: 3, seats: 8, warned: 0 })
  const applied = await importer.apply(checked)
  expect(await bookings()).toEqual([
    {
      ref: 'A-1',
      contact: 'Amara Okafor',
      pax: 3,
      units: [
        { unitType: 'adult', qty: 2 },
        { unitType: 'child', qty: 1 },
      ],
      total: 12300,
      paid: 10000,
      notes: 'Participants: 2 Adults, 1 Child (8)',
      named: 1,
    },
    expect.objectContaining({ ref: 'A-2', pax: 4, units: [{ unitType: 'adult', qty: 4 }], total: 19600, named: 1 }),
    expect.objectContaining({ ref: 'A-3', contact: '', pax: 1, named: 0 }),
  ])
  expect(await importer.seats(gold.id)).toBe(8)
  await importer.undo(applied)
  expect(await bookings()).toEqual([])
  expect(await importer.seats(gold.id)).toBe(0)
})

const counts = 'Order id;Departure;Name;Adults;Children;Notes'

test('counts by column say how many of each kind; the same file again changes nothing, another number amends', async () => {
  const file = (adults: number) => csv(counts, `B-1;${gold.code};Amara Okafor;${adults};1;`)
  await importer.importFile(file(3))
  expect(await bookings()).toEqual([expect.objectContaining({ pax: 4, total: 3 * 4900 + 2500 })])
  expect((await importer.preview(await importer.upload(file(3)))).counts).toMatchObject({ unchanged: 1, seats: 0 })

  const fewer = await importer.importFile(file(2))
  expect(await bookings()).toEqual([expect.objectContaining({ pax: 3, total: 2 * 4900 + 2500, named: 1 })])
  expect(await importer.seats(gold.id)).toBe(3)
  await importer.undo(fewer)
  expect(await bookings()).toEqual([expect.objectContaining({ pax: 4, total: 3 * 4900 + 2500 })])
})

test('a line for each guest may count the guest, and that is no statement about the others', async () => {
  const checked = await importer.preview(
    await importer.upload(
      csv(
        counts,
        `C-1;${gold.code};Amara Okafor;1;0;`,
        `C-1;${gold.code};Jonas Weber;0;1;`,
        `C-1;${gold.code};Mia Weber;;1;`,
      ),
    ),
  )
  expect(checked.counts).toMatchObject({ reject: 0, add: 3, bookings: 1, seats: 3 })
  await importer.apply(checked)
  expect(await bookings()).toEqual([
    expect.objectContaining({
      pax: 3,
      units: [
        { unitType: 'adult', qty: 1 },
        { unitType: 'child', qty: 2 },
      ],
    }),
  ])
})

test('several names in one cell take a seat each; the first is the guest, the others are kept in the note', async () => {
  const applied = await importer.importFile(
    csv('Order id;Departure;Name', `D-1;${gold.code};Amara Okafor; Jonas Weber`.replace('; J', ' & J')),
  )
  expect(applied.counts).toMatchObject({ add: 1, seats: 2, warned: 1 })
  expect(await bookings()).toEqual([
    expect.objectContaining({ contact: 'Amara Okafor', pax: 2, named: 1, notes: 'Name: Amara Okafor & Jonas Weber' }),
  ])
})

test('a party that is not understood, one without a name, number and reference, and one that finds no seats are rejected', async () => {
  const small = await addDeparture(who, { code: 'TINY-311121-0900', capacity: 3 })
  const checked = await importer.preview(
    await importer.upload(
      csv(
        'Order id;Departure;Name;Participants',
        `E-1;${gold.code};Amara Okafor;2 Adults, 1 Locals`,
        `E-2;${gold.code};;`,
        `;${gold.code};;2`,
        `E-3;${small.code};Jonas Weber;4 Adults`,
        `E-4;${gold.code};Mia Weber;900`,
        `E-5;${gold.code};Ole Berg;2`,
        `E-5;${gold.code};Eva Berg;3`,
      ),
    ),
  )
  expect((await importer.rows(checked)).map(({ line, problems }) => [line, problems[0]?.code])).toEqual([
    [2, 'party_unreadable'],
    [3, 'name_missing'],
    [4, 'name_missing'],
    [5, 'no_seat'],
    [6, 'party_too_large'],
    [7, 'same_party'],
    [8, 'party_disagrees'],
  ])
})
