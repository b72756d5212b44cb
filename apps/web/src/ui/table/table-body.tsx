import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useCallback, useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type UIEvent } from 'react'
import { m } from '../../paraglide/messages.js'
import { Box } from '../choice.tsx'
import { classNames } from '../class-names.ts'
import { isTyping } from '../drawer.tsx'
import { checkColumnWidth, type ShownColumn } from './shown-columns.ts'
import { cellLook, TableRow } from './table-row.tsx'
import { toggledSort, type TableState } from './table-state.ts'
import type { DataColumn, DataTableProps } from './table-types.ts'

/** Row height in pixels; the same figure as `--row`. */
const rowHeight = 36
/** Rows drawn above and below what is seen. */
const overscanRows = 8

interface TableBodyProps<Row> extends Pick<
  DataTableProps<Row>,
  'label' | 'rowKey' | 'rowLabel' | 'onOpen' | 'openKey' | 'selection' | 'onSelectionChange' | 'state' | 'onStateChange'
> {
  rows: readonly Row[]
  columns: readonly ShownColumn<Row>[]
  /** Rows before this page. */
  offset: number
  total: number
  isBusy: boolean
}

/** Head and rows: only the rows in sight are in the document. Keys: j k arrows, Enter, Space, Home, End. */
export function TableBody<Row>(props: TableBodyProps<Row>) {
  'use no memo' // The virtualizer keeps its identity while what it answers changes.
  const { label, rows, columns, rowKey, rowLabel, onOpen, openKey, selection, onSelectionChange, offset, total } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [activeAt, setActiveAt] = useState(0)
  const hasCheck = selection !== undefined && onSelectionChange !== undefined
  // eslint-disable-next-line react/incompatible-library -- known: rows are components of their own, nothing here is memoised
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: overscanRows,
    scrollPaddingStart: rowHeight,
    getItemKey: (at) => {
      const row = rows[at]
      return row === undefined ? at : rowKey(row)
    },
  })

  const select = useStable((key: string, isOn: boolean) => {
    const next = new Set(selection)
    if (isOn) next.add(key)
    else next.delete(key)
    onSelectionChange?.(next)
  })
  const open = useStable((row: Row) => onOpen?.(row))
  const keepFocus = useCallback(() => scroller.current?.focus({ preventScroll: true }), [])
  const activate = useCallback((at: number) => setActiveAt(at), [])

  const focusRow = (wanted: number) => {
    const at = Math.max(0, Math.min(rows.length - 1, wanted))
    setActiveAt(at)
    virtualizer.scrollToIndex(at)
    const take = () => {
      const row = scroller.current?.querySelector<HTMLElement>(`tr[data-at="${at}"]`)
      row?.focus()
      return row !== null && row !== undefined
    }
    // A row out of sight enters the document only with the next frame.
    if (!take()) requestAnimationFrame(take)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const isOnRow =
      event.target === scroller.current || (event.target instanceof HTMLElement && event.target.dataset['at'])
    const row = rows[activeAt]
    const act = keyActions({ focusRow, activeAt, last: rows.length - 1 })[event.key]
    if (act) act()
    else if (event.key === 'Enter' && isOnRow && row !== undefined && onOpen) onOpen(row)
    else if (event.key === ' ' && isOnRow && row !== undefined && hasCheck)
      select(rowKey(row), !selection?.has(rowKey(row)))
    else return
    event.preventDefault()
  }
  // With nothing focused, the first j or k enters the list.
  const onDocumentKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.defaultPrevented || document.activeElement !== document.body) return
    if (event.key === 'j' || event.key === 'k') focusRow(activeAt)
  })
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => onDocumentKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  const items = virtualizer.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  const width = columns.reduce((sum, { column }) => sum + column.width, hasCheck ? checkColumnWidth : 0)
  const grows = columns.some(({ column }) => column.grow)
  const selectedHere = hasCheck ? rows.filter((row) => selection?.has(rowKey(row))).length : 0
  const tabStop = Math.min(activeAt, rows.length - 1)
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the rows are focusable, the keys bubble up here
    <div
      ref={scroller}
      className="table-scroller"
      role="region"
      aria-label={label}
      aria-busy={props.isBusy || undefined}
      // The rows are the tab stops; the region takes over when the focused one scrolls out of the document.
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onScroll={markScrolled}
    >
      <table className="data-table" style={{ minWidth: width }} aria-rowcount={total + 1}>
        <colgroup>
          {hasCheck && <col style={{ width: checkColumnWidth }} />}
          {columns.map(({ column }) => (
            <col key={column.id} style={column.grow ? undefined : { width: column.width }} />
          ))}
          <col style={{ width: grows ? 0 : undefined }} />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {hasCheck && (
              <th scope="col" className="pinned check-cell">
                <Box
                  label={m.ui_table_select_all()}
                  checked={rows.length > 0 && selectedHere === rows.length}
                  mixed={selectedHere > 0 && selectedHere < rows.length}
                  onChange={(isOn) => onSelectionChange(withPage(selection, rows.map(rowKey), isOn))}
                />
              </th>
            )}
            {columns.map((shown) => (
              <HeadCell
                key={shown.column.id}
                shown={shown}
                sort={props.state.sort}
                onSort={(by, isMulti) =>
                  props.onStateChange({ ...props.state, page: 1, sort: toggledSort(props.state.sort, by, isMulti) })
                }
              />
            ))}
            <th aria-hidden />
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden style={{ height: above }} />}
          {items.map(({ index: at }) => {
            const row = rows[at]
            if (row === undefined) return null
            const key = rowKey(row)
            return (
              <TableRow
                key={key}
                row={row}
                rowKey={key}
                label={rowLabel(row)}
                at={at}
                ariaIndex={offset + at + 2}
                columns={columns}
                hasCheck={hasCheck}
                selected={selection?.has(key) ?? false}
                isOpen={key === openKey}
                isTabStop={at === tabStop}
                onPress={onOpen ? open : undefined}
                onSelect={select}
                onFocusRow={activate}
                onFocusLost={keepFocus}
              />
            )
          })}
          {below > 0 && <tr aria-hidden style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  )
}

