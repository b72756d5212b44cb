import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { maxCorrectedCell, maxImportCorrections } from '@tour-ops/contract/imports/import-corrections'
import {
  correctImport,
  importTemplates,
  listImportCorrections,
  mapImport,
  readImportCell,
  rejectedImportRows,
  stopImport,
} from '@tour-ops/contract/imports/imports'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Importer, importDesk, verbOf } from '../../../testing/imports.ts'
import { checkCallData } from '../../platform/call-data.ts'
import { seededRandom } from '../../../seed/random.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { insertCorrections } from './corrections-store.ts'
import { oldImportRows } from './forget-file.ts'

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

const head = 'Order no.;Trip code;Given name;Family name;Born;Language;Mobile'
const right = [
  'FJ-1;GOLD-311121-0900;Amara;Okafor;1989-07-04;de;+44 7700 900181',
  'FJ-2;GOLD-311121-0900;Jonas;Weber;1990-01-30;de;',
  'FJ-3;GOLD-311121-0900;Mehmet;Kaya;1991-05-31;de;',
  'FJ-4;GOLD-311121-0900;Eva;Lind;1992-05-31;en;',
]
const wrong = [
  'FJ-1;GOLD-311121-0900;Amara;Okafor;1989-02-30;D;+44 7700 900181',
  'FJ-2;GOLD-999999-0900;Jonas;Weber;1990-01-30;D;',
  'FJ-3;GOLD-999999-0900;Mehmet;Kaya;1991-05-31;D;',
  'FJ-4;GOLD-311121-0900;Eva;Lind;1992-05-31;en;',
]
const file = (lines: readonly string[]): string => [head, ...lines].join('\n')
const columns = {
  'Order no.': 'external_ref',
  'Trip code': 'departure_code',
  'Given name': 'first_name',
  'Family name': 'last_name',
  Born: 'date_of_birth',
  Language: 'language',
  Mobile: 'phone',
} as const

const uploaded = async (lines: readonly string[], by = importer): Promise<ImportBatch> =>
  by.map(await by.upload(file(lines)), { columns: { ...columns }, dateOrder: 'iso' })
const checked = async (lines = wrong, by = importer): Promise<ImportBatch> => by.preview(await uploaded(lines, by))

const born = { line: 2, column: 'Born', value: '1989-07-04' }
const language = { line: 2, column: 'Language', value: 'de', everywhere: true }
const trip = { line: 3, column: 'Trip code', value: 'GOLD-311121-0900', everywhere: true }

const listed = (batch: ImportBatch, by = who) => by.call(verbOf(listImportCorrections), { id: batch.id })
const refusedAt = (path: string, rule: string) => ({
  code: 'invalid-argument',
  details: { fieldIssues: { [path]: [{ code: rule }] } },
})

/** What the check says of each line, without ids and references that are made for it. */
const planOf = async (batch: ImportBatch): Promise<unknown> =>
  (await importer.rows(batch))
    .map(({ line, outcome, name, departureCode, problems, warnings, changes }) => ({
      line,
      outcome,
      name,
      departureCode,
      problems,
      warnings,
      changes,
    }))
    .toSorted((a, b) => a.line - b.line)

test('a file whose wrong cells are corrected gives the same plan as the file that was right', async () => {
  const batch = await checked()
  expect(batch.counts).toMatchObject({ reject: 2, add: 2 })
  const corrected = await importer.correct(batch, { corrections: [born, language, trip] })
  expect(corrected).toMatchObject({ status: 'previewed', counts: { reject: 0, warned: 0, add: 4 } })
  expect(await planOf(corrected)).toEqual(await planOf(await checked(right)))
  // the first line, as the step of the columns shows it
  expect(corrected.sample).toContainEqual({ field: 'date_of_birth', value: '1989-07-04', problem: null })
  await importer.apply(corrected)
  expect((await importer.guests()).map(({ name, born: day }) => [name, day])).toEqual([
    ['Mehmet Kaya', '1991-05-31'],
    ['Eva Lind', '1992-05-31'],
    ['Amara Okafor', '1989-07-04'],
    ['Jonas Weber', '1990-01-30'],
  ])
})

