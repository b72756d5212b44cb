import { type ReactNode, useEffect, useRef, useState } from 'react'
import { m } from '../../paraglide/messages.js'

/** Enough to choose from; the others push the answer to the question out of sight. */
const firstShown = 6

interface LongListProps<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly className?: string
  /** Of each line. */
  readonly itemClassName?: string
  /** Around the button. */
  readonly moreClassName?: string
  readonly children: (item: Item) => ReactNode
}

/** The first six, and a button for the others; the focus continues with the first of those. */
export function LongList<Item>(props: LongListProps<Item>) {
  const { items, keyOf, className, itemClassName, moreClassName, children } = props
  const [isWhole, setWhole] = useState(false)
  const next = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isWhole) next.current?.focus()
  }, [isWhole])
  const shown = isWhole ? items : items.slice(0, firstShown)
  return (
    <>
      <ul className={className}>
        {shown.map((item, index) => {
          const isNext = index === firstShown
          return (
            <li
              key={keyOf(item)}
              className={itemClassName}
              ref={isNext ? next : undefined}
              tabIndex={isNext ? -1 : undefined}
            >
              {children(item)}
            </li>
          )
        })}
      </ul>
      {shown.length < items.length && (
        <p className={moreClassName}>
          <button type="button" className="link min-h-6" onClick={() => setWhole(true)}>
            {m.field_staff_show_more({ count: items.length - shown.length })}
          </button>
        </p>
      )}
    </>
  )
}
