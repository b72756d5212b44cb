import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { createDeparture } from '@tour-ops/contract/departures/departure-schedule'
import { hasAccess, type Membership } from '@tour-ops/contract/identity/access'
import { ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import {
  applyImport,
  checkImportUndo,
  createImport,
  discardImport,
  getImport,
  importRows,
  importTemplates,
  listImports,
  mapImport,
  newDeparturesOfImport,
  previewImport,
  stopImport,
  undoImport,
} from '@tour-ops/contract/imports/imports'
import { newId } from '../../platform/ids.ts'
import { pageOf } from '../../platform/list-query.ts'
import { localDateOf } from '../../platform/local-time.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { slowVerb, type Verb, verb } from '../../platform/verb.ts'
import {
  insertBatch,
  requestStop,
  saveTemplate,
  selectBatch,
  selectBatches,
  selectTemplates,
  type TemplateRecord,
  updateChoices,
  updateMapping,
} from './batches-store.ts'
import { describe, idleBatch } from './batch-call.ts'
import { summaryOf } from './describe-batch.ts'
import { provenOrder } from './describe-columns.ts'
import { selectEditedGuests, selectEditedParties } from './edited-parties.ts'
import { correct, corrections, readCell } from './correct-cells.ts'
import type { FileAnalysis } from './file-analysis.ts'
import { analysisOf, tableSourceOf } from './file-reader.ts'
import { sealSamples } from './file-samples.ts'
import { FileSight } from './file-sight.ts'
import { deleteBatch } from './forget-file.ts'
import { countryOfZone } from './home-country.ts'
import { guessColumns } from './import-headers.ts'
import { ImportSeal } from './import-seal.ts'
import { missing } from './missing-guests.ts'
import { selectListed } from './new-departures-store.ts'
import { requireColumns } from './refused-columns.ts'
import { readAs } from './read-as.ts'
import { discardRejected, rejected } from './rejected-rows.ts'
import { start, startCheck } from './start-work.ts'
import { selectRows } from './staging-store.ts'

const list = verb(listImports, async (call, page) => {
  const { rows, total } = await selectBatches(call.tx, call.orgId, pageOf(page))
  return { rows: rows.map(summaryOf), total }
})

const get = verb(getImport, (call, { id }) => describe(call, id))

const create = slowVerb(createImport, {
  look: async (call, { fileId }) => {
    const file = await call.files.get(call.tx, call.orgId, fileId)
    if (file.use !== 'import') throw notFound('file')
    return tableSourceOf(call, file)
  },
  work: async (content) => ({ file: content.file, ...(await analysisOf(content)) }),
  run: async (call, { fileId }, { file, analysis, samples }) => {
    // it may have been removed meanwhile
    await call.files.get(call.tx, call.orgId, fileId)
    const { mapping, template } = startOf(
      analysis,
      await selectTemplates(call.tx, call.orgId),
      countryOfZone(await organizationZone(call)),
    )
    const id = newId()
    await insertBatch(call.tx, call.orgId, {
      id,
      fileId,
      fileName: file.name,
      sha256: file.sha256,
      mapping,
      template,
      createdBy: call.caller.userId,
      analysis,
      samples: sealSamples(new ImportSeal(call.sealed, { orgId: call.orgId, batchId: id }), samples),
    })
    return describe(call, id)
  },
})

/** The saved mapping that fits the file best (all its columns are there, the most of them), else what the headers suggest. */
function startOf(
  analysis: FileAnalysis,
  templates: readonly TemplateRecord[],
  phoneCountry: string | null,
): { mapping: ImportMapping; template: string | null } {
  const size = (template: TemplateRecord): number => Object.keys(template.mapping.columns).length
  const [fitting] = templates
    .filter((template) => Object.keys(template.mapping.columns).every((header) => analysis.headers.includes(header)))
    .toSorted((a, b) => size(b) - size(a))
  const mapping = fitting
    ? fitting.mapping
    : ImportMapping.parse({ columns: guessColumns(analysis.headers, analysis.names).columns, phoneCountry })
  return {
    mapping: { ...mapping, dateOrder: mapping.dateOrder ?? provenOrder(analysis, mapping) },
    template: fitting?.name ?? null,
  }
}

const map = verb(mapImport, async (call, { id, version, mapping, template, saveAsTemplate }) => {
  const batch = await idleBatch(call, id, version, ['parsed', 'previewed'])
  const unknown = Object.keys(mapping.columns).find((header) => !batch.analysis.headers.includes(header))
  if (unknown !== undefined) {
    throw fieldError(`mapping.columns.${unknown}`, 'file_column_unknown', { column: unknown })
  }
  const dateOrder = mapping.dateOrder ?? provenOrder(batch.analysis, mapping)
  const decided = { ...mapping, dateOrder }
  if (saveAsTemplate !== null) {
    const saved = { ...decided, departureCode: null }
    await saveTemplate(call.tx, call.orgId, {
      id: newId(),
      userId: call.caller.userId,
      name: saveAsTemplate,
      mapping: saved,
    })
  }
  await updateMapping(call.tx, call.orgId, id, { mapping: decided, template: saveAsTemplate ?? template })
  return describe(call, id)
})

const templates = verb(importTemplates, async (call) => ({ templates: await selectTemplates(call.tx, call.orgId) }))

const preview = verb(previewImport, async (call, { id, version, duplicates, createDepartures }) => {
  const batch = await idleBatch(call, id, version, ['parsed', 'previewed'])
  if (createDepartures) requireMayCreate(call)
  if (duplicates || createDepartures !== undefined) {
    await updateChoices(call.tx, call.orgId, id, { duplicates, createDepartures })
  }
  return startCheck(call, batch)
})

/** @throws AppError `permission-denied` for those who may not create a departure on its screen either. */
function requireMayCreate(person: Membership): void {
  const { permission } = createDeparture
  if (!hasAccess(person, { permission })) throw refuse('missing_permission', { permission })
}

const newDepartures = verb(newDeparturesOfImport, async (call, { id, ...page }) => {
  await selectBatch(call.tx, call.orgId, id)
  return selectListed(call.tx, { orgId: call.orgId, batchId: id }, pageOf(page))
})

const rows = verb(importRows, async (call, { id, outcome, warned, duplicates, page, size }) => {
  const sight = new FileSight(call, await selectBatch(call.tx, call.orgId, id))
  const statuses = outcome?.map((each) => (each === 'reject' ? 'rejected' : each))
  const found = await selectRows(
    call.tx,
    { orgId: call.orgId, batchId: id },
    { statuses, warned, duplicates },
    pageOf({ page, size }),
  )
  return {
    total: found.total,
    rows: found.rows.map(({ line, status, changes, after }) => ({
      line,
      outcome: status === 'rejected' ? ('reject' as const) : status,
      name: sight.name(after.name),
      departureCode: after.departureCode && sight.value('departure_code', after.departureCode),
      problems: after.problems.map((found) => sight.problem(found)),
      warnings: (after.warnings ?? []).map((found) => ({ ...sight.problem(found), result: found.result })),
      changes: (changes ?? []).map((change) => sight.change(change)),
    })),
  }
})

const apply = verb(applyImport, async (call, { id, version }) => {
  const { counts, mapping, createDepartures, newDepartures } = await idleBatch(call, id, version, ['previewed'])
  requireColumns(call, mapping)
  if (createDepartures && newDepartures > 0) requireMayCreate(call)
  if (!counts) {
    throw refuse('not_checked')
  }
  if (counts.add + counts.change === 0) {
    throw refuse('nothing_to_do')
  }
  return start(call, id, 'apply')
})

const stop = verb(stopImport, async (call, { id }) => {
  await selectBatch(call.tx, call.orgId, id)
  await requestStop(call.tx, call.orgId, id)
  return describe(call, id)
})

const discard = verb(discardImport, async (call, { id, version }) => {
  await idleBatch(call, id, version, ['parsed', 'previewed', 'failed'])
  await deleteBatch(call.tx, { orgId: call.orgId, batchId: id })
  return {}
})

/** Names that a question can list. */
const editedListed = 100

const checkUndo = verb(checkImportUndo, async (call, { id }) => {
  const { status } = await selectBatch(call.tx, call.orgId, id)
  if (status !== 'applied') return { edited: [], total: 0 }
  const key = { orgId: call.orgId, batchId: id }
  const parties = await selectEditedParties(call.tx, key, new ImportSeal(call.sealed, key))
  const edited = await selectEditedGuests(call.tx, key, parties, 100_000)
  return { edited: edited.slice(0, editedListed), total: edited.length }
})

const undo = verb(undoImport, async (call, { id, version }) => {
  const { undoUntil } = await idleBatch(call, id, version, ['applied'])
  const today = localDateOf(call.clock.now(), await organizationZone(call))
  if (undoUntil === null || today > undoUntil) {
    throw refuse('undo_over')
  }
  return start(call, id, 'undo')
})

export const importsVerbs: Verb[] = [
  list,
  get,
  create,
  map,
  readAs,
  templates,
  preview,
  rows,
  apply,
  stop,
  discard,
  checkUndo,
  undo,
  rejected,
  discardRejected,
  newDepartures,
  missing,
  readCell,
  correct,
  corrections,
]
