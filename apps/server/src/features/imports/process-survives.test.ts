import { AppError } from '@tour-ops/contract/errors'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { Content } from '../../../testing/content.ts'
import { plainRows, workbook, xml } from '../../../testing/workbooks.ts'
import { automatic, type FileFindings } from './file-analysis.ts'
import { ReaderThreads, type ReadingOrder } from './reader-threads.ts'

// One list or text that no longer fits into the memory of a reader ends the process and not only its thread (decision 0123). So these files, each of
// which makes one thing as large as it can be, are read in threads with the limits of the product: if one gets there, this run ends.

const threads = new ReaderThreads()

const analysisOf = async (
  kind: ReadingOrder['kind'],
  content: string | Uint8Array,
): Promise<FileFindings | undefined> => {
  const order = { kind, form: automatic, wanted: { what: 'analysis' } } as const
  const client = {
    open: new Content(content).open,
    signal: new AbortController().signal,
    log: pino({ level: 'silent' }),
  }
  let findings: FileFindings | undefined
  for await (const answer of threads.read<FileFindings>(order, client)) findings = answer
  return findings
}

/** What is wrong with a file; null where it can be read. */
async function causeOf(kind: ReadingOrder['kind'], content: string | Uint8Array): Promise<unknown> {
  try {
    await analysisOf(kind, content)
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.code).toBe('invalid-argument')
    return error.details?.['because']
  }
}

afterEach(async () => {
  expect((await analysisOf('text', 'Name\nOkafor\n'))?.analysis.rows).toBe(1)
})

test.each([30_000, 64_000, 250_000])(
  'line breaks in quoted cells between each %d separators do not make a record without end',
  async (separators) => {
    const part = `,"\n"${','.repeat(separators)}`
    expect(await causeOf('text', `Name,Note\n${part.repeat(Math.ceil(50_000_000 / separators))}`)).toBe(
      'too_many_columns',
    )
  },
  60_000,
)

test('first records of as many cells as a record may have are held at once', async () => {
  const record = `${','.repeat(250_000)}\n`
  const known = ['takes_too_much_memory', 'too_many_cells', 'too_many_columns']
  expect(known).toContain(await causeOf('text', record.repeat(200)))
  expect(known).toContain(await causeOf('text', `Name,Born\n${`x${record}`.repeat(80)}`))
})

const sheetPart = 'xl/worksheets/sheet1.xml'
const packed = (inner: string): [Uint8Array, { level: 9 }] => [xml(inner), { level: 9 }]

test('a tag has no more attributes, no longer a name and no longer a value than its text is long', async () => {
  const names = Array.from({ length: 200_000 }, (_, index) => `a${index.toString(36)}=""`)
  const attributes = packed(`<worksheet ${names.join(' ')}><sheetData/></worksheet>`)
  expect(await causeOf('workbook', workbook(plainRows, { [sheetPart]: attributes }))).toBe('workbook_long_text')
  for (const inner of [
    `<${'n'.repeat(30_000_000)}/>`,
    `<a b="${'v'.repeat(30_000_000)}"/>`,
    `<!--${'c'.repeat(30_000_000)}-->`,
  ]) {
    expect(await causeOf('workbook', workbook(plainRows, { [sheetPart]: packed(inner) }))).toBe('workbook_long_text')
  }
})

test('tags of as many attributes as fit, one after the other, are given back', async () => {
  const tag = `<c ${Array.from({ length: 100_000 }, (_, index) => `a${index.toString(36)}=""`).join(' ')}/>`
  const sheet = packed(`<worksheet><sheetData><row>${tag.repeat(6)}</row></sheetData></worksheet>`)
  expect(await causeOf('workbook', workbook(plainRows, { [sheetPart]: sheet }))).toBe('no_rows')
})

test('as many styles, formats, sheets and merged cells as a workbook may name are read or refused', async () => {
  const count = 65_536
  const formats = Array.from({ length: count }, (_, index) => `<numFmt numFmtId="${index}" formatCode="yyyy"/>`).join(
    '',
  )
  const styles = packed(`<styleSheet>${formats}<cellXfs>${'<xf numFmtId="7"/>'.repeat(count)}</cellXfs></styleSheet>`)
  const guests = `${plainRows}<row r="3"><c><v>7</v></c></row>`
  expect(await causeOf('workbook', workbook(guests, { 'xl/styles.xml': styles }))).toBeNull()

  const sheets = Array.from({ length: 150 }, (_, n) => `<sheet name="${'s'.repeat(1_000_000)}" r:id="r${n}"/>`).join('')
  const named = workbook(guests, {
    'xl/workbook.xml': packed(`<workbook xmlns:r="r"><sheets>${sheets}</sheets></workbook>`),
  })
  expect(['takes_too_much_memory', null]).toContain(await causeOf('workbook', named))

  const rows = '<row><c t="inlineStr"><is><t>Name</t></is></c></row><row><c><v>1</v></c></row>'
  const mergedOver = (place: (n: number) => string) =>
    packed(
      `<worksheet><sheetData>${rows}</sheetData><mergeCells>${Array.from({ length: 20_000 }, (_, n) => `<mergeCell ref="${place(n)}"/>`).join('')}</mergeCells></worksheet>`,
    )
  const across = workbook('', { [sheetPart]: mergedOver(() => 'A1:B1') })
  expect(await causeOf('workbook', across)).toBeNull()
  const down = workbook('', { [sheetPart]: mergedOver((n) => `A${n + 2}:A${n + 3}`) })
  expect(await causeOf('workbook', down)).toBe('workbook_too_many_merged')
})

test('a text of many pieces is no longer than a cell, in the sheet, in shared texts and in formulas', async () => {
  const pieces = `<r><t>${'x'.repeat(3_000)}</t></r>`.repeat(10_000)
  const shared = workbook(plainRows, { 'xl/sharedStrings.xml': packed(`<sst><si>${pieces}</si></sst>`) })
  expect(await causeOf('workbook', shared)).toBe('cell_too_long')
  const inSheet = packed(
    `<worksheet><sheetData><row><c t="inlineStr"><is>${pieces}</is></c></row></sheetData></worksheet>`,
  )
  expect(await causeOf('workbook', workbook('', { [sheetPart]: inSheet }))).toBe('cell_too_long')
  const formula = packed(
    `<worksheet><sheetData><row><c><f>${'A1+'.repeat(300_000)}</f></c></row></sheetData></worksheet>`,
  )
  expect(await causeOf('workbook', workbook('', { [sheetPart]: formula }))).toBe('cell_too_long')
})
