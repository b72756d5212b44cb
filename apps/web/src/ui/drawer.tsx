import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { classNames } from './class-names.ts'
import { rememberFocus } from './focus-return.ts'
import { IconButton } from './icon-button.tsx'

export interface DrawerProps {
  /** Name of the sheet. */
  label: string
  onClose: () => void
  /** Title row, status row, tabs; the close button is added at the end of the first row. */
  head: ReactNode
  /** Icon buttons before the close button. */
  headActions?: ReactNode
  children: ReactNode
  /** Bar at the bottom edge: the next act. */
  footer?: ReactNode
  /** J and K (or the buttons of the head): the next and the one before. */
  onStep?: ((by: 1 | -1) => void) | undefined
  /** Rows under the title row: status, tabs. */
  subhead?: ReactNode
}

/**
 * A sheet on the right under the app bar, without a scrim: the page next to it stays usable. 688 wide, 600 between
 * 960 and 1280, a full page below. Escape closes it, unless something is typed in it (`useUnsavedChanges` asks then); focus moves in and
 * returns to where it came from.
 */
export function Drawer({ label, onClose, head, headActions, subhead, children, footer, onStep }: DrawerProps) {
  const sheet = useRef<HTMLDivElement>(null)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape' && !isInPopup(event.target)) onClose()
    if (isTyping(event.target) || isInPopup(event.target)) return
    if (event.key === 'j') onStep?.(1)
    if (event.key === 'k') onStep?.(-1)
  })
  useEffect(() => {
    const giveBack = rememberFocus()
    sheet.current?.focus({ preventScroll: true })
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => {
      document.removeEventListener('keydown', listen)
      giveBack()
    }
  }, [])
  return (
    <div ref={sheet} role="dialog" aria-label={label} tabIndex={-1} className="drawer">
      <header className="shrink-0 border-b border-line px-4 pt-2.5 lg:px-6 lg:pt-4">
        <div className="flex items-center gap-1">
          <div className="flex min-w-0 flex-1 items-center">{head}</div>
          {headActions}
          <IconButton
            label={m.ui_close()}
            title={`${m.ui_close()} (Esc)`}
            icon={X}
            className={classNames('-me-2')}
            onClick={onClose}
          />
        </div>
        {subhead}
      </header>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div className="min-h-0 flex-1 overflow-auto overscroll-contain" tabIndex={0} role="region" aria-label={label}>
        {children}
      </div>
      {footer !== undefined && (
        <footer className="flex shrink-0 items-center gap-2 border-t border-line px-4 py-3 lg:px-6">{footer}</footer>
      )}
    </div>
  )
}

/** Whether a key belongs to a field that is being typed in. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
}

/** Whether a key belongs to a menu, popover or dialog above it. */
export function isInPopup(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=menu], [role=listbox], .pop, .dialog') !== null
}
