import {
  applyImport,
  discardImport,
  discardRejectedRows,
  getImport,
  readImportCell,
  rejectedImportRows,
} from '@tour-ops/contract/imports/imports'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { sql } from 'kysely'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { importDesk, type Importer, verbOf } from '../../../testing/imports.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { diskPlaces } from '../../platform/files/stored-files.ts'
import { oldImportRows } from './forget-file.ts'

// What a file holds of passports, birth dates and medical notes: sealed while it is here, recorded when it is read, gone when it is not needed.

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

const head = 'Trip code;Given name;Family name;Born;Passport;Medical'
const guest = (name: string, more: string) => `GOLD-311121-0900;Amara;${name};${more}`
const content = [
  head,
  guest('Okafor', '1989-07-04;X1234567;insulin'),
  // a passport in the column of birth dates, a note in that of departures, and no such departure
  guest('Weber', 'Y7654321;Z5550001;epilepsy'),
  'NOPE-1;Mia;Wolf;1990-12-25;W1112223;asthma',
  guest('Berg', '31.02.1990;;'),
].join('\n')
const sealed = ['X1234567', 'Y7654321', 'Z5550001', 'W1112223', 'insulin', 'epilepsy', 'asthma']

async function checkedFile(): Promise<ImportBatch> {
  const batch = await importer.preview(await importer.upload(content))
  return importer.correct(batch, {
    corrections: [{ line: 3, column: 'Passport', value: 'K7778889' }],
  })
}

/** Everything of a batch that may hold values of its file. */
async function heldOf({ id }: Pick<ImportBatch, 'id'>) {
  const [held] = await importer.look(
    (orgId) => sql<{ files: number; samples: boolean; corrections: number; lines: number; before: number }>`
      select (select count(*)::int from files where org_id = ${orgId} and purpose = 'import') as files,
        coalesce((select samples is not null from import_work where org_id = ${orgId} and batch_id = ${id}), false) as samples,
        (select count(*)::int from import_corrections where org_id = ${orgId} and batch_id = ${id}) as corrections,
        (select count(*)::int from import_rows where org_id = ${orgId} and batch_id = ${id}) as lines,
        (select count(*)::int from import_rows where org_id = ${orgId} and batch_id = ${id} and before <> '[]') as before`,
  )
  return held
}
const nothing = { files: 0, samples: false, corrections: 0, lines: 0, before: 0 }

const sweep = () => who.transaction((tx) => oldImportRows.run(tx, who.orgId))
const agedBy = (days: number, { id }: Pick<ImportBatch, 'id'>) =>
  who.transaction((tx) =>
    sql`update import_batches set created_at = created_at - make_interval(days => ${days}),
      applied_at = applied_at - make_interval(days => ${days}) where id = ${id}`.execute(tx),
  )

test('passports and medical notes of a file are in no table in clear, wherever in the file they are', async () => {
  await checkedFile()
  const { rows } = await world.database.ownerPool.query<{ table: string }>(
    `select format('%I.%I', n.nspname, c.relname) as "table" from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`,
  )
  expect(rows.length).toBeGreaterThan(50)
  for (const { table } of rows) {
    for (const secret of [...sealed, 'K7778889']) {
      const hex = Buffer.from(secret).toString('hex')
      const found = await world.database.ownerPool.query(
        `select from ${table} t where t::text like '%${secret}%' or t::text like '%${hex}%'`,
      )
      expect([table, secret, found.rowCount]).toEqual([table, secret, 0])
    }
  }
})

test('the content of an uploaded file is stored so that the place where it is shows nothing of it', async () => {
  const batch = await importer.upload(content)
  const row = await keyOf(batch)
  expect(row.key).toBeInstanceOf(Buffer)
  const stored = await buffer(await diskPlaces(world.services.config).blobs.open(who.orgId, row.stored))
  for (const secret of [...sealed, 'Okafor']) expect(stored.includes(secret)).toBe(false)
})

