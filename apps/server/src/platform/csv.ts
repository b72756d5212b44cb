import { maxCsvCharacters } from '@tour-ops/contract/paging'
import { AppError } from '@tour-ops/contract/errors'
import { stringify } from 'csv-stringify/sync'

export type CsvValue = string | number | boolean | null

/** Characters that make a spreadsheet read a cell as a formula. Source: OWASP, "CSV Injection". */
const formulaStart = /^[=+\-@\t\r]/

/** Text that would be run as a formula is kept as text by a leading apostrophe; numbers stay numbers. */
const harmless = (value: CsvValue): CsvValue =>
  typeof value === 'string' && formulaStart.test(value) && !/^[+-]?\d+([.,]\d+)?$/.test(value) ? `'${value}` : value

/**
 * A CSV file as spreadsheets open it: UTF-8 with a byte order mark, CRLF, headers first.
 *
 * @throws AppError `resource-exhausted` when the file would be larger than one answer may be.
 */
export function csvFile<R>(
  name: string,
  columns: Readonly<Record<string, (row: R) => CsvValue>>,
  rows: readonly R[],
  wanted?: readonly string[],
): { fileName: string; csv: string; rows: number } {
  const names = wanted?.filter((column) => column in columns) ?? Object.keys(columns)
  const body = rows.map((row) => names.map((column) => harmless(columns[column]?.(row) ?? null)))
  const csv = `\uFEFF${stringify([names, ...body], { record_delimiter: '\r\n', cast: { boolean: (yes) => (yes ? 'yes' : 'no') } })}`
  if (csv.length > maxCsvCharacters) {
    throw new AppError('resource-exhausted', 'This export is too large. Narrow the filters and try again.', {
      details: { reason: 'export_too_large' },
    })
  }
  return { fileName: `${name}.csv`, csv, rows: rows.length }
}
