import { AppError } from '@tour-ops/contract/errors'
import type { Services } from '../../context.ts'
import type { JobRun } from '../../platform/jobs/jobs.ts'
import { outageOf } from '../../platform/outages.ts'
import { runApply } from './apply-job.ts'
import { type BatchRecord, endWork, type ImportJob, selectBatch, updateOutcome } from './batches-store.ts'
import { sendImportNotice } from './import-notice.ts'
import { type ImportJobData, ImportRun, Stopped } from './import-run.ts'
import { runPreview } from './preview-job.ts'
import { deleteRows } from './staging-store.ts'
import { runUndo } from './undo-job.ts'

const runners: Readonly<Record<ImportJob, (run: ImportRun) => Promise<void>>> = {
  preview: runPreview,
  apply: runApply,
  undo: runUndo,
}

export const jobName = (job: ImportJob): string => `imports-${job}`

/** Longest run: 100,000 rows on a slow machine. */
const expireInSeconds = 1_800

/** Says who does the work of imports. A run that dies with its process is taken up by another; it starts over and writes the same. */
export function registerImportJobs(services: Services): void {
  for (const job of Object.keys(runners) as ImportJob[]) {
    services.jobs.register<ImportJobData>(jobName(job), (data, run) => runImportJob(services, job, data, run.signal), {
      expireInSeconds,
      retryLimit: 3,
    })
  }
}

/**
 * Runs a job to its end. A refusal is stored on the batch for the person who started it; only errors that a retry may fix are thrown.
 *
 * @param signal Aborted when the process stops: then another one takes over.
 */
export async function runImportJob(
  services: Services,
  job: ImportJob,
  data: ImportJobData,
  signal: JobRun['signal'] = new AbortController().signal,
): Promise<void> {
  const run = new ImportRun(services, job, data, signal)
  try {
    await runners[job](run)
  } catch (error) {
    if (signal.aborted || outageOf(error)) throw error
    if (error instanceof Stopped) return stopped(run)
    await failed(run, error)
  }
}

/** Nothing of a stopped check is of use. */
async function stopped(run: ImportRun): Promise<void> {
  const { orgId, batchId, runId } = run.data
  await run.conclude(async (tx) => {
    const batch = await selectBatch(tx, orgId, batchId)
    // another run has taken over: the rows are its
    if (batch.runId !== runId) return
    if (run.job === 'preview') await deleteRows(tx, run.key)
    await endWork(tx, orgId, batchId, runId)
  })
}

async function failed(run: ImportRun, error: unknown): Promise<void> {
  const { orgId, batchId, runId } = run.data
  const refusal = AppError.from(error)
  const { log } = run.services
  if (refusal.code === 'internal') log.error({ err: error, batchId, job: run.job }, 'an import failed')
  else log.info({ batchId, job: run.job, reason: refusal.details.reason }, 'an import was refused')
  await run.conclude(async (tx) => {
    const batch = await selectBatch(tx, orgId, batchId)
    if (batch.runId !== runId) return
    const isUnreadable = run.job === 'preview' && refusal.details.reason === 'file_unreadable'
    await updateOutcome(tx, orgId, batchId, {
      status: isUnreadable ? 'failed' : batch.status,
      // earlier problems must be checked again
      counts: run.job === 'undo' ? batch.counts : null,
      error: errorOf(refusal),
    })
    if (run.job === 'apply') await sendImportNotice(run, tx, 'failed', 0, refusal.message)
    await endWork(tx, orgId, batchId, runId)
  })
}

/** Lines that a refusal can name. */
const namedLines = 500

function errorOf({ code, message, details }: AppError): BatchRecord['error'] {
  const { because, lines, params, reason, ...own } = details as {
    because?: string
    reason?: string
    lines?: number[]
    params?: Readonly<Record<string, string>>
  }
  const ownParams = Object.entries(own).filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  return {
    reason: because ?? reason ?? code,
    params: { ...(params ?? Object.fromEntries(ownParams.map(([name, value]) => [name, String(value)]))) },
    message,
    lines: (lines ?? []).slice(0, namedLines),
  }
}
