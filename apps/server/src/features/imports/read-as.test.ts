import { importRows, previewImport, readImportAs, rejectedImportRows } from '@tour-ops/contract/imports/imports'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  amara,
  file,
  fileHead,
  importDesk,
  Importer,
  jonas,
  type TestDeparture,
  verbOf,
} from '../../../testing/imports.ts'
import { encoded } from '../../../testing/legacy-text.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'

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

const polish = amara.replace('Amara', 'Małgorzata').replace('Okafor', 'Dąbrowska')

test.each(['utf-16le', 'windows-1250', 'iso-8859-2'] as const)(
  'a file in %s is read, checked and imported with its letters',
  async (encoding) => {
    const batch = await importer.upload(encoded(file(polish, jonas), encoding))
    expect(batch).toMatchObject({ encoding, delimiter: ';', form: { unreadable: { cells: 0, line: null } } })
    expect(batch.form.sample).toEqual({ line: 2, text: expect.stringContaining('Małgorzata · Dąbrowska') })
    await importer.apply(await importer.preview(batch))
    expect((await importer.guests()).map(({ name }) => name)).toEqual(['Małgorzata Dąbrowska', 'Jonas Weber'])
  },
)

test('another encoding reads the same file again: what was decided stays, and check, refused lines and import go by it', async () => {
  const broken = jonas.replace('2019-01-30', '2019-02-30').replace('Weber', 'Źrebiec')
  const batch = await importer.upload(encoded(file(polish, broken), 'windows-1250'))
  const decided = await importer.map(batch, {
    emptyCells: 'clear',
    columns: { ...batch.mapping.columns, Internal: 'notes' },
  })
  const wrong = await importer.readAs(decided, { encoding: 'windows-1251' })
  expect(wrong).toMatchObject({
    encoding: 'windows-1251',
    form: { reading: { encoding: 'windows-1251', delimiter: null } },
    mapping: decided.mapping,
  })
  expect(wrong.form.sample?.text).toContain('Maіgorzata')
  expect(wrong.version).toBeGreaterThan(decided.version)
  await importer.preview(wrong)

  // an earlier check is about other letters
  const right = await importer.readAs(await importer.get(batch.id), { encoding: 'windows-1250' })
  expect(right).toMatchObject({ counts: null, mapping: decided.mapping })
  expect(await importer.rows(right)).toEqual([])
  const checked = await importer.preview(right)
  expect((await importer.rows(checked)).map(({ name }) => name)).toContain('Małgorzata Dąbrowska')
  const { csv } = await who.call(verbOf(rejectedImportRows), { id: batch.id })
  expect(csv).toContain('Źrebiec')
})

test('another separator makes other columns: decisions about those that are still there are kept, and new ones are suggested', async () => {
  const text = 'Trip code,Given name|Family name,Born\nGOLD-311121-0900,Ana|Ruiz,1990-02-03\n'
  const batch = await importer.upload(text)
  expect(batch).toMatchObject({ delimiter: ',', rows: 1 })
  const bars = await importer.readAs(batch, { delimiter: '|' })
  expect(bars.columns.map(({ header }) => header)).toEqual(['Trip code,Given name', 'Family name,Born'])
  const commas = await importer.readAs(bars, { delimiter: null })
  expect(commas.columns.map(({ header, field }) => [header, field])).toEqual([
    ['Trip code', 'departure_code'],
    ['Given name|Family name', null],
    ['Born', 'date_of_birth'],
  ])
})

test('bytes that the encoding does not have are counted on the batch', async () => {
  const batch = await importer.upload(encoded(file(polish), 'windows-1250'))
  const wrong = await importer.readAs(batch, { encoding: 'utf-8' })
  expect(wrong.form.unreadable).toEqual({ cells: 2, line: 2 })
})

test('reading again as something that leaves nothing is refused in words, and the batch stays as it was', async () => {
  const batch = await importer.upload(file(polish))
  await expect(importer.readAs(batch, { encoding: 'utf-16be' })).rejects.toMatchObject({
    code: 'invalid-argument',
    details: { reason: 'file_unreadable' },
  })
  expect(await importer.get(batch.id)).toEqual(batch)
})

test('a batch of another organization, one that was changed meanwhile, one that is imported and a role that imports nothing are refused', async () => {
  const batch = await importer.upload(file(polish))
  const reading = { encoding: 'windows-1250' as const }
  const stranger = await world.as('admin')
  const input = { id: batch.id, version: batch.version, reading }
  await expect(stranger.call(verbOf(readImportAs), input)).rejects.toMatchObject({ code: 'not-found' })
  const viewer = await world.as('viewer', { orgId: who.orgId })
  await expect(viewer.call(verbOf(readImportAs), input)).rejects.toMatchObject({ code: 'permission-denied' })
  const again = await importer.readAs(batch, reading)
  await expect(importer.readAs(batch, reading)).rejects.toMatchObject({ code: 'aborted' })
  await who.call(verbOf(previewImport), { id: again.id, version: again.version })
  await expect(importer.readAs(await importer.get(again.id), {})).rejects.toMatchObject({
    details: { reason: 'already_running' },
  })
  await importer.work('preview', again.id)
  await importer.apply(await importer.preview(await importer.readAs(await importer.get(again.id), {})))
  const applied = await importer.get(batch.id)
  await expect(importer.readAs(applied, reading)).rejects.toMatchObject({
    details: { reason: 'illegal_transition', machine: 'import_batches', from: 'applied' },
  })
  expect(await importer.seats(gold.id)).toBe(1)
})

test('who may not see birth dates of every guest finds them under no encoding, and cannot split the file otherwise', async () => {
  const batch = await importer.upload(encoded(file(polish, jonas), 'windows-1250'))
  const dispatcher = await world.as('dispatcher', { orgId: who.orgId })
  const desk = new Importer(world, dispatcher)
  const seen = await desk.readAs(await desk.get(batch.id), { encoding: 'windows-1251' })
  expect(JSON.stringify(seen)).not.toContain('1989')
  expect(JSON.stringify(await dispatcher.call(verbOf(importRows), { id: batch.id }))).not.toContain('1989')
  await expect(desk.readAs(seen, { delimiter: '|' })).rejects.toMatchObject({
    code: 'permission-denied',
    details: { reason: 'reading_maybe_sensitive', columns: ['Born'] },
  })
  // naming what was found is no other way to split it
  expect(await desk.readAs(seen, { delimiter: ';' })).toMatchObject({ encoding: 'windows-1250' })
  expect(fileHead.split(';')).toContain('Born')
})
