import { fieldError } from '@tour-ops/contract/field-rules'
import {
  type CellCorrection,
  type ImportCell,
  maxImportCorrections,
} from '@tour-ops/contract/imports/import-corrections'
import { maxImportWords } from '@tour-ops/contract/imports/import-mapping'
import { correctImport, listImportCorrections, readImportCell } from '@tour-ops/contract/imports/imports'
import type { MemberCall } from '../../context.ts'
import { iso, pageOf } from '../../platform/list-query.ts'
import { slowVerb, verb } from '../../platform/verb.ts'
import { idleBatch } from './batch-call.ts'
import { type BatchRecord, lockBatch, selectBatch, updateMapping } from './batches-store.ts'
import { cellText, type Correction, corrector, type Decision, decided } from './cell-corrections.ts'
import { type CorrectionRecord, deleteCorrections, insertCorrections, selectCorrections } from './corrections-store.ts'
import { formOf } from './file-analysis.ts'
import { tableSourceOf, type TableSource } from './file-reader.ts'
import { withCountedRows } from './file-rows.ts'
import { recordFileLook } from './file-looks.ts'
import { FileSight, hiddenValue } from './file-sight.ts'
import type { TableRow } from './file-table.ts'
import type { BatchKey } from './plan-types.ts'
import { selectTours } from './plan-store.ts'
import { tooOld } from './rejected-rows.ts'
import { fieldOf } from './sensitive-columns.ts'
import { startCheck } from './start-work.ts'
import { wordFor } from './word-meanings.ts'

/** The file of a batch, to read it once more in the way in which it was read. */
async function contentOf(call: MemberCall, batch: BatchRecord): Promise<TableSource> {
  if (batch.fileId === null || batch.analysis.headers.length === 0) throw tooOld()
  return tableSourceOf(call, await call.files.get(call.tx, call.orgId, batch.fileId), formOf(batch.analysis))
}

type CellPlace = Pick<Correction, 'line' | 'place'>

const keyOf = (call: MemberCall, batchId: string): BatchKey => ({ orgId: call.orgId, batchId })

/**
 * The number of a column that this person may see.
 *
 * @param path Of the field that names it.
 * @throws AppError `invalid-argument`
 */
function placeOf(batch: BatchRecord, sight: FileSight, { column }: ImportCell, path: string): number {
  const place = batch.analysis.headers.indexOf(column)
  if (place < 0) throw fieldError(path, 'file_column_unknown', { column })
  if (sight.hidesColumn(column)) throw fieldError(path, 'file_column_hidden', { column })
  return place
}

/**
 * What the file holds in a cell. A line that was cut wrongly has its values in other columns: correcting one of them helps nobody, and might
 * show what is hidden.
 *
 * @throws AppError `invalid-argument`
 */
function textIn(row: TableRow | undefined, batch: BatchRecord, { line, place }: CellPlace, path: string): string {
  if (!row) throw fieldError(path, 'file_line_unknown', { line })
  const isCutWrongly = row.cells.slice(batch.analysis.headers.length).some((cell) => cell.trim() !== '')
  if (isCutWrongly) throw fieldError(path, 'file_cell_cut', { line })
  return cellText(row.cells, place)
}

export const readCell = slowVerb(readImportCell, {
  look: async (call, { id, ...cell }) => {
    const batch = await selectBatch(call.tx, call.orgId, id)
    const place = placeOf(batch, new FileSight(call, batch), cell, 'column')
    const corrections = await selectCorrections(call.tx, call.sealed, keyOf(call, id))
    return { batch, corrections, cell: { line: cell.line, place }, content: await contentOf(call, batch) }
  },
  work: async ({ batch, corrections, cell, content }) =>
    withCountedRows(content, batch, corrections, async (rows) => {
      let found: TableRow | undefined
      const equal = new Map<string, number>()
      for await (const row of rows) {
        if (row.line === cell.line) found = row
        const text = cellText(row.cells, cell.place)
        equal.set(text, (equal.get(text) ?? 0) + 1)
      }
      const text = textIn(found, batch, cell, 'line')
      return { text, equal: equal.get(text) ?? 0 }
    }),
  run: async (call, { id, ...cell }, found) => {
    // the mapping decides who sees a column, and may be another by now
    const batch = await selectBatch(call.tx, call.orgId, id)
    placeOf(batch, new FileSight(call, batch), cell, 'column')
    await recordFileLook(call, batch, { action: readImportCell.name, headers: [cell.column] })
    return found
  },
})

const openBatch = (call: MemberCall, id: string, version: number): Promise<BatchRecord> =>
  idleBatch(call, id, version, ['parsed', 'previewed'])

/** What of a file corrections need to know. */
interface FileLook {
  readonly rows: ReadonlyMap<number, TableRow>
  /** The first line of each text of a column that is corrected everywhere. */
  readonly firstLines: ReadonlyMap<number, ReadonlyMap<string, number>>
}

