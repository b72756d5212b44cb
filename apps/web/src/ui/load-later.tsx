import { loadQuietly } from './quiet-loads.ts'
import { createElement, Suspense, use, type ComponentType, type ReactNode } from 'react'

/** A component whose code is not part of the page's first load. */
export interface LoadedLater<P> {
  (props: P): ReactNode
  /** Loads the code now, so that nobody waits for it a moment later. */
  readonly preload: () => void
}

/** How long a failed load is not tried again: long enough for the error page to appear, whose retry reloads it. */
const forgetFailureMs = 1_000

/**
 * A dialog, drawer or second tab whose code loads when it is shown first, or before, when somebody points at what opens it (`onIntent`).
 * A load that fails reaches the route's error page like a screen's own, and its retry loads again.
 *
 * @param load Imports the module and gives the component.
 * @param waiting Shown until then; nothing by default.
 */
export function loadLater<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): LoadedLater<P> {
  let loading: Promise<ComponentType<P>> | undefined
  const start = () => {
    if (loading) return loading
    loading = load()
    // A failure is reported when the component is shown, not when a pointer is only over it.
    loading.catch(() => setTimeout(() => (loading = undefined), forgetFailureMs))
    return loading
  }
  const Loaded = (props: P) => createElement(use(start()), props)
  const Later = (props: P) => (
    <Suspense fallback={waiting}>
      <Loaded {...props} />
    </Suspense>
  )
  return Object.assign(Later, { preload: () => void loadQuietly(start).catch(() => undefined) })
}

/** Properties of an element: the pointer comes, or the focus. */
export interface Intent {
  readonly onPointerEnter: () => void
  readonly onFocus: () => void
}

/** For the element that opens something: loads its code when it is pointed at or reached with the keyboard. */
export const onIntent = (...parts: readonly Pick<LoadedLater<never>, 'preload'>[]): Intent => {
  const preload = () => parts.forEach((part) => part.preload())
  return { onPointerEnter: preload, onFocus: preload }
}