test('whatever cells of a file are spoilt, correcting them gives the plan of the file as it was', async () => {
  const plan = await planOf(await checked(right))
  const random = seededRandom(20_261_128)
  for (let round = 0; round < 8; round += 1) {
    const spoilt = right.map((line) => line.split(';'))
    const corrections = spoilt.flatMap((cells, row) =>
      cells.flatMap((cell, place) => {
        if (random.between(1, 10) > 3) return []
        cells[place] = `#${random.between(0, 2)}`
        return [{ line: row + 2, column: head.split(';')[place] ?? '', value: cell }]
      }),
    )
    const batch = await checked(spoilt.map((cells) => cells.join(';')))
    expect(await planOf(await importer.correct(batch, { corrections }))).toEqual(plan)
  }
})

test('a cell says what the file holds and how many cells of its column hold the same', async () => {
  const batch = await checked()
  const cell = (line: number, column: string) => who.call(verbOf(readImportCell), { id: batch.id, line, column })
  expect(await cell(2, 'Born')).toEqual({ text: '1989-02-30', equal: 1 })
  expect(await cell(3, 'Language')).toEqual({ text: 'D', equal: 3 })
  await importer.correct(batch, { corrections: [{ ...born, value: '1989-02-31' }] })
  expect(await cell(2, 'Born')).toEqual({ text: '1989-02-31', equal: 1 })
  await expect(cell(99, 'Born')).rejects.toMatchObject(refusedAt('line', 'file_line_unknown'))
  await expect(cell(1, 'Born')).rejects.toMatchObject(refusedAt('line', 'file_line_unknown'))
  await expect(cell(2, 'Shoe size')).rejects.toMatchObject(refusedAt('column', 'file_column_unknown'))
})

test('a word that is corrected everywhere is part of the mapping, is saved with it, and can be forgotten', async () => {
  const batch = await importer.correct(await checked(), { corrections: [language, born] })
  expect(batch).toMatchObject({ corrections: 1, mapping: { words: { D: 'de' } }, counts: { warned: 0 } })
  const { mapping, version, id } = batch
  await who.call(verbOf(mapImport), { id, version, mapping, saveAsTemplate: 'Fjordsales' })
  const { templates } = await who.call(verbOf(importTemplates), {})
  expect(templates[0]?.mapping.words).toEqual({ D: 'de' })
  const again = await importer.correct(await importer.get(id), { forgottenWords: ['D'] })
  expect(again).toMatchObject({ mapping: { words: {} }, counts: { warned: 1 } })
})

test('the code of a country that a word means in one column is no kind of guest in another', async () => {
  const lines = ['Ref,Trip,First,Last,Nation,Type', 'FJ-1,GOLD-311121-0900,Urs,Frei,Confoe,S']
  const sent = await importer.upload(lines.join('\n'))
  const mapped = await importer.map(sent, {
    columns: {
      Ref: 'external_ref',
      Trip: 'departure_code',
      First: 'first_name',
      Last: 'last_name',
      Nation: 'nationality',
      Type: 'unit_type',
    },
    words: { S: 'CH' },
  })
  const batch = await importer.preview(mapped)
  // a senior, whom this tour does not sell
  expect((await importer.rows(batch))[0]?.problems[0]).toMatchObject({ code: 'unit_not_sold' })
  const corrected = await importer.correct(batch, {
    corrections: [
      { line: 2, column: 'Nation', value: 'CH', everywhere: true },
      { line: 2, column: 'Type', value: 'adult' },
    ],
  })
  expect(corrected).toMatchObject({ counts: { add: 1, warned: 0 }, mapping: { words: { Confoe: 'CH' } } })
})

test('cells that an earlier correction made equal follow a correction for all equal cells', async () => {
  const one = await importer.correct(await checked(), {
    corrections: [{ line: 2, column: 'Trip code', value: 'GOLD-999999-0900' }],
  })
  expect(one.counts).toMatchObject({ reject: 3 })
  const all = await importer.correct(one, { corrections: [{ ...trip, line: 2 }] })
  expect(all.counts).toMatchObject({ reject: 0 })
  // one that is said of a single cell comes before what is said of all
  const apart = await importer.correct(all, { corrections: [{ ...trip, everywhere: false, value: 'GOLD-1' }] })
  expect((await importer.rows(apart)).filter(({ outcome }) => outcome === 'reject').map(({ line }) => line)).toEqual([
    3,
  ])
})

