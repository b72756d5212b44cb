import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { analyseFile } from './file-analysis.ts'
import type { OpenContent, TableRow } from './file-table.ts'
import { openCsv } from './read-csv.ts'
import { filledDown } from './merged-cells.ts'
import { openXlsx } from './read-xlsx.ts'
import { workbook, xml } from '../../../testing/workbooks.ts'

/** In pieces of seven bytes, so that every boundary falls into the middle of something. */
const contentOf =
  (content: Uint8Array): OpenContent =>
  async () =>
    (async function* () {
      for (let at = 0; at < content.length; at += 7) yield content.subarray(at, at + 7)
    })()

const textOf = (text: string, encoding: BufferEncoding = 'utf8') => contentOf(Buffer.from(text, encoding))

async function rowsOf(records: AsyncGenerator<TableRow>): Promise<TableRow[]> {
  const rows: TableRow[] = []
  for await (const row of records) rows.push(row)
  return rows
}

test('UTF-8 is read with and without byte order mark, and anything else as Windows-1252', async () => {
  const text = 'Name,Stadt\nÅse Nyström,Zürich\n张伟,東京\n'
  for (const start of ['', '\uFEFF']) {
    const table = await openCsv(textOf(start + text))
    expect(table.encoding).toBe('utf-8')
    expect((await rowsOf(table.records())).map((row) => row.cells)).toEqual([
      ['Name', 'Stadt'],
      ['Åse Nyström', 'Zürich'],
      ['张伟', '東京'],
    ])
  }
  // 0x80 is the euro sign there, and not a valid character in UTF-8
  const western = await openCsv(
    contentOf(Buffer.concat([Buffer.from('Name;Saldo\nÅse;', 'latin1'), Buffer.from([0x80]), Buffer.from('5')])),
  )
  expect(western).toMatchObject({ encoding: 'windows-1252', delimiter: ';' })
  expect((await rowsOf(western.records()))[1]?.cells).toEqual(['Åse', '€5'])
})

test('a single wrong byte far down makes the whole file Windows-1252, not the one line', async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `Guest ${index};x`)
  const table = await openCsv(textOf(['Name;Note', ...lines, 'Müller;x'].join('\n'), 'latin1'))
  expect(table.encoding).toBe('windows-1252')
  expect((await rowsOf(table.records())).at(-1)?.cells).toEqual(['Müller', 'x'])
})

test('the separator is found outside of quotation marks, or given by the first line', async () => {
  expect((await openCsv(textOf('"a;b;c;d",e\n1,2\n'))).delimiter).toBe(',')
  expect((await openCsv(textOf('a\tb,c\td\n1\t2\t3\n'))).delimiter).toBe('\t')
  expect((await openCsv(textOf('a;b,c;d\n'))).delimiter).toBe(';')
  const said = await openCsv(textOf('sep=;\r\nName;Note\r\nÅse;a,b,c\r\n'))
  expect(said.delimiter).toBe(';')
  expect(await rowsOf(said.records())).toEqual([
    { line: 2, cells: ['Name', 'Note'] },
    { line: 3, cells: ['Åse', 'a,b,c'] },
  ])
})

test('line breaks and separators in quotation marks belong to their cell, and lines are counted as an editor counts them', async () => {
  const table = await openCsv(
    textOf('Name,Note\r\n"Weber, Jonas","first\r\nsecond ""quoted"""\r\n\r\nOkafor,5" pipe\r\n'),
  )
  expect(await rowsOf(table.records())).toEqual([
    { line: 1, cells: ['Name', 'Note'] },
    { line: 2, cells: ['Weber, Jonas', 'first\r\nsecond "quoted"'] },
    { line: 5, cells: ['Okafor', '5" pipe'] },
  ])
})

test('a quotation mark that is never closed is refused with the line where it begins', async () => {
  const table = await openCsv(textOf('Name,Note\nA,b\nC,"never closed\nD,e\n'))
  await expect(rowsOf(table.records())).rejects.toMatchObject({
    code: 'invalid-argument',
    message: expect.stringContaining('from line 3 on'),
    details: { reason: 'file_unreadable' },
  })
})

