import { AppError } from '@tour-ops/contract/errors'
import pino from 'pino'
import { expect, test } from 'vitest'
import { Content } from '../../../testing/content.ts'
import { plainRows, workbook, xml } from '../../../testing/workbooks.ts'
import { analyseFile, automatic, type FileFindings } from './file-analysis.ts'
import type { OpenContent, TableRow } from './file-table.ts'
import { openXlsx } from './read-xlsx.ts'
import { ReaderThreads, type ReadingOrder } from './reader-threads.ts'

const silent = pino({ level: 'silent' })
const threads = new ReaderThreads()
const small = { heapMb: 32, workSeconds: 0.4 }

const order = (kind: ReadingOrder['kind'], wanted: ReadingOrder['wanted'] = { what: 'rows', merged: [] }) => ({
  kind,
  form: automatic,
  wanted,
})

interface Wish {
  readonly kind?: ReadingOrder['kind']
  readonly from?: ReaderThreads
  readonly signal?: AbortSignal
}

/** In batches. */
const rowsIn = (
  open: OpenContent,
  { kind = 'text', from = threads, signal = new AbortController().signal }: Wish = {},
) => from.read<TableRow[]>(order(kind), { open, signal, log: silent })

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const value of values) found.push(value)
  return found
}

/** A program instead of the reader's, to be stuck, to break or to tell something: what it does with the port of the answers. */
const program = (onOrder: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort, threadId } from 'node:worker_threads'; parentPort.on('message', ({ answers }) => { ${onOrder} })`,
    )}`,
  )

/** Does not come back, and gives signs of life. */
const stuckProgram = (channel: string): URL =>
  program(`const life = new BroadcastChannel('${channel}')
    for (;;) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      life.postMessage('still here')
    }`)

/** Counts the signs of life that come while it waits. */
async function signsOfLife(channel: string): Promise<number> {
  const life = new BroadcastChannel(channel)
  let count = 0
  life.addEventListener('message', () => (count += 1))
  await new Promise((resolve) => setTimeout(resolve, 100))
  life.close()
  return count
}

const anywhere = new Content('Name\nOkafor\n').open
const guests = (count: number): string => `Name;Note\n${'Okafor;late\n'.repeat(count)}`

test('a thread reads the same as the reader itself, merged cells included', async () => {
  const head = '<row r="1"><c t="s"><v>0</v></c><c t="inlineStr"><is><t>Note</t></is></c></row>'
  const guest =
    '<row r="2"><c t="inlineStr"><is><t>Okafor</t></is></c><c><v>6</v></c></row><row r="3"><c r="B3"><v>7</v></c></row>'
  const merged = '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>'
  const book = workbook(`${head}${guest}</sheetData>${merged}<sheetData>`)
  const findings = await analyseFile(await openXlsx(new Content(book).open))
  const client = { open: new Content(book).open, signal: new AbortController().signal, log: silent }
  expect(await all(threads.read<FileFindings>(order('workbook', { what: 'analysis' }), client))).toEqual([findings])
  const filled = { what: 'rows' as const, merged: findings.analysis.unshown?.merged ?? [] }
  const rows = await all(threads.read<TableRow[]>(order('workbook', filled), client))
  expect(rows.flat().map(({ cells }) => cells)).toEqual([
    ['Name', 'Note'],
    ['Okafor', '6'],
    ['Okafor', '7'],
  ])
  const many = (await all(rowsIn(new Content(guests(2_345)).open))).flat()
  expect(many).toHaveLength(2_346)
  expect(many.at(-1)).toEqual({ line: 2_346, cells: ['Okafor', 'late'] })
})

test('a refusal arrives as it was made', async () => {
  const nested = workbook(plainRows, { 'xl/styles.xml': xml('<a>'.repeat(1_000)) })
  const refusal: unknown = await all(rowsIn(new Content(nested).open, { kind: 'workbook' })).catch((error) => error)
  expect(refusal).toBeInstanceOf(AppError)
  expect(refusal).toMatchObject({
    code: 'invalid-argument',
    message: expect.stringContaining('more than 64 deep'),
    details: { reason: 'file_unreadable', because: 'workbook_nested', params: { max: '64' } },
  })
})

test('a thread that does not come back is ended by the signal', async () => {
  const abort = new AbortController()
  const from = new ReaderThreads({ ...small, workSeconds: 60 }, stuckProgram('signal'))
  const reading = rowsIn(anywhere, { from, signal: abort.signal })
  const reason = new AppError('cancelled', 'The caller went away.')
  const refused = expect(reading.next()).rejects.toBe(reason)
  await expect.poll(() => signsOfLife('signal')).toBeGreaterThan(0)
  abort.abort(reason)
  await refused
  await expect.poll(() => signsOfLife('signal')).toBe(0)
  await expect(rowsIn(anywhere, { signal: abort.signal }).next()).rejects.toBe(reason)
})

