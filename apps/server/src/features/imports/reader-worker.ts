import os from 'node:os'
import { type MessagePort, MessageChannel, parentPort } from 'node:worker_threads'
import { AppError } from '@tour-ops/contract/errors'
import { analyseFile, type FileFindings } from './file-analysis.ts'
import type { FileTable, OpenContent, TableRow } from './file-table.ts'
import { filledDown } from './merged-cells.ts'
import { receivedOver, refuseOver, sendOver } from './port-stream.ts'
import { openCsv } from './read-csv.ts'
import { openXlsx } from './read-xlsx.ts'
import type { ReadingOrder } from './reader-threads.ts'

// The program of a reader thread: reads one file at a time, whose bytes it asks of the main thread, and answers with what it found or with rows.

/** The server's own thread goes first when there are not enough processors for both. On Linux this is the priority of a thread, elsewhere of a process. */
const lowerPriority = 10
if (os.platform() === 'linux') os.setPriority(lowerPriority)

/** Rows that cross at once, and characters of them: what the main thread does with one batch is brief. */
const batchRows = 100
const batchCharacters = 64 * 1024

parentPort?.on('message', ({ order, answers }: { order: ReadingOrder; answers: MessagePort }) => {
  sendOver<FileFindings | TableRow[]>(answers, answersTo(order), (error) => {
    // anything else ends this thread, and the main thread says so
    if (!(error instanceof AppError)) throw error
    refuseOver(answers, error)
  })
})

async function* answersTo({ kind, form, wanted }: ReadingOrder): AsyncGenerator<FileFindings | TableRow[]> {
  const table: FileTable = kind === 'workbook' ? await openXlsx(content, form.sheet) : await openCsv(content, form)
  if (wanted.what === 'analysis') yield await analyseFile(table, form)
  else yield* inBatches(filledDown(table.records(), wanted.merged))
}

/** The content from its beginning. */
const content: OpenContent = async () => {
  const { port1, port2 } = new MessageChannel()
  parentPort?.postMessage(port2, [port2])
  return receivedOver<Uint8Array>(port1)
}

async function* inBatches(rows: AsyncIterable<TableRow>): AsyncGenerator<TableRow[]> {
  let batch: TableRow[] = []
  let characters = 0
  for await (const row of rows) {
    batch.push(row)
    for (const cell of row.cells) characters += cell.length + 1
    if (batch.length < batchRows && characters < batchCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}