test('corrections are listed with what was and is, and are taken back one by one', async () => {
  const batch = await importer.correct(await checked(), { corrections: [born, trip] })
  expect((await listed(batch)).rows).toMatchObject([
    { line: 2, column: 'Born', everywhere: false, was: '1989-02-30', now: '1989-07-04' },
    { line: 3, column: 'Trip code', everywhere: true, was: 'GOLD-999999-0900', now: 'GOLD-311121-0900' },
  ])
  // any of the equal cells names the correction of all
  const one = await importer.correct(batch, { takenBack: [{ line: 4, column: 'Trip code', everywhere: true }] })
  expect(one).toMatchObject({ corrections: 1, counts: { reject: 2 } })
  // what the file holds anyway is no correction
  const none = await importer.correct(one, { corrections: [{ ...born, value: '1989-02-30' }] })
  expect(none).toMatchObject({ corrections: 0 })
  expect(await planOf(none)).toEqual(await planOf(await checked()))
})

test('a file of rejected lines has the corrected cells, and a formula in one of them is text', async () => {
  const formula = '=HYPERLINK("http://x.example")'
  const batch = await importer.correct(await checked(), {
    corrections: [{ line: 3, column: 'Family name', value: formula }, born],
  })
  const { csv } = await who.call(verbOf(rejectedImportRows), { id: batch.id })
  expect(csv).toContain("'=HYPERLINK")
  expect(csv).not.toMatch(/(^|,)"?=/m)
})

test('reading the file in another way drops its corrections', async () => {
  const batch = await importer.correct(await checked(), { corrections: [trip] })
  expect(batch.counts).toMatchObject({ reject: 0 })
  const again = await importer.readAs(batch, { encoding: 'utf-8' })
  expect(again.corrections).toBe(0)
  expect((await importer.preview(again)).counts).toMatchObject({ reject: 2 })
})

test('of two people who correct at the same time one is told that the import has changed', async () => {
  const other = await world.as('operations_manager', { orgId: who.orgId })
  // more than once, since they must meet
  for (let round = 0; round < 5; round += 1) {
    const batch = await checked()
    const ask = (by: TestCaller) =>
      by.call(verbOf(correctImport), { id: batch.id, version: batch.version, corrections: [born] })
    const results = await Promise.allSettled([ask(who), ask(other)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'aborted', details: { reason: 'version_conflict' } },
    })
  }
})

test('a batch that a job works on, or that is imported, is not corrected', async () => {
  const batch = await checked()
  const ask = (of: ImportBatch) =>
    who.call(verbOf(correctImport), { id: of.id, version: of.version, corrections: [born] })
  const working = await ask(batch)
  expect(working).toMatchObject({ counts: null, progress: { job: 'preview' } })
  await expect(ask(working)).rejects.toMatchObject({ details: { reason: 'already_running' } })
  const applied = await importer.apply(await importer.work('preview', batch.id))
  await expect(ask(applied)).rejects.toMatchObject({ details: { reason: 'illegal_transition' } })
  const stopped = await checked()
  await ask(stopped)
  await who.call(verbOf(stopImport), { id: stopped.id })
  expect(await importer.work('preview', stopped.id)).toMatchObject({ counts: null, corrections: 1 })
})

test('cells that are not there and texts that are too long are refused at their field, and nothing of the call is stored', async () => {
  const batch = await checked()
  const ask = (correction: object) =>
    who.call(verbOf(correctImport), {
      id: batch.id,
      version: batch.version,
      corrections: [born, { ...born, ...correction }],
    })
  await expect(ask({ line: 99 })).rejects.toMatchObject(refusedAt('corrections.1.line', 'file_line_unknown'))
  await expect(ask({ line: 1 })).rejects.toMatchObject(refusedAt('corrections.1.line', 'file_line_unknown'))
  await expect(ask({ column: 'Shoe' })).rejects.toMatchObject(refusedAt('corrections.1.column', 'file_column_unknown'))
  await expect(ask({ column: 'constructor' })).rejects.toMatchObject(
    refusedAt('corrections.1.column', 'file_column_unknown'),
  )
  await expect(ask({ value: 'x'.repeat(maxCorrectedCell + 1) })).rejects.toMatchObject(
    refusedAt('corrections.1.value', 'too_long'),
  )
  expect(await importer.get(batch.id)).toMatchObject({ version: batch.version, corrections: 0 })
})

