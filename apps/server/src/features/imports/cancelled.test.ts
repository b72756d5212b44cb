import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { applyImport, mapImport } from '@tour-ops/contract/imports/imports'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { addDeparture, importDesk, type Importer, type TestDeparture, verbOf } from '../../../testing/imports.ts'
import { newId } from '../../platform/ids.ts'
import type { ImportJobData } from './import-run.ts'
import { runImportJob } from './imports-jobs.ts'

// The status of a line: a cancelled one cancels its booking, and undo brings it back.

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

const csv = (...lines: string[]) => ['Order id;Status;Departure;First name;Last name;Adults', ...lines].join('\n')
const amara = (status: string, adults = '2') => `A-1;${status};${gold.code};Amara;Okafor;${adults}`

const state = () =>
  importer.look(
    (orgId) => sql<{ ref: string; status: string; reason: string | null; isOver: boolean; guests: string[] }>`
      select external_ref as ref, status, cancel_reason as reason, cancelled_at is not null as "isOver",
        (select array_agg(m.status order by m.id) from manifest_entries m where m.org_id = b.org_id and m.booking_id = b.id) as guests
      from bookings b where org_id = ${orgId} order by external_ref`,
  )

test('a cancelled line cancels its booking, frees the seats, and undo brings all of it back', async () => {
  await importer.importFile(csv(amara('Confirmed')))
  const before = await state()
  const batch = await importer.upload(csv('A-1;Canceled;;;;', 'A-9;Storniert;;Nobody;Known;'))
  expect(batch.columns[1]).toMatchObject({ field: 'status', unknownWords: [] })
  const checked = await importer.preview(await importer.map(batch, { departureCode: null }))
  expect(checked.counts).toMatchObject({ reject: 0, change: 1, unchanged: 1, warned: 1, seats: 0, bookings: 0 })
  const rows = await importer.rows(checked)
  expect(rows.map(({ line, changes, warnings }) => [line, changes, warnings.map(({ code }) => code)])).toEqual([
    [2, [{ field: 'status', before: 'confirmed', after: 'cancelled' }], []],
    [3, [], ['cancelled_unknown']],
  ])
  const applied = await importer.apply(checked)
  expect(await state()).toEqual([
    { ref: 'A-1', status: 'cancelled', reason: 'other', isOver: true, guests: ['cancelled'] },
  ])
  expect(await importer.seats(gold.id)).toBe(0)
  const again = await importer.preview(await importer.upload(csv('A-1;Canceled;;;;')))
  expect(again.counts).toMatchObject({ change: 0, unchanged: 1 })

  const undone = await importer.undo(applied)
  expect(undone).toMatchObject({ status: 'undone', keptBecauseEdited: [] })
  expect(await state()).toEqual(before)
  expect(await importer.seats(gold.id)).toBe(2)
})

test('seats that an import frees are offered to who waits, also when its end is seen before that', async () => {
  const small = await addDeparture(who, { code: 'SMALL-311121-0900', capacity: 2 })
  const two = (status: string) => csv(`A-1;${status};${small.code};Amara;Okafor;2`)
  await importer.importFile(two('Confirmed'))
  await who.transaction((tx) =>
    sql`insert into bookings (org_id, id, booking_ref, departure_id, status, contact_name, units, pax, currency)
      values (${who.orgId}, ${newId()}, 'TOR-WAIT01', ${small.id}, 'waitlisted', 'Jonas', '[{"unitType": "adult", "qty": 1, "paxCount": 1}]', 1, 'EUR')`.execute(
      tx,
    ),
  )
  const checked = await importer.preview(await importer.upload(two('Cancelled')))
  await who.call(verbOf(applyImport), { id: checked.id, version: checked.version })
  const { services, enqueued } = world
  const transaction: typeof services.db.transaction = async (scope, run) => {
    const answer = await services.db.transaction(scope, run)
    // long enough for who watches the progress to see that the run is over
    if (scope.importBatchId) await sleep(600)
    return answer
  }
  await runImportJob(
    { ...services, db: { ...services.db, transaction } },
    'apply',
    enqueued.at(-1)?.data as ImportJobData,
  )
  const [waiting] = await importer.look(
    (orgId) =>
      sql<{ status: string }>`select status from bookings where org_id = ${orgId} and booking_ref = 'TOR-WAIT01'`,
  )
  expect(waiting?.status).toBe('on_hold')
})

test('nothing but the undo of the import that cancelled makes a cancelled booking confirmed', async () => {
  await importer.importFile(csv(amara('Confirmed')))
  await importer.importFile(csv(amara('Cancelled')))
  await expect(
    who.transaction((tx) => sql`update bookings set status = 'confirmed' where org_id = ${who.orgId}`.execute(tx)),
  ).rejects.toThrow('is cancelled and cannot become confirmed')
  await expect(
    who.transaction(async (tx) => {
      await sql`select set_config('app.undone_batch_id', gen_random_uuid()::text, true)`.execute(tx)
      await sql`update bookings set status = 'confirmed' where org_id = ${who.orgId}`.execute(tx)
    }),
  ).rejects.toThrow('is cancelled and cannot become confirmed')
})