/** The edge of the pinned columns shows only while something is under it. */
function markScrolled({ currentTarget }: UIEvent<HTMLElement>): void {
  currentTarget.toggleAttribute('data-scrolled', currentTarget.scrollLeft !== 0)
}

function keyActions({ focusRow, activeAt, last }: { focusRow: (at: number) => void; activeAt: number; last: number }) {
  const forth = () => focusRow(activeAt + 1)
  const back = () => focusRow(activeAt - 1)
  const actions: Record<string, (() => void) | undefined> = {
    j: forth,
    ArrowDown: forth,
    k: back,
    ArrowUp: back,
    Home: () => focusRow(0),
    End: () => focusRow(last),
  }
  return actions
}

function withPage(selection: ReadonlySet<string> | undefined, keys: readonly string[], isOn: boolean): Set<string> {
  const next = new Set(selection)
  for (const key of keys) {
    if (isOn) next.add(key)
    else next.delete(key)
  }
  return next
}

/** The same function for as long as the component lives, so that memoised rows stay memoised. */
function useStable<Args extends readonly unknown[]>(latest: (...args: Args) => void): (...args: Args) => void {
  const current = useRef(latest)
  useEffect(() => {
    current.current = latest
  })
  return useCallback((...args: Args) => current.current(...args), [])
}

interface HeadCellProps<Row> {
  shown: ShownColumn<Row>
  sort: TableState['sort']
  onSort: (by: string, isMulti: boolean) => void
}

function HeadCell<Row>({ shown, sort, onSort }: HeadCellProps<Row>) {
  const { column } = shown
  const { className, style } = cellLook(shown)
  const by = sortKeyOf(column)
  const place = sort.findIndex((item) => item.by === by)
  const isDescending = sort[place]?.descending
  const Arrow = isDescending ? ArrowDown : ArrowUp
  const direction = isDescending === undefined ? 'none' : isDescending ? 'descending' : 'ascending'
  return (
    <th scope="col" className={className} style={style} aria-sort={by === null ? undefined : direction}>
      {by === null ? (
        column.header
      ) : (
        <button
          type="button"
          className={classNames('inline-flex items-center gap-1 rounded', place >= 0 && 'text-ink-strong')}
          title={m.ui_table_sort_by({ name: column.header })}
          onClick={(event) => onSort(by, event.shiftKey)}
        >
          {column.header}
          {place >= 0 && <Arrow size={13} aria-hidden />}
          {place >= 0 && sort.length > 1 && <span className="num text-2xs">{place + 1}</span>}
        </button>
      )}
    </th>
  )
}

/** What the server sorts a column by; null where it does not. */
const sortKeyOf = <Row,>({ id, sortable }: DataColumn<Row>): string | null =>
  typeof sortable === 'string' ? sortable : sortable ? id : null
