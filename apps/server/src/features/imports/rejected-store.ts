import type { ImportProblem } from '@tour-ops/contract/imports/import-problems'
import { maxCsvCharacters } from '@tour-ops/contract/paging'
import { text } from 'node:stream/consumers'
import type { Tx } from '../../platform/db/database.ts'
import type { Files } from '../../platform/files/files.ts'
import { keepFile } from './forget-file.ts'
import type { TableRow } from './file-table.ts'
import type { BatchKey } from './plan-types.ts'

/** A refused line as it was in the file, with what was corrected in it, and why it was refused. */
export interface RefusedRow {
  readonly line: number
  readonly problems: readonly ImportProblem[]
  readonly cells: readonly string[]
}

/** The refused lines among the rows of a file; undefined where they are more than one download may hold. */
export async function refusedRows(
  rows: AsyncGenerator<TableRow>,
  problems: ReadonlyMap<number, readonly ImportProblem[]>,
): Promise<RefusedRow[] | undefined> {
  const found: RefusedRow[] = []
  let length = 0
  for await (const { line, cells } of rows) {
    const wrong = problems.get(line)
    if (!wrong) continue
    found.push({ line, problems: wrong, cells })
    for (const cell of cells) length += cell.length
    if (length > maxCsvCharacters) return undefined
  }
  return found
}

/** Stores the refused lines of an import in the place of its file, sealed as that was, and with a key of their own. */
export async function keepRefused(
  tx: Tx,
  files: Files,
  { orgId, batchId }: BatchKey,
  { name, rows, createdBy }: { name: string; rows: readonly RefusedRow[]; createdBy: string },
): Promise<void> {
  const content = Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'))
  const { id } = await files.put(tx, orgId, { use: 'import', name, content, createdBy })
  await keepFile(tx, { orgId, batchId }, id)
}

/** The refused lines that an applied import has kept. */
export async function readRefused(
  files: Files,
  orgId: string,
  file: Parameters<Files['open']>[1],
): Promise<RefusedRow[]> {
  const lines = (await text(await files.open(orgId, file))).split('\n')
  return lines.map((line) => JSON.parse(line) as RefusedRow)
}
