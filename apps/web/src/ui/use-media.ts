import { useSyncExternalStore } from 'react'

/** Narrower windows are phones and tablets to every screen. Source: spec, section 9, "mobile below lg". */
export const mobileBelowPx = 1280

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
    () => true,
  )
}

/** Whether a screen has room for tables and the drawer. */
export const useIsDesktop = (): boolean => useMedia(`(min-width: ${mobileBelowPx}px)`)
