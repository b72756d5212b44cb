import { createDeparture } from '@tour-ops/contract/departures/departure-schedule'
import { previewImport, applyImport, newDeparturesOfImport } from '@tour-ops/contract/imports/imports'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addTour, importDesk, type Importer, verbOf } from '../../../testing/imports.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { departuresVerbs } from '../departures/departures-service.ts'
import type { ImportJobData } from './import-run.ts'
import { runImportJob } from './imports-jobs.ts'
import { notesOnDepartures, usesOfDepartures } from './remove-departures.ts'

const departureVerb = verbsOf(departuresVerbs)

let world: TestWorld
let who: TestCaller
let importer: Importer
let whales: { id: string }
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  ;({ who, importer } = await importDesk(world))
  whales = await addTour(who, { code: 'WHALE', name: 'Whale watching' })
})

const head = 'Order no.;Tour;Date;Time;First name;Last name;Pickup'
const fileOf = (...lines: string[]): string => [head, ...lines].join('\r\n')
const amara = 'W-1;Whale watching;2031-11-21;09:00;Amara;Okafor;Old Harbour'
const jonas = 'W-2;WHALE;2031-11-21;09:00;Jonas;Weber;'
const late = 'W-3;WHALE;2031-11-21;14:00;Mia;Wolf;'

const check = async (content: string, create = true): Promise<ImportBatch> => {
  const batch = await importer.upload(content)
  return importer.preview(batch, { createDepartures: create })
}
const listed = async ({ id }: ImportBatch) => (await who.call(verbOf(newDeparturesOfImport), { id })).rows
const problemsOf = async (batch: ImportBatch) =>
  (await importer.rows(batch)).flatMap(({ line, problems }) => problems.map(({ code }) => [line, code]))

const stored = () =>
  importer.look(
    (orgId) => sql<{ code: string; status: string; sales: string; seats: number; capacity: number; stops: number }>`
      select d.code, d.status, d.sales_status as sales, d.seats_confirmed as seats, d.capacity,
        (select count(*)::int from departure_stops s where s.org_id = d.org_id and s.departure_id = d.id) as stops
      from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id where d.org_id = ${orgId} and t.code = 'WHALE' order by d.code`,
  )

test('what is missing is listed before anything is written, and its lines wait for the choice', async () => {
  const batch = await check(fileOf(amara, jonas, late), false)
  expect(await problemsOf(batch)).toEqual([
    [2, 'departure_not_made'],
    [3, 'departure_not_made'],
    [4, 'departure_not_made'],
  ])
  expect(batch).toMatchObject({ createDepartures: false, newDepartures: 2 })
  expect(await listed(batch)).toMatchObject([
    { tourName: 'Whale watching', localDate: '2031-11-21', startTimeLocal: '09:00', capacity: 10, lines: 2, seats: 0 },
    { startTimeLocal: '14:00', lines: 1, isMade: false },
  ])
  expect(await stored()).toEqual([])
})

test('with the choice they are made with their guests, as the screen makes them, and found by the next file', async () => {
  const batch = await check(fileOf(amara, jonas, late))
  expect(batch.counts).toMatchObject({ reject: 0, add: 3, departures: 2, seats: 3 })
  expect(await listed(batch)).toMatchObject([{ seats: 2 }, { seats: 1 }])
  expect(await stored()).toEqual([])
  const applied = await importer.apply(batch)
  expect(applied).toMatchObject({ status: 'applied', error: null })
  expect(await listed(applied)).toMatchObject([{ isMade: true }, { isMade: true }])
  const made = await stored()
  expect(made).toMatchObject([
    { status: 'scheduled', sales: 'open', seats: 2, capacity: 10, stops: 1 },
    { seats: 1, stops: 1 },
  ])
  expect((await importer.guests()).map(({ name, pickup, total }) => [name, pickup, total])).toEqual([
    ['Amara Okafor', 'Old Harbour', 4900],
    ['Jonas Weber', null, 4900],
    ['Mia Wolf', null, 4900],
  ])
  const byHand = await who.call(departureVerb(createDeparture), {
    tourId: whales.id,
    localDate: '2031-11-21',
    startTimeLocal: '18:00',
  })
  const rows = await importer.look(
    (orgId) => sql<{ row: Record<string, unknown> }>`
      select to_jsonb(d) - '{id,code,starts_at,ends_at,local_start_time,decide_by,cutoff_at,seats_confirmed,version,created_at,updated_at}'::text[]
        || jsonb_build_object('cutoff', d.starts_at - d.cutoff_at, 'decide', d.starts_at - d.decide_by, 'lasts', d.ends_at - d.starts_at) as row
      from departures d where d.org_id = ${orgId} and (d.code = ${byHand.code} or d.code = ${made[1]?.code ?? ''})`,
  )
  expect(rows[0]).toEqual(rows[1])
  const again = await check(fileOf(amara, jonas, late))
  expect(again).toMatchObject({ newDepartures: 0, counts: { unchanged: 3, add: 0, change: 0, reject: 0 } })
})

