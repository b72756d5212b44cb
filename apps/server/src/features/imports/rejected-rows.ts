import type { AppError } from '@tour-ops/contract/errors'
import { discardRejectedRows, rejectedImportRows } from '@tour-ops/contract/imports/imports'
import { refuse } from '@tour-ops/contract/refusals'
import { csvFile } from '../../platform/csv.ts'
import { slowVerb, verb } from '../../platform/verb.ts'
import { describe, idleBatch } from './batch-call.ts'
import { selectBatch } from './batches-store.ts'
import { selectCorrections } from './corrections-store.ts'
import { formOf } from './file-analysis.ts'
import { tableSourceOf } from './file-reader.ts'
import { withCountedRows } from './file-rows.ts'
import { forgetRejected } from './forget-file.ts'
import { recordFileLook } from './file-looks.ts'
import { FileSight } from './file-sight.ts'
import { readRefused, type RefusedRow, refusedRows } from './rejected-store.ts'
import { selectRejected } from './staging-store.ts'

export const tooOld = (): AppError => refuse('import_too_old')

/** The lines of a file that were refused, with what was corrected in them and the reasons, for the person who corrects them. */
export const rejected = slowVerb(rejectedImportRows, {
  look: async (call, { id }) => {
    const batch = await selectBatch(call.tx, call.orgId, id)
    const problems = await selectRejected(call.tx, { orgId: call.orgId, batchId: id })
    if (batch.fileId === null || batch.analysis.headers.length === 0) throw tooOld()
    const file = await call.files.get(call.tx, call.orgId, batch.fileId)
    const corrections = await selectCorrections(call.tx, call.sealed, { orgId: call.orgId, batchId: id })
    const { files, orgId } = call
    const kept = batch.keepsRejected ? () => readRefused(files, orgId, file) : undefined
    return { batch, corrections, problems, kept, content: tableSourceOf(call, file, formOf(batch.analysis)) }
  },
  work: async ({ batch, corrections, problems, kept, content }) => {
    const found = kept
      ? await kept()
      : await withCountedRows(content, batch, corrections, (rows) => refusedRows(rows, problems))
    if (!found) throw refuse('rejected_rows_too_large')
    return { batch, found }
  },
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

/** Whoever has downloaded the refused lines of an applied import deletes them; otherwise the nightly job does. */
export const discardRejected = verb(discardRejectedRows, async (call, { id, version }) => {
  const { keepsRejected } = await idleBatch(call, id, version, ['applied'])
  if (!keepsRejected) throw tooOld()
  await forgetRejected(call.tx, { orgId: call.orgId, batchId: id })
  return describe(call, id)
})
