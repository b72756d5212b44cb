import type { LucideIcon } from 'lucide-react'
import { useId, type KeyboardEvent, type ReactNode } from 'react'
import type { Intent } from './load-later.tsx'
import { moveInList } from './move-in-list.ts'

export interface TabItem<K extends string = string> {
  key: K
  label: string
  count?: number | undefined
  /** Read out before the label, for instance "own view". */
  icon?: LucideIcon | undefined
  iconLabel?: string | undefined
  /** Pointed at or reached with the keyboard: what it shows may load. */
  intent?: Intent | undefined
}

export interface TabsProps<K extends string> {
  label: string
  items: readonly TabItem<K>[]
  value: K
  onChange: (key: K) => void
  /** The panel of the chosen tab; leave it out where the page itself is the panel. */
  children?: ReactNode
  panelClassName?: string | undefined
}

/** Where the row is wider than its place the chosen tab comes to its middle. */
function showInRow(tab: HTMLElement | null): void {
  const row = tab?.parentElement
  if (!row) return
  const [inner, outer] = [tab.getBoundingClientRect(), row.getBoundingClientRect()]
  row.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2
}

/** A row of tabs; arrow keys move and choose, Home and End go to the ends. */
export function Tabs<K extends string>({ label, items, value, onChange, children, panelClassName }: TabsProps<K>) {
  const id = useId()
  const at = items.findIndex((item) => item.key === value)
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = moveInList(event, at, items.length, 'horizontal')
    const item = next === null ? undefined : items[next]
    if (!item) return
    event.preventDefault()
    onChange(item.key)
    document.getElementById(`${id}-${item.key}`)?.focus()
  }
  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/interactive-supports-focus -- focus is on the tabs, the list only gets the keys */}
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {items.map(({ key, label, count, icon: Icon, iconLabel, intent }) => (
          <button
            key={key}
            id={`${id}-${key}`}
            type="button"
            role="tab"
            ref={key === value ? showInRow : undefined}
            className="tab"
            aria-selected={key === value}
            aria-controls={children === undefined || key !== value ? undefined : `${id}-panel`}
            tabIndex={key === value ? 0 : -1}
            {...intent}
            onClick={() => onChange(key)}
          >
            {Icon && (
              <Icon size={14} role={iconLabel ? 'img' : undefined} aria-label={iconLabel} aria-hidden={!iconLabel} />
            )}
            {label}
            {count !== undefined && <span className="count num">{count}</span>}
          </button>
        ))}
      </div>
      {children !== undefined && (
        <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`} className={panelClassName}>
          {children}
        </div>
      )}
    </>
  )
}

/** Two to four exclusive choices as one control: table or calendar, day or week. */
export function Segments<K extends string>({ label, items, value, onChange }: Omit<TabsProps<K>, 'children'>) {
  return (
    <div className="seg" role="group" aria-label={label}>
      {items.map(({ key, label, icon: Icon, intent }) => (
        <button key={key} type="button" aria-pressed={key === value} {...intent} onClick={() => onChange(key)}>
          {Icon && <Icon size={15} aria-hidden />}
          {label}
        </button>
      ))}
    </div>
  )
}
