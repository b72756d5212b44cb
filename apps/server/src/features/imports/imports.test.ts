import { AppError } from '@tour-ops/contract/errors'
import {
  applyImport,
  checkImportUndo,
  createImport,
  getImport,
  ImportMapping,
  importTemplates,
  listImports,
  mapImport,
  previewImport,
  rejectedImportRows,
  stopImport,
} from '@tour-ops/contract/imports'
import { importMappings } from '@tour-ops/contract/saved-views'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../testing.ts'
import { requireColumns } from './refused-columns.ts'
import { addDeparture, Importer, type TestDeparture, verbOf } from './testing-imports.ts'

let world: TestWorld
let who: TestCaller
let importer: Importer
let gold: TestDeparture
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  who = await world.as('operations_manager')
  importer = new Importer(world, who)
  gold = await addDeparture(who, { code: 'GOLD-311121-0900' })
})

const head =
  'Order no.;Reseller;Trip code;Given name;Family name;Type;Born;Nat.;Mobile;Meal;Hotel stop;Stop time;Balance;Internal'
const file = (...lines: string[]): string => [head, ...lines].join('\r\n')
const amara =
  'FJ-1;fjordsales;GOLD-311121-0900;Amara;Okafor;ADT;1989-07-04;GB;+44 7700 900181;vegan, no nuts;City Hall;8:20;0;x7'
const jonas = 'FJ-1;fjordsales;GOLD-311121-0900;Jonas;Weber;CHD;2019-01-30;DE;;;City Hall;8:20;0;'
const mehmet = 'FJ-2;fjordsales;GOLD-311121-0900;Mehmet;Kaya;ADT;1990-05-31;TR;+90 532 000 0000;;Harpa;;12,50;'

interface GuestRow {
  name: string
  ref: string
  pax: number
  channel: string
  paid: number
  total: number
  status: string
  unitType: string
  born: string | null
  phone: string | null
  dietary: string[]
  pickup: string | null
  batch: string | null
}

const guests = (): Promise<GuestRow[]> =>
  importer.look(
    (orgId) => sql<GuestRow>`
      select t.first_name || ' ' || t.last_name as name, b.external_ref as ref, b.pax, b.channel, b.amount_paid_minor as paid,
        b.amount_total_minor as total, b.status, m.unit_type as "unitType", v.date_of_birth as born, t.phone, t.dietary, p.name as pickup,
        t.import_batch_id as batch
      from manifest_entries m join bookings b on b.org_id = m.org_id and b.id = m.booking_id
      join travelers t on t.org_id = m.org_id and t.id = m.traveler_id
      left join traveler_private v on v.org_id = t.org_id and v.traveler_id = t.id
      left join departure_stops s on s.org_id = m.org_id and s.id = m.pickup_stop_id
      left join places p on p.org_id = s.org_id and p.id = s.place_id
      where m.org_id = ${orgId} order by t.last_name`,
  )

const seats = async (): Promise<number> => {
  const [row] = await importer.look(
    (orgId) =>
      sql<{
        seats: number
      }>`select seats_confirmed as seats from departures where org_id = ${orgId} and id = ${gold.id}`,
  )
  return row?.seats ?? -1
}

