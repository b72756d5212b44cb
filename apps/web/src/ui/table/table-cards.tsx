import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { classNames } from '../class-names.ts'

interface TableCardsProps<Row> {
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  renderCard: (row: Row) => ReactNode
  onOpen: ((row: Row) => void) | undefined
  openKey: string | null | undefined
}

/** A card before it is measured: two lines and padding. */
const usualCardHeight = 64

/** The rows below 1280 px: cards in one column; the page scrolls, not the card around them. */
export function TableCards<Row>({ label, rows, rowKey, renderCard, onOpen, openKey }: TableCardsProps<Row>) {
  'use no memo' // The virtualizer keeps its identity while what it answers changes.
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const offset = list.current?.getBoundingClientRect().top ?? 0
    setTop(Math.round(offset + window.scrollY))
  }, [rows.length])
  // eslint-disable-next-line react/incompatible-library -- known: rows are components of their own, nothing here is memoised
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => usualCardHeight,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (at) => {
      const row = rows[at]
      return row === undefined ? at : rowKey(row)
    },
  })
  return (
    <ul ref={list} aria-label={label} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((item) => {
        const row = rows[item.index]
        if (row === undefined) return null
        const key = rowKey(row)
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={item.index}
            aria-setsize={rows.length}
            aria-posinset={item.index + 1}
            className={classNames('absolute inset-x-0 top-0 border-b border-line', key === openKey && 'selected')}
            style={{ transform: `translateY(${item.start - top}px)` }}
          >
            {onOpen ? (
              <button
                type="button"
                className="block w-full px-4 py-2.5 text-start break-words"
                onClick={() => onOpen(row)}
              >
                {renderCard(row)}
              </button>
            ) : (
              <div className="px-4 py-2.5 break-words">{renderCard(row)}</div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
