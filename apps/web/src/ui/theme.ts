import { create } from 'zustand'

export type ThemeChoice = 'light' | 'dark' | 'system'

const storageKey = 'theme'

interface Theme {
  choice: ThemeChoice
  isDark: boolean
}

const systemIsDark = (): boolean =>
  typeof matchMedia === 'function' && matchMedia('(prefers-color-scheme: dark)').matches

function stored(): ThemeChoice {
  try {
    const value = localStorage.getItem(storageKey)
    return value === 'light' || value === 'dark' ? value : 'system'
  } catch {
    // Storage may be switched off; the system's choice holds then.
    return 'system'
  }
}

const isDark = (choice: ThemeChoice) => (choice === 'system' ? systemIsDark() : choice === 'dark')

/** The theme a person chose and whether it is dark now. */
export const useTheme = create<Theme>(() => ({ choice: 'system', isDark: false }))

function apply(choice: ThemeChoice): void {
  const dark = isDark(choice)
  document.documentElement.classList.toggle('dark', dark)
  useTheme.setState({ choice, isDark: dark })
}

/** Sets the theme and remembers it in this browser. */
export function setTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, choice)
  } catch {
    // The choice then lasts as long as the page.
  }
  apply(choice)
}

/** Light becomes dark and back; what the theme button does. */
export const toggleTheme = (): void => setTheme(useTheme.getState().isDark ? 'light' : 'dark')

/** Applies the remembered theme and follows the system; once, before the first render. */
export function startTheme(): void {
  apply(stored())
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (useTheme.getState().choice === 'system') apply('system')
  })
}
