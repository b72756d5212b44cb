import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { importPartyFields } from '@tour-ops/contract/imports/import-mapping'
import { refuse } from '@tour-ops/contract/refusals'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { describe } from './batch-call.ts'
import { type BatchRecord, type ImportJob, startWork } from './batches-store.ts'
import { namesDeparture } from './describe-columns.ts'
import type { ImportJobData } from './import-run.ts'
import { jobName } from './imports-jobs.ts'
import { requireColumns } from './refused-columns.ts'
import { tooOld } from './rejected-rows.ts'

/** Puts a job to work on a batch, in the background. */
export async function start(call: MemberCall, id: string, job: ImportJob): Promise<ImportBatch> {
  const runId = newId()
  await startWork(call.tx, call.orgId, id, job, runId)
  const data: ImportJobData = {
    orgId: call.orgId,
    batchId: id,
    userId: call.caller.userId,
    runId,
    requestId: call.request.requestId,
  }
  await call.jobs.enqueue(call.tx, jobName(job), data)
  return describe(call, id)
}

/**
 * Starts the dry run of a batch, once everything that it asks is answered.
 *
 * @throws AppError `permission-denied`, `failed-precondition`, with what is missing.
 */
export async function startCheck(
  call: MemberCall,
  { id, mapping, analysis }: Pick<BatchRecord, 'id' | 'mapping' | 'analysis'>,
): Promise<ImportBatch> {
  requireColumns(call, mapping)
  const { columns, amounts } = await describe(call, id)
  const unanswered =
    columns.find((column) => column.question !== null)?.header ??
    (amounts?.of === null && (mapping.amountsOf ?? null) === null ? amounts.column : undefined)
  if (unanswered !== undefined) {
    throw refuse('question_open', { column: unanswered })
  }
  if (!namesDeparture(mapping) && mapping.departureCode === null) {
    throw refuse('departure_missing')
  }
  const named = new Set(Object.values(mapping.columns))
  if (!importPartyFields.some((field) => named.has(field))) {
    throw refuse('name_missing')
  }
  if (analysis.headers.length === 0) throw tooOld()
  return start(call, id, 'preview')
}
