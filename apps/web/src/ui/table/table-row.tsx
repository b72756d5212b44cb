import { memo, useLayoutEffect, useRef, type MouseEvent } from 'react'
import { m } from '../../paraglide/messages.js'
import { Box } from '../choice.tsx'
import { classNames } from '../class-names.ts'
import type { ShownColumn } from './shown-columns.ts'

interface TableRowProps<Row> {
  row: Row
  rowKey: string
  label: string
  /** Place on the page, from 0. */
  at: number
  /** Place in the whole list, from 1, head included; for screen readers. */
  ariaIndex: number
  columns: readonly ShownColumn<Row>[]
  hasCheck: boolean
  selected: boolean
  isOpen: boolean
  isTabStop: boolean
  onPress: ((row: Row) => void) | undefined
  onSelect: (key: string, selected: boolean) => void
  onFocusRow: (at: number) => void
  onFocusLost: () => void
}

const interactive = 'a, button, input, label, select, textarea, [role=button]'

/** A press on the row itself: not on a control in it, and not the end of marking text. */
function isRowPress(event: MouseEvent): boolean {
  if (event.target instanceof Element && event.target.closest(interactive)) return false
  return (getSelection()?.toString() ?? '') === ''
}

/** What decides how a cell is drawn: alignment and stickiness. */
export function cellLook<Row>({ column, stickyAt, isLastPinned }: ShownColumn<Row>) {
  return {
    className: classNames(
      column.align === 'end' && 'text-end',
      stickyAt !== null && 'pinned',
      isLastPinned && 'pinned-edge',
    ),
    style: stickyAt === null ? undefined : { insetInlineStart: stickyAt },
  }
}

function Row<R>(props: TableRowProps<R>) {
  const { row, rowKey, label, at, ariaIndex, columns, hasCheck, selected, isOpen, isTabStop } = props
  const { onPress, onSelect, onFocusRow, onFocusLost } = props
  const element = useRef<HTMLTableRowElement>(null)
  // A row that scrolls out of sight leaves the document; its focus must not fall to the body.
  useLayoutEffect(() => {
    const node = element.current
    return () => {
      if (node !== null && document.activeElement === node) onFocusLost()
    }
  }, [onFocusLost])
  return (
    <tr
      ref={element}
      data-at={at}
      aria-rowindex={ariaIndex}
      aria-selected={hasCheck ? selected : undefined}
      aria-current={isOpen || undefined}
      tabIndex={isTabStop ? 0 : -1}
      className={classNames('data-row', selected && 'selected', onPress && 'cursor-default')}
      onClick={(event) => isRowPress(event) && onPress?.(row)}
      onFocus={() => onFocusRow(at)}
    >
      {hasCheck && (
        <td className="pinned check-cell">
          <Box
            label={m.ui_table_select_row({ name: label })}
            checked={selected}
            tabIndex={-1}
            onChange={(checked) => onSelect(rowKey, checked)}
          />
        </td>
      )}
      {columns.map((shown) => (
        <td key={shown.column.id} {...cellLook(shown)}>
          {shown.column.cell(row)}
        </td>
      ))}
      <td aria-hidden />
    </tr>
  )
}

/** One row; drawn again only when something it shows has changed. */
export const TableRow = memo(Row) as typeof Row
