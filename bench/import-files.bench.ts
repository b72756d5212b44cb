import { setTimeout as sleep } from 'node:timers/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import pino from 'pino'
import { AppError } from '@tour-ops/contract/errors'
import { automatic } from '../apps/server/src/features/imports/file-analysis.ts'
import type { OpenContent, TableRow } from '../apps/server/src/features/imports/file-table.ts'
import { ReaderThreads, type ReadingOrder } from '../apps/server/src/features/imports/reader-threads.ts'
import { damagedFiles } from '../apps/server/testing/damaged-files.ts'
import { hostileFiles } from './hostile-files.ts'
import { manifestCsv, manifestXlsx } from './manifest-csv.ts'
import { atMost, median, type Bench, type Measure } from './measurement.ts'

/** Nobody else waits longer than this because of a file. */
const goalMs = 200

const threads = new ReaderThreads()

/** What reading a file for an import costs everybody else, and how fast it is; without database and HTTP. */
export const importFilesBench: Bench = {
  name: 'import-files',
  title: 'Files of an import, read in threads',
  async run(scale) {
    const rows = scale === 'full' ? 50_000 : 5_000
    const hostile = [...hostileFiles(), ...damagedFiles(scale === 'full' ? 300 : 30, 20_261_128)]
    const csv = manifestCsv(rows, 100)
    const xlsx = manifestXlsx(rows, 100)
    const floor = await delayOf([new Uint8Array()], 1, () => sleep(10_000))
    return [
      delayMeasure('hostile files, one after the other', await delayOf(hostile, 1, analysed), floor),
      delayMeasure('hostile files, six at once', await delayOf(hostile, 6, analysed), floor),
      delayMeasure('rows of a manifest, four at once', await delayOf([csv, xlsx, csv, xlsx], 4, taken), floor),
      await speed('analysis of a CSV', rows, csv, analysed),
      await speed('rows of a CSV', rows, csv, taken),
      await speed('analysis of a workbook', rows, xlsx, analysed),
      await speed('rows of a workbook', rows, xlsx, taken),
      await start(),
    ]
  },
}

type Read = (bytes: Uint8Array) => Promise<unknown>

const contentOf =
  (bytes: Uint8Array): OpenContent =>
  async () =>
    (async function* pieces() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
    })()

const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

async function inThread(bytes: Uint8Array, wanted: ReadingOrder['wanted'], from = threads): Promise<number> {
  const order: ReadingOrder = { kind: isPacked(bytes) ? 'workbook' : 'text', form: automatic, wanted }
  const client = { open: contentOf(bytes), signal: new AbortController().signal, log: pino({ level: 'silent' }) }
  let count = 0
  for await (const answer of from.read<unknown>(order, client)) count += (answer as TableRow[]).length ?? 0
  return count
}

const analysed: Read = (bytes) => inThread(bytes, { what: 'analysis' })
const taken: Read = (bytes) => inThread(bytes, { what: 'rows', merged: [] })

/** Most of these files are refused, which is as good an end as any; nothing else is expected. */
function onlyRefused(error: unknown): void {
  if (!(error instanceof AppError)) throw error
}

/** The longest time for which nothing else had its turn, in milliseconds. */
async function delayOf(files: readonly Uint8Array[], atOnce: number, read: Read): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  // what was made before is collected before
  await sleep(500)
  delays.enable()
  await sleep(10)
  const waiting = [...files]
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift()) await read(file).catch(onlyRefused)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  await sleep(10)
  delays.disable()
  return delays.max / 1e6
}

const delayMeasure = (name: string, value: number, floor: number): Measure => ({
  name: `longest delay of others: ${name}`,
  value,
  unit: 'ms',
  samples: 1,
  against: { name: 'while nothing is read', value: floor },
  goal: atMost(value, goalMs, 'ms'),
})

async function speed(name: string, rows: number, bytes: Uint8Array, read: Read): Promise<Measure> {
  await read(bytes)
  const startedAt = performance.now()
  await read(bytes)
  return { name, value: rows / ((performance.now() - startedAt) / 1000), unit: 'rows/s', samples: 1 }
}

/** A file of two lines, in a thread that has yet to start and in one that waits. */
async function start(): Promise<Measure> {
  const file = Buffer.from('Name\nOkafor\n')
  const timesOf = async (from: () => ReaderThreads): Promise<number> => {
    const times: number[] = []
    for (let round = 0; round < 10; round += 1) {
      const startedAt = performance.now()
      await inThread(file, { what: 'analysis' }, from())
      times.push(performance.now() - startedAt)
    }
    return median(times)
  }
  const cold = await timesOf(() => new ReaderThreads())
  const warm = await timesOf(() => threads)
  return {
    name: 'file of two lines in a new thread',
    value: cold,
    unit: 'ms',
    samples: 10,
    against: { name: 'in one that waits', value: warm },
  }
}
