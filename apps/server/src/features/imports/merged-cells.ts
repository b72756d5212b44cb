import { type MergedCell, type TableRow, unreadable } from './file-table.ts'
import { readingLimits } from './reading.ts'

/**
 * Rows with the value of a merged cell in each row that it covers, as the sheet shows it. Only rows that have anything of their own are filled:
 * a cell that is merged further than the table makes no guests.
 *
 * @throws AppError `invalid-argument` where the values come to more text than a file may have.
 */
export async function* filledDown(
  records: AsyncGenerator<TableRow>,
  merged: readonly MergedCell[],
  limit = readingLimits.text,
): AsyncGenerator<TableRow> {
  const waiting = merged.toSorted((a, b) => b.line - a.line)
  // one for each column, whatever a damaged workbook says
  const open = new Map<number, { readonly lastLine: number; readonly value: string }>()
  let added = 0
  for await (const row of records) {
    const cells = [...row.cells]
    for (const [column, { lastLine, value }] of open) {
      if (lastLine < row.line) {
        open.delete(column)
        continue
      }
      while (cells.length <= column) cells.push('')
      if (cells[column] !== '') continue
      cells[column] = value
      added += value.length
      if (added > limit) throw tooMuchText(limit)
    }
    yield open.size > 0 ? { line: row.line, cells } : row
    for (let next = waiting.at(-1); next && next.line <= row.line; next = waiting.at(-1)) {
      waiting.pop()
      const value = row.cells[next.column] ?? ''
      // a merged cell in a row that is left out as empty has no value
      if (next.line === row.line && value !== '') open.set(next.column, { lastLine: next.lastLine, value })
    }
  }
}

const tooMuchText = (max: number) =>
  unreadable(
    'too_much_text',
    `The file holds more than ${max.toLocaleString('en')} characters of text. Split it, or delete columns that are not needed.`,
    { max: String(max) },
  )
