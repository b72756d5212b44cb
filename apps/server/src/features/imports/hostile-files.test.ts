import { AppError } from '@tour-ops/contract/errors'
import { Zip, ZipDeflate, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { analyseFile } from './file-analysis.ts'
import type { TableRow } from './file-table.ts'
import { openCsv } from './read-csv.ts'
import { openXlsx } from './read-xlsx.ts'
import { type ReadingLimits, readingLimits } from './reading.ts'
import { Content } from '../../../testing/content.ts'
import { plainRows, workbook, xml } from '../../../testing/workbooks.ts'

async function rowsOf(records: AsyncGenerator<TableRow>): Promise<TableRow[]> {
  const rows: TableRow[] = []
  for await (const row of records) rows.push(row)
  return rows
}

const readXlsx = async (content: Uint8Array, limits?: ReadingLimits): Promise<TableRow[]> =>
  rowsOf((await openXlsx(new Content(content).open, null, limits)).records())
const readCsv = async (content: Uint8Array | string, limits?: ReadingLimits): Promise<TableRow[]> =>
  rowsOf((await openCsv(new Content(content).open, undefined, limits)).records())

const refusal = (because: string, words: RegExp) => ({
  code: 'invalid-argument',
  message: expect.stringMatching(words),
  details: expect.objectContaining({ reason: 'file_unreadable', because }),
})

const within = (limits: Partial<ReadingLimits>): ReadingLimits => ({ ...readingLimits, ...limits })

const sheetPart = 'xl/worksheets/sheet1.xml'
const stringsPart = 'xl/sharedStrings.xml'

test.each([stringsPart, sheetPart, 'xl/styles.xml', 'xl/workbook.xml'])(
  'a workbook that nests its tags without end is refused: %s',
  async (part) => {
    const nested = workbook(plainRows, { [part]: [xml('<a>'.repeat(300_000)), { level: 9 }] })
    await expect(readXlsx(nested)).rejects.toMatchObject(refusal('workbook_nested', /more than 64 deep.*CSV/))
  },
)

test('a workbook is counted while it is unpacked, whatever its headers say', async () => {
  const bomb = workbook(plainRows, { [stringsPart]: [xml(`<sst>${'<si/>'.repeat(400_000)}</sst>`), { level: 9 }] })
  await expect(readXlsx(bomb, within({ unpackedBytes: 1024 * 1024 }))).rejects.toMatchObject(
    refusal('workbook_too_large', /more than 1 MB/),
  )
  const header = Buffer.from(bomb).indexOf(stringsPart) - 30
  const lying = bomb.slice()
  new DataView(lying.buffer).setUint32(header + 22, 12, true)
  await expect(readXlsx(lying, within({ unpackedBytes: 1024 * 1024 }))).rejects.toMatchObject(
    refusal('workbook_too_large', /more than 1 MB/),
  )
})

test('a workbook that holds the same part again and again is refused', async () => {
  const once = workbook(plainRows)
  const strings = zipSync({ [stringsPart]: xml('<sst/>') })
  await expect(readXlsx(Buffer.concat([once, strings, strings]))).rejects.toMatchObject(
    refusal('workbook_repeats', /same part more than once/),
  )
  await expect(readXlsx(Buffer.concat([once, zipSync({ [sheetPart]: xml('<a/>') })]))).rejects.toMatchObject(
    refusal('workbook_repeats', /same part more than once/),
  )
})

test('a workbook of very many parts is refused, also when none of them is read', async () => {
  const parts = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`xl/media/${index}.png`, xml('')]))
  await expect(readXlsx(workbook(plainRows, parts))).rejects.toMatchObject(
    refusal('workbook_too_many_parts', /more than 1000 parts/),
  )
})

test('a workbook of very many tags is refused, however small they are', async () => {
  const tags = workbook(plainRows, { [stringsPart]: [xml(`<sst>${'<a/>'.repeat(20_000)}</sst>`), { level: 9 }] })
  await expect(readXlsx(tags, within({ tags: 10_000 }))).rejects.toMatchObject(
    refusal('workbook_too_many_tags', /more than 10,000 XML tags/),
  )
})