test('a pass through the file counts filled cells, and refuses files without rows', async () => {
  const { analysis, samples } = await analyseFile(
    await openCsv(textOf('Name;Name;;Born;;\nA;B;x;04.07.1989\nC;;;25.12.1990\n')),
  )
  expect(analysis).toMatchObject({ rows: 2, headers: ['Name', 'Name (2)', '#3', 'Born'] })
  expect(analysis.columns.map((column) => column.filled)).toEqual([2, 1, 1, 2])
  expect(analysis.columns[3]).toMatchObject({ dates: { dayFirst: 1, monthFirst: 0, either: 1 } })
  expect(samples).toMatchObject({ first: { line: 2, cells: ['A', 'B', 'x', '04.07.1989'] } })
  expect(samples.columns[3]).toMatchObject({ values: ['04.07.1989', '25.12.1990'], dateExample: '04.07.1989' })
  await expect(analyseFile(await openCsv(textOf('Name;Born\n')))).rejects.toThrow('no rows below its header')
  await expect(analyseFile(await openCsv(textOf('\n')))).rejects.toThrow('no rows below its header')
})

test('a workbook is read with shared and inline texts, gaps, and typed dates as civil dates', async () => {
  const table = await openXlsx(
    contentOf(
      workbook(`
        <row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="inlineStr"><is><t>Start</t></is></c></row>
        <row r="2"><c r="A2" t="s"><v>1</v></c><c r="C2" s="1"><v>32693</v></c><c r="D2" s="2"><v>46347.375</v></c><c r="E2" s="3"><v>0.34722222222222221</v></c></row>
        <row r="3"/>
        <row r="5"><c r="A5" t="str"><v>Jonas</v></c><c r="B5"><v>447700900181</v></c><c r="D5" s="4"><v>12.300000000000001</v></c><c r="E5" t="b"><v>1</v></c><c r="F5" t="e"><v>#N/A</v></c></row>`),
    ),
  )
  expect(table).toMatchObject({ encoding: 'xlsx', delimiter: null })
  expect(await rowsOf(table.records())).toEqual([
    { line: 1, cells: ['Name', '', 'Born & bred', 'Start'] },
    { line: 2, cells: ['Åse Nyström', '', '1989-07-04', '2026-11-21 09:00', '08:20'] },
    { line: 5, cells: ['Jonas', '447700900181', '', '12.3', 'true', ''] },
  ])
})

test('each row of a merged cell has its value below the header; a formula without a value is no empty cell, and both are told', async () => {
  const book = workbook('', {
    'xl/worksheets/sheet1.xml': xml(`<worksheet><sheetData>
      <row r="1"><c r="A1" t="inlineStr"><is><t>Order id</t></is></c><c r="B1" t="inlineStr"><is><t>Name</t></is></c><c r="C1" t="inlineStr"><is><t>Total</t></is></c></row>
      <row r="2"><c r="A2" t="inlineStr"><is><t>A-1</t></is></c><c r="B2" t="str"><f>D2&amp;E2</f><v>Amara</v></c><c r="C2"><f>2*49</f></c></row>
      <row r="3"><c r="B3" t="inlineStr"><is><t>Jonas</t></is></c><c r="C3"><f t="shared" si="0"/></c></row>
      <row r="4"><c r="B4" t="inlineStr"><is><t>Mia</t></is></c><c r="C4" t="str"><f>IF(1,"","x")</f><v></v></c></row>
      </sheetData><mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="A2:A4"/><mergeCell ref="C1:C1"/></mergeCells></worksheet>`),
  })
  const table = await openXlsx(contentOf(book))
  expect((await rowsOf(table.records())).map(({ cells }) => cells)).toEqual([
    ['Order id', 'Name', 'Total'],
    ['A-1', 'Amara', '=2*49'],
    ['', 'Jonas', '=?'],
    ['', 'Mia', ''],
  ])
  const { analysis, samples } = await analyseFile(table)
  expect(samples.head?.map(({ cells }) => cells[0])).toEqual(['Order id', 'A-1', 'A-1', 'A-1'])
  expect(analysis.columns[0]).toMatchObject({ filled: 3 })
  expect(analysis.unshown).toEqual({
    merged: [{ line: 2, lastLine: 4, column: 0 }],
    formulas: { cells: 2, line: 2 },
  })
})