test.each(['a\0b', 'a\uD800b'])('a text that cannot be stored is refused at its field, %j', async (value) => {
  const ask = async () => checkCallData({ corrections: [{ ...born, value }] })
  await expect(ask()).rejects.toMatchObject(refusedAt('corrections.0.value', 'unstorable'))
})

test('a line that was cut wrongly is corrected in the file', async () => {
  const batch = await checked([`${right[0]};X1234567`])
  await expect(importer.correct(batch, { corrections: [born] })).rejects.toMatchObject(
    refusedAt('corrections.0.line', 'file_cell_cut'),
  )
})

test('a file has at most so many corrections', async () => {
  const batch = await checked()
  const { orgId, userId } = who
  const corrections = Array.from({ length: maxImportCorrections }, (_, index) => ({
    line: index + 10,
    place: 0,
    everywhere: false,
    was: 'a',
    now: 'b',
  }))
  await who.transaction((tx) =>
    insertCorrections(tx, world.services.sealed, { orgId, batchId: batch.id }, { userId, corrections }),
  )
  await expect(importer.correct(batch, { corrections: [born] })).rejects.toMatchObject(
    refusedAt('corrections', 'too_many_corrections'),
  )
})

test('a column that somebody may not see is neither read nor corrected by them, and its corrections are masked', async () => {
  const batch = await importer.correct(await checked(), { corrections: [born] })
  const dispatcher = await world.as('dispatcher', { orgId: who.orgId })
  const { id, version } = batch
  await expect(dispatcher.call(verbOf(readImportCell), { id, line: 2, column: 'Born' })).rejects.toMatchObject(
    refusedAt('column', 'file_column_hidden'),
  )
  await expect(dispatcher.call(verbOf(correctImport), { id, version, corrections: [born] })).rejects.toMatchObject(
    refusedAt('corrections.0.column', 'file_column_hidden'),
  )
  await expect(
    dispatcher.call(verbOf(correctImport), { id, version, takenBack: [{ line: 2, column: 'Born' }] }),
  ).rejects.toMatchObject(refusedAt('takenBack.0.column', 'file_column_hidden'))
  expect((await listed(batch, dispatcher)).rows).toMatchObject([{ column: 'Born', was: '•••', now: '•••' }])
  // what they may see they correct as anybody
  const mine = await new Importer(world, dispatcher).correct(batch, { corrections: [language] })
  expect(mine).toMatchObject({ corrections: 1, counts: { warned: 0 } })
})

test('a viewer and another organization correct nothing', async () => {
  const batch = await checked()
  const { id, version } = batch
  const viewer = await world.as('viewer', { orgId: who.orgId })
  const far = await world.as('admin')
  for (const verb of [readImportCell, correctImport, listImportCorrections]) {
    const input = { id, version, line: 2, column: 'Born', corrections: [born] }
    await expect(viewer.call(verbOf(verb as typeof correctImport), input)).rejects.toMatchObject({
      code: 'permission-denied',
    })
    await expect(far.call(verbOf(verb as typeof correctImport), input)).rejects.toMatchObject({ code: 'not-found' })
  }
})

test('what a cell was and is appears in no table in clear', async () => {
  const secret = 'Kx91SECRET'
  await importer.correct(await checked(), {
    corrections: [
      { line: 2, column: 'Trip code', value: 'GOLD-311121-0900' },
      { ...born, value: secret },
    ],
  })
  const { rows } = await world.database.ownerPool.query<{ table: string }>(
    `select format('%I.%I', n.nspname, c.relname) as "table" from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and c.relname in ('import_corrections', 'import_work', 'import_batches', 'audit_entries', 'changes')`,
  )
  expect(rows.length).toBeGreaterThan(3)
  for (const { table } of rows) {
    const found = await world.database.ownerPool.query(
      `select from ${table} t where t::text like '%${secret}%' or t::text like '%${Buffer.from(secret).toString('hex')}%'`,
    )
    expect([table, found.rowCount]).toEqual([table, 0])
  }
})

test('corrections go when the contents of the file do', async () => {
  const batch = await importer.correct(await checked(), { corrections: [born] })
  await who.transaction((tx) =>
    sql`update import_batches set created_at = app_now() - interval '40 days' where id = ${batch.id}`.execute(tx),
  )
  await who.transaction((tx) => oldImportRows.run(tx, who.orgId))
  expect(await importer.get(batch.id)).toMatchObject({ corrections: 0 })
})
