import { previewImport } from '@tour-ops/contract/imports/imports'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import {
  addDeparture,
  amara,
  file,
  importDesk,
  type Importer,
  mehmet,
  type TestDeparture,
  verbOf,
} from '../../../testing/imports.ts'

// Whose row it is: bookings, travelers and rooms that are there already.

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

test('an existing booking grows by new names only while there are seats, and rows of others are left alone', async () => {
  await importer.importFile(file(mehmet))
  const wife = mehmet
    .replace('Mehmet', 'Elif')
    .replace('1990-05-31', '')
    .replace('+90 532 000 0000', '')
    .replace('12,50', '')
  const checked = await importer.preview(await importer.upload(file(mehmet, wife)))
  expect(checked.counts).toMatchObject({ add: 1, bookings: 0, seats: 1 })
  await importer.apply(checked)
  expect((await importer.guests()).map(({ name, pax }) => [name, pax])).toEqual([
    ['Mehmet Kaya', 2],
    ['Elif Kaya', 2],
  ])
  expect(await importer.seats(gold.id)).toBe(2)
})

test('without a reference the name and birth date on the departure say who it is', async () => {
  const plain = (...lines: string[]) => ['Departure;First name;Last name;DOB;Phone', ...lines].join('\n')
  await importer.importFile(plain(`${gold.code};Elsa;Nystrom;1980-01-02;`, `${gold.code};Elsa;Nystrom;1999-12-31;`))
  const checked = await importer.preview(
    await importer.upload(
      plain(`${gold.code};Elsa;Nyström;1980-01-02;+46 70 000 00 00`, `${gold.code};Elsa;Nystrom;;`),
    ),
  )
  const rows = await importer.rows(checked)
  expect(
    rows.map(({ line, outcome, problems, changes }) => ({ line, outcome, code: problems[0]?.code, changes })),
  ).toEqual([
    { line: 3, outcome: 'reject', code: 'traveler_ambiguous', changes: [] },
    {
      line: 2,
      outcome: 'change',
      code: undefined,
      changes: [
        { field: 'last_name', before: 'Nystrom', after: 'Nyström' },
        { field: 'phone', before: null, after: '+46700000000' },
      ],
    },
  ])
})

test('the same guest on two tours is one traveler, and on one tour twice is refused', async () => {
  const south = await addDeparture(who, { code: 'SOUTH-311122-0800' })
  const other = amara.replace('FJ-1', 'FJ-9').replace(gold.code, south.code).replace('vegan, no nuts', '')
  const twice = amara.replace('FJ-1', 'FJ-10')
  const checked = await importer.preview(await importer.upload(file(amara, other, twice)))
  expect((await importer.rows(checked)).map(({ line, problems }) => [line, problems[0]?.code])).toEqual([
    [4, 'traveler_twice'],
    [2, undefined],
    [3, undefined],
  ])
  await importer.apply(checked)
  const [count] = await importer.look(
    (orgId) => sql<{ travelers: number }>`select count(*)::int as travelers from travelers where org_id = ${orgId}`,
  )
  expect(count).toEqual({ travelers: 1 })
})

test('a traveler who is known from another tour is recognized, and refused where they are booked already', async () => {
  await importer.importFile(file(amara))
  const south = await addDeparture(who, { code: 'SOUTH-311122-0800' })
  const onSouth = amara.replace('FJ-1', 'FJ-9').replace(gold.code, south.code)
  const again = amara.replace('FJ-1', 'FJ-10')
  const checked = await importer.preview(await importer.upload(file(onSouth, again)))
  const rows = await importer.rows(checked)
  expect(rows.map(({ line, problems }) => [line, problems[0]?.code])).toEqual([
    [3, 'traveler_booked_already'],
    [2, undefined],
  ])
  await importer.apply(checked)
  const [count] = await importer.look(
    (orgId) => sql<{ travelers: number }>`select count(*)::int as travelers from travelers where org_id = ${orgId}`,
  )
  expect(count).toEqual({ travelers: 1 })
})

test('a rooming list of a multi-day tour makes rooms per night, keyed by room and name', async () => {
  const trek = await addDeparture(who, { code: 'TREK-311121-0900', days: 3 })
  const rooming = (...lines: string[]) =>
    ['RoomKey,RoomType,Title,Forename,Surname,PaxType,BirthDate,PassportNumber,Notes', ...lines].join('\r\n')
  const content = rooming(
    'R1,TW,Ms,Ana,Silva,A,1990-01-01,X123456,window',
    'R1,TW,Mr,Rui,Silva,A,1988-02-02,Y654321,',
    'R2,SG,Mr,Leo,Costa,C,2015-03-03,,',
  )
  const batch = await importer.upload(content)
  expect(batch).toMatchObject({ preset: 'tourplan', needsDeparture: true })
  await expect(who.call(verbOf(previewImport), { id: batch.id, version: batch.version })).rejects.toMatchObject({
    details: { reason: 'departure_missing' },
  })
  const checked = await importer.preview(await importer.map(batch, { departureCode: trek.code }))
  // a child alone in its room is a party without an adult
  expect((await importer.rows(checked)).map(({ line, problems }) => [line, problems[0]?.code])).toEqual([
    [4, 'needs_adult'],
    [2, undefined],
    [3, undefined],
  ])
  const applied = await importer.apply(checked)
  const rooms = () =>
    importer.look(
      (orgId) => sql<{ night: string; type: string; key: string; guests: number }>`
        select r.night_date as night, r.type, r.room_key as key, count(a.manifest_entry_id)::int as guests from rooms r
        left join room_assignments a on a.org_id = r.org_id and a.room_id = r.id
        where r.org_id = ${orgId} group by r.id, r.night_date, r.type, r.room_key order by r.night_date`,
    )
  expect(await rooms()).toEqual([
    { night: '2031-11-21', type: 'TWN', key: 'R1', guests: 2 },
    { night: '2031-11-22', type: 'TWN', key: 'R1', guests: 2 },
  ])
  const documents = await importer.look(
    (orgId) => sql<{ last4: string; sealed: string }>`
      select number_last4 as last4, encode(number_encrypted, 'escape') as sealed from traveler_documents where org_id = ${orgId} order by 1`,
  )
  expect(documents.map((document) => document.last4)).toEqual(['3456', '4321'])
  expect(JSON.stringify(documents)).not.toContain('X123456')
  const [staged] = await importer.look(
    (orgId) =>
      sql<{ text: string }>`select string_agg(after::text, '') as text from import_rows where org_id = ${orgId}`,
  )
  expect(staged?.text).not.toContain('X123456')

  const again = await importer.preview(await importer.map(await importer.upload(content), { departureCode: trek.code }))
  expect(again.counts).toMatchObject({ add: 0, change: 0, unchanged: 2, reject: 1 })
  await importer.undo(applied)
  expect(await rooms()).toEqual([])
})
