import type { ImportReading } from '@tour-ops/contract/imports/import-reading'
import type { ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { readImportAs } from '@tour-ops/contract/imports/imports'
import { refuse } from '@tour-ops/contract/refusals'
import { seesAllSensitive } from '@tour-ops/contract/sensitive-data'
import type { MemberCall } from '../../context.ts'
import { slowVerb } from '../../platform/verb.ts'
import { describe, idleBatch } from './batch-call.ts'
import { type BatchRecord, updateReading } from './batches-store.ts'
import { provenOrder } from './describe-columns.ts'
import type { ColumnsAsFound, FileAnalysis } from './file-analysis.ts'
import { analysisOf, tableSourceOf } from './file-reader.ts'
import { sealSamples } from './file-samples.ts'
import { guessColumns } from './import-headers.ts'
import { ImportSeal } from './import-seal.ts'
import { tooOld } from './rejected-rows.ts'
import { isSensitiveHeader } from './sensitive-columns.ts'
import { deleteRows } from './staging-store.ts'

/** Reads the file of a batch again as a person says. What an earlier check found is discarded, since it is about other columns or letters. */
export const readAs = slowVerb(readImportAs, {
  look: async (call, { id, version, reading }) => {
    const batch = await openBatch(call, id, version)
    if (batch.fileId === null || batch.analysis.headers.length === 0) throw tooOld()
    const file = await call.files.get(call.tx, call.orgId, batch.fileId)
    return tableSourceOf(call, file, reading)
  },
  work: analysisOf,
  run: async (call, { id, version, reading }, { analysis, samples }) => {
    const batch = await openBatch(call, id, version)
    const asFound = columnsBefore(batch.analysis, analysis, reading)
    requireSight(call, asFound, batch.analysis, analysis)
    const read = { ...withSensitive(analysis, asFound), asFound }
    const seal = new ImportSeal(call.sealed, { orgId: call.orgId, batchId: id })
    const fitting = fittingMapping(batch.mapping, read)
    const isSame = Object.keys(batch.mapping.columns).every((header) => read.headers.includes(header))
    const isStored = await updateReading(call.tx, call.orgId, id, {
      mapping: { ...fitting, dateOrder: fitting.dateOrder ?? provenOrder(read, fitting) },
      template: isSame ? batch.template : null,
      reading,
      analysis: read,
      samples: sealSamples(seal, samples),
    })
    if (!isStored) throw refuse('already_running')
    await deleteRows(call.tx, { orgId: call.orgId, batchId: id })
    return describe(call, id)
  },
})

const openBatch = (call: MemberCall, id: string, version: number): Promise<BatchRecord> =>
  idleBatch(call, id, version, ['parsed', 'previewed'])

/** Another sheet has other columns: they are as found where nobody said which of its rows is the header. */
function columnsBefore(before: FileAnalysis, now: FileAnalysis, { headerLine }: ImportReading): ColumnsAsFound {
  const known = before.asFound ?? columnsAsFound(before)
  return known.sheet === (now.sheet ?? null) || headerLine !== null ? known : columnsAsFound(now)
}

function columnsAsFound({ delimiter, sheet, place, columns }: FileAnalysis): ColumnsAsFound {
  const sensitive = columns.flatMap(({ header, looksSensitive }, place) =>
    looksSensitive || isSensitiveHeader(header) ? [place] : [],
  )
  return { delimiter, sheet: sheet ?? null, headerLine: place?.headerLine ?? null, count: columns.length, sensitive }
}

const isSameCut = (asFound: ColumnsAsFound, { delimiter, sheet, place, columns }: FileAnalysis): boolean =>
  delimiter === asFound.delimiter &&
  (sheet ?? null) === asFound.sheet &&
  (asFound.headerLine === null || place?.headerLine === asFound.headerLine) &&
  columns.length === asFound.count

/**
 * Cut differently, the values of a column of passports could appear in one that nobody hides.
 *
 * @throws AppError `permission-denied`
 */
function requireSight(call: MemberCall, asFound: ColumnsAsFound, before: FileAnalysis, now: FileAnalysis): void {
  if (seesAllSensitive(call) || asFound.sensitive.length === 0 || isSameCut(asFound, now)) return
  const columns = before.columns.filter((column) => column.looksSensitive || isSensitiveHeader(column.header))
  throw refuse('reading_maybe_sensitive', { columns: columns.map(({ header }) => header) })
}

/** A column stays sensitive when other letters make its header or values look harmless. */
function withSensitive(analysis: FileAnalysis, asFound: ColumnsAsFound): FileAnalysis {
  if (!isSameCut(asFound, analysis)) return analysis
  const sensitive = new Set(asFound.sensitive)
  const columns = analysis.columns.map((column, place) =>
    sensitive.has(place) ? { ...column, looksSensitive: true } : column,
  )
  return { ...analysis, columns }
}

/** What was decided about columns that are still there, and a suggestion for new ones where the field is free. */
function fittingMapping(
  mapping: ImportMapping,
  { headers, names }: Pick<FileAnalysis, 'headers' | 'names'>,
): ImportMapping {
  const kept = Object.entries(mapping.columns).filter(([header]) => headers.includes(header))
  // columns that a person left out stay out
  if (kept.length === Object.keys(mapping.columns).length && kept.length > 0) return mapping
  const taken = new Set(kept.map(([, field]) => field))
  const suggested = Object.entries(guessColumns(headers, names).columns).filter(
    ([header, field]) => !Object.hasOwn(mapping.columns, header) && !taken.has(field),
  )
  return { ...mapping, columns: Object.fromEntries([...kept, ...suggested]) }
}
