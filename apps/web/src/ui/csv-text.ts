import { guarded } from '@tour-ops/contract/formula-guard'

const cell = (text: string): string => {
  const harmless = guarded(text)
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Rows of texts as a CSV file that spreadsheets open: UTF-8 with a byte order mark, CRLF, and no cell that is run as a formula. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
