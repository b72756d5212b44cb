import type { BatchRecord } from './batches-store.ts'
import { formOf } from './file-analysis.ts'
import type { TableSource } from './file-reader.ts'
import type { ImportRun } from './import-run.ts'

/** The uploaded file of a batch, to be read by a job. */
export async function jobSourceOf(run: ImportRun, batch: BatchRecord): Promise<TableSource> {
  const { orgId } = run.data
  const { files, log } = run.services
  const file = await run.transaction((tx) => files.get(tx, orgId, batch.fileId ?? ''))
  return { files, log, orgId, file, signal: run.signal, patience: 'job', form: formOf(batch.analysis) }
}
