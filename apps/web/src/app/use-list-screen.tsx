import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Callable, In, Out } from '@tour-ops/contract/callable'
import type { AppError } from '@tour-ops/contract/errors'
import { filterNamesOf, sortNamesOf } from '@tour-ops/contract/paging'
import { deleteView, listSavedViews, saveView } from '@tour-ops/contract/saved-views/saved-views'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { refusalText } from '../errors/refusal-text.ts'
import { callQuery, useCall } from '../backend/queries.ts'
import { m } from '../paraglide/messages.js'
import { Button } from '../ui/button.tsx'
import { formatList } from '../ui/format.ts'
import {
  defaultTableState,
  exportInputOf,
  isNarrowed,
  isTableParameter,
  listInputOf,
  parseTableState,
  stringifyTableState,
  type TableState,
} from '../ui/table/table-state.ts'
import type { DataTableProps, SavedView } from '../ui/table/table-types.ts'
import { toast } from '../ui/toast.tsx'
import { saveTextFile } from '../ui/save-file.ts'

type RowOf<L extends Callable> = Out<L> extends { rows: (infer Row)[] } ? Row : never
type Filters = Record<string, string[]>

export interface ListScreenOptions<L extends Callable, E extends Callable> {
  /** Name under which views are saved, `travelers`. */
  screen: string
  list: L
  /** Without it there is no export button. */
  exportAs?: E
  /** What the list shows before anybody changed anything. */
  defaults?: Partial<TableState>
  views?: readonly SavedView[]
  /** Turns the table's filters into the callable's, where the two differ (days, yes or no). */
  filtersOf?: (filters: Filters) => Record<string, unknown>
  /** Reads the list again this often although nothing was written, where its figures grow old by themselves. */
  readEveryMs?: number
  /** Filters that always hold and are not the person's choice. */
  fixedFilters?: Record<string, unknown>
}

/** The parts of `DataTable` that every list has in common; a screen adds columns, cards and what a row does. */
export type ListTableProps<Row> = Pick<
  DataTableProps<Row>,
  | 'rows'
  | 'total'
  | 'state'
  | 'onStateChange'
  | 'defaults'
  | 'isFetching'
  | 'error'
  | 'onRetry'
  | 'hasNothing'
  | 'notice'
  | 'views'
  | 'onSaveView'
  | 'onDeleteView'
  | 'selection'
  | 'onSelectionChange'
  | 'toolbarEnd'
>

export interface ListScreen<L extends Callable> {
  table: ListTableProps<RowOf<L>>
  state: TableState
  setState: (state: TableState) => void
  /** The whole answer, for figures next to the rows. */
  answer: Out<L> | undefined
  clearSelection: () => void
}

/**
 * A server-side list on a screen: its state in the URL, one page at a time, saved views, selection, and the export of exactly
 * the filtered rows.
 *
 * @example const { table } = useListScreen({ screen: 'travelers', list: listTravelers, exportAs: exportTravelers })
 */
export function useListScreen<L extends Callable, E extends Callable>(options: ListScreenOptions<L, E>): ListScreen<L> {
  const defaults: TableState = { ...defaultTableState, ...options.defaults }
  const [asked, setState] = useTableState(defaults)
  const { state, unknown } = withKnownSort(asked, options)
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const asInput = <I extends { filters?: unknown }>(input: I) => withFilters(input, options)
  const query = useQuery({
    ...callQuery(options.list, asInput(listInputOf(state)) as In<L>),
    placeholderData: keepPreviousData,
    refetchInterval: options.readEveryMs ?? false,
  })
  const answer = query.data as (Out<L> & { rows: RowOf<L>[]; total: number }) | undefined
  const isEmptyAnswer = answer?.total === 0 && isNarrowed(state)
  const unfiltered = useQuery({
    ...callQuery(
      options.list,
      asInput<{ page: number; size: number; filters?: unknown }>({ page: 1, size: 1 }) as In<L>,
    ),
    enabled: isEmptyAnswer,
  })
  const unfilteredTotal = (unfiltered.data as { total: number } | undefined)?.total
  const saved = useSavedViews(options.screen, defaults)
  return {
    state,
    setState,
    answer,
    clearSelection: () => setSelection(new Set()),
    table: {
      rows: answer?.rows,
      total: answer?.total,
      state,
      onStateChange: setState,
      defaults,
      // what changed by itself arrives without a sign: on a busy day there would be no other state
      isFetching: query.isPlaceholderData,
      error: query.error && answer === undefined ? errorOf(query.error) : null,
      onRetry: () => void query.refetch(),
      notice: unknown.length > 0 ? m.lists_unknown_names({ names: formatList(unknown) }) : undefined,
      hasNothing:
        isEmptyAnswer && !unfiltered.error ? (unfilteredTotal === undefined ? null : unfilteredTotal === 0) : false,
      views: [...(options.views ?? []), ...saved.views],
      onSaveView: saved.save,
      onDeleteView: saved.remove,
      selection,
      onSelectionChange: setSelection,
      toolbarEnd: options.exportAs && (
        <ExportButton callable={options.exportAs} input={asInput(exportInputOf(state))} />
      ),
    },
  }
}

