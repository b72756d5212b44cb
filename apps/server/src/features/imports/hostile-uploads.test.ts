import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@tour-ops/contract/errors'
import { createImport, listImports, previewImport, rejectedImportRows } from '@tour-ops/contract/imports/imports'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Services } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import { withIdempotency } from '../../platform/http/idempotency.ts'
import { execute } from '../../platform/verb.ts'
import { requestMeta, type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { oldImportRows } from './forget-file.ts'
import { runImportJob } from './imports-jobs.ts'
import type { ImportJobData } from './import-run.ts'
import { importDesk, type Importer, verbOf } from '../../../testing/imports.ts'
import { plainRows, workbook, xml } from '../../../testing/workbooks.ts'

let world: TestWorld
let who: TestCaller
let importer: Importer
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  ;({ who, importer } = await importDesk(world))
})

const upload = (content: string | Uint8Array, as = who): Promise<string> =>
  as.transaction(async (tx) => {
    const file = await world.services.files.put(tx, as.orgId, {
      use: 'import',
      name: 'november.xlsx',
      content: Buffer.from(content),
      createdBy: as.userId,
    })
    return file.id
  })

/** The same services, whose files hold what is given. */
const withContent = (open: () => AsyncGenerator<Uint8Array>) => ({
  ...world.services,
  files: { ...world.services.files, open: async () => Readable.from(open()) },
})

/** A workbook that ends on demand: its last part is as long as that takes. */
function endlessWorkbook() {
  const state = { isOver: false, taken: 0 }
  const start = Buffer.concat([workbook(plainRows), Buffer.from('504b0304140000000000', 'hex'), Buffer.alloc(20)])
  start.writeUInt32LE(0x7fffffff, start.length - 12)
  start.writeUInt32LE(0x7fffffff, start.length - 8)
  start.writeUInt16LE(5, start.length - 4)
  const open = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.concat([start, Buffer.from('a.bin')])
    while (!state.isOver) {
      state.taken += 1
      yield Buffer.alloc(65_536)
    }
  }
  return { state, open }
}

test('a file that is refused leaves no import, and its content is removed', async () => {
  const hostile = workbook(plainRows, { 'xl/sharedStrings.xml': [xml('<a>'.repeat(100_000)), { level: 9 }] })
  const fileId = await upload(hostile)
  await expect(who.call(verbOf(createImport), { fileId })).rejects.toMatchObject({
    code: 'invalid-argument',
    message: expect.stringContaining('more than 64 deep'),
  })
  expect(await who.call(verbOf(listImports), {})).toMatchObject({ rows: [], total: 0 })
  const sweep = () => who.transaction((tx) => oldImportRows.run(tx, who.orgId))
  const files = () => importer.look((orgId) => sql<{ id: string }>`select id from files where org_id = ${orgId}`)
  await sweep()
  expect(await files()).toEqual([{ id: fileId }])
  const kept = await importer.upload('Trip code;Given name;Family name\nGOLD-311121-0900;Amara;Okafor')
  const [batch] = await importer.look(
    () => sql<{ fileId: string }>`select file_id as "fileId" from import_batches where id = ${kept.id}`,
  )
  await who.transaction((tx) => sql`update files set completed_at = app_now() - interval '2 days'`.execute(tx))
  await sweep()
  expect(await files()).toEqual([{ id: batch?.fileId }])
})

test('another call is answered while a file is read that does not end before', async () => {
  const fileId = await upload(workbook(plainRows))
  const { state, open } = endlessWorkbook()
  const reading = execute(withContent(open), requestMeta(), who.caller, verbOf(createImport), { fileId })
  const ended = expect(reading).rejects.toMatchObject({ code: 'invalid-argument' })
  await expect.poll(() => state.taken).toBeGreaterThan(10)
  expect(await who.call(verbOf(listImports), {})).toMatchObject({ total: 0 })
  state.isOver = true
  await ended
})

