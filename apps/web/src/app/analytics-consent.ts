import { create } from 'zustand'
import { currentBackend, type Analytics } from '../backend/port.ts'

type Consent = 'granted' | 'denied'

interface AnalyticsConsent {
  /** False where no analytics service is configured. */
  readonly isOffered: boolean
  /** Null until the person decides. */
  readonly choice: Consent | null
  /** The question is on the screen. */
  readonly isAsking: boolean
}

const storageKey = 'analytics-consent'

function stored(): Consent | null {
  try {
    const value = localStorage.getItem(storageKey)
    return value === 'granted' || value === 'denied' ? value : null
  } catch {
    // Storage may be switched off; the person is asked then.
    return null
  }
}

/** What this person decided in this browser about being counted. */
export const useAnalyticsConsent = create<AnalyticsConsent>(() => ({ isOffered: false, choice: null, isAsking: false }))

/** Called once somebody is signed in; people who have not decided are asked. Without an analytics service nothing happens. */
export function offerAnalytics(analytics: Analytics | null): void {
  if (!analytics || useAnalyticsConsent.getState().isOffered) return
  const choice = stored()
  if (choice === 'granted') analytics.setAllowed(true)
  useAnalyticsConsent.setState({ isOffered: true, choice, isAsking: choice === null })
}

export const askForConsent = (): void => useAnalyticsConsent.setState({ isAsking: true })
/** Nothing is counted; the question comes again with the next page load. */
export const closeConsent = (): void => useAnalyticsConsent.setState({ isAsking: false })

export function decideConsent(choice: Consent): void {
  try {
    localStorage.setItem(storageKey, choice)
  } catch {
    // The choice then lasts as long as the page.
  }
  currentBackend().analytics?.setAllowed(choice === 'granted')
  useAnalyticsConsent.setState({ choice, isAsking: false })
}
