import { fileTypes } from '@tour-ops/contract/files'
import type { ImportReading } from '@tour-ops/contract/imports/import-reading'
import type { Logger } from 'pino'
import type { MemberCall } from '../../context.ts'
import type { FileRecord, Files } from '../../platform/files/files.ts'
import { type Patience, WorkSlots } from '../../platform/work-slots.ts'
import { automatic, type FileFindings } from './file-analysis.ts'
import type { MergedCell, TableRow } from './file-table.ts'
import { ReaderThreads, type ReadingOrder } from './reader-threads.ts'

/** A file to be read, and for whom. */
export interface TableSource {
  readonly files: Files
  readonly log: Logger
  readonly orgId: string
  readonly file: FileRecord
  /** Ends the reading: of the request or the job that it is for. */
  readonly signal: AbortSignal
  readonly patience: Patience
  /** What is known of how it is read; the rest is detected. */
  readonly form: ImportReading
}

/** The same for a call. */
export const tableSourceOf = (
  { files, log, orgId, request }: MemberCall,
  file: FileRecord,
  form: ImportReading = automatic,
): TableSource => ({ files, log, orgId, file, signal: request.signal, patience: 'call', form })

const threads = new ReaderThreads()

/** Each reader of a workbook has its shared texts in memory, up to 96 MB of them. */
const workbookSlots = new WorkSlots({ perOrganization: 2, inAll: 6, waiting: 4 })
/** A reader of text has a piece of it in memory; many at once would still share the processors with everybody. */
const textSlots = new WorkSlots({ perOrganization: 4, inAll: 16, waiting: 8 })

/**
 * Reads an uploaded file to its end. Reading takes seconds, and so does waiting for a place: never inside a transaction.
 *
 * @throws AppError `invalid-argument` for a file without rows, one that cannot be read, and one that takes more than it may;
 *   `resource-exhausted` for a call whose organization has many files being read.
 */
export const analysisOf = (source: TableSource): Promise<FileFindings> =>
  inThread<FileFindings, FileFindings>(source, { what: 'analysis' }, async (answers) => {
    let findings: FileFindings | undefined
    // to their end, so that the thread is free for the next file
    for await (const answer of answers) findings = answer
    if (!findings) throw new Error('a reader answers with its findings')
    return findings
  })

/**
 * Reads an uploaded file row by row, for as long as `use` takes; as `analysisOf`, which comes first.
 *
 * @param merged Cells whose values the rows below them have.
 */
export const withRows = <T>(
  source: TableSource,
  merged: readonly MergedCell[],
  use: (rows: AsyncGenerator<TableRow>) => Promise<T>,
): Promise<T> => inThread<TableRow[], T>(source, { what: 'rows', merged }, (batches) => use(rowsOf(batches)))

/** Each batch is a turn of the main thread, between which others have theirs. */
async function* rowsOf(batches: AsyncIterable<readonly TableRow[]>): AsyncGenerator<TableRow> {
  for await (const batch of batches) yield* batch
}

function inThread<A, T>(
  { files, log, orgId, file, signal, patience, form }: TableSource,
  wanted: ReadingOrder['wanted'],
  use: (answers: AsyncGenerator<A>) => Promise<T>,
): Promise<T> {
  const kind = file.contentType === fileTypes.xlsx ? 'workbook' : 'text'
  const client = { open: () => files.open(orgId, file), signal, log }
  const slots = kind === 'workbook' ? workbookSlots : textSlots
  return slots.run(orgId, signal, () => use(threads.read<A>({ kind, form, wanted }, client)), patience)
}
