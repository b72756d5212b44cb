import {
  applyImport,
  checkImportUndo,
  createImport,
  getImport,
  listImports,
  mapImport,
  previewImport,
  stopImport,
} from '@tour-ops/contract/imports/imports'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import {
  addDeparture,
  amara,
  file,
  importDesk,
  type Importer,
  jonas,
  mehmet,
  type TestDeparture,
  verbOf,
} from '../../../testing/imports.ts'

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
    guests: 3,
    duplicates: 0,
    warned: 0,
  })
  expect(await importer.guests()).toEqual([])

  const applied = await importer.apply(checked)
  expect(applied).toMatchObject({ status: 'applied', error: null, undoUntil: expect.any(String) })
  expect(await importer.guests()).toEqual([
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
  expect(await importer.seats(gold.id)).toBe(3)

  const again = await importer.upload(file(amara, jonas, mehmet))
  expect(again.sameFileAppliedAt).toBe(applied.appliedAt)
  const recheck = await importer.preview(again)
  expect(recheck.counts).toMatchObject({ add: 0, change: 0, reject: 0, unchanged: 3, seats: 0, bookingsWritten: 0 })
  await expect(who.call(verbOf(applyImport), { id: recheck.id, version: recheck.version })).rejects.toMatchObject({
    details: { reason: 'nothing_to_do' },
  })
})

test('what a later file says differently is shown field by field, and undone exactly', async () => {
  await importer.importFile(file(amara, jonas))
  const before = await importer.guests()
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
  expect((await importer.guests()).find((guest) => guest.name === 'Amara Okafor')).toMatchObject({
    phone: '+447700900118',
    paid: 6400,
    pickup: 'Harpa',
    batch: batch.id,
  })
  const undone = await importer.undo(applied)
  expect(undone).toMatchObject({ status: 'undone', keptBecauseEdited: [] })
  expect(await importer.guests()).toEqual(before)
})

test('undo removes what was made and gives the seats back, and leaves parties that somebody worked on since', async () => {
  const applied = await importer.importFile(file(amara, jonas, mehmet))
  await who.transaction((tx) =>
    sql`update travelers set phone = '+15550100' where org_id = ${who.orgId} and last_name = 'Weber'`.execute(tx),
  )
  const edited = [
    { name: 'Amara Okafor', departureCode: gold.code, editedByName: expect.any(String), editedAt: expect.any(String) },
    { name: 'Jonas Weber', departureCode: gold.code, editedByName: expect.any(String), editedAt: expect.any(String) },
  ]
  expect(await who.call(verbOf(checkImportUndo), { id: applied.id })).toEqual({ edited, total: 2 })
  const undone = await importer.undo(applied)
  expect(undone).toMatchObject({ status: 'undone', keptBecauseEdited: edited })
  expect((await importer.guests()).map((guest) => guest.name)).toEqual(['Amara Okafor', 'Jonas Weber'])
  expect(await importer.seats(gold.id)).toBe(2)
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
  expect(undone.keptBecauseEdited).toMatchObject([
    { name: 'Mehmet Kaya', departureCode: gold.code, editedAt: expect.any(String) },
  ])
  expect(await importer.guests()).toHaveLength(1)
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
  expect((await importer.guests()).map((guest) => guest.phone)).toEqual(['+447700900181', null])
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
  expect(await importer.guests()).toEqual([])
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
  expect(await importer.guests()).toEqual([])
  expect(await importer.work('apply', checked.id)).toMatchObject({ status: 'applied' })
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

test('after an import the planner knows how many guests there are', async () => {
  await addDeparture(who, { code: 'GOLD-301121-0900', capacity: 120 })
  const guests = Array.from({ length: 120 }, (_, n) =>
    amara
      .replaceAll('GOLD-311121-0900', 'GOLD-301121-0900')
      .replaceAll('Amara', `Guest${n}`)
      .replace('FJ-1', `FJ-${n}`),
  )
  await importer.importFile(file(...guests))
  const [seen] = await importer.look(
    () => sql<{ seen: number; there: number }>`
      select (select reltuples::int from pg_class where oid = 'travelers'::regclass) as seen, (select count(*)::int from travelers) as there`,
  )
  expect(seen?.seen).toBeGreaterThanOrEqual(120)
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
