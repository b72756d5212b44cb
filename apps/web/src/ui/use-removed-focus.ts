import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

/** Properties of the element around what can go away. */
interface FocusWatch {
  readonly onFocus: (event: FocusEvent) => void
  readonly onBlur: () => void
}

/**
 * For a part of the screen whose controls go away when they have been pressed: the keyboard goes on from a control that stays, and not from the
 * beginning of the page.
 *
 * @param stays What gets the focus of a control that is gone.
 */
export function useRemovedFocus(stays: RefObject<HTMLElement | null>): FocusWatch {
  const focused = useRef<Element | null>(null)
  useEffect(() => {
    if (!focused.current || focused.current.isConnected || document.activeElement !== document.body) return
    focused.current = null
    stays.current?.focus({ preventScroll: true })
  })
  return {
    onFocus: ({ target }) => (focused.current = target),
    // not called for what is removed: only somebody who goes elsewhere leaves
    onBlur: () => (focused.current = null),
  }
}