const errorOf = (error: AppError) => ({
  message: refusalText(error),
  requestId: error.details.requestId,
})

/** An old address or view may name a column or a filter that the list no longer has: the rest is opened, and a notice names what is missing. */
function withKnownSort(
  asked: TableState,
  { list, filtersOf }: Pick<ListScreenOptions<Callable, Callable>, 'list' | 'filtersOf'>,
): { state: TableState; unknown: string[] } {
  const sorts = sortNamesOf(list)
  const sort = asked.sort.filter(({ by }) => sorts.has(by))
  const missing = asked.sort.filter(({ by }) => !sorts.has(by)).map(({ by }) => by)
  // where the screen translates filters, its own names are not the callable's
  const filters = filtersOf ? [] : Object.keys(asked.filters).filter((name) => !filterNamesOf(list).has(name))
  return { state: missing.length > 0 ? { ...asked, sort } : asked, unknown: [...missing, ...filters] }
}

function withFilters<I extends { filters?: unknown }>(
  input: I,
  { list, filtersOf, fixedFilters }: Pick<ListScreenOptions<Callable, Callable>, 'list' | 'filtersOf' | 'fixedFilters'>,
): I {
  const chosen = (input.filters ?? {}) as Filters
  const known = filterNamesOf(list)
  // an old address or view may name a filter that the list no longer has
  const filters = Object.fromEntries(
    Object.entries({ ...(filtersOf ? filtersOf(chosen) : chosen), ...fixedFilters }).filter(([name]) =>
      known.has(name),
    ),
  )
  return Object.keys(filters).length > 0 ? { ...input, filters } : input
}

/** The table's part of the address; parameters of others (an open drawer, a tab) stay. */
function useTableState(defaults: TableState): [TableState, (state: TableState) => void] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const setState = (state: TableState) => {
    void navigate({
      to: '.',
      search: (before) => ({
        ...Object.fromEntries(Object.entries(before).filter(([name]) => !isTableParameter(name))),
        ...stringifyTableState(state, defaults),
      }),
      replace: true,
      resetScroll: false,
    })
  }
  return [parseTableState(search, defaults), setState]
}

function useSavedViews(screen: string, defaults: TableState) {
  const { data } = useQuery(callQuery(listSavedViews, { screen }))
  const save = useCall(saveView, {
    onSuccess: (_, { name }) => toast(m.lists_view_saved({ name })),
  })
  const remove = useCall(deleteView, {
    onSuccess: () => toast(m.lists_view_deleted()),
  })
  const views: SavedView[] = (data?.views ?? []).map((view) => {
    const { q, sort, filters } = parseTableState(view.search, defaults)
    const columns = view.columns.length > 0 ? view.columns : null
    return { id: view.id, name: view.name, own: view.isOwn, state: { q, sort, filters, columns } }
  })
  return {
    views,
    save: (name: string, state: TableState) => {
      const { page: _page, view: _view, ...search } = stringifyTableState(state, defaults)
      save.mutate({ screen, name, search, columns: [...(state.columns ?? [])] })
    },
    remove: (id: string) => remove.mutate({ id }),
  }
}

function ExportButton({ callable, input }: { callable: Callable; input: unknown }) {
  const run = useCall(callable, {
    onSuccess: (output) => {
      const { fileName, csv, rows } = output as { fileName: string; csv: string; rows: number }
      saveTextFile(fileName, csv)
      toast(m.lists_exported({ count: rows, file: fileName }))
    },
    onError: (error) => toast(m.lists_export_failed({ reason: refusalText(error) })),
  })
  return (
    <Button icon={Download} pending={run.isPending} onClick={() => run.mutate(input)} variant="ghost">
      <span className="max-sm:sr-only">{m.lists_export()}</span>
    </Button>
  )
}
