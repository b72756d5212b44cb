import { maxCsvCharacters } from '@tour-ops/contract/paging'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { stringify } from 'csv-stringify/sync'
import { guarded } from '@tour-ops/contract/formula-guard'

export type CsvValue = string | number | boolean | null

/** Text that would be run as a formula stays text; numbers stay numbers. */
const harmless = (value: CsvValue): CsvValue => (typeof value === 'string' ? guarded(value) : value)

/**
 * A CSV file as spreadsheets open it: UTF-8 with a byte order mark, CRLF, headers first.
 *
 * @throws AppError `invalid-argument` for a wanted column that is not there, `resource-exhausted` when the file would be larger than one answer may be.
 */
export function csvFile<R>(
  name: string,
  columns: Readonly<Record<string, (row: R) => CsvValue>>,
  rows: readonly R[],
  wanted?: readonly string[],
): { fileName: string; csv: string; rows: number } {
  const unknown = wanted?.find((column) => !Object.hasOwn(columns, column))
  if (unknown !== undefined) throw fieldError('columns', 'column_unknown', { column: unknown })
  const names = wanted ?? Object.keys(columns)
  const body = rows.map((row) => names.map((column) => harmless(columns[column]?.(row) ?? null)))
  const csv = `\uFEFF${stringify([names.map(guarded), ...body], { record_delimiter: '\r\n', cast: { boolean: (yes) => (yes ? 'yes' : 'no') } })}`
  if (csv.length > maxCsvCharacters) {
    throw refuse('export_too_large')
  }
  return { fileName: `${name}.csv`, csv, rows: rows.length }
}