test('sizes of 64 bits, sizes too small and sizes beyond the end are no way to harm', async () => {
  const content = workbook(plainRows)
  const at = Buffer.from(content).indexOf(sheetPart) - 30
  for (const [offset, value] of [
    [18, 0xffffffff],
    [18, 0x7fffffff],
    [18, 5],
    [22, 0xffffffff],
    [28, 0xffff],
    [8, 99],
  ] as const) {
    const broken = content.slice()
    const view = new DataView(broken.buffer)
    if (offset === 28 || offset === 8) view.setUint16(at + offset, value, true)
    else view.setUint32(at + offset, value, true)
    const read = readXlsx(broken).catch((error: unknown) => error)
    // the unpacked size is not trusted; everything else leads nowhere
    if (offset === 22) expect(await read).toHaveLength(2)
    else expect(await read).toSatisfy((found) => found instanceof AppError || (found as TableRow[]).length === 0)
  }
})

test('what follows the end of a packed part is not collected', async () => {
  const packed = zipSync({ [stringsPart]: xml('<sst/>') })
  const view = new DataView(packed.buffer)
  const size = view.getUint32(18, true)
  const junk = 1024 * 1024
  const start = 30 + stringsPart.length
  const longer = Buffer.concat([packed.subarray(0, start + size), Buffer.alloc(junk)])
  longer.writeUInt32LE(size + junk, 18)
  await expect(readXlsx(longer)).rejects.toMatchObject(refusal('workbook_damaged', /damaged/))
})

test('parts whose sizes come behind them are read, as Java programs write them', async () => {
  const pieces: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  for (const [part, content] of [
    [sheetPart, `<worksheet><sheetData>${plainRows}</sheetData></worksheet>`],
    ['xl/workbook.xml', '<workbook><sheets><sheet r:id="r1"/></sheets></workbook>'],
    [
      'xl/_rels/workbook.xml.rels',
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    ],
    [stringsPart, '<sst><si><t>Name</t></si></sst>'],
  ] as const) {
    const deflate = new ZipDeflate(part)
    zip.add(deflate)
    deflate.push(xml(content), true)
  }
  zip.end()
  expect((await readXlsx(Buffer.concat(pieces))).map((row) => row.cells)).toEqual([['Name'], ['Okafor']])
})

test('a million empty cells are no row, and more of them are refused', async () => {
  const wide = (rows: number) => workbook(plainRows + `<row>${'<c s="1"/>'.repeat(16_384)}</row>`.repeat(rows))
  expect(await readXlsx(wide(61))).toHaveLength(2)
  await expect(readXlsx(wide(2), within({ cells: 30_000 }))).rejects.toMatchObject(
    refusal('too_many_cells', /more than 30,000 cells/),
  )
  await expect(readCsv(`Name\nOkafor\n${','.repeat(200_000)}`, within({ cells: 100_000 }))).rejects.toMatchObject(
    refusal('too_many_cells', /more than 100,000 cells/),
  )
})

test('a line of separators without end is refused before it is one list, and lines of as many as a record may have are not', async () => {
  const content = new Content(`Name,Born\n${','.repeat(4 * 1024 * 1024)}`)
  const table = await openCsv(content.open)
  content.taken = 0
  await expect(rowsOf(table.records())).rejects.toMatchObject(refusal('too_many_columns', /more than 200 columns/))
  expect(content.taken).toBeLessThan(16)
  expect(await readCsv(`Name,Born\n${`Okafor${','.repeat(200_000)}\n`.repeat(3)}`)).toHaveLength(4)
})

test('text beyond the last column that an import takes is refused, not left out', async () => {
  const far = workbook(`${plainRows}<row r="3"><c r="XFD3"><v>7</v></c></row>`)
  await expect(readXlsx(far)).rejects.toMatchObject(refusal('too_many_columns', /more than 200 columns/))
  const headers = Array.from({ length: 16_384 }, (_, index) => `H${index}`).join(',')
  await expect(analyseFile(await openCsv(new Content(`${headers}\n1\n`).open))).rejects.toMatchObject(
    refusal('too_many_columns', /more than 200 columns/),
  )
})

