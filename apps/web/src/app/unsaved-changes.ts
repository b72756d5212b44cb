import { useBlocker } from '@tanstack/react-router'
import { isOtherRecord } from '../addresses/open-records.ts'

export interface LeaveQuestion {
  /** The person is about to leave and has not answered yet. */
  readonly isAsking: boolean
  readonly stay: () => void
  readonly leave: () => void
}

/**
 * Holds a navigation while there is unsaved work, and the browser's own question when the page is closed. The form shows the dialog.
 * Changes of the query (a tab, a drawer) are no leaving, except for what is typed in a drawer itself.
 *
 * @param place Where it is typed: `drawer` = in the drawer of a record, which Escape, its close button and another record take away.
 * @example const leaving = useUnsavedChanges(form.formState.isDirty)
 */
export function useUnsavedChanges(hasUnsavedChanges: boolean, place: 'page' | 'drawer' = 'page'): LeaveQuestion {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      hasUnsavedChanges &&
      (current.pathname !== next.pathname || (place === 'drawer' && isOtherRecord(current.search, next.search))),
    enableBeforeUnload: () => hasUnsavedChanges,
    withResolver: true,
  })
  return {
    isAsking: blocker.status === 'blocked',
    stay: () => blocker.reset?.(),
    leave: () => blocker.proceed?.(),
  }
}
