import type { TableRow } from './file-table.ts'
import { headerAmong, recognizedIn } from './table-place.ts'

/** A sheet of a workbook, in its order. */
export interface SheetHead {
  readonly isHidden: boolean
  /** Its first rows with text. */
  readonly rows: readonly TableRow[]
}

/**
 * The sheet with the table: the one whose header names the most fields, a visible one before a hidden one; else the first visible one with rows.
 *
 * @returns its place.
 */
export function sheetWithTable(sheets: readonly SheetHead[]): number {
  const named = sheets.map(({ rows }) => recognizedIn(rows[headerAmong(rows)]?.cells ?? []))
  for (const isHidden of [false, true]) {
    const best = Math.max(0, ...named.filter((_, place) => sheets[place]?.isHidden === isHidden))
    if (best >= 2) return sheets.findIndex((sheet, place) => sheet.isHidden === isHidden && named[place] === best)
  }
  // a header alone, or a title, is no table
  for (const least of [2, 1]) {
    const first = sheets.findIndex(({ isHidden, rows }) => !isHidden && rows.length >= least)
    if (first >= 0) return first
  }
  return Math.max(
    0,
    sheets.findIndex(({ rows }) => rows.length > 0),
  )
}
