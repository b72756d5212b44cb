import type { FirebaseApp } from 'firebase/app'
import type { Analytics } from '../port.ts'

/**
 * The analytics of the project. The SDK, and with it the installations service, is loaded when a person agrees and not before. It is
 * sent patterns of URLs only: a record's id, a search or a guest's link never leaves.
 *
 * Source: spec, section 7, "Installations service", "Analytics".
 */
export function firebaseAnalytics(app: FirebaseApp): Analytics {
  let isAllowed = false
  let opened: ReturnType<typeof openAnalytics> | undefined
  const use = (run: (opened: Awaited<ReturnType<typeof openAnalytics>>) => void) => {
    opened ??= openAnalytics(app)
    opened.then(run, (error: unknown) => console.warn('Analytics could not be loaded.', error))
  }
  return {
    setAllowed(next) {
      isAllowed = next
      // what was never loaded need not be stopped
      if (next || opened) use(({ sdk, analytics }) => sdk.setAnalyticsCollectionEnabled(analytics, isAllowed))
    },
    track(event, params) {
      if (isAllowed) use(({ sdk, analytics }) => isAllowed && sdk.logEvent(analytics, event, params))
    },
  }
}

async function openAnalytics(app: FirebaseApp) {
  const sdk = await import('firebase/analytics')
  // The tag would send the address, the title and the page before by itself.
  const nothing = { page_location: location.origin, page_title: '', page_referrer: '' }
  const analytics = sdk.initializeAnalytics(app, {
    config: { send_page_view: false, allow_google_signals: false, allow_ad_personalization_signals: false, ...nothing },
  })
  return { sdk, analytics }
}