test('a tour without prices is sold in the currency of the organization, at what the file says', async () => {
  await addTour(who, { code: 'FREE', name: 'Free', isPriced: false })
  const priced = [`${head};Total;Currency`, 'F-1;FREE;2031-11-21;09:00;Amara;Okafor;;45;EUR'].join('\r\n')
  const batch = await check(priced)
  expect(await problemsOf(batch)).toEqual([])
  await importer.apply(batch)
  expect((await importer.guests()).map(({ name, total }) => [name, total])).toEqual([['Amara Okafor', 4500]])
})

test('seats count against the capacity of what is to be made, over all lines of the file', async () => {
  const small = await addTour(who, { code: 'TINY', name: 'Tiny', capacity: 2 })
  expect(small.id).not.toBe('')
  const line = (at: number): string => `T-${at};TINY;2031-11-21;09:00;Guest;Nr${'abc'[at]};`
  const batch = await check(fileOf(line(0), line(1), line(2)))
  expect(await problemsOf(batch)).toEqual([[4, 'no_seat']])
  expect(await importer.apply(batch)).toMatchObject({ status: 'applied' })
})

test('a line without a time means the only departure of its day in the file, else the usual time of the tour, else it is asked', async () => {
  await addTour(who, { code: 'USUAL', name: 'Usual', times: ['10:30'] })
  await addTour(who, { code: 'BOTH', name: 'Both', times: ['10:30', '12:00'] })
  const batch = await check(
    fileOf(
      'A-1;WHALE;2031-11-21;;Amara;Okafor;',
      jonas,
      'A-2;USUAL;2031-11-21;;Mia;Wolf;',
      'A-3;USUAL;2031-11-21;10:30;Leo;Wolf;',
      'A-4;BOTH;2031-11-21;;Li;Wu;',
    ),
  )
  expect(await problemsOf(batch)).toEqual([[6, 'departure_time_needed']])
  expect((await listed(batch)).map(({ startTimeLocal, seats }) => [startTimeLocal, seats])).toEqual([
    ['09:00', 2],
    ['10:30', 2],
  ])
  const without = await importer.preview(batch, { createDepartures: false })
  expect((await problemsOf(without)).map(([, code]) => code)).toEqual([
    ...Array.from({ length: 4 }, () => 'departure_not_made'),
    'departure_time_needed',
  ])
  const applied = await importer.apply(await importer.preview(without, { createDepartures: true }))
  expect(applied.status).toBe('applied')
})

test('one at the time of an option is of that option: in its language, and for one party where it is private', async () => {
  await who.transaction((tx) =>
    sql`insert into tour_options (org_id, id, tour_id, name, start_times_local, language, private)
      values (${who.orgId}, gen_random_uuid(), ${whales.id}, 'Small group', '{09:00,16:00}', 'de', false),
        (${who.orgId}, gen_random_uuid(), ${whales.id}, 'Private', '{14:00,16:00}', null, true)`.execute(tx),
  )
  const second = 'W-4;WHALE;2031-11-21;14:00;Ole;Dahl;'
  const either = 'W-5;WHALE;2031-11-21;16:00;Zoe;Berg;'
  const batch = await check(fileOf(amara, jonas, late, second, either))
  expect(await problemsOf(batch)).toEqual([[5, 'no_seat']])
  await importer.apply(batch)
  const made = await importer.look(
    (orgId) => sql<{ option: string | null; language: string | null; private: boolean; seats: number }>`
      select o.name as option, d.language, d.private, d.seats_confirmed as seats from departures d
      left join tour_options o on o.org_id = d.org_id and o.id = d.option_id where d.org_id = ${orgId} and d.tour_id = ${whales.id} order by d.starts_at`,
  )
  expect(made).toEqual([
    { option: 'Small group', language: 'de', private: false, seats: 2 },
    { option: 'Private', language: null, private: true, seats: 1 },
    { option: null, language: null, private: false, seats: 1 },
  ])
})

test('what cannot be made is said: in the past, of a tour that is not published, at a time that clocks skip', async () => {
  await addTour(who, { code: 'OLD', name: 'Old', status: 'archived' })
  await addTour(who, { code: 'ZONE', name: 'Zone', timeZone: 'Europe/Berlin' })
  const batch = await check(
    fileOf(
      'A-1;WHALE;2020-11-21;09:00;Amara;Okafor;',
      'A-2;OLD;2031-11-21;09:00;Mia;Wolf;',
      'A-3;ZONE;2031-03-30;02:30;Leo;Wolf;',
    ),
  )
  expect(await problemsOf(batch)).toEqual([
    [2, 'departure_past'],
    [3, 'tour_not_published'],
    [4, 'departure_no_such_time'],
  ])
  expect(batch.newDepartures).toBe(0)
})