test('what is not confirmed, a word that nobody knows, and lines that contradict each other are rejected', async () => {
  await importer.importFile(csv(amara('Confirmed')))
  const batch = await importer.upload(
    csv(
      `B-1;Pending;${gold.code};Jonas;Weber;1`,
      `B-2;on hold;${gold.code};Mia;Weber;1`,
      `B-3;Parked;${gold.code};Ole;Berg;1`,
      `B-4;Confirmed;${gold.code};Eva;Berg;1`,
      `B-4;Cancelled;${gold.code};Max;Berg;1`,
      amara('Amended', '3'),
    ),
  )
  expect(batch.columns[1]).toMatchObject({ unknownWords: ['Parked'] })
  const checked = await importer.preview(batch)
  expect(
    (await importer.rows(checked)).map(({ line, outcome, problems }) => [line, outcome, problems[0]?.code]),
  ).toEqual([
    [2, 'reject', 'status_open'],
    [3, 'reject', 'status_open'],
    [4, 'reject', 'status_unknown'],
    [5, 'reject', 'same_party'],
    [6, 'reject', 'party_disagrees'],
    [7, 'change', undefined],
  ])
  const decided = await importer.map(batch.version === checked.version ? batch : checked, {
    words: { Parked: 'confirmed' },
  })
  expect((await importer.preview(decided)).counts).toMatchObject({ reject: 4, add: 1, change: 1 })
})

test('a known status that means something else at an operator is given that meaning, and the next file of the source has it', async () => {
  const content = csv(`B-1;OK;${gold.code};Jonas;Weber;1`, `B-2;Pending;${gold.code};Mia;Weber;1`)
  const batch = await importer.upload(content)
  expect(batch.columns[1]?.knownWords).toEqual([
    { word: 'OK', meaning: 'confirmed' },
    { word: 'Pending', meaning: 'pending' },
  ])
  const mapping = { ...batch.mapping, words: { OK: 'pending', Pending: 'confirmed' } }
  const mapped = await who.call(verbOf(mapImport), {
    id: batch.id,
    version: batch.version,
    mapping,
    saveAsTemplate: 'Parking words',
  })
  const outcomes = async (checked: ImportBatch) =>
    (await importer.rows(checked)).map(({ line, outcome, problems }) => [line, outcome, problems[0]?.code])
  const decided = [
    [2, 'reject', 'status_open'],
    [3, 'add', undefined],
  ]
  expect(await outcomes(await importer.preview(mapped))).toEqual(decided)
  const next = await importer.upload(content, 'december.csv')
  expect(next).toMatchObject({ template: 'Parking words', mapping: { words: { OK: 'pending' } } })
  expect(next.columns[1]?.knownWords[0]).toEqual({ word: 'OK', meaning: 'pending' })
  const checked = await importer.preview(next)
  expect(await outcomes(checked)).toEqual(decided)
  // the same where its rows are rejected
  const corrected = await importer.correct(checked, {
    corrections: [{ line: 2, column: 'Status', value: 'confirmed', everywhere: true }],
  })
  expect(corrected).toMatchObject({
    counts: { add: 2, reject: 0 },
    corrections: 0,
    mapping: { words: { OK: 'confirmed' } },
  })
})

test('a booking with guests aboard is not cancelled by a file', async () => {
  await importer.importFile(csv(amara('Confirmed')))
  await who.transaction((tx) =>
    sql`update manifest_entries set status = 'checked_in' where org_id = ${who.orgId}`.execute(tx),
  )
  const checked = await importer.preview(await importer.upload(csv(amara('Cancelled'))))
  expect((await importer.rows(checked))[0]?.problems[0]?.code).toBe('cancel_aboard')
})

test('a guest who was changed after the check keeps the whole import from being written', async () => {
  await importer.importFile(csv(amara('Confirmed')))
  const checked = await importer.preview(await importer.upload(csv(amara('Cancelled'))))
  await who.transaction((tx) =>
    sql`update manifest_entries set seat_or_group = '4A' where org_id = ${who.orgId}`.execute(tx),
  )
  expect((await importer.apply(checked)).error).toMatchObject({ lines: [2] })
  expect((await state())[0]?.status).toBe('confirmed')
})

test('an undo whose seats have been sold meanwhile is refused, and changes nothing', async () => {
  await importer.importFile(csv(amara('Confirmed')))
  const applied = await importer.importFile(csv(amara('Cancelled')))
  await who.transaction((tx) =>
    sql`insert into bookings (org_id, id, booking_ref, departure_id, status, units, pax, currency)
      values (${who.orgId}, gen_random_uuid(), 'FULL-BUS', ${gold.id}, 'confirmed', '[{"unitType": "adult", "qty": 20}]', 20, 'EUR')`.execute(
      tx,
    ),
  )
  const refused = await importer.undo(applied)
  expect(refused).toMatchObject({ status: 'applied', progress: null })
  expect(refused.error?.reason).toBe('seats_exhausted')
  expect((await state())[0]).toMatchObject({ ref: 'A-1', status: 'cancelled', guests: ['cancelled'] })
})
