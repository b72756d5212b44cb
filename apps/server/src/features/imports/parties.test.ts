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

const guestNames = async () => (await importer.guests()).map(({ name, unitType }) => `${name} ${unitType}`).toSorted()

test('each name of a cell is a guest with a seat, shown by the check; the same file changes nothing, and undo takes all away', async () => {
  const head = 'Order id;Departure;Name;Participants;Phone'
  const file = csv(
    head,
    `D-1;${gold.code};John & Mary Smith;;+44 7700 900181`,
    `D-2;${gold.code};Amara Okafor und Jonas Weber;2 Adults, 1 Child;`,
  )
  const batch = await importer.upload(file)
  expect(batch.sample).toContainEqual({ field: 'full_name', value: 'John Smith, Mary Smith', problem: null })
  const checked = await importer.preview(batch)
  expect(checked.counts).toMatchObject({ add: 2, guests: 4, bookings: 2, seats: 5, warned: 0, reject: 0 })
  expect((await importer.rows(checked)).map(({ name, changes }) => [name, changes])).toEqual([
    ['John Smith', [{ field: 'guests', before: null, after: 'John Smith, Mary Smith' }]],
    ['Amara Okafor', [{ field: 'guests', before: null, after: 'Amara Okafor, Jonas Weber' }]],
  ])
  const applied = await importer.apply(checked)
  expect(await bookings()).toEqual([
    expect.objectContaining({ contact: 'John Smith', pax: 2, named: 2, notes: null }),
    expect.objectContaining({ contact: 'Amara Okafor', pax: 3, named: 2, notes: null }),
  ])
  expect(await guestNames()).toEqual([
    'Amara Okafor adult',
    'John Smith adult',
    'Jonas Weber adult',
    'Mary Smith adult',
  ])
  expect((await importer.guests()).filter(({ phone }) => phone !== null).map(({ name }) => name)).toEqual([
    'John Smith',
  ])
  const again = await importer.preview(await importer.upload(file))
  expect(again.counts).toMatchObject({ add: 0, change: 0, unchanged: 2, seats: 0 })

  await importer.undo(applied)
  expect(await guestNames()).toEqual([])
  expect(await importer.look((orgId) => sql`select id from travelers where org_id = ${orgId}`)).toEqual([])
  expect(await importer.seats(gold.id)).toBe(0)
})

test('a further name in the cell of a known booking is one more guest, and undo takes only that one', async () => {
  const head = 'Order id;Departure;Name'
  await importer.importFile(csv(head, `D-1;${gold.code};John & Mary Smith`))
  const checked = await importer.preview(await importer.upload(csv(head, `D-1;${gold.code};John & Mary & Lea Smith`)))
  expect(checked.counts).toMatchObject({ change: 1, seats: 1 })
  expect((await importer.rows(checked))[0]?.changes).toContainEqual({
    field: 'guests',
    before: null,
    after: 'Lea Smith',
  })
  const more = await importer.apply(checked)
  expect(await importer.seats(gold.id)).toBe(3)
  await importer.undo(more)
  expect(await importer.seats(gold.id)).toBe(2)
  expect(await guestNames()).toEqual(['John Smith adult', 'Mary Smith adult'])
})

test('names that several lines of a booking repeat are one guest each', async () => {
  const applied = await importer.importFile(
    csv(
      'Order id;Departure;Name',
      `D-3;${gold.code};Amara Okafor; Jonas Weber`.replace('; J', ' & J'),
      `D-3;${gold.code};Jonas Weber & Amara Okafor`,
      `;${gold.code};Mia Wolf & Leo Wolf`,
    ),
  )
  expect(applied.counts).toMatchObject({ reject: 0, add: 3, guests: 4, seats: 4 })
  const again = await importer.preview(await importer.upload(csv('Departure;Name', `${gold.code};Leo Wolf & Mia Wolf`)))
  expect(again.counts).toMatchObject({ unchanged: 1, seats: 0 })
})

test('guests whom one cell names share the room of the line', async () => {
  const trek = await addDeparture(who, { code: 'TREK-311121-0700', days: 2 })
  const applied = await importer.importFile(
    csv('Order id;Departure;Name;Room;Room type', `D-4;${trek.code};Mia & Leo Wolf;R1;TWN`),
  )
  const sleeping = () =>
    importer.look(
      (orgId) => sql<{ count: number }>`select count(*)::int as count from room_assignments where org_id = ${orgId}`,
    )
  expect(await sleeping()).toEqual([{ count: 2 }])
  await importer.undo(applied)
  expect(await sleeping()).toEqual([{ count: 0 }])
})

test('a party is kept whole by an undo once somebody has worked on a further guest of its line', async () => {
  const applied = await importer.importFile(csv('Order id;Departure;Name', `D-5;${gold.code};Mia & Leo Wolf`))
  await who.transaction((tx) =>
    sql`update travelers set phone = '+447700900181' where org_id = ${who.orgId} and first_name = 'Leo'`.execute(tx),
  )
  const undone = await importer.undo(applied)
  expect(undone.keptBecauseEdited).toMatchObject([{ name: 'Mia Wolf', departureCode: gold.code }])
  expect(await guestNames()).toEqual(['Leo Wolf adult', 'Mia Wolf adult'])
})

test.each([
  ['Amara Okafor & family', '', 2],
  ['García López, María José', '', 2],
  // the count says that one of the names is none
  ['Amara Okafor; Jonas Weber', '1 Adult', 1],
])(
  'where %j may be no list of guests, the first is the guest and the cell stays in the note',
  async (name, party, seats) => {
    const applied = await importer.importFile(
      csv('Order id;Departure;Name;Participants', `D-1;${gold.code};"${name}";${party}`),
    )
    expect(applied.counts).toMatchObject({ add: 1, guests: 1, seats, warned: 1 })
    expect(await bookings()).toEqual([expect.objectContaining({ pax: seats, named: 1, notes: `Name: ${name}` })])
  },
)

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
