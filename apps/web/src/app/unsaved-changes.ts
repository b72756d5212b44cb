import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Search } from '../addresses/open-records.ts'

export interface LeaveQuestion {
  /** The person is about to leave and has not answered yet. */
  readonly isAsking: boolean
  readonly stay: () => void
  readonly leave: () => void
}

/**
 * Holds a navigation while there is unsaved work, and the browser's own question when the page is closed. The form shows the dialog.
 * Changes of the query (a tab, a drawer) are no leaving, unless what is typed goes with them.
 *
 * @param isTakenAway Whether another query takes away what is typed: `isOtherRecord` in the drawer of a record.
 * @example const leaving = useUnsavedChanges(form.formState.isDirty)
 */
export function useUnsavedChanges(
  hasUnsavedChanges: boolean,
  isTakenAway: (current: Search, next: Search) => boolean = () => false,
): LeaveQuestion {
  const [isAsking, setAsking] = useState(false)
  const answer = useRef<((isBlocked: boolean) => void) | null>(null)
  useBlocker({
    shouldBlockFn: ({ current, next, action }) => {
      const isLeaving =
        hasUnsavedChanges && (current.pathname !== next.pathname || isTakenAway(current.search, next.search))
      if (!isLeaving) return false
      // After Back the address is put right by the answer to its question: a key pressed meanwhile must not take its place.
      // A second Back must: its answer puts right both.
      if (answer.current && (action === 'PUSH' || action === 'REPLACE')) return true
      return new Promise((resolve) => {
        answer.current = resolve
        setAsking(true)
      })
    },
    enableBeforeUnload: () => hasUnsavedChanges,
  })
  const give = (isBlocked: boolean) => () => {
    answer.current?.(isBlocked)
    answer.current = null
    setAsking(false)
  }
  return { isAsking, stay: give(true), leave: give(false) }
}
