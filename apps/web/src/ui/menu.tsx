import { Check, ChevronDown, type LucideIcon } from 'lucide-react'
import { Fragment, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { buttonClass, buttonName, type ButtonLook } from './button.tsx'
import { classNames } from './class-names.ts'
import { Floating } from './floating.tsx'
import type { Intent } from './load-later.tsx'
import { moveInList } from './move-in-list.ts'

export interface MenuAction {
  key: string
  label: string
  /** Second line: guard or effect. */
  hint?: string | undefined
  icon?: LucideIcon | undefined
  onSelect: () => void
  disabled?: boolean | undefined
  danger?: boolean | undefined
  /** For a choice of one or several: shows a tick. */
  checked?: boolean | undefined
  /** Stays open after the press (columns, several filters). */
  keepOpen?: boolean | undefined
  /** A line above this entry. */
  separated?: boolean | undefined
}

export interface MenuProps {
  /** Name of an icon button; of a button with words only when it contains them ("Status: Boarding. Change"). */
  label: string
  items: readonly MenuAction[]
  /** Small words above the entries: "Boarding since 07:48". */
  heading?: ReactNode
  /** Words on the button; none makes an icon button. */
  children?: ReactNode
  icon?: LucideIcon | undefined
  look?: ButtonLook | undefined
  /** Shows a chevron at the end of the button. */
  chevron?: boolean | undefined
  align?: 'start' | 'end' | undefined
  /** Pixels. */
  width?: number | undefined
  disabled?: boolean | undefined
  className?: string | undefined
  /** Pointed at or reached with the keyboard: what its entries open may load. */
  intent?: Intent | undefined
}

/** A button that opens a list of actions or choices. */
export function Menu(props: MenuProps) {
  const {
    label,
    items,
    heading,
    children,
    icon: Icon,
    look,
    chevron,
    align,
    width,
    disabled,
    className,
    intent,
  } = props
  const anchor = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const isIconOnly = children === undefined
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className={classNames(isIconOnly ? 'icon-btn' : buttonClass(look), className)}
        aria-label={buttonName(label, children)}
        title={isIconOnly ? label : undefined}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        disabled={disabled}
        {...intent}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || isOpen) return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {Icon && <Icon size={isIconOnly ? 18 : 16} aria-hidden />}
        {children}
        {chevron && <ChevronDown size={16} className="text-ink-2" aria-hidden />}
      </button>
      {isOpen && <MenuList {...{ anchor, label, items, heading, align, width }} onClose={() => setOpen(false)} />}
    </>
  )
}

interface MenuListProps extends Pick<MenuProps, 'label' | 'items' | 'heading' | 'align' | 'width'> {
  anchor: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

/** Arrows, Home, End and first letters move, Enter and Space choose, Tab leaves. */
function MenuList({ anchor, label, items, heading, align, width, onClose }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const at = entries.findIndex((entry) => entry === document.activeElement)
    const next = moveInList(event, at, entries.length, 'vertical') ?? byFirstLetter(event, at, entries)
    if (next !== null) {
      event.preventDefault()
      entries[next]?.focus()
    } else if (event.key === 'Tab') onClose()
  }
  const choose = (item: MenuAction) => {
    if (item.disabled) return
    if (!item.keepOpen) {
      onClose()
      anchor.current?.focus({ preventScroll: true })
    }
    item.onSelect()
  }
  return (
    <Floating
      {...{ onClose, anchor, label, align, width, onKeyDown }}
      role="menu"
      className="min-w-[200px]"
      focusOn="[role^=menuitem]"
    >
      <div ref={list} role="none">
        {heading !== undefined && (
          <p role="presentation" className="px-2.5 pt-1.5 pb-1 text-xs text-ink-2">
            {heading}
          </p>
        )}
        {items.map((item) => (
          <Fragment key={item.key}>
            {item.separated && <div role="separator" className="my-1 h-px bg-line" />}
            <Entry item={item} onChoose={choose} />
          </Fragment>
        ))}
      </div>
    </Floating>
  )
}

function byFirstLetter(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  at: number,
  entries: readonly HTMLElement[],
): number | null {
  if (key.length !== 1 || key === ' ' || ctrlKey || metaKey) return null
  const places = entries.map((_, step) => (at + 1 + step) % entries.length)
  const wanted = key.toLocaleLowerCase()
  return places.find((place) => entries[place]?.innerText.trim().toLocaleLowerCase().startsWith(wanted)) ?? null
}

function Entry({ item, onChoose }: { item: MenuAction; onChoose: (item: MenuAction) => void }) {
  const { icon: Icon, label, hint, checked, disabled, danger } = item
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
      aria-checked={checked}
      aria-disabled={disabled || undefined}
      data-danger={danger || undefined}
      tabIndex={-1}
      className="menu-item"
      onClick={() => onChoose(item)}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
    >
      {Icon && <Icon size={16} className="shrink-0 text-ink-2" aria-hidden />}
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{label}</span>
        {hint !== undefined && <span className="block text-xs text-ink-2">{hint}</span>}
      </span>
      {checked !== undefined && (
        <Check size={16} className={checked ? 'shrink-0 text-brand-strong' : 'invisible shrink-0'} aria-hidden />
      )}
    </button>
  )
}