test('a file becomes bookings, travelers and manifest in one step, and the same file again changes nothing', async () => {
  const batch = await importer.upload(file(amara, jonas, mehmet))
  expect(batch).toMatchObject({ rows: 3, encoding: 'utf-8', delimiter: ';', status: 'parsed', counts: null })
  expect(batch.columns.map((column) => column.field)).toEqual([
    'external_ref',
    'channel',
    'departure_code',
    'first_name',
    'last_name',
    'unit_type',
    'date_of_birth',
    'nationality',
    'phone',
    'dietary',
    'pickup_place',
    'pickup_time',
    'balance',
    null,
  ])
  expect(batch.columns[5]?.knownWords).toEqual([
    { word: 'ADT', meaning: 'adult' },
    { word: 'CHD', meaning: 'child' },
  ])
  expect(batch.columns[8]).toMatchObject({ filled: 2, firstValues: ['+44 7700 900181', '+90 532 000 0000'] })

  const checked = await importer.preview(batch)
  expect(checked).toMatchObject({ status: 'previewed', progress: null, error: null })
  expect(checked.counts).toEqual({
    reject: 0,
    change: 0,
    add: 3,
    unchanged: 0,
    bookings: 2,
    departures: 1,
    seats: 3,
    bookingsWritten: 2,
  })
  expect(await guests()).toEqual([])

  const applied = await importer.apply(checked)
  expect(applied).toMatchObject({ status: 'applied', error: null, undoUntil: expect.any(String) })
  expect(await guests()).toEqual([
    {
      name: 'Mehmet Kaya',
      ref: 'FJ-2',
      pax: 1,
      channel: 'agent',
      paid: 3650,
      total: 4900,
      status: 'confirmed',
      unitType: 'adult',
      born: '1990-05-31',
      phone: '+905320000000',
      dietary: [],
      pickup: 'Harpa',
      batch: batch.id,
    },
    expect.objectContaining({
      name: 'Amara Okafor',
      pax: 2,
      total: 7400,
      paid: 7400,
      dietary: ['nut_allergy', 'vegan'],
      pickup: 'City Hall',
    }),
    expect.objectContaining({ name: 'Jonas Weber', unitType: 'child', pax: 2 }),
  ])
  expect(await seats()).toBe(3)

  const again = await importer.upload(file(amara, jonas, mehmet))
  expect(again.sameFileAppliedAt).toBe(applied.appliedAt)
  const recheck = await importer.preview(again)
  expect(recheck.counts).toMatchObject({ add: 0, change: 0, reject: 0, unchanged: 3, seats: 0, bookingsWritten: 0 })
  await expect(who.call(verbOf(applyImport), { id: recheck.id, version: recheck.version })).rejects.toMatchObject({
    details: { reason: 'nothing_to_do' },
  })
})

test('what a later file says differently is shown field by field, and undone to the letter', async () => {
  await importer.importFile(file(amara, jonas))
  const before = await guests()
  const changed = file(
    amara
      .replace('900181', '900118')
      .replace('vegan, no nuts', 'gluten free')
      .replace('City Hall;8:20;0', 'Harpa;8:40;10'),
    jonas.replace('City Hall;8:20;0', ';;'),
  )
  const batch = await importer.upload(changed)
  const checked = await importer.preview(batch)
  const rows = await importer.rows(checked)
  expect(rows).toEqual([
    expect.objectContaining({
      line: 2,
      outcome: 'change',
      name: 'Amara Okafor',
      departureCode: gold.code,
      changes: [
        { field: 'phone', before: '+447700900181', after: '+447700900118' },
        { field: 'dietary', before: 'nut_allergy, vegan', after: 'gluten_free' },
        { field: 'paid', before: '7400 EUR', after: '6400 EUR' },
        { field: 'balance', before: '0 EUR', after: '1000 EUR' },
        { field: 'pickup', before: '08:20 City Hall', after: '08:40 Harpa' },
      ],
    }),
    expect.objectContaining({ line: 3, outcome: 'unchanged', changes: [] }),
  ])
  const applied = await importer.apply(checked)
  expect((await guests()).find((guest) => guest.name === 'Amara Okafor')).toMatchObject({
    phone: '+447700900118',
    paid: 6400,
    pickup: 'Harpa',
    batch: batch.id,
  })
  const undone = await importer.undo(applied)
  expect(undone).toMatchObject({ status: 'undone', keptBecauseEdited: [] })
  expect(await guests()).toEqual(before)
})

test('undo removes what was made and gives the seats back, and leaves parties that somebody worked on since', async () => {
  const applied = await importer.importFile(file(amara, jonas, mehmet))
  await who.transaction((tx) =>
    sql`update travelers set phone = '+15550100' where org_id = ${who.orgId} and last_name = 'Weber'`.execute(tx),
  )
  const edited = [
    { name: 'Amara Okafor', departureCode: gold.code },
    { name: 'Jonas Weber', departureCode: gold.code },
  ]
  expect(await who.call(verbOf(checkImportUndo), { id: applied.id })).toEqual({ edited, total: 2 })
  const undone = await importer.undo(applied)
  expect(undone).toMatchObject({ status: 'undone', keptBecauseEdited: edited })
  expect((await guests()).map((guest) => guest.name)).toEqual(['Amara Okafor', 'Jonas Weber'])
  expect(await seats()).toBe(2)
  const [left] = await importer.look(
    (orgId) => sql<{ travelers: number; bookings: number }>`
      select (select count(*)::int from travelers where org_id = ${orgId}) as travelers,
        (select count(*)::int from bookings where org_id = ${orgId}) as bookings`,
  )
  expect(left).toEqual({ travelers: 2, bookings: 1 })
})