test('a gigantic cell is refused, as shared text, in the sheet and in a CSV', async () => {
  const long = 'x'.repeat(40_000)
  const words = /more than 32,767 characters/
  const shared = workbook(plainRows, { [stringsPart]: xml(`<sst><si><t>Name</t><t>${long}</t></si></sst>`) })
  await expect(readXlsx(shared)).rejects.toMatchObject(refusal('cell_too_long', words))
  const inline = workbook(`<row><c t="inlineStr"><is><t>${long}</t></is></c></row>`)
  await expect(readXlsx(inline)).rejects.toMatchObject(refusal('cell_too_long', words))
  await expect(readCsv(`Name\n${long}\n`)).rejects.toMatchObject(refusal('cell_too_long', words))
  await expect(
    analyseFile(await openCsv(new Content(`Name,${'y'.repeat(2_000)}\nOkafor,1\n`).open)),
  ).rejects.toMatchObject(refusal('header_too_long', /more than 1,000 characters/))
})

test.each(['<!--', '<a b="', '<a ', '<![CDATA[', '<?x '])(
  'a text without end between two tags is refused: %s',
  async (start) => {
    const endless = workbook(plainRows, { 'xl/styles.xml': xml(`<styleSheet>${start}${'x'.repeat(3 * 1024 * 1024)}`) })
    await expect(readXlsx(endless)).rejects.toMatchObject(
      refusal('workbook_long_text', /more than 1,048,576 characters/),
    )
  },
)

test('one text in very many cells is counted as often as it occurs', async () => {
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`
  const same = workbook(row.repeat(100), { [stringsPart]: xml(`<sst><si><t>${'x'.repeat(1_000)}</t></si></sst>`) })
  await expect(readXlsx(same, within({ text: 1_000_000 }))).rejects.toMatchObject(
    refusal('too_much_text', /more than 1,000,000 characters/),
  )
})

test('entities are not expanded', async () => {
  const levels = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`)
  const laughs = Buffer.from(
    `<?xml version="1.0"?><!DOCTYPE sst [<!ENTITY l0 "lol">${levels.join('')}]><sst><si><t>&l9;</t></si></sst>`,
  )
  await expect(readXlsx(workbook(plainRows, { [stringsPart]: laughs }))).rejects.toMatchObject(
    refusal('workbook_damaged', /damaged/),
  )
})

test('formats of numbers are read once, however many styles name them, and there is an end to both', async () => {
  const format = `<numFmt numFmtId="170" formatCode="${'['.repeat(200_000)}"/>`
  const styles = (count: number) =>
    workbook(plainRows, {
      'xl/styles.xml': xml(
        `<styleSheet>${format}<cellXfs>${'<xf numFmtId="170"/>'.repeat(count)}</cellXfs></styleSheet>`,
      ),
    })
  expect(await readXlsx(styles(65_000))).toHaveLength(2)
  await expect(readXlsx(styles(65_537))).rejects.toMatchObject(
    refusal('workbook_too_many_styles', /more than 65,?536 styles/),
  )
})

test('a workbook that refers to very many parts is refused, and names that no program writes are not stored', async () => {
  const relations = (of: (index: number) => string, count: number) =>
    workbook(plainRows, {
      'xl/_rels/workbook.xml.rels': xml(
        `<Relationships>${Array.from({ length: count }, (_, index) => of(index)).join('')}</Relationships>`,
      ),
    })
  const short = (index: number) => `<Relationship Id="i${index}" Target="worksheets/sheet${index}.xml"/>`
  await expect(readXlsx(relations(short, 200_000))).rejects.toMatchObject(
    refusal('workbook_too_many_links', /more than 1,000 sheets/),
  )
  const long = (index: number) => `<Relationship Id="r7" Target="worksheets/${'x'.repeat(2_000)}${index}.xml"/>`
  await expect(readXlsx(relations(long, 10))).rejects.toMatchObject(refusal('no_sheet', /no sheet/))
})

