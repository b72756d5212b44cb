import type { BatchRecord } from './batches-store.ts'
import { type Correction, corrector } from './cell-corrections.ts'
import { type TableSource, withRows } from './file-reader.ts'
import type { TableRow } from './file-table.ts'
import { bodyOf } from './table-place.ts'

/** Reads the rows of the table in a file as they count: merged cells filled, corrected cells corrected. Otherwise as `withRows`. */
export const withCountedRows = <T>(
  source: TableSource,
  { analysis }: Pick<BatchRecord, 'analysis'>,
  corrections: readonly Correction[],
  use: (rows: AsyncGenerator<TableRow>) => Promise<T>,
): Promise<T> =>
  withRows(source, analysis.unshown?.merged ?? [], (rows) =>
    use(countedRows(bodyOf(rows, analysis.place), corrector(corrections))),
  )

async function* countedRows(
  rows: AsyncIterable<TableRow>,
  corrected: (row: TableRow) => TableRow,
): AsyncGenerator<TableRow> {
  for await (const row of rows) yield corrected(row)
}
