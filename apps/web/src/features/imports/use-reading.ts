import type { AppError } from '@tour-ops/contract/errors'
import type { ImportReading } from '@tour-ops/contract/imports/import-reading'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { readImportAs } from '@tour-ops/contract/imports/imports'
import { useBatchCall } from './use-batch-call.ts'

export interface ReadingEditor {
  /** As it is wanted: while the file is read again, what was just chosen. */
  readonly reading: ImportReading
  readonly isReading: boolean
  readonly error: AppError | null
  change(changes: Partial<ImportReading>): void
}

/** Decisions about how the file is read. Each reads the whole file again; one that cannot be read leaves the batch as it was. */
export function useReading(batch: ImportBatch): ReadingEditor {
  const { mutate, isPending, error, variables } = useBatchCall(readImportAs)
  const { reading } = batch.form
  return {
    // every change is sent with the rest of what was decided
    reading: isPending ? (variables.reading as ImportReading) : reading,
    isReading: isPending,
    error,
    change: (changes) => mutate({ id: batch.id, version: batch.version, reading: { ...reading, ...changes } }),
  }
}
