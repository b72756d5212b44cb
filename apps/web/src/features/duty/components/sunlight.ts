import { create } from 'zustand'

const storageKey = 'duty-sunlight'

/** Whether the theme for bright sun is on. It overrides light and dark, and this browser remembers it. */
export const useSunlight = create<{ isOn: boolean }>(() => ({ isOn: false }))

function apply(isOn: boolean): void {
  document.documentElement.classList.toggle('sunlight', isOn)
  useSunlight.setState({ isOn })
}

export function setSunlight(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(storageKey, 'on')
    else localStorage.removeItem(storageKey)
  } catch {
    // The choice then lasts as long as the page.
  }
  apply(isOn)
}

/** Applies what is remembered; once, before the first render. */
export function startSunlight(): void {
  try {
    apply(localStorage.getItem(storageKey) === 'on')
  } catch {
    // Storage may be switched off.
  }
}
