import { linkFile } from '@tour-ops/contract/files'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import {
  applyImport,
  createImport,
  getImport,
  importRows,
  listImports,
  mapImport,
  previewImport,
  rejectedImportRows,
} from '@tour-ops/contract/imports/imports'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { filesVerbs } from '../../platform/files/files-verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { addDeparture, Importer, verbOf } from '../../../testing/imports.ts'

const fileVerb = verbsOf(filesVerbs)

let world: TestWorld
let admin: TestCaller
let manager: TestCaller
let dispatcher: TestCaller
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  admin = await world.as('admin')
  const { orgId } = admin
  manager = await world.as('operations_manager', { orgId })
  dispatcher = await world.as('dispatcher', { orgId })
  await addDeparture(admin, { code: 'GOLD-311121-0900' })
})

/** What nobody but those who see it of every guest may find anywhere. */
const secrets = [
  'X1234567',
  'Y7654321',
  '4567',
  '4321',
  '1989',
  '04.07.',
  '1990',
  'insulin',
  'epilepsy',
  'ZX998877',
  '2033',
  '2034',
]

const head =
  'Trip code;Given name;Family name;Mobile;Born;Passport;Passport expiry;Medical;Agent file;Travel document;Remarks;Order no.'
const lines = [
  'GOLD-311121-0900;Amara;Okafor;+44 7700 900181;04.07.1989;X1234567;01.02.2033;insulin;ZX998877;X1234567;takes insulin;FJ-1',
  'GOLD-311121-0900;Jonas;Weber;+49 30 901820;25.12.1990;Y7654321;09.08.2034;epilepsy;ZX998878;Y7654321;vegan;FJ-2',
]
const file = [head, ...lines].join('\n')

const holdsNoSecret = (answer: unknown): void => {
  // Ids are random: four digits of a secret turn up in one of them now and then.
  const text = JSON.stringify(answer).replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
  for (const secret of secrets) expect(text).not.toContain(secret)
}

const importer = (who: TestCaller) => new Importer(world, who)

const asks = (who: TestCaller, batch: Pick<ImportBatch, 'id'>) => who.call(verbOf(getImport), { id: batch.id })

const fileIdOf = async (batch: Pick<ImportBatch, 'id'>): Promise<string> => {
  const [row] = await importer(admin).look(
    () => sql<{ fileId: string }>`select file_id as "fileId" from import_batches where id = ${batch.id}`,
  )
  return row?.fileId ?? ''
}

test('people who see sensitive data of every guest see the values of a file', async () => {
  const uploaded = await importer(manager).upload(file)
  for (const who of [admin, manager]) {
    const batch = await asks(who, uploaded)
    expect(batch.columns.some((column) => column.hidden)).toBe(false)
    const values = new Map(batch.columns.map((column) => [column.header, column.firstValues]))
    expect(values.get('Passport')).toEqual(['X1234567', 'Y7654321'])
    expect(values.get('Medical')).toEqual(['insulin', 'epilepsy'])
    expect(batch.columns.find(({ header }) => header === 'Born')?.dateExample).toBe('04.07.1989')
  }
})

test('a dispatcher sees which columns a file has and no sensitive value, also of an own upload', async () => {
  for (const who of [manager, dispatcher]) {
    const uploaded = await importer(who).upload(file)
    const batch = await asks(dispatcher, uploaded)
    holdsNoSecret(batch)
    holdsNoSecret(await dispatcher.call(verbOf(listImports), {}))
    expect(batch.columns.filter((column) => column.hidden).map(({ header }) => header)).toEqual([
      'Born',
      'Passport',
      'Passport expiry',
      'Medical',
      'Agent file',
      'Travel document',
      'Remarks',
    ])
    expect(batch.columns.find(({ header }) => header === 'Mobile')?.firstValues).toHaveLength(2)
    expect(batch.sample).toContainEqual({ field: 'passport_number', value: '•••', problem: null })
  }
})