test('numbers of rows that no sheet has are counted on instead', async () => {
  const row = (number: string) => `<row r="${number}"><c><v>1</v></c></row>`
  const rows = await readXlsx(workbook(['1', '1e99', 'x', '-4', '2', '9'].map(row).join('')))
  expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 9])
})

test('a CSV of line breaks is refused once there are more than any sheet has', async () => {
  await expect(readCsv(`Name\nOkafor\n${'\n'.repeat(50_000)}`, within({ blankRows: 20_000 }))).rejects.toMatchObject(
    refusal('too_many_blank_rows', /more than 20,000 empty rows/),
  )
  const blank = workbook(plainRows + '<row/>'.repeat(5_000))
  await expect(readXlsx(blank, within({ blankRows: 2_000 }))).rejects.toMatchObject(
    refusal('too_many_blank_rows', /more than 2,000 empty rows/),
  )
})

test('rows end at the limit in every kind of file, the header not counted', async () => {
  const limits = within({ rows: 3 })
  expect(await readCsv('Name\nA\nB\n', limits)).toHaveLength(3)
  await expect(readCsv('Name\nA\nB\nC\n', limits)).rejects.toMatchObject(refusal('too_many_rows', /more than 2 rows/))
  const row = '<row><c><v>1</v></c></row>'
  await expect(readXlsx(workbook(row.repeat(4)), limits)).rejects.toMatchObject(
    refusal('too_many_rows', /more than 2 rows/),
  )
})

test('a quoted cell without end is refused before it is collected', async () => {
  const content = new Content(`Name\n"${'x\n'.repeat(4 * 1024 * 1024)}`)
  const table = await openCsv(content.open)
  content.taken = 0
  await expect(rowsOf(table.records())).rejects.toMatchObject(refusal('quote_open', /from line 2 on/))
  expect(content.taken).toBeLessThan(20)
})

const secondSheet = (rows: string) => ({
  'xl/worksheets/sheet2.xml': [xml(`<worksheet><sheetData>${rows}</sheetData></worksheet>`), { level: 9 }] as [
    Uint8Array,
    { level: 9 },
  ],
})

test('the sheet with the table is looked for within the same limits, and only in first rows', async () => {
  const many = workbook(plainRows, secondSheet('<row><c><v>1</v></c></row>'.repeat(50_000)))
  // a few tags of the second sheet are parsed, all of its bytes are counted
  expect(await readXlsx(many, within({ tags: 10_000 }))).toHaveLength(2)
  await expect(readXlsx(many, within({ unpackedBytes: 1024 * 1024 }))).rejects.toMatchObject(
    refusal('workbook_too_large', /more than 1 MB/),
  )
  const nested = workbook(plainRows, secondSheet('<a>'.repeat(100_000)))
  await expect(readXlsx(nested)).rejects.toMatchObject(refusal('workbook_nested', /more than 64 deep/))
})

test('lines without end are looked at in part for their encoding, and refused as a cell', async () => {
  await expect(readCsv(Buffer.alloc(1024 * 1024, Buffer.from([0xd5, 0xc5])))).rejects.toMatchObject({
    details: { reason: 'file_unreadable' },
  })
})

test('rows that look like a title, a total or a header without end are counted like others', async () => {
  const analysed = async (content: string, rows: number) =>
    analyseFile(await openCsv(new Content(content).open, undefined, within({ rows })))
  const header = 'Booking ref;First name;Last name'
  const guest = 'A-1;Ana;Ruiz'
  for (const line of ['Total;;', header, 'Title']) {
    const content = [header, guest, ...Array.from({ length: 5_000 }, () => line), guest].join('\n')
    await expect(analysed(content, 4_000)).rejects.toMatchObject(refusal('too_many_rows', /more than 3,999 rows/))
  }
})