test('a thread that does not come back is ended by its time, and the refusal names it', async () => {
  const reading = rowsIn(anywhere, { from: new ReaderThreads(small, stuckProgram('time')) })
  const refused = expect(reading.next()).rejects.toMatchObject({
    code: 'invalid-argument',
    details: { reason: 'file_unreadable', because: 'takes_too_long', params: { max: '0.4' } },
  })
  await expect.poll(() => signsOfLife('time')).toBeGreaterThan(0)
  await refused
  await expect.poll(() => signsOfLife('time')).toBe(0)
})

test('waiting is not counted as work', async () => {
  const waiting = new ReaderThreads(small, program('setTimeout(() => answers.postMessage({ isEnd: true }), 1_000)'))
  expect(await all(rowsIn(anywhere, { from: waiting }))).toEqual([])
})

test('a file that takes more memory than a reader has is refused, and others are read on', async () => {
  // fifty sheets, whose first rows are looked at all together
  const text = 'x'.repeat(30_000)
  const sheets = Array.from({ length: 50 }, (_, index) => index + 1)
  const rows = `<row>${'<c t="s"><v>0</v></c>'.repeat(10)}</row>`.repeat(15)
  const bomb = workbook('', {
    'xl/sharedStrings.xml': xml(`<sst><si><t>${text}\u0141</t></si></sst>`),
    'xl/workbook.xml': xml(
      `<workbook><sheets>${sheets.map((n) => `<sheet r:id="r${n}"/>`).join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships>${sheets.map((n) => `<Relationship Id="r${n}" Target="worksheets/sheet${n}.xml"/>`).join('')}</Relationships>`,
    ),
    ...Object.fromEntries(
      sheets.map((n) => [`xl/worksheets/sheet${n}.xml`, xml(`<worksheet><sheetData>${rows}</sheetData></worksheet>`)]),
    ),
  })
  const reading = all(
    rowsIn(new Content(bomb).open, { kind: 'workbook', from: new ReaderThreads({ ...small, workSeconds: 60 }) }),
  )
  const refused = expect(reading).rejects.toMatchObject({
    code: 'invalid-argument',
    details: { reason: 'file_unreadable', because: 'takes_too_much_memory', params: { max: '32' } },
  })
  expect((await all(rowsIn(new Content(guests(10)).open))).flat()).toHaveLength(11)
  await refused
})

test.each([
  ['breaks', "throw new TypeError(['Oka', 'for'].join(''))"],
  ['ends', 'process.exit()'],
])('a thread that %s refuses its file in words, and the log has one line without its text', async (_, what) => {
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) })
  const client = { open: anywhere, signal: new AbortController().signal, log }
  const reading = new ReaderThreads(small, program(what)).read(order('text'), client)
  await expect(reading.next()).rejects.toMatchObject({
    code: 'invalid-argument',
    message: expect.stringContaining('cannot be read'),
    details: { reason: 'file_unreadable', because: 'reader_failed' },
  })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('thread')
  expect(lines[0]).not.toContain('Okafor')
})

test('content that cannot be had is an error of its own, not of the file', async () => {
  const outage = new AppError('unavailable', 'The store of files does not answer.')
  const open: OpenContent = async () => {
    throw outage
  }
  await expect(all(rowsIn(open))).rejects.toBe(outage)
})

test('reading ends with whoever takes the rows, in the middle of a batch or of a file', async () => {
  const content = new Content(guests(800_000))
  for await (const batch of rowsIn(content.open)) {
    expect(batch[0]?.line).toBe(1)
    break
  }
  await expect.poll(() => content.isClosed).toBe(true)
  const { taken } = content
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(content.taken).toBe(taken)
})

test('a stop reaches who is busy with a batch when the next one is asked for', async () => {
  const abort = new AbortController()
  const content = new Content(guests(800_000))
  const reading = rowsIn(content.open, { signal: abort.signal })
  expect((await reading.next()).done).toBe(false)
  const reason = new AppError('cancelled', 'Stopped.')
  abort.abort(reason)
  await expect(reading.next()).rejects.toBe(reason)
  await expect.poll(() => content.isClosed).toBe(true)
})

test('no more of a file is under way than whoever takes its rows has room for', async () => {
  const content = new Content(guests(800_000))
  const reading = rowsIn(content.open)
  await reading.next()
  await new Promise((resolve) => setTimeout(resolve, 100))
  // the passes before the rows took all of it, the one for the rows a few pieces
  const passes = content.opened
  const { taken } = content
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(content).toMatchObject({ opened: passes, taken })
  await reading.return(undefined)
})

test('a reader gets no environment, and the next file is read by the same thread', async () => {
  const told = new ReaderThreads(
    small,
    program(`let told = false
      answers.on('message', () => {
        answers.postMessage(told ? { isEnd: true } : { value: { threadId, env: Object.keys(process.env) } })
        told = true
      })`),
  )
  const client = { open: anywhere, signal: new AbortController().signal, log: silent }
  const [first] = await all(told.read<{ threadId: number; env: string[] }>(order('text'), client))
  expect(first?.env).toEqual([])
  expect(await all(told.read(order('text'), client))).toEqual([first])
})
