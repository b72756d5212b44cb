import { create } from 'zustand'

/** Where the navigation is: in the drawer (layout `dashboard`), or in the bar when the person chose that (the old dashboard layout). */
export type NavigationPlace = 'drawer' | 'bar'

const storageKey = 'navigation-place'

function stored(): NavigationPlace {
  try {
    return localStorage.getItem(storageKey) === 'bar' ? 'bar' : 'drawer'
  } catch {
    // Storage may be switched off; the default holds then.
    return 'drawer'
  }
}

/** Choices of this person in this browser. Theme and language keep their own. */
const usePreferences = create<{ navigation: NavigationPlace }>(() => ({ navigation: stored() }))

/** Moves the navigation to the other place, for this person on every screen. */
export function switchNavigationPlace(): void {
  const navigation = usePreferences.getState().navigation === 'bar' ? 'drawer' : 'bar'
  try {
    localStorage.setItem(storageKey, navigation)
  } catch {
    // The choice then lasts as long as the page.
  }
  usePreferences.setState({ navigation })
}

/** Whether the person chose the old dashboard layout: no drawer, the navigation in the bar. Source: spec, section 2, "Named layouts". */
export const useNavigationInBar = (): boolean => usePreferences((state) => state.navigation === 'bar')