test('only who may create departures may choose it, or apply what somebody else chose', async () => {
  const batch = await check(fileOf(amara))
  const dispatcher = await world.as('dispatcher', { orgId: who.orgId })
  const refused = { details: { reason: 'missing_permission', permission: 'departures:manage' } }
  const named = { id: batch.id, version: batch.version }
  await expect(dispatcher.call(verbOf(previewImport), { ...named, createDepartures: true })).rejects.toMatchObject(
    refused,
  )
  await expect(dispatcher.call(verbOf(applyImport), named)).rejects.toMatchObject(refused)
})

test('an undo removes them where nothing else is on them', async () => {
  const applied = await importer.apply(await check(fileOf(amara, jonas, late)))
  const undone = await importer.undo(applied)
  expect(undone).toMatchObject({ status: 'undone', newDepartures: 0, error: null })
  expect(await stored()).toEqual([])
})

test('an undo leaves those that somebody uses or has changed, and says why', async () => {
  const noon = 'W-4;WHALE;2031-11-21;12:00;Zoe;Berg;'
  const applied = await importer.apply(await check(fileOf(amara, late, noon)))
  await importer.apply(await check(fileOf('X-9;WHALE;2031-11-21;09:00;Ole;Dahl;')))
  const [, twelve, two] = await listed(applied)
  await who.transaction((tx) =>
    sql`update departures set internal_note = 'Bring blankets' where org_id = ${who.orgId} and id = ${two?.departureId ?? ''}`.execute(
      tx,
    ),
  )
  await who.transaction((tx) =>
    sql`update departures set capacity = 30 where org_id = ${who.orgId} and id = ${twelve?.departureId ?? ''}`.execute(
      tx,
    ),
  )
  const undone = await importer.undo(applied)
  expect((await listed(undone)).map(({ startTimeLocal, keptBecause }) => [startTimeLocal, keptBecause])).toEqual([
    ['09:00', 'bookings'],
    ['12:00', 'changes'],
    ['14:00', 'changes'],
  ])
  expect((await stored()).map(({ seats }) => seats)).toEqual([1, 0, 0])
})

test('everything that can be on a departure keeps it, or goes with it', async () => {
  const found = await importer.look(
    () => sql<{ use: string }>`
      select distinct c.conrelid::regclass::text || case when a.attname = 'departure_id' then '' else '.' || a.attname end as use
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[2]
      where c.contype = 'f' and c.confrelid = 'departures'::regclass order by 1`,
  )
  expect(found.map(({ use }) => use).toSorted()).toEqual(
    [...Object.values(usesOfDepartures).flat(), ...notesOnDepartures].toSorted(),
  )
})

test('what somebody else has made meanwhile is not made twice: the file is checked again', async () => {
  const batch = await check(fileOf(amara, jonas))
  await who.call(departureVerb(createDeparture), {
    tourId: whales.id,
    localDate: '2031-11-21',
    startTimeLocal: '09:00',
  })
  expect(await importer.apply(batch)).toMatchObject({
    status: 'previewed',
    counts: null,
    error: { reason: 'changed_since_check', lines: [2, 3] },
  })
  const again = await importer.preview(await importer.get(batch.id))
  expect(again).toMatchObject({ newDepartures: 0, counts: { add: 2 } })
})

test('two imports that make the same departure at the same time make one', async () => {
  const first = await check(fileOf(amara))
  const second = await check(fileOf(jonas))
  for (const { id, version } of [first, second]) await who.call(verbOf(applyImport), { id, version })
  const jobs = world.enqueued.filter(({ name }) => name === 'imports-apply').slice(-2)
  expect(jobs.length).toBe(2)
  await Promise.all(jobs.map((job) => importer.run('apply', job.data)))
  const results = [await importer.get(first.id), await importer.get(second.id)]
  expect(results.map(({ status, error }) => error?.reason ?? status).toSorted()).toEqual([
    'applied',
    'changed_since_check',
  ])
  expect(await stored()).toMatchObject([{ seats: 1 }])
})

test('an apply whose process ends at any moment is taken up again, and makes each once', async () => {
  const batch = await check(fileOf(amara, late))
  await who.call(verbOf(applyImport), { id: batch.id, version: batch.version })
  const job = world.enqueued.findLast(({ name }) => name === 'imports-apply')
  let ended = 0
  for (let moment = 1; moment < 20; moment += 1) {
    const process = new AbortController()
    let looks = 0
    // the clock is looked at before the departures are made, and behind that for their seats
    const now = (): Date => {
      looks += 1
      if (looks === moment) process.abort(new Error('the process ends'))
      return world.services.clock.now()
    }
    const run = runImportJob(
      { ...world.services, clock: { ...world.services.clock, now } },
      'apply',
      job?.data as ImportJobData,
      process.signal,
    )
    const isOver = await run.then(
      () => true,
      () => false,
    )
    if (isOver) break
    ended += 1
    expect(await stored()).toEqual([])
  }
  expect(ended).toBeGreaterThan(3)
  expect(await importer.get(batch.id)).toMatchObject({ status: 'applied', error: null })
  expect((await stored()).map(({ seats }) => seats)).toEqual([1, 1])
})
