import type { FirebaseApp } from 'firebase/app'
import { initializeAppCheck, ReCaptchaV3Provider, type AppCheck } from 'firebase/app-check'

/** How long requests wait for the script. An ad blocker keeps it away forever. */
const scriptTimeoutMs = 5_000
const scriptUrl = 'https://www.google.com/recaptcha/api.js?render=explicit'

/**
 * Proves to the services that this is our page. The SDK is given its script loaded: with one that never comes it would
 * hold every request forever.
 *
 * @throws Error when the script does not come within 5 s.
 */
export async function startAppCheck(app: FirebaseApp, siteKey: string): Promise<AppCheck> {
  await loadScript(scriptUrl)
  return initializeAppCheck(app, { provider: new ReCaptchaV3Provider(siteKey), isTokenAutoRefreshEnabled: true })
}

function loadScript(src: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const script = Object.assign(document.createElement('script'), { src, async: true })
  script.addEventListener('load', () => resolve())
  script.addEventListener('error', () => reject(new Error(`${src} could not be loaded.`)))
  const timer = setTimeout(() => reject(new Error(`${src} did not come in time.`)), scriptTimeoutMs)
  document.head.append(script)
  return promise.finally(() => clearTimeout(timer))
}