test('a guest who is checked in keeps the party from being undone', async () => {
  const applied = await importer.importFile(file(mehmet))
  await who.transaction((tx) =>
    sql`insert into check_ins (org_id, id, manifest_entry_id, kind, by_user_id, client_event_id)
      select org_id, gen_random_uuid(), id, 'arrive', ${who.userId}, 'client-event-1' from manifest_entries where org_id = ${who.orgId}`.execute(
      tx,
    ),
  )
  const undone = await importer.undo(applied)
  expect(undone.keptBecauseEdited).toEqual([{ name: 'Mehmet Kaya', departureCode: gold.code }])
  expect(await guests()).toHaveLength(1)
})

test('rejected rows are listed by line and reason, whole parties together, and can be downloaded as they were', async () => {
  const lines = [
    amara.replace('1989-07-04', '31.02.1990'),
    jonas,
    mehmet.replace('GOLD-311121', 'GOLD-311131'),
    'FJ-3;fjordsales;GOLD-311121-0900;Jan;Novák;ADT;;CZ;0049 30;;;;;',
    'FJ-4;fjordsales;GOLD-311121-0900;;;ADT;;;;;;;;',
    'FJ-5;fjordsales;NONE-1;Lara;Conti;XYZ;;;;;;;;',
    'FJ-6;fjordsales;GOLD-311121-0900;=cmd;"A ""quoted""\nname";SNR;;;;;Nowhere;;;',
  ]
  const batch = await importer.upload(file(...lines))
  const checked = await importer.preview(await importer.map(batch, { dateOrder: 'day_month_year' }))
  const rows = await importer.rows(checked)
  expect(rows.map((row) => [row.line, row.problems.map((found) => [found.column, found.code])])).toEqual([
    [2, [['Born', 'date_impossible']]],
    [3, [['Born', 'same_party']]],
    [4, [['Trip code', 'departure_date_impossible']]],
    [5, [['Mobile', 'phone_too_short']]],
    [6, [[null, 'name_missing']]],
    [7, [['Type', 'unit_unknown']]],
    [8, [['Hotel stop', 'pickup_unknown']]],
  ])
  expect(rows[2]?.problems[0]?.reason).toBe('No departure with this code: GOLD-311131-0900. Month 11 has 30 days')
  expect(checked.counts).toMatchObject({ reject: 7, add: 0 })

  const download = await who.call(verbOf(rejectedImportRows), { id: batch.id })
  expect(download).toMatchObject({ fileName: 'november-rejected.csv', rows: 7 })
  const text = download.csv.split('\r\n')
  expect(text[0]).toBe(`\uFEFFLine,Reason,${head.replaceAll(';', ',')}`)
  expect(text[1]).toContain('The date 31.02.1990 does not exist')
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
    reason: 'seats_exhausted',
    params: { code: small.code, left: '2', asked: '3' },
    message: `${small.code} has 2 seats left, the file needs 3. Nothing was written; check again.`,
    lines: [2, 6],
  })
  expect(await guests()).toEqual([])
  const rechecked = await importer.preview(refused)
  expect(rechecked.counts).toMatchObject({ add: 2, reject: 3 })
})

test('what changed between check and import refuses the whole import and names the lines', async () => {
  await importer.importFile(file(amara, jonas))
  const checked = await importer.preview(await importer.upload(file(amara.replace('900181', '900999'), jonas)))
  await who.transaction((tx) =>
    sql`update travelers set email = 'new@example.com' where org_id = ${who.orgId} and last_name = 'Okafor'`.execute(
      tx,
    ),
  )
  const refused = await importer.apply(checked)
  expect(refused.error).toMatchObject({ lines: [2], message: expect.stringContaining('since the check') })
  expect((await guests()).map((guest) => guest.phone)).toEqual(['+447700900181', null])
})

test('a stop before the last step writes nothing, and the import can be started again', async () => {
  const checked = await importer.preview(await importer.upload(file(amara)))
  await who.call(verbOf(applyImport), { id: checked.id, version: checked.version })
  const asked = await who.call(verbOf(stopImport), { id: checked.id })
  expect(asked.progress).toMatchObject({ job: 'apply', phase: 'waiting' })
  await expect(who.call(verbOf(applyImport), { id: checked.id, version: checked.version })).rejects.toMatchObject({
    details: { reason: 'already_running' },
  })
  const stopped = await importer.work('apply', checked.id)
  expect(stopped).toMatchObject({ status: 'previewed', progress: null, error: null })
  expect(await guests()).toEqual([])
  expect(await importer.apply(stopped)).toMatchObject({ status: 'applied' })
})

