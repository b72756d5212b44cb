import type { AppError } from '@tour-ops/contract/errors'
import type { ImportProblem } from '@tour-ops/contract/imports/import-problems'
import { rejectedImportRows } from '@tour-ops/contract/imports/imports'
import { maxCsvCharacters } from '@tour-ops/contract/paging'
import { refuse } from '@tour-ops/contract/refusals'
import { csvFile } from '../../platform/csv.ts'
import { slowVerb } from '../../platform/verb.ts'
import { selectBatch } from './batches-store.ts'
import { selectCorrections } from './corrections-store.ts'
import { formOf } from './file-analysis.ts'
import { tableSourceOf } from './file-reader.ts'
import { withCountedRows } from './file-rows.ts'
import { recordFileLook } from './file-looks.ts'
import { FileSight } from './file-sight.ts'
import type { TableRow } from './file-table.ts'
import { selectRejected } from './staging-store.ts'

export const tooOld = (): AppError => refuse('import_too_old')

const tooManyRefused = (): AppError => refuse('rejected_rows_too_large')

interface RefusedRow {
  readonly line: number
  readonly problems: readonly ImportProblem[]
  readonly cells: readonly string[]
}

async function refusedRows(
  rows: AsyncGenerator<TableRow>,
  problems: ReadonlyMap<number, readonly ImportProblem[]>,
): Promise<RefusedRow[]> {
  const found: RefusedRow[] = []
  let length = 0
  for await (const { line, cells } of rows) {
    const wrong = problems.get(line)
    if (!wrong) continue
    found.push({ line, problems: wrong, cells })
    for (const cell of cells) length += cell.length
    if (length > maxCsvCharacters) throw tooManyRefused()
  }
  return found
}

/** The lines of a file that were refused, with what was corrected in them and the reasons, for the person who corrects them. */
export const rejected = slowVerb(rejectedImportRows, {
  look: async (call, { id }) => {
    const batch = await selectBatch(call.tx, call.orgId, id)
    const problems = await selectRejected(call.tx, { orgId: call.orgId, batchId: id })
    if (batch.fileId === null || batch.analysis.headers.length === 0) throw tooOld()
    const file = await call.files.get(call.tx, call.orgId, batch.fileId)
    const corrections = await selectCorrections(call.tx, call.sealed, { orgId: call.orgId, batchId: id })
    return { batch, corrections, problems, content: tableSourceOf(call, file, formOf(batch.analysis)) }
  },
  work: async ({ batch, corrections, problems, content }) => ({
    batch,
    found: await withCountedRows(content, batch, corrections, (rows) => refusedRows(rows, problems)),
  }),
  run: async (call, _input, { batch, found }) => {
    const sight = new FileSight(call, batch)
    if (found.length > 0) await recordFileLook(call, batch, { action: rejectedImportRows.name })
    const columns = Object.fromEntries(
      batch.analysis.headers.flatMap((header, index) =>
        sight.hidesColumn(header) ? [] : [[header, (row: RefusedRow) => sight.cell(row, index)]],
      ),
    )
    const reasonOf = (row: RefusedRow): string => row.problems.map((each) => sight.problem(each).reason).join('; ')
    const name = `${batch.fileName.replace(/\.[^.]*$/, '')}-rejected`
    return csvFile<RefusedRow>(
      name,
      { [free('Line', columns)]: (row) => row.line, [free('Reason', columns)]: reasonOf, ...columns },
      found,
    )
  },
})

/** The file may have columns of these names itself. */
const free = (name: string, columns: object): string => (name in columns ? `${name} (import)` : name)
