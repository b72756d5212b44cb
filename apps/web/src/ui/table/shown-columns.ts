import type { DataColumn } from './table-types.ts'

/** One column as head and rows draw it. */
export interface ShownColumn<Row> {
  readonly column: DataColumn<Row>
  /** Pixels from the start, for a pinned column; null when it scrolls. */
  readonly stickyAt: number | null
  /** The last pinned column carries the edge. */
  readonly isLastPinned: boolean
}

/** Width of the column of checkboxes. */
export const checkColumnWidth = 46

/** Whether a column is drawn: by the person's choice, or, where they made none, as usual. */
export const isShown = <Row>(column: DataColumn<Row>, chosen: readonly string[] | null): boolean =>
  column.alwaysShown === true || (chosen ? chosen.includes(column.id) : column.initiallyHidden !== true)

/**
 * Columns in drawing order: the pinned ones first, each at its place from the start. The server sorts, filters and pages, so this is all
 * that a table has to know about its columns (docs/decisions/0010).
 *
 * @param chosen Ids of the columns that the person wants; null for the usual ones.
 */
export function shownColumns<Row>(
  columns: readonly DataColumn<Row>[],
  chosen: readonly string[] | null,
  hasCheckColumn: boolean,
): ShownColumn<Row>[] {
  const shown = columns.filter((column) => isShown(column, chosen))
  const pinned = shown.filter((column) => column.pinned)
  let end = hasCheckColumn ? checkColumnWidth : 0
  const sticky = pinned.map((column) => {
    const stickyAt = end
    end += column.width
    return { column, stickyAt, isLastPinned: column === pinned.at(-1) }
  })
  const scrolling = shown.filter((column) => !column.pinned)
  return [...sticky, ...scrolling.map((column) => ({ column, stickyAt: null, isLastPinned: false }))]
}