test('each look at sensitive values of a file is in the audit log, once an hour for each person and kind of look', async () => {
  const batch = await checkedFile()
  const looks = () =>
    importer.look(
      () => sql<{ action: string; columns: string[] }>`select action, diff -> 'columns' as columns from audit_entries
        where op = 'event' and entity_type = 'import_batches' and entity_id = ${batch.id} and actor_id = ${who.userId} order by action`,
    )
  const sensitive = ['Born', 'Passport', 'Medical']
  expect(await looks()).toEqual([{ action: 'imports-get', columns: sensitive }])
  await who.call(verbOf(getImport), { id: batch.id })
  for (const column of ['Passport', 'Given name']) {
    await who.call(verbOf(readImportCell), { id: batch.id, line: 2, column })
  }
  await who.call(verbOf(rejectedImportRows), { id: batch.id })
  const all = [
    { action: 'imports-cell', columns: ['Passport'] },
    { action: 'imports-get', columns: sensitive },
    { action: 'imports-rejected-csv', columns: sensitive },
  ]
  expect(await looks()).toEqual(all)
  const dispatcher = await world.as('dispatcher', { orgId: who.orgId })
  await dispatcher.call(verbOf(rejectedImportRows), { id: batch.id })
  const others = await importer.look(
    () =>
      sql<{ action: string }>`select action from audit_entries where op = 'event' and actor_id = ${dispatcher.userId}`,
  )
  // nothing was shown
  expect(others).toEqual([])
})

test('an import that is applied keeps nothing of its file but its rejected lines and what its undo needs, and an undone one nothing', async () => {
  const checked = await checkedFile()
  expect(await heldOf(checked)).toMatchObject({ files: 1, samples: true, corrections: 1, lines: 4 })
  const applied = await importer.apply(checked)
  expect(applied).toMatchObject({ status: 'applied', corrections: 0 })
  expect(await heldOf(applied)).toEqual({ ...nothing, files: 1, lines: 4 })
  const stored = await importer.look(
    (orgId) => sql<{ text: string }>`select r::text as text from import_rows r where org_id = ${orgId} and line <> 2`,
  )
  // the line with a birth date writes it, which its undo needs; of the others only whom they are about
  expect(stored.map(({ text }) => text.includes('1990'))).toEqual([false, false, false])
  expect(await importer.undo(applied)).toMatchObject({ status: 'undone', keptBecauseEdited: [] })
  expect(await heldOf(applied)).toEqual(nothing)
  expect(await importer.guests()).toEqual([])
})

test('an import that is not applied keeps its file for 30 days, then the nightly job deletes it', async () => {
  const checked = await checkedFile()
  await agedBy(29, checked)
  await sweep()
  expect(await heldOf(checked)).toMatchObject({ files: 1, samples: true, corrections: 1, lines: 4 })
  await agedBy(1, checked)
  await sweep()
  expect(await heldOf(checked)).toEqual(nothing)
  const old = await who.call(verbOf(getImport), { id: checked.id })
  await expect(who.call(verbOf(readImportCell), { id: old.id, line: 2, column: 'Passport' })).rejects.toMatchObject({
    code: 'invalid-argument',
  })
})

test('the lines of an applied import are deleted on the day after its undo ends', async () => {
  const applied = await importer.importFile(content)
  await agedBy(30, applied)
  await sweep()
  expect(await heldOf(applied)).toMatchObject({ files: 1, lines: 4 })
  expect(rejectedOf(await who.call(verbOf(rejectedImportRows), { id: applied.id }))).toEqual([4])
  await agedBy(1, applied)
  await sweep()
  expect(await heldOf(applied)).toEqual(nothing)
  expect(await importer.get(applied.id)).toMatchObject({ rejectedUntil: null })
  await expect(who.call(verbOf(rejectedImportRows), { id: applied.id })).rejects.toMatchObject({
    details: { reason: 'import_too_old' },
  })
})

/** Lines of a download, from its first column. */
const rejectedOf = ({ csv }: { csv: string }): number[] =>
  csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.split(',')[0]))

test('rejected lines are downloaded after applying as before, corrected cells included, and only they go in again', async () => {
  const checked = await importer.correct(await checkedFile(), {
    corrections: [{ line: 4, column: 'Given name', value: 'Mina' }],
  })
  const before = await who.call(verbOf(rejectedImportRows), { id: checked.id })
  const applied = await importer.apply(checked)
  expect(applied).toMatchObject({ status: 'applied', counts: { add: 3, reject: 1 }, rejectedUntil: applied.undoUntil })
  const download = await who.call(verbOf(rejectedImportRows), { id: applied.id })
  expect(download).toEqual(before)
  expect(rejectedOf(download)).toEqual([4])
  expect(download.csv).toContain('Mina,Wolf,1990-12-25,W1112223,asthma')
  const fixed = download.csv.replaceAll('NOPE-1', 'GOLD-311121-0900')
  const again = await importer.preview(await importer.upload(fixed, 'november-rejected.csv'))
  expect(again.counts).toMatchObject({ reject: 0, add: 1, change: 0, unchanged: 0 })
  await importer.apply(again)
  expect((await importer.guests()).map(({ name }) => name)).toEqual([
    'Amara Berg',
    'Amara Okafor',
    'Amara Weber',
    'Mina Wolf',
  ])
})