test('what is no workbook, or a damaged one, is refused with a message', async () => {
  const damaged = workbook('<row r="1"><c t="s"><v>0</v></c></row>').slice()
  damaged.fill(0xff, 60, 140)
  await expect(openXlsx(contentOf(damaged)).then((table) => rowsOf(table.records()))).rejects.toMatchObject({
    details: { reason: 'file_unreadable' },
  })
  await expect(openXlsx(contentOf(zipSync({ 'xl/workbook.xml': xml('<workbook/>') })))).rejects.toThrow(
    'The workbook has no sheet.',
  )
  const broken = workbook('<row r="1"><c r="A1"><v>1</row>')
  await expect(openXlsx(contentOf(broken)).then((table) => rowsOf(table.records()))).rejects.toMatchObject({
    details: { reason: 'file_unreadable' },
  })
})

test('a merged cell fills the rows that it covers, of its own column, and no row that has nothing else', async () => {
  const rows = async function* () {
    yield { line: 2, cells: ['A-1', 'Ana'] }
    yield { line: 3, cells: ['', 'Bo'] }
    yield { line: 5, cells: [] as string[] }
    yield { line: 6, cells: ['own', 'Cem'] }
    yield { line: 7, cells: ['', 'Dee'] }
  }
  const filled = filledDown(rows(), [
    { line: 2, lastLine: 6, column: 0 },
    // begins in a row that the file does not have
    { line: 4, lastLine: 7, column: 2 },
  ])
  expect((await rowsOf(filled)).map(({ cells }) => cells)).toEqual([
    ['A-1', 'Ana'],
    ['A-1', 'Bo'],
    ['A-1'],
    ['own', 'Cem'],
    ['', 'Dee'],
  ])
})

test('merged cells that come to more text than a file may have are refused, and so are too many of them', async () => {
  const rows = async function* () {
    for (let line = 2; line < 100; line += 1) yield { line, cells: [line === 2 ? 'x'.repeat(100) : '', 'Ana'] }
  }
  await expect(rowsOf(filledDown(rows(), [{ line: 2, lastLine: 99, column: 0 }], 1_000))).rejects.toThrow(
    'more than 1,000 characters of text',
  )
  const merges = Array.from({ length: 2_001 }, (_, at) => `<mergeCell ref="A${at + 2}:A${at + 3}"/>`).join('')
  const book = workbook('', {
    'xl/worksheets/sheet1.xml': xml(
      `<worksheet><sheetData><row r="1"><c t="s"><v>0</v></c></row><row r="2"><c t="s"><v>1</v></c></row></sheetData><mergeCells>${merges}</mergeCells></worksheet>`,
    ),
  })
  await expect(analyseFile(await openXlsx(contentOf(book)))).rejects.toMatchObject({
    details: { because: 'workbook_too_many_merged' },
  })
})

test.each([
  ['1e10', '10000000000'],
  ['-5', '-5'],
  ['2958466', '2958466'],
  ['2958465', '9999-12-31'],
  ['abc', 'abc'],
  ['NaN', 'NaN'],
  ['1e400', '1e400'],
])('a cell that is formatted as a date and holds %s is read as %s', async (value, expected) => {
  const cell = `<row r="1"><c r="A1" s="1"><v>${value}</v></c></row>`
  const [row] = await rowsOf((await openXlsx(contentOf(workbook(cell)))).records())
  expect(row?.cells).toEqual([expected])
})

test('birth dates in words hide a column whose header says nothing', async () => {
  const content = 'Name,Internal\nOkafor,"Tuesday, March 5, 1985"\nWeber,5 de marzo de 1985\n'
  const { analysis } = await analyseFile(await openCsv(textOf(content)))
  expect(analysis.columns).toMatchObject([{ looksSensitive: false }, { looksSensitive: true }])
})
