import { AppError } from '@tour-ops/contract/errors'
import { ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { applyImport, importTemplates, mapImport, previewImport } from '@tour-ops/contract/imports/imports'
import { importMappings } from '@tour-ops/contract/saved-views/saved-views'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { requireColumns } from './refused-columns.ts'
import { amara, file, importDesk, type Importer, jonas, mehmet, verbOf } from '../../../testing/imports.ts'

// Which field a column maps to, how its cells are read, and who may decide it.

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

test('day and month are asked for where the file does not decide, and the answer is taken', async () => {
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
  expect(await importer.guests()).toEqual([expect.objectContaining({ born: '1989-07-04' })])
})

test('a date that can be read one way only answers the question by itself', async () => {
  const batch = await importer.upload(
    file(amara.replace('1989-07-04', '7/4/1989'), jonas.replace('2019-01-30', '1/30/2019')),
  )
  expect(batch.mapping.dateOrder).toBe('month_day_year')
  expect(batch.columns.find((column) => column.header === 'Born')).toMatchObject({ question: null })
})

test('people who may not read sensitive fields may not write them either, and the refusal names the columns', () => {
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
    details: { reason: 'columns_refused', columns: ['Born', 'Pass'] },
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
  expect(await importer.guests()).toEqual([expect.objectContaining({ channel: 'partner' })])
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

test('words of diets and channels are given a meaning of the fixed list', async () => {
  const strict = amara.replace('vegan, no nuts', 'planty')
  const batch = await importer.upload(file(strict))
  const column = (of: typeof batch, header: string) => of.columns.find((each) => each.header === header)
  expect(column(batch, 'Meal')).toMatchObject({ knownWords: [], unknownWords: ['planty'] })
  expect(column(batch, 'Reseller')?.knownWords).toEqual([{ word: 'fjordsales', meaning: 'agent' }])
  const mapped = await importer.map(batch, { words: { planty: 'vegan', fjordsales: 'partner' } })
  expect(column(mapped, 'Meal')).toMatchObject({ knownWords: [{ word: 'planty', meaning: 'vegan' }], unknownWords: [] })
  await importer.apply(await importer.preview(mapped))
  expect((await importer.guests()).find(({ name }) => name === 'Amara Okafor')).toMatchObject({
    dietary: ['vegan'],
    channel: 'partner',
  })
})

test('a text that only resembles a stop is proposed; the choice counts, and comes with the saved mapping to the next file', async () => {
  const concertHall = amara.replace('City Hall', 'City Hall Square')
  const batch = await importer.upload(file(concertHall, mehmet.replace('Harpa', 'Pickup at Harpa')))
  const stop = batch.columns.find(({ header }) => header === 'Hotel stop')
  expect(stop).toMatchObject({
    knownWords: [{ word: 'Pickup at Harpa', meaning: 'Harpa' }],
    unknownWords: ['City Hall Square'],
    proposals: [{ word: 'City Hall Square', meanings: ['City Hall'] }],
  })
  const words = { ...batch.mapping.words, 'City Hall Square': 'City Hall' }
  const input = { id: batch.id, version: batch.version, mapping: { ...batch.mapping, words } }
  const chosen = await who.call(verbOf(mapImport), { ...input, saveAsTemplate: 'Fjord' })
  await importer.apply(await importer.preview(chosen))
  expect((await importer.guests()).map(({ name, pickup }) => [name, pickup])).toEqual([
    ['Mehmet Kaya', 'Harpa'],
    ['Amara Okafor', 'City Hall'],
  ])
  const next = await importer.upload(file(concertHall.replace('FJ-1', 'FJ-9')))
  expect(next.columns.find(({ header }) => header === 'Hotel stop')).toMatchObject({ unknownWords: [], proposals: [] })
})
