import { create } from 'zustand'

/** Where the navigation stands: `auto` puts it into the bar on walls and monitoring, into the drawer elsewhere. */
export type NavigationPlace = 'auto' | 'drawer' | 'bar'

const storageKey = 'navigation-place'

function stored(): NavigationPlace {
  try {
    const value = localStorage.getItem(storageKey)
    return value === 'drawer' || value === 'bar' ? value : 'auto'
  } catch {
    // Storage may be switched off; the default holds then.
    return 'auto'
  }
}

/** Choices of this person in this browser. Theme and language keep their own. */
export const usePreferences = create<{ navigation: NavigationPlace }>(() => ({ navigation: stored() }))

export function setNavigationPlace(navigation: NavigationPlace): void {
  try {
    localStorage.setItem(storageKey, navigation)
  } catch {
    // The choice then lasts as long as the page.
  }
  usePreferences.setState({ navigation })
}

/** Screens that open with the navigation in the bar unless the person chose otherwise. Source: architecture, section 8, "layouts". */
const wideScreens: readonly string[] = ['/tools/monitoring', '/tools/full-monitoring-list']

/** Whether this is the spec's old dashboard layout: no drawer, the navigation in the bar. */
export const isNavigationInBar = (place: NavigationPlace, pathname: string): boolean =>
  place === 'bar' || (place === 'auto' && wideScreens.includes(pathname))