test('a stopped check leaves no rows', async () => {
  const batch = await importer.upload(file(amara))
  await who.call(verbOf(previewImport), { id: batch.id, version: batch.version })
  await who.call(verbOf(stopImport), { id: batch.id })
  expect(await importer.work('preview', batch.id)).toMatchObject({ status: 'parsed', counts: null, progress: null })
  expect(await importer.rows(batch)).toEqual([])
})

test('a run whose process stops leaves the work to the next one', async () => {
  const checked = await importer.preview(await importer.upload(file(amara)))
  await who.call(verbOf(applyImport), { id: checked.id, version: checked.version })
  await expect(importer.work('apply', checked.id, AbortSignal.abort())).rejects.toThrow()
  expect(await guests()).toEqual([])
  expect(await importer.work('apply', checked.id)).toMatchObject({ status: 'applied' })
})

test('day and month are asked for where nothing tells them apart, and the answer is taken', async () => {
  const batch = await importer.upload(file(amara.replace('1989-07-04', '04.07.1989')))
  const born = batch.columns.find((column) => column.header === 'Born')
  expect(born).toMatchObject({ question: 'date_order', dateExample: '04.07.1989' })
  expect(batch.sample).toContainEqual(
    expect.objectContaining({
      field: 'date_of_birth',
      problem: expect.objectContaining({ code: 'date_order_unknown' }),
    }),
  )
  await expect(who.call(verbOf(previewImport), { id: batch.id, version: batch.version })).rejects.toMatchObject({
    code: 'invalid-argument',
    details: { reason: 'question_open', column: 'Born' },
  })
  const answered = await importer.map(batch, { dateOrder: 'day_month_year' })
  expect(answered.columns.find((column) => column.header === 'Born')).toMatchObject({ question: null })
  await importer.apply(await importer.preview(answered))
  expect(await guests()).toEqual([expect.objectContaining({ born: '1989-07-04' })])
})

test('a date that can be read one way only answers the question by itself', async () => {
  const batch = await importer.upload(
    file(amara.replace('1989-07-04', '7/4/1989'), jonas.replace('2019-01-30', '1/30/2019')),
  )
  expect(batch.mapping.dateOrder).toBe('month_day_year')
  expect(batch.columns.find((column) => column.header === 'Born')).toMatchObject({ question: null })
})