test('many readings at once hold no connection: other organizations are answered, and too many are refused with a message', async () => {
  const { state, open } = endlessWorkbook()
  const services = withContent(open)
  const away = new AbortController()
  const codes: string[] = []
  const readAs = async (reader: TestCaller, fileId: string): Promise<void> => {
    await execute(services, requestMeta(away.signal), reader.caller, verbOf(createImport), { fileId }).catch(
      (error: AppError) => codes.push(error.code),
    )
  }
  // two of an organization are read, four wait
  const greedy = [who, await world.as('operations_manager')]
  const readings: Promise<void>[] = []
  for (const each of greedy) {
    const fileId = await upload(workbook(plainRows), each)
    readings.push(...Array.from({ length: 10 }, () => readAs(each, fileId)))
  }
  await expect.poll(() => codes).toEqual(Array.from({ length: 8 }, () => 'resource-exhausted'))
  const other = await world.as('operations_manager')
  const startedMs = performance.now()
  expect(await other.call(verbOf(listImports), {})).toMatchObject({ total: 0 })
  expect(performance.now() - startedMs).toBeLessThan(500)
  await expect.poll(() => state.taken).toBeGreaterThan(0)
  away.abort()
  await Promise.all(readings)
  expect(codes.slice(8)).toEqual(Array.from({ length: 12 }, () => 'cancelled'))
})

test('a reading may take longer than a transaction may idle', async () => {
  const fileId = await upload('Trip code;Given name;Family name\nGOLD-311121-0900;Amara;Okafor')
  const slow = async function* (): AsyncGenerator<Uint8Array> {
    await sleep(500)
    yield Buffer.from('Trip code;Given name;Family name\nGOLD-311121-0900;Amara;Okafor')
  }
  const services: Services = { ...withContent(slow), db: withIdleLimit(world.services.db, '200ms') }
  const batch = await execute(services, requestMeta(), who.caller, verbOf(createImport), { fileId })
  expect(batch).toMatchObject({ status: 'parsed', rows: 1 })
})

/** The same database, with less patience for transactions in which nothing happens. */
const withIdleLimit = (db: Database, limit: string): Database => ({
  ...db,
  transaction: (scope, run) =>
    db.transaction(scope, async (tx) => {
      await sql`select set_config('idle_in_transaction_session_timeout', ${limit}, true)`.execute(tx)
      return run(tx)
    }),
})

test('nobody reads a file without the permission, and a file that goes away meanwhile makes no import', async () => {
  const fileId = await upload(workbook(plainRows))
  const { state, open } = endlessWorkbook()
  const guide = await world.as('guide', { orgId: who.orgId })
  await expect(
    execute(withContent(open), requestMeta(), guide.caller, verbOf(createImport), { fileId }),
  ).rejects.toMatchObject({ code: 'permission-denied' })
  expect(state.taken).toBe(0)
  const text = await upload('Trip code;Given name;Family name\nGOLD-311121-0900;Amara;Okafor')
  const removing = async function* (): AsyncGenerator<Uint8Array> {
    await who.transaction((tx) => sql`delete from files where id = ${text}`.execute(tx))
    yield Buffer.from('Trip code;Given name;Family name\nGOLD-311121-0900;Amara;Okafor')
  }
  await expect(
    execute(withContent(removing), requestMeta(), who.caller, verbOf(createImport), { fileId: text }),
  ).rejects.toMatchObject({ code: 'not-found' })
  expect(await who.call(verbOf(listImports), {})).toMatchObject({ total: 0 })
})

test('a repeated key gets the answer of the first call without another reading', async () => {
  const fileId = await upload('ignored')
  let readings = 0
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    readings += 1
    yield Buffer.from('Trip code;Given name;Family name\nGOLD-311121-0900;Amara;Okafor')
  }
  const send = (idempotencyKey: string) => {
    const data = { fileId, idempotencyKey }
    const verb = withIdempotency(verbOf(createImport), data)
    return execute(withContent(counted), requestMeta(), who.caller, verb, data)
  }
  const first = await send('once-and-for-all')
  const passes = readings
  expect(await send('once-and-for-all')).toEqual(first)
  expect(readings).toBe(passes)
  const [one, two] = await Promise.all([send('at-the-same-time'), send('at-the-same-time')])
  expect(two).toEqual(one)
  expect(await who.call(verbOf(listImports), {})).toMatchObject({ total: 2 })
})