async function lookAt(
  content: TableSource,
  batch: BatchRecord,
  { lines, places }: { lines: ReadonlySet<number>; places: readonly number[] },
): Promise<FileLook> {
  const named = new Map<number, TableRow>()
  const firstLines = new Map(places.map((place) => [place, new Map<string, number>()]))
  if (lines.size === 0) return { rows: named, firstLines }
  await withCountedRows(content, batch, [], async (rows) => {
    for await (const row of rows) {
      if (lines.has(row.line)) named.set(row.line, row)
      for (const [place, first] of firstLines) {
        const text = cellText(row.cells, place)
        if (!first.has(text)) first.set(text, row.line)
      }
    }
  })
  return { rows: named, firstLines }
}

export const correct = slowVerb(correctImport, {
  look: async (call, { id, version, corrections: wanted, takenBack }) => {
    const batch = await openBatch(call, id, version)
    const everywhere = wanted.filter((each) => each.everywhere)
    const places = everywhere.map(({ column }) => batch.analysis.headers.indexOf(column))
    const named = [...wanted, ...takenBack.filter((each) => each.everywhere)]
    return { batch, lines: new Set(named.map(({ line }) => line)), places, content: await contentOf(call, batch) }
  },
  work: ({ batch, content, ...wanted }) => lookAt(content, batch, wanted),
  run: async (call, { id, version, corrections: wanted, takenBack, forgottenWords }, file) => {
    await lockBatch(call.tx, call.orgId, id)
    const batch = await openBatch(call, id, version)
    const sight = new FileSight(call, batch)
    const key = keyOf(call, id)
    const back = takenBack.map((cell, index) => ({
      ...cell,
      place: placeOf(batch, sight, cell, `takenBack.${index}.column`),
    }))
    const known = await selectCorrections(call.tx, call.sealed, key)
    const tours = await selectTours(call.tx, call.orgId)
    const words = new Map(Object.entries(batch.mapping.words).filter(([word]) => !forgottenWords.includes(word)))
    let corrections: readonly Correction[] = known.filter((each) => !back.some((cell) => isAbout(each, cell, file)))
    for (const [index, cell] of wanted.entries()) {
      const place = placeOf(batch, sight, cell, `corrections.${index}.column`)
      const decision = decisionOf({ batch, file, corrections }, { ...cell, place }, `corrections.${index}.line`)
      const field = fieldOf(batch.mapping, cell.column)
      const word = cell.everywhere ? wordFor(field, { was: decision.current, now: cell.value }, tours) : undefined
      if (word) words.set(word.word, word.meaning)
      else corrections = decided(corrections, decision)
    }
    if (corrections.length > maxImportCorrections) {
      throw fieldError('corrections', 'too_many_corrections', { max: maxImportCorrections })
    }
    if (words.size > maxImportWords) throw fieldError('corrections', 'too_many', { max: maxImportWords })
    // what is as it was keeps its author and its moment
    await deleteCorrections(
      call.tx,
      key,
      known.filter((each) => !corrections.includes(each)),
    )
    await insertCorrections(call.tx, call.sealed, key, {
      userId: call.caller.userId,
      corrections: corrections.filter((each) => !known.includes(each as CorrectionRecord)),
    })
    const mapping = { ...batch.mapping, words: Object.fromEntries(words) }
    await updateMapping(call.tx, call.orgId, id, { mapping, template: batch.template })
    return startCheck(call, { ...batch, mapping })
  },
})

/** Whether a correction is the one of a cell; one for all equal cells is named by any of them. */
function isAbout(
  { line, place, everywhere, was }: Correction,
  cell: CellPlace & Pick<Correction, 'everywhere'>,
  { rows }: FileLook,
): boolean {
  if (place !== cell.place || everywhere !== cell.everywhere) return false
  const row = rows.get(cell.line)
  return line === cell.line || (everywhere && row !== undefined && cellText(row.cells, place) === was)
}

function decisionOf(
  { batch, file, corrections }: { batch: BatchRecord; file: FileLook; corrections: readonly Correction[] },
  { line, place, everywhere, value }: CellCorrection & { readonly place: number },
  path: string,
): Decision {
  const row = file.rows.get(line)
  const was = textIn(row, batch, { line, place }, path)
  const current = cellText(corrector(corrections)(row ?? { line, cells: [] }).cells, place)
  return { line, place, everywhere, was, now: value, current, firstLine: file.firstLines.get(place)?.get(current) }
}

export const corrections = verb(listImportCorrections, async (call, { id, ...page }) => {
  const batch = await selectBatch(call.tx, call.orgId, id)
  const sight = new FileSight(call, batch)
  const all = await selectCorrections(call.tx, call.sealed, keyOf(call, id))
  const { limit, offset } = pageOf(page)
  const headers = all.map(({ place }) => batch.analysis.headers[place] ?? '')
  await recordFileLook(call, batch, { action: listImportCorrections.name, headers: [...new Set(headers)] })
  return {
    total: all.length,
    rows: all.slice(offset, offset + limit).map(({ line, place, everywhere, was, now, ...by }) => {
      const column = batch.analysis.headers[place] ?? ''
      const shown = (text: string): string => (sight.hidesColumn(column) && text !== '' ? hiddenValue : text)
      return {
        line,
        column,
        everywhere,
        was: shown(was),
        now: shown(now),
        correctedByName: by.correctedByName,
        correctedAt: iso(by.correctedAt),
      }
    }),
  }
})
