import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../class-names.ts'
import { Empty, NoMatch } from '../empty.tsx'
import { ErrorPanel } from '../error-panel.tsx'
import { formatNumber } from '../format.ts'
import { IconButton } from '../icon-button.tsx'
import { Ltr } from '../ltr.tsx'
import { LoadingBar } from '../progress.tsx'
import { SkeletonRows } from '../skeleton.tsx'
import { useIsDesktop } from '../use-media.ts'
import { shownColumns, type ShownColumn } from './shown-columns.ts'
import { TableBody } from './table-body.tsx'
import { TableCards } from './table-cards.tsx'
import { isNarrowed, pageCount, withoutFilters } from './table-state.ts'
import { SelectionBar, TableToolbar } from './table-toolbar.tsx'
import type { DataTableProps } from './table-types.ts'
import { TableViews } from './table-views.tsx'

/**
 * The list of the product: views, search, filters, columns, selection, pages from the server. It draws what it is given
 * and says what a person wants through `onStateChange`; it knows neither router nor backend. From 1280 px a table with
 * virtual rows that scrolls inside its card, below a column of cards that scrolls with the page.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { state, columns, views, selection, onSelectionChange, selectionActions } = props
  const isDesktop = useIsDesktop()
  const shown = shownColumns(columns, state.columns, selection !== undefined && onSelectionChange !== undefined)
  const keys = [...(selection ?? [])]
  const hasBar = keys.length > 0 && selectionActions !== undefined && isDesktop
  const hasToolbar = props.searchPlaceholder !== undefined || (props.filters?.length ?? 0) > 0
  return (
    <div className={classNames('card flex min-w-0 flex-col overflow-hidden', isDesktop && 'min-h-0 flex-1')}>
      {views && views.length > 0 && <TableViews {...props} views={views} isDesktop={isDesktop} />}
      {hasBar ? (
        <SelectionBar count={keys.length} onClear={() => onSelectionChange?.(new Set())}>
          {selectionActions(keys)}
        </SelectionBar>
      ) : (
        hasToolbar && <TableToolbar {...props} isDesktop={isDesktop} />
      )}
      <div className="relative flex min-h-0 flex-1 flex-col">
        {props.isFetching && props.rows && (
          <div className="appear-late absolute inset-x-0 top-0 z-10">
            <LoadingBar label={m.ui_table_updating()} />
          </div>
        )}
        {props.notice !== undefined && (
          <p role="status" className="note tone-warn m-3">
            {props.notice}
          </p>
        )}
        <Content {...props} isDesktop={isDesktop} shown={shown} />
      </div>
      <Foot {...props} />
    </div>
  )
}

interface ContentProps<Row> extends DataTableProps<Row> {
  isDesktop: boolean
  shown: readonly ShownColumn<Row>[]
}

function Content<Row>({ isDesktop, shown, ...props }: ContentProps<Row>): ReactNode {
  const { rows, total, state, onStateChange, error, onRetry, empty, hasNothing, label, rowKey } = props
  const problem = error && <ErrorPanel message={error.message} requestId={error.requestId} onRetry={onRetry} />
  if (!rows) return problem ?? <SkeletonRows rows={12} />
  if (rows.length === 0 && !error) {
    if (isNarrowed(state) && hasNothing === null) return <SkeletonRows rows={12} />
    if (isNarrowed(state) && !hasNothing) return <NoMatch onClear={() => onStateChange(withoutFilters(state))} />
    return empty ?? <Empty title={m.ui_nothing_found()} />
  }
  return (
    <>
      {problem}
      {isDesktop ? (
        <TableBody
          {...props}
          rows={rows}
          columns={shown}
          offset={(state.page - 1) * state.size}
          total={total ?? rows.length}
          isBusy={props.isFetching ?? false}
        />
      ) : (
        <TableCards
          {...{ label, rows, rowKey }}
          renderCard={props.renderCard}
          onOpen={props.onOpen}
          openKey={props.openKey}
        />
      )}
    </>
  )
}

function Foot<Row>({ total, state, onStateChange, footerNote, countLabel }: DataTableProps<Row>) {
  if (total === undefined) return null
  const pages = pageCount(total, state.size)
  const go = (page: number) => onStateChange({ ...state, page })
  const words = countLabel ? countLabel(total) : m.ui_table_rows({ count: total })
  const from = (state.page - 1) * state.size + 1
  const range = {
    from: formatNumber(from),
    to: formatNumber(Math.min(total, from + state.size - 1)),
    total: formatNumber(total),
  }
  return (
    <footer className="flex min-h-11 shrink-0 items-center gap-3 border-t border-line px-4 text-xs text-ink-2">
      <span className="min-w-0 flex-1 truncate">{footerNote}</span>
      {pages > 1 ? <Ltr>{m.ui_table_range(range)}</Ltr> : <span className="num">{words}</span>}
      {pages > 1 && (
        <span className="-me-2 flex">
          <IconButton
            label={m.ui_table_previous_page()}
            icon={ChevronLeft}
            small
            disabled={state.page <= 1}
            onClick={() => go(state.page - 1)}
          />
          <IconButton
            label={m.ui_table_next_page()}
            icon={ChevronRight}
            small
            disabled={state.page >= pages}
            onClick={() => go(state.page + 1)}
          />
        </span>
      )}
    </footer>
  )
}
