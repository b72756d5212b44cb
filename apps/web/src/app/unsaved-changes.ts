import { useBlocker } from '@tanstack/react-router'

export interface LeaveQuestion {
  /** The person is about to leave and has not answered yet. */
  readonly isAsking: boolean
  readonly stay: () => void
  readonly leave: () => void
}

/**
 * Holds a navigation while there is unsaved work, and the browser's own question when the page is closed. The form shows the dialog.
 * Changes of the query (a tab, a drawer) are no leaving.
 *
 * @example const leaving = useUnsavedChanges(form.formState.isDirty)
 */
export function useUnsavedChanges(hasUnsavedChanges: boolean): LeaveQuestion {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsavedChanges && current.pathname !== next.pathname,
    enableBeforeUnload: () => hasUnsavedChanges,
    withResolver: true,
  })
  return {
    isAsking: blocker.status === 'blocked',
    stay: () => blocker.reset?.(),
    leave: () => blocker.proceed?.(),
  }
}