test('no mapping shows a dispatcher what a column holds, and the question about day and month can be answered', async () => {
  const batch = await importer(manager).upload([head, lines[0]].join('\n'))
  const fields = [
    'dietary',
    'unit_type',
    'notes',
    'first_name',
    'departure_code',
    'phone',
    'currency',
    'pickup_place',
  ] as const
  for (const field of fields) {
    for (const header of ['Passport', 'Travel document', 'Agent file', 'Medical', 'Born']) {
      const { version, mapping } = await asks(dispatcher, batch)
      const mapped = await dispatcher.call(verbOf(mapImport), {
        id: batch.id,
        version,
        mapping: { ...mapping, columns: { 'Family name': 'last_name', [header]: field } },
      })
      holdsNoSecret(mapped)
    }
  }
  const { version, mapping } = await asks(dispatcher, batch)
  const born = await dispatcher.call(verbOf(mapImport), {
    id: batch.id,
    version,
    mapping: { ...mapping, columns: { 'Family name': 'last_name', Born: 'date_of_birth' }, dateOrder: null },
  })
  expect(born.columns.find(({ header }) => header === 'Born')).toMatchObject({
    question: 'date_order',
    dateExample: '01.02.2000',
  })
})

test('what a dispatcher may not see cannot be imported into a field that everybody reads', async () => {
  const batch = await importer(dispatcher).upload(file)
  const importing = importer(dispatcher)
  const mapped = await importing.map(batch, {
    columns: { ...batch.mapping.columns, Passport: 'notes' },
    dateOrder: 'day_month_year',
  })
  expect(mapped.refusedColumns).toEqual(['Passport'])
  await expect(dispatcher.call(verbOf(previewImport), { id: batch.id, version: mapped.version })).rejects.toMatchObject(
    {
      code: 'permission-denied',
      message: expect.stringContaining('"Passport" may hold passports'),
      details: { columns: ['Passport'] },
    },
  )
  const checked = await importer(manager).preview(mapped)
  const rows = await importer(manager).rows(checked)
  expect(rows).toHaveLength(2)
  await expect(dispatcher.call(verbOf(applyImport), { id: batch.id, version: checked.version })).rejects.toMatchObject({
    code: 'permission-denied',
  })
})

test('the line by which the encoding is judged shows nothing to a dispatcher when it was cut wrongly', async () => {
  const cut =
    'GOLD-311121-0900;Jürgen;Wrongly;extra;+47 22 000000;04.07.1989;X1234567;01.02.2033;insulin;ZX998877;X1234567;takes insulin;FJ-5'
  const batch = await importer(dispatcher).upload([head, ...lines, cut].join('\n'))
  holdsNoSecret(batch)
  expect(batch.form.sample).toEqual({ line: 4, text: '' })
  expect(batch.form.head.at(-1)?.cells.every((cell) => cell === null)).toBe(true)
  expect((await asks(manager, batch)).form.sample?.text).toContain('Jürgen · Wrongly')
})

test('the line that shows how a file is read is the first that was cut rightly', async () => {
  const cut =
    'GOLD-311121-0900;Jürgen;Wrongly;extra;+47 22 000000;04.07.1989;X1234567;01.02.2033;insulin;ZX998877;X1234567;takes insulin;FJ-5'
  const batch = await importer(dispatcher).upload([head, cut, ...lines].join('\n'))
  holdsNoSecret(batch)
  expect(batch.sampleLine).toBe(3)
  const none = await importer(dispatcher).upload([head, cut].join('\n'))
  holdsNoSecret(none)
  expect(none).toMatchObject({ sampleLine: 2, sample: [] })
})

