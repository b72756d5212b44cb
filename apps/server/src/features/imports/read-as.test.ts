import { importRows, previewImport, readImportAs, rejectedImportRows } from '@tour-ops/contract/imports/imports'
import { strToU8, zipSync } from 'fflate'
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
import { workbook, xml } from '../../../testing/workbooks.ts'
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
  const broken = jonas.replace('CHD', 'XYZ').replace('Weber', 'Źrebiec')
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

const report = (...lines: string[]): string =>
  ['Golden Circle', 'Printed on;12.11.2026', '', fileHead, ...lines].join('\r\n')

test('titles above the table, repeated headers and totals are left out, told, and the lines stay those of the file', async () => {
  const batch = await importer.upload(report(amara, fileHead, jonas.replace('CHD', 'XYZ'), 'Total;;;;;;;;;;;;2'))
  expect(batch).toMatchObject({
    rows: 2,
    sampleLine: 5,
    form: { headerLine: 4, lastLine: null, leftOut: { titles: 2, repeatedHeaders: 1, totals: [8] } },
  })
  expect(batch.form.head.map(({ line, role }) => [line, role])).toEqual([
    [1, 'title'],
    [2, 'title'],
    [4, 'header'],
    [5, 'row'],
    [6, 'repeated_header'],
    [7, 'row'],
    [8, 'total'],
  ])
  const checked = await importer.preview(batch)
  expect((await importer.rows(checked)).map(({ line, outcome }) => [line, outcome])).toEqual([
    [5, 'reject'],
    [7, 'reject'],
  ])
  const { csv } = await who.call(verbOf(rejectedImportRows), { id: batch.id })
  expect(csv).toContain('Jonas')
})

test('another header row and a last row are what the check, the import and its undo go by', async () => {
  const batch = await importer.upload(
    report(amara.replaceAll('FJ-1', 'FJ-9'), jonas.replaceAll('FJ-1', 'FJ-8').replace('CHD', 'ADT')),
  )
  const wrong = await importer.readAs(batch, { headerLine: 2 })
  expect(wrong.columns.map(({ header }) => header)).toEqual(['Printed on', '12.11.2026'])
  const right = await importer.readAs(wrong, { headerLine: 3, lastLine: 5 })
  // the line that was chosen is empty
  expect(right).toMatchObject({ rows: 1, form: { reading: { headerLine: 3, lastLine: 5 } } })
  expect(right.columns.map(({ field }) => field)).toEqual(batch.columns.map(({ field }) => field))
  const applied = await importer.apply(await importer.preview(right))
  expect((await importer.guests()).map(({ name }) => name)).toEqual(['Amara Okafor'])
  await importer.undo(applied)
  expect(await importer.guests()).toEqual([])
})

const sheet = (...rows: string[][]): Uint8Array =>
  xml(
    `<worksheet><sheetData>${rows
      .map((cells) => `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`)
      .join('')}</sheetData></worksheet>`,
  )

test('of the sheets of a workbook the one with the table is read, hidden ones are named as such, and another can be chosen', async () => {
  const guests = [
    ['Trip code', 'Given name', 'Family name'],
    [gold.code, 'Ana', 'Ruiz'],
  ]
  const content = workbook('<row><c t="inlineStr"><is><t>How to read this file</t></is></c></row>', {
    'xl/worksheets/sheet2.xml': sheet(...guests),
    'xl/worksheets/sheet3.xml': sheet(
      ['Trip code', 'Given name', 'Family name', 'Notes'],
      [gold.code, 'Old', 'Guest', 'x'],
    ),
    'xl/workbook.xml': xml(
      '<workbook><sheets><sheet name="Read me" r:id="r1"/><sheet name="Guests" r:id="r2"/><sheet name="Old" state="veryHidden" r:id="r3"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships>${[1, 2, 3].map((each) => `<Relationship Id="r${each}" Target="worksheets/sheet${each}.xml"/>`).join('')}</Relationships>`,
    ),
  })
  const batch = await importer.upload(Buffer.from(content), 'guests.xlsx')
  expect(batch).toMatchObject({
    encoding: 'xlsx',
    rows: 1,
    form: {
      sheet: 1,
      sheets: [
        { name: 'Read me', isHidden: false },
        { name: 'Guests', isHidden: false },
        { name: 'Old', isHidden: true },
      ],
    },
  })
  const old = await importer.readAs(batch, { sheet: 2 })
  expect(old.columns.map(({ header }) => header)).toEqual(['Trip code', 'Given name', 'Family name', 'Notes'])
  const checked = await importer.preview(await importer.readAs(old, { sheet: 1 }))
  expect((await importer.rows(checked)).map(({ name }) => name)).toEqual(['Ana Ruiz'])
  await expect(importer.readAs(checked, { sheet: 7 })).rejects.toMatchObject({
    details: { reason: 'file_unreadable', because: 'no_sheet' },
  })
})