test('an existing booking grows by new names only while there are seats, and rows of others are left alone', async () => {
  await importer.importFile(file(mehmet))
  const wife = mehmet.replace('Mehmet', 'Elif').replace('1990-05-31', '').replace('+90 532 000 0000', '')
  const checked = await importer.preview(await importer.upload(file(mehmet, wife)))
  expect(checked.counts).toMatchObject({ add: 1, bookings: 0, seats: 1 })
  await importer.apply(checked)
  expect((await guests()).map(({ name, pax }) => [name, pax])).toEqual([
    ['Mehmet Kaya', 2],
    ['Elif Kaya', 2],
  ])
  expect(await seats()).toBe(2)
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

test('files of members of other organizations, and of people who may not manage travelers, stay out of reach', async () => {
  const batch = await importer.upload(file(amara))
  const foreign = await world.as('operations_manager')
  const viewer = await world.as('viewer', { orgId: who.orgId })
  const guide = await world.as('guide', { orgId: who.orgId })
  await expect(foreign.call(verbOf(getImport), { id: batch.id })).rejects.toMatchObject({ code: 'not-found' })
  await expect(
    foreign.call(verbOf(mapImport), { id: batch.id, version: batch.version, mapping: batch.mapping }),
  ).rejects.toMatchObject({ code: 'not-found' })
  expect((await foreign.call(verbOf(listImports), {})).total).toBe(0)
  for (const other of [viewer, guide]) {
    await expect(other.call(verbOf(listImports), {})).rejects.toMatchObject({ code: 'permission-denied' })
    await expect(other.call(verbOf(createImport), { fileId: batch.id })).rejects.toMatchObject({
      code: 'permission-denied',
    })
  }
  const [fileRow] = await importer.look(
    (orgId) => sql<{ id: string }>`select file_id as id from import_batches where org_id = ${orgId}`,
  )
  await expect(foreign.call(verbOf(createImport), { fileId: fileRow?.id ?? '' })).rejects.toMatchObject({
    code: 'not-found',
  })
})

test('whoever may not read sensitive fields may not write them either, and is told which columns', () => {
  const mapping = ImportMapping.parse({
    columns: { Born: 'date_of_birth', Pass: 'passport_number', Name: 'full_name' },
  })
  expect(() => requireColumns({ role: 'dispatcher' }, mapping)).not.toThrow()
  const refusal = (() => {
    try {
      requireColumns({ role: 'viewer' }, mapping)
    } catch (error) {
      return error
    }
  })()
  expect(refusal).toBeInstanceOf(AppError)
  expect(refusal).toMatchObject({
    code: 'permission-denied',
    details: { reason: 'missing_permission', columns: ['Born', 'Pass'] },
  })
})

test('a mapping is saved under a name, and suggests itself for the next file of the same kind', async () => {
  const batch = await importer.upload(file(amara))
  const { columns } = batch.mapping
  const { Internal: _internal, ...rest } = { ...columns, Internal: 'notes' as const }
  await who.call(verbOf(mapImport), {
    id: batch.id,
    version: batch.version,
    mapping: { ...batch.mapping, columns: { ...rest, Internal: 'notes' }, words: { fjordsales: 'partner' } },
    saveAsTemplate: 'Fjord Sales',
  })
  const { templates } = await who.call(verbOf(importTemplates), {})
  expect(templates).toEqual([expect.objectContaining({ name: 'Fjord Sales', savedByName: 'Test operations_manager' })])
  await who.transaction((tx) =>
    sql`insert into saved_views (org_id, id, user_id, screen, name, filters, shared)
        values (${who.orgId}, uuidv7(), ${who.userId}, ${importMappings}, 'Of another time', '{"headers": []}', true)`.execute(
      tx,
    ),
  )
  expect((await who.call(verbOf(importTemplates), {})).templates, 'one that cannot be read is left out').toEqual(
    templates,
  )
  const next = await importer.upload(file(mehmet))
  expect(next).toMatchObject({ template: 'Fjord Sales', mapping: { words: { fjordsales: 'partner' } } })
  await importer.apply(await importer.preview(next))
  expect(await guests()).toEqual([expect.objectContaining({ channel: 'partner' })])
})

test('a decision after the check asks for another check', async () => {
  const checked = await importer.preview(await importer.upload(file(amara)))
  const decided = await importer.map(checked, { afterComma: 'note' })
  expect(decided).toMatchObject({ status: 'previewed', counts: null })
  await expect(who.call(verbOf(applyImport), { id: decided.id, version: decided.version })).rejects.toMatchObject({
    details: { reason: 'not_checked' },
  })
  await expect(who.call(verbOf(applyImport), { id: decided.id, version: checked.version })).rejects.toMatchObject({
    details: { reason: 'version_conflict' },
  })
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

test('empty cells keep what is there, unless the mapping says that they clear', async () => {
  await importer.importFile(file(amara))
  const emptied = file(amara.replace('+44 7700 900181', '').replace('City Hall;8:20', ';'))
  const keeps = await importer.preview(await importer.upload(emptied))
  expect(keeps.counts).toMatchObject({ unchanged: 1 })
  const clears = await importer.preview(await importer.map(keeps, { emptyCells: 'clear' }))
  expect((await importer.rows(clears))[0]?.changes).toEqual([
    { field: 'phone', before: '+447700900181', after: null },
    { field: 'pickup', before: '08:20 City Hall', after: null },
  ])
})

test('audit names the person and the act, and every row that was written carries the batch', async () => {
  const applied = await importer.importFile(file(amara, jonas))
  const written = await importer.look(
    (orgId) => sql<{ action: string; actor: string; type: string; count: number }>`
      select action, actor_id as actor, entity_type as type, count(*)::int as count from audit_entries
      where org_id = ${orgId} and entity_type in ('bookings', 'travelers', 'manifest_entries', 'traveler_private') group by 1, 2, 3 order by 3`,
  )
  expect(written).toEqual([
    { action: 'imports-apply', actor: who.userId, type: 'bookings', count: 1 },
    { action: 'imports-apply', actor: who.userId, type: 'manifest_entries', count: 2 },
    { action: 'imports-apply', actor: who.userId, type: 'traveler_private', count: 2 },
    { action: 'imports-apply', actor: who.userId, type: 'travelers', count: 2 },
  ])
  const [marked] = await importer.look(
    (orgId) => sql<{ bookings: number; entries: number }>`
      select (select count(*)::int from bookings where org_id = ${orgId} and import_batch_id = ${applied.id}) as bookings,
        (select count(*)::int from manifest_entries where org_id = ${orgId} and import_batch_id = ${applied.id}) as entries`,
  )
  expect(marked).toEqual({ bookings: 1, entries: 2 })
})
