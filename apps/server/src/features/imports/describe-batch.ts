import { type ImportBatch, type ImportSummary, sensitiveImportFields } from '@tour-ops/contract/imports'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { SealedText } from '../../platform/sealed-text.ts'
import type { BatchRecord } from './batches-store.ts'
import { describeColumns, describeSample, namesDeparture } from './describe-columns.ts'

export const summaryOf = (batch: BatchRecord): ImportSummary => ({
  id: batch.id,
  version: batch.version,
  fileName: batch.fileName,
  status: batch.status,
  rows: batch.analysis.rows,
  counts: batch.counts,
  progress:
    batch.isRunning && batch.job !== null && batch.phase !== null && batch.startedAt !== null
      ? { job: batch.job, phase: batch.phase, done: batch.done, of: batch.total, startedAt: iso(batch.startedAt) }
      : null,
  createdAt: iso(batch.createdAt),
  createdByName: batch.createdByName,
  appliedAt: isoOrNull(batch.appliedAt),
  undoneAt: isoOrNull(batch.undoneAt),
  undoUntil: batch.undoUntil,
})

interface Reader {
  readonly secret: string
  /** Civil date at the office. */
  readonly today: string
  readonly seesHidden: boolean
}

/** A batch as the wizard shows it; the first line is read anew, so that every decision shows at once. */
export function batchOf(batch: BatchRecord, reader: Reader): ImportBatch {
  const { analysis, mapping } = batch
  const context = { mapping, today: reader.today, box: new SealedText(reader.secret) }
  const hidden = reader.seesHidden ? [] : sensitiveImportFields
  return {
    ...summaryOf(batch),
    undoUntil: batch.undoUntil !== null && reader.today <= batch.undoUntil ? batch.undoUntil : null,
    encoding: analysis.encoding,
    delimiter: analysis.delimiter,
    columns: describeColumns(analysis, mapping),
    mapping,
    template: batch.template,
    preset: analysis.preset,
    needsDeparture: !namesDeparture(mapping),
    refusedColumns: analysis.headers.filter((header) => {
      const field = mapping.columns[header]
      return field !== undefined && hidden.includes(field)
    }),
    sampleLine: analysis.sample.line,
    sample: analysis.headers.length === 0 ? [] : describeSample(analysis, context),
    error: batch.error,
    tookMs: batch.tookMs,
    sameFileAppliedAt: isoOrNull(batch.sameFileAppliedAt),
    keptBecauseEdited: batch.kept,
  }
}