test('a dispatcher imports what may not be seen, and neither check nor refused rows nor history show it', async () => {
  const wrong = [
    'NOPE-1;Mia;Wolf;+49 30 901821;31.02.1990;X1234567;01.02.2033;insulin;ZX998877;X1234567;takes insulin;FJ-3',
    'GOLD-311121-0900;Ole;Berg;+47 22 000000;X1234567;Y7654321;insulin;epilepsy;ZX998877;X1234567;takes insulin;FJ-4',
    'GOLD-311121-0900;Cut;Wrongly;extra;+47 22 000000;04.07.1989;X1234567;01.02.2033;insulin;ZX998877;X1234567;takes insulin;FJ-5',
  ]
  const batch = await importer(dispatcher).upload([file, ...wrong].join('\n'))
  const mapped = await importer(dispatcher).map(batch, { dateOrder: 'day_month_year' })
  const checked = await importer(dispatcher).preview(mapped)
  expect(checked.counts).toMatchObject({ add: 3, reject: 2, warned: 1 })
  const rows = await dispatcher.call(verbOf(importRows), { id: batch.id })
  holdsNoSecret(rows)
  expect(rows.rows.flatMap(({ warnings }) => warnings)).toEqual([
    expect.objectContaining({ column: 'Born', code: 'date_unreadable', params: { value: '•••' }, result: 'left_out' }),
    expect.objectContaining({ column: 'Passport expiry', params: { value: '•••' }, result: 'left_out' }),
  ])
  const { csv } = await dispatcher.call(verbOf(rejectedImportRows), { id: batch.id })
  holdsNoSecret(csv)
  expect(csv).toContain('Mia')
  expect(csv).not.toContain('Passport')
  expect((await manager.call(verbOf(rejectedImportRows), { id: batch.id })).csv).toContain('X1234567')
  const applied = await importer(dispatcher).apply(checked)
  expect(applied.status).toBe('applied')
  holdsNoSecret(applied)
  // the same people with other data: what is known of them does not show either
  const other = file.replaceAll('X1234567', 'W1111111').replaceAll(';insulin;', ';none;').replaceAll('2033', '2036')
  const second = await importer(dispatcher).upload(other)
  const changed = await importer(dispatcher).preview(
    await importer(dispatcher).map(second, { dateOrder: 'day_month_year' }),
  )
  const changes = await dispatcher.call(verbOf(importRows), { id: changed.id, outcome: ['change'] })
  expect(changes.rows[0]?.changes).toContainEqual({ field: 'passport_number', before: '•••', after: '•••' })
  for (const secret of [...secrets, '2036', '1111']) expect(JSON.stringify(changes)).not.toContain(secret)
  const audit = await importer(admin).look(
    (orgId) => sql<{ entry: string }>`select a::text as entry from audit_entries a where org_id = ${orgId}`,
  )
  expect(audit.length).toBeGreaterThan(5)
  const entries = audit.map(({ entry }) => entry).join('\n')
  for (const secret of ['X1234567', 'Y7654321', '1989-07-04', '1990-12-25', '04.07.1989', 'epilepsy']) {
    expect(entries).not.toContain(secret)
  }
})

test('the file itself is loaded by those who see sensitive data of every guest, and that is recorded', async () => {
  const batch = await importer(dispatcher).upload(file)
  const id = await fileIdOf(batch)
  await expect(dispatcher.call(fileVerb(linkFile), { id, size: null })).rejects.toMatchObject({
    code: 'permission-denied',
    details: { reason: 'sensitive_content' },
  })
  expect(await manager.call(fileVerb(linkFile), { id, size: null })).toMatchObject({ url: expect.any(String) })
  const looks = await importer(admin).look(
    () =>
      sql<{
        actor: string
      }>`select actor_id as actor from audit_entries where action = 'files-link' and entity_id = ${id}`,
  )
  expect(looks).toEqual([{ actor: manager.userId }])
})

test.each(['tour_designer', 'guide', 'viewer'] as const)('a %s finds no way to an import', async (role) => {
  const batch = await importer(manager).upload(file)
  const who = await world.as(role, { orgId: admin.orgId })
  const id = await fileIdOf(batch)
  const asked = [
    who.call(verbOf(listImports), {}),
    who.call(verbOf(getImport), { id: batch.id }),
    who.call(verbOf(importRows), { id: batch.id }),
    who.call(verbOf(rejectedImportRows), { id: batch.id }),
    who.call(verbOf(createImport), { fileId: id }),
  ]
  for (const each of await Promise.allSettled(asked)) {
    expect(each).toMatchObject({ status: 'rejected', reason: { code: 'permission-denied' } })
  }
  // to a guide no file is there at all
  await expect(who.call(fileVerb(linkFile), { id, size: null })).rejects.toMatchObject({
    code: role === 'guide' ? 'not-found' : 'permission-denied',
  })
})

test('values of a file are stored encrypted with its import, and are deleted with it', async () => {
  const batch = await importer(manager).upload(file)
  const stored = await importer(admin).look(
    () =>
      sql<{
        text: string
        samples: Buffer | null
      }>`select analysis::text as text, samples from import_work where batch_id = ${batch.id}`,
  )
  holdsNoSecret(stored[0]?.text)
  expect(stored[0]?.text).not.toContain('Okafor')
  expect(stored[0]?.samples?.length).toBeGreaterThan(100)
  expect(stored[0]?.samples?.toString('latin1')).not.toContain('Okafor')
})

test('the screen of an import from an older version shows no values, and says no more than it knows', async () => {
  const batch = await importer(manager).upload(file)
  await admin.transaction((tx) => sql`update import_work set samples = null where batch_id = ${batch.id}`.execute(tx))
  expect(await asks(manager, batch)).toMatchObject({ sample: [], sampleLine: 0 })
})