test('kept rejected lines are sealed with a key of their own, not to be read without the permission, and each look is recorded', async () => {
  const checked = await checkedFile()
  const uploaded = await keyOf(checked)
  const applied = await importer.apply(checked)
  const kept = await keyOf(applied)
  expect(kept.id).not.toBe(uploaded.id)
  expect(kept.key).toBeInstanceOf(Buffer)
  const stored = await buffer(await diskPlaces(world.services.config).blobs.open(who.orgId, kept.stored))
  for (const secret of [...sealed, 'Wolf']) expect(stored.includes(secret)).toBe(false)
  const dispatcher = await world.as('dispatcher', { orgId: who.orgId })
  const open = await dispatcher.call(verbOf(rejectedImportRows), { id: applied.id })
  for (const secret of sealed) expect(open.csv).not.toContain(secret)
  const viewer = await world.as('viewer', { orgId: who.orgId })
  for (const ask of [
    () => viewer.call(verbOf(rejectedImportRows), { id: applied.id }),
    () => viewer.call(verbOf(discardRejectedRows), { id: applied.id, version: applied.version }),
  ]) {
    await expect(ask()).rejects.toMatchObject({ code: 'permission-denied' })
  }
  await who.call(verbOf(rejectedImportRows), { id: applied.id })
  const looks = await importer.look(
    () => sql<{ action: string }>`select action from audit_entries
      where op = 'event' and entity_id = ${applied.id} and actor_id = ${who.userId} and action = 'imports-rejected-csv'`,
  )
  expect(looks.length).toBe(1)
})

test('rejected lines are deleted by whoever has downloaded them; the undo of the rest is as before', async () => {
  const applied = await importer.apply(await checkedFile())
  const left = await who.call(verbOf(discardRejectedRows), { id: applied.id, version: applied.version })
  expect(left).toMatchObject({ status: 'applied', rejectedUntil: null })
  expect(await heldOf(applied)).toEqual({ ...nothing, lines: 4 })
  await expect(who.call(verbOf(rejectedImportRows), { id: applied.id })).rejects.toMatchObject({
    details: { reason: 'import_too_old' },
  })
  expect(await importer.undo(left)).toMatchObject({ status: 'undone' })
  expect(await importer.guests()).toEqual([])
})

/** The stored content that a batch refers to. */
async function keyOf({ id }: Pick<ImportBatch, 'id'>) {
  const [row] = await importer.look(
    () => sql<{ id: string; stored: string; key: Buffer | null }>`
      select f.id, f.metadata #>> '{stored,sha256}' as stored, f.content_key_sealed as key
      from files f join import_batches b on b.org_id = f.org_id and b.file_id = f.id where b.id = ${id}`,
  )
  return row ?? { id: '', stored: '', key: null }
}

test('an import that is given up is deleted with everything that it holds; one that was applied is undone instead', async () => {
  const checked = await checkedFile()
  await who.call(verbOf(discardImport), { id: checked.id, version: checked.version })
  expect(await heldOf(checked)).toEqual(nothing)
  await expect(importer.get(checked.id)).rejects.toMatchObject({ code: 'not-found' })
  const applied = await importer.importFile(content)
  await expect(who.call(verbOf(discardImport), { id: applied.id, version: applied.version })).rejects.toMatchObject({
    details: { reason: 'illegal_transition' },
  })
})

test('an import that is being applied cannot be given up meanwhile', async () => {
  const checked = await checkedFile()
  await who.call(verbOf(applyImport), { id: checked.id, version: checked.version })
  await expect(who.call(verbOf(discardImport), { id: checked.id, version: checked.version })).rejects.toMatchObject({
    details: { reason: 'already_running' },
  })
  await importer.work('apply', checked.id)
})
