import type { Role } from '@tour-ops/contract/identity/access'
import type { ImportBatch, ImportSummary } from '@tour-ops/contract/imports/import-batch'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { describeAmounts } from './amounts-of-file.ts'
import type { BatchRecord } from './batches-store.ts'
import { type Correction, corrector } from './cell-corrections.ts'
import { describeColumns, describeSample, type KnownNames, namesDeparture } from './describe-columns.ts'
import { describeForm } from './describe-form.ts'
import { FileSight } from './file-sight.ts'
import { countryOfZone } from './home-country.ts'
import { openSamples } from './file-samples.ts'
import { numbersOf } from './numbers-of-file.ts'
import { refusedColumns } from './refused-columns.ts'
import type { ImportSeal } from './import-seal.ts'

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

interface Reader extends KnownNames {
  readonly role: Role
  readonly seal: ImportSeal
  /** Of the organization. */
  readonly timeZone: string
  /** Civil date at the office. */
  readonly today: string
  readonly corrections: readonly Correction[]
}

/** A batch as the wizard shows it; the first line is read again, so that every decision shows at once. */
export function batchOf(batch: BatchRecord, reader: Reader): ImportBatch {
  const { analysis, mapping } = batch
  const sight = new FileSight(reader, batch)
  const file = { analysis, mapping, samples: openSamples(reader.seal, batch.samples) }
  return {
    ...summaryOf(batch),
    undoUntil: batch.undoUntil !== null && reader.today <= batch.undoUntil ? batch.undoUntil : null,
    encoding: analysis.encoding,
    delimiter: analysis.delimiter,
    form: describeForm({ ...file, reading: batch.reading }, sight),
    columns: describeColumns(file, sight, reader),
    mapping,
    amounts: describeAmounts(analysis, mapping),
    homeCountry: countryOfZone(reader.timeZone),
    duplicates: batch.duplicates,
    createDepartures: batch.createDepartures,
    newDepartures: batch.newDepartures,
    corrections: batch.corrections,
    template: batch.template,
    preset: analysis.preset,
    needsDeparture: !namesDeparture(mapping),
    refusedColumns: refusedColumns(reader, mapping),
    sampleLine: file.samples.first.line,
    sample:
      batch.samples === null
        ? []
        : describeSample(
            { ...file, samples: { ...file.samples, first: corrector(reader.corrections)(file.samples.first) } },
            { mapping, today: reader.today, seal: reader.seal, numbers: numbersOf(analysis, mapping) },
            sight,
          ),
    error: batch.error,
    tookMs: batch.tookMs,
    // the undo ends on the same day
    rejectedUntil: batch.keepsRejected ? batch.undoUntil : null,
    sameFileAppliedAt: isoOrNull(batch.sameFileAppliedAt),
    // undos of earlier versions did not say who and when
    keptBecauseEdited: batch.kept.map((guest) => ({
      ...guest,
      editedByName: guest.editedByName ?? null,
      editedAt: guest.editedAt ?? null,
    })),
  }
}
