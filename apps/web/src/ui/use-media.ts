import { useSyncExternalStore } from 'react'

/** From here on a screen has room for tables and the drawer. Source: spec, section 9, breakpoint lg. */
const desktopQuery = '(min-width: 1280px)'

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

/** Whether the window is at least 1280 wide. */
export const useIsDesktop = (): boolean => useMedia(desktopQuery)
