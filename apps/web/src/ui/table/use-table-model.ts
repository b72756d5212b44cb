import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type SortingState,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { TableState } from './table-state.ts'
import type { DataColumn } from './table-types.ts'

const features = tableFeatures({
  columnVisibilityFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  rowSortingFeature,
})

/** One column as head and rows draw it. */
export interface ShownColumn<Row> {
  readonly column: DataColumn<Row>
  /** Pixels from the start, for a pinned column; null when it scrolls. */
  readonly stickyAt: number | null
  /** The last pinned column carries the edge. */
  readonly isLastPinned: boolean
  readonly canSort: boolean
  readonly sorted: 'asc' | 'desc' | false
  /** Place among several sort columns, from 1; null when it is the only one or none. */
  readonly sortPlace: number | null
  readonly toggleSort: (isMulti: boolean) => void
}

/** Width of the column of checkboxes. */
export const checkColumnWidth = 46

const noRows: never[] = []
const sortKeyOf = <Row>(column: DataColumn<Row>): string =>
  typeof column.sortable === 'string' ? column.sortable : column.id

/** The ids of the columns shown: the person's choice, or the usual ones. */
export function shownColumnIds<Row>(columns: readonly DataColumn<Row>[], chosen: readonly string[] | null): string[] {
  const isShown = (column: DataColumn<Row>) =>
    column.alwaysShown === true || (chosen ? chosen.includes(column.id) : column.initiallyHidden !== true)
  return columns.filter(isShown).map((column) => column.id)
}

/**
 * Columns in drawing order with their sticky places and sort state. Rows are not given to the table library: the server
 * sorts, filters and pages, the library keeps the columns.
 */
export function useTableModel<Row>(
  columns: readonly DataColumn<Row>[],
  state: TableState,
  onStateChange: (state: TableState) => void,
  hasCheckColumn: boolean,
): ShownColumn<Row>[] {
  'use no memo' // The library's objects keep their identity while what they answer changes.
  const definitions = useMemo<ColumnDef<typeof features, never>[]>(
    () =>
      columns.map((column) => ({
        id: column.id,
        accessorFn: () => null,
        size: column.width,
        enableSorting: Boolean(column.sortable),
      })),
    [columns],
  )
  // The library compares these by identity: made anew only when they say something new.
  const sorting = useMemo<SortingState>(
    () =>
      state.sort.flatMap(({ by, descending }) => {
        const column = columns.find((item) => item.sortable && sortKeyOf(item) === by)
        return column ? [{ id: column.id, desc: descending }] : []
      }),
    [columns, state.sort],
  )
  const columnVisibility = useMemo(() => {
    const shown = new Set(shownColumnIds(columns, state.columns))
    return Object.fromEntries(columns.map((column) => [column.id, shown.has(column.id)]))
  }, [columns, state.columns])
  const columnPinning = useMemo(
    () => ({ start: columns.filter((column) => column.pinned).map((column) => column.id), end: [] }),
    [columns],
  )
  const table = useTable<typeof features, never>({
    features,
    columns: definitions,
    data: noRows,
    manualSorting: true,
    enableMultiSort: true,
    sortDescFirst: false,
    maxMultiSortColCount: 4,
    state: { sorting, columnVisibility, columnPinning },
    onSortingChange: (updater) => {
      const next = typeof updater === 'function' ? updater(sorting) : updater
      const sort = next.flatMap(({ id, desc }) => {
        const column = columns.find((item) => item.id === id)
        return column ? [{ by: sortKeyOf(column), descending: desc }] : []
      })
      onStateChange({ ...state, page: 1, sort })
    },
  })
  // The same array until something in it changes, so that rows can be memoised.
  const visible = table.getVisibleLeafColumns()
  return useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]))
    const lastPinned = visible.findLast((item) => item.getIsPinned() === 'start')
    const before = hasCheckColumn ? checkColumnWidth : 0
    return visible.flatMap((item) => {
      const column = byId.get(item.id)
      if (!column) return []
      const sortAt = item.getSortIndex()
      return {
        column,
        stickyAt: item.getIsPinned() === 'start' ? before + item.getStart('start') : null,
        isLastPinned: item === lastPinned,
        canSort: Boolean(column.sortable),
        sorted: item.getIsSorted(),
        sortPlace: state.sort.length > 1 && sortAt >= 0 ? sortAt + 1 : null,
        toggleSort: (isMulti: boolean) => item.toggleSorting(undefined, isMulti),
      }
    })
  }, [visible, columns, state.sort, hasCheckColumn])
}