test('who may not see birth dates of every guest cannot make a guest the header, and finds none in the preview', async () => {
  const batch = await importer.upload(report(amara, jonas))
  const desk = new Importer(world, await world.as('dispatcher', { orgId: who.orgId }))
  const seen = await desk.get(batch.id)
  expect(seen.form.head.find(({ line }) => line === 5)?.cells.slice(3, 8)).toEqual([
    'Amara',
    'Okafor',
    'ADT',
    null,
    'GB',
  ])
  expect(JSON.stringify(seen)).not.toContain('1989')
  await expect(desk.readAs(seen, { headerLine: 5 })).rejects.toMatchObject({
    details: { reason: 'reading_maybe_sensitive', columns: ['Born'] },
  })
  // by a header above the one that was chosen the column stays known
  await importer.readAs(batch, { headerLine: 5 })
  const later = await desk.get(batch.id)
  expect(later.form.head.find(({ line }) => line === 6)?.cells[6]).toBeNull()
})

test.each([
  [
    'a web page',
    '\uFEFF<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table><tr><td>Name</td></tr></table></html>',
  ],
  [
    'XML of a spreadsheet',
    '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?><Workbook><Row/></Workbook>',
  ],
])('%s under the name of a workbook is refused with what to do', async (_, content) => {
  for (const bytes of [encoded(content, 'utf-8'), encoded(content.replace('\uFEFF', ''), 'utf-16le', { mark: true })]) {
    await expect(importer.upload(bytes, 'guests.xls')).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringContaining('save it as .xlsx'),
      details: { reason: 'file_unreadable', because: 'markup' },
    })
  }
})

test.each([
  ['xls', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])],
  [
    'locked',
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]),
  ],
  [
    'ods',
    Buffer.from(zipSync({ mimetype: [strToU8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }] })),
  ],
  ['pdf', Buffer.from('%PDF-1.7\n1 0 obj')],
  [undefined, Buffer.from([0, 1, 2, 3, 255])],
] as const)('a file of another kind is refused by what it is: %s', async (found, content) => {
  await expect(importer.upload(content, 'guests.xls')).rejects.toMatchObject({
    code: 'invalid-argument',
    details: { reason: 'file_type', types: ['csv', 'xlsx'], ...(found ? { found } : {}) },
  })
})

test('lines within a cell as FileMaker writes them are text', async () => {
  const batch = await importer.upload('Order id;Departure;Name\nA-1;GOLD-311121-0900;Mia Wolf\u000BLeo Wolf')
  expect(batch.sample).toContainEqual({ field: 'full_name', value: 'Mia Wolf, Leo Wolf', problem: null })
})

test('two rows of a header are found, joined, shown and changed, and rows below them are imported', async () => {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const row = (...cells: string[]) => `<row>${cells.map(text).join('')}</row>`
  const sheet = `<worksheet><sheetData>${row('Manifest')}${row('Sale', '', 'Guest', '')}${row('Order no', 'Trip code', 'Name', 'E-mail')}
    ${row('G-1', gold.code, 'Amara Okafor', 'amara@example.com')}</sheetData>
    <mergeCells><mergeCell ref="A1:D1"/><mergeCell ref="A2:B2"/><mergeCell ref="C2:D2"/></mergeCells></worksheet>`
  const content = workbook('', { 'xl/worksheets/sheet1.xml': xml(sheet) })
  const batch = await importer.upload(Buffer.from(content), 'guests.xlsx')
  expect(batch.columns.map(({ header, field }) => [header, field])).toEqual([
    ['Sale Order no', 'external_ref'],
    ['Sale Trip code', 'departure_code'],
    ['Guest Name', 'full_name'],
    ['Guest E-mail', 'email'],
  ])
  expect(batch.form).toMatchObject({ headerLine: 2, headerRows: 2, leftOut: { titles: 1 } })
  expect(batch.form.head.map(({ line, role }) => [line, role])).toEqual([
    [1, 'title'],
    [2, 'header'],
    [3, 'header'],
    [4, 'row'],
  ])
  const single = await importer.readAs(batch, { headerRows: 1 })
  expect(single.form).toMatchObject({ headerLine: 3, headerRows: 1, reading: { headerRows: 1 } })
  expect(single.columns.map(({ header }) => header)).toEqual(['Order no', 'Trip code', 'Name', 'E-mail'])

  await importer.apply(await importer.preview(await importer.readAs(single, {})))
  expect((await importer.guests()).map(({ name, ref }) => [name, ref])).toEqual([['Amara Okafor', 'G-1']])
})
