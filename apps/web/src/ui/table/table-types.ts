import type { ReactNode } from 'react'
import type { SelectOption } from '../field.tsx'
import type { TableState } from './table-state.ts'

/** One column of a list. Saved place: time, then status, then name. */
export interface DataColumn<Row> {
  id: string
  /** Words of the head. */
  header: string
  cell: (row: Row) => ReactNode
  /** Pixels; what is left over goes to the columns that grow. */
  width: number
  grow?: boolean | undefined
  /** `true` when the server sorts by this column's id; the sort key where it has another name. */
  sortable?: boolean | string | undefined
  align?: 'end' | undefined
  /** Stays at the start while the rest scrolls sideways. */
  pinned?: boolean | undefined
  /** Cannot be switched off in "Columns". */
  alwaysShown?: boolean | undefined
  /** Off until somebody switches it on. */
  initiallyHidden?: boolean | undefined
}

interface FilterBase {
  id: string
  label: string
}

/** One way to narrow a list. `dates` has the values [from, to] as civil dates, either may be empty. */
export type TableFilter =
  | (FilterBase & { kind: 'choice'; options: readonly SelectOption[] })
  | (FilterBase & { kind: 'dates' })
  | (FilterBase & { kind: 'yesNo' })
  | (FilterBase & { kind: 'text'; placeholder?: string | undefined })

/** A named state of a list: built in, or somebody's own. */
export interface SavedView {
  id: string
  name: string
  count?: number | undefined
  own?: boolean | undefined
  state: Partial<TableState>
}

interface TableError {
  message: string
  requestId?: string | undefined
}

export interface DataTableProps<Row> {
  /** Name of the list: "Travelers". */
  label: string
  columns: readonly DataColumn<Row>[]
  /** One page; undefined before the first answer. */
  rows: readonly Row[] | undefined
  /** Rows on all pages. */
  total: number | undefined
  rowKey: (row: Row) => string
  /** Names a row for its checkbox. */
  rowLabel: (row: Row) => string
  state: TableState
  onStateChange: (state: TableState) => void
  /** What a fresh list shows; "clear" and views start from it. */
  defaults?: TableState | undefined
  /** No search field without it. */
  searchPlaceholder?: string | undefined
  filters?: readonly TableFilter[] | undefined
  views?: readonly SavedView[] | undefined
  onSaveView?: ((name: string, state: TableState) => void) | undefined
  onDeleteView?: ((id: string) => void) | undefined
  /** Enter or a press on a row. */
  onOpen?: ((row: Row) => void) | undefined
  /** Key of the row that is open next to the list. */
  openKey?: string | null | undefined
  selection?: ReadonlySet<string> | undefined
  onSelectionChange?: ((selection: ReadonlySet<string>) => void) | undefined
  /** Buttons of the bar that takes the toolbar's place while rows are selected. */
  selectionActions?: ((keys: readonly string[]) => ReactNode) | undefined
  /** A row below 1280 px: time | name + state / tour + flags. */
  renderCard: (row: Row) => ReactNode
  /** The answer to what was asked last is on its way; what is shown is an older one. */
  isFetching?: boolean | undefined
  error?: TableError | null | undefined
  onRetry?: (() => void) | undefined
  /** Shown when there is nothing at all (not: nothing that matches). */
  empty?: ReactNode
  /** Whether there would be nothing without search and filters either; null while that is asked. */
  hasNothing?: boolean | null | undefined
  /** Start of the footer: "Times are local to each tour". */
  footerNote?: ReactNode
  /** `38 travelers`; "38 rows" without it. */
  countLabel?: ((total: number) => string) | undefined
  /** Shown above the rows: what of an old view could not be shown. */
  notice?: string | undefined
  /** At the end of the toolbar, before "Columns". */
  toolbarEnd?: ReactNode
}