test.each([
  ['a caller who goes away', new AppError('cancelled', 'The caller went away.')],
  ['a deadline that passes', new AppError('deadline-exceeded', 'It took too long.')],
])('%s ends the reading', async (_, reason) => {
  const fileId = await upload(workbook(plainRows))
  const { state, open } = endlessWorkbook()
  const away = new AbortController()
  const reading = execute(withContent(open), requestMeta(away.signal), who.caller, verbOf(createImport), { fileId })
  const ended = expect(reading).rejects.toMatchObject({ code: reason.code })
  await expect.poll(() => state.taken).toBeGreaterThan(10)
  away.abort(reason)
  await ended
  const { taken } = state
  await who.call(verbOf(listImports), {})
  expect(state.taken).toBe(taken)
})

test('a stop ends the reading of a check, and nothing of it is left', async () => {
  const fileId = await upload(
    workbook('<row><c t="inlineStr"><is><t>Name</t></is></c></row><row><c><v>1</v></c></row>'),
  )
  const batch = await who.call(verbOf(createImport), { fileId })
  const mapped = await importer.map(batch, { columns: { Name: 'last_name' }, departureCode: 'GOLD-311121-0900' })
  await who.call(verbOf(previewImport), { id: batch.id, version: mapped.version })
  const job = world.enqueued.findLast((each) => each.name === 'imports-preview')?.data as ImportJobData
  const { state, open } = endlessWorkbook()
  const run = runImportJob(withContent(open), 'preview', job)
  await expect.poll(() => state.taken).toBeGreaterThan(10)
  await who.transaction((tx) =>
    sql`update import_work set stop_requested = true where batch_id = ${batch.id}`.execute(tx),
  )
  await run
  expect(await importer.get(batch.id)).toMatchObject({ status: 'parsed', progress: null, error: null })
})

test('more people under one reference than a booking has are refused with it, a few hundred at a time', async () => {
  const lines = Array.from({ length: 1_203 }, (_, index) => `GOLD-311121-0900;Guest;No${index};ONE-REF`)
  const batch = await importer.preview(
    await importer.upload(['Trip code;Given name;Family name;Order no.', ...lines].join('\n')),
  )
  expect(batch.counts).toMatchObject({ reject: 1_203, add: 0 })
  const reasons = await importer.look<{ reason: string; parties: number; count: number }>(
    () => sql`select reason, count(distinct party)::int as parties, count(*)::int as count from import_rows
      where batch_id = ${batch.id} group by reason order by count`,
  )
  expect(reasons).toEqual([
    { reason: 'Same party as line 501', parties: 1, count: 499 },
    { reason: 'More than 500 people under one reference', parties: 704, count: 704 },
  ])
})

test('refused rows that do not fit into one file are not collected', async () => {
  const note = 'x'.repeat(30_000)
  const lines = Array.from({ length: 180 }, (_, index) => `NOPE-${index};Amara;Okafor;${note}`)
  const batch = await importer.preview(
    await importer.upload(['Trip code;Given name;Family name;Internal', ...lines].join('\n')),
  )
  await expect(who.call(verbOf(rejectedImportRows), { id: batch.id })).rejects.toMatchObject({
    code: 'resource-exhausted',
    message: expect.stringContaining('split it'),
    details: { reason: 'rejected_rows_too_large' },
  })
})

test('a reason quotes the beginning of a cell, however long it is', async () => {
  const phone = '1'.repeat(30_000)
  const batch = await importer.preview(
    await importer.upload(`Trip code;Family name;Mobile\nGOLD-311121-0900;Okafor;${phone}`),
  )
  const [row] = await importer.rows(batch)
  expect(row?.warnings[0]?.params['value']).toHaveLength(120)
})
