import { Readable } from 'node:stream'
import { createImport, listImports, previewImport, rejectedImportRows } from '@tour-ops/contract/imports'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { execute } from '../../platform/verb.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../testing.ts'
import { runImportJob, oldImportRows } from './imports-jobs.ts'
import type { ImportJobData } from './import-run.ts'
import { addDeparture, Importer, verbOf } from './testing-imports.ts'
import { plainRows, workbook, xml } from './testing-workbooks.ts'

let world: TestWorld
let who: TestCaller
let importer: Importer
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  who = await world.as('operations_manager')
  importer = new Importer(world, who)
  await addDeparture(who, { code: 'GOLD-311121-0900' })
})

const upload = (content: string | Uint8Array): Promise<string> =>
  who.transaction(async (tx) => {
    const file = await world.services.files.put(tx, who.orgId, {
      use: 'import',
      name: 'november.xlsx',
      content: Buffer.from(content),
      createdBy: who.userId,
    })
    return file.id
  })

/** The same services, whose files hold what is given. */
const withContent = (open: () => AsyncGenerator<Uint8Array>) => ({
  ...world.services,
  files: { ...world.services.files, open: async () => Readable.from(open()) },
})

const requestOf = (signal = new AbortController().signal) => ({ requestId: newId(), ip: null, signal })

/** A workbook that ends when it is told to: its last part is as long as that takes. */
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

test('another call is answered while a file is read that does not end before', async (context) => {
  if (world.database.kind === 'pglite') context.skip('PGlite has one connection, which the reading holds')
  const fileId = await upload(workbook(plainRows))
  const { state, open } = endlessWorkbook()
  const reading = execute(withContent(open), requestOf(), who.caller, verbOf(createImport), { fileId })
  const ended = expect(reading).rejects.toMatchObject({ code: 'invalid-argument' })
  await expect.poll(() => state.taken).toBeGreaterThan(10)
  expect(await who.call(verbOf(listImports), {})).toMatchObject({ total: 0 })
  state.isOver = true
  await ended
})

test('a caller who goes away ends the reading', async () => {
  const fileId = await upload(workbook(plainRows))
  const { state, open } = endlessWorkbook()
  const away = new AbortController()
  const reading = execute(withContent(open), requestOf(away.signal), who.caller, verbOf(createImport), { fileId })
  const ended = expect(reading).rejects.toMatchObject({ code: 'cancelled' })
  await expect.poll(() => state.taken).toBeGreaterThan(10)
  away.abort()
  await ended
  const { taken } = state
  await who.call(verbOf(listImports), {})
  expect(state.taken).toBe(taken)
})

test('a stop ends the reading of a check, and nothing of it is left', async (context) => {
  if (world.database.kind === 'pglite') context.skip('PGlite has one connection, so that nobody can ask meanwhile')
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
    details: { reason: 'export_too_large' },
  })
})

test('a reason quotes the beginning of a cell, however long it is', async () => {
  const phone = '1'.repeat(30_000)
  const batch = await importer.preview(
    await importer.upload(`Trip code;Family name;Mobile\nGOLD-311121-0900;Okafor;${phone}`),
  )
  const [row] = await importer.rows(batch)
  expect(row?.problems[0]?.params['value']).toHaveLength(120)
})
