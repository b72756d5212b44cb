import type { CallHeaderSettings } from '@tour-ops/contract/page-config'
import type { FirebaseApp } from 'firebase/app'
import type { AppCheck } from 'firebase/app-check'
import type { BrowserTokenSource } from '../call-headers.ts'

export interface BrowserTokenParts {
  readonly app: FirebaseApp
  readonly settings: CallHeaderSettings
  /** Begins to prove that this is our page; by the script of the configured site key without. */
  readonly startAppCheck?: ((app: FirebaseApp) => Promise<AppCheck>) | undefined
}

export interface BrowserProof {
  /** Nothing may be sent before; never rejects. */
  readonly ready: Promise<void>
  /** For requests that the SDK does not make itself. */
  readonly tokens: BrowserTokenSource
}

/**
 * Starts what is configured of App Check and Messaging; the SDK's own requests then carry the tokens by themselves. Where App Check's script
 * does not come, requests go without a proof and the services decide.
 */
export function startBrowserProof({ app, settings, startAppCheck }: BrowserTokenParts): BrowserProof {
  const proof = proofOf()
  const messaging = settings.project.messagingSenderId ? import('firebase/messaging') : undefined
  // a browser without support has none
  messaging?.catch(() => undefined)
  // The SDK names the instance in a call only where the library was there before it. The first token is asked for once: of several that wait for
  // the service worker at the same moment the library forgets all but one, and they go on without a name after ten seconds.
  const named = orNothing(messagingToken())

  async function proofOf(): Promise<AppCheck | undefined> {
    try {
      if (startAppCheck) return await startAppCheck(app)
      if (settings.appCheckKey !== null)
        return await (await import('./app-check.ts')).startAppCheck(app, settings.appCheckKey)
    } catch (error) {
      console.warn('App Check could not be loaded; requests go without its token.', error)
    }
    return undefined
  }

  async function appCheckToken(): Promise<string | undefined> {
    const check = await proof
    if (!check) return undefined
    // loaded already by the code that began the proof
    const { getToken } = await import('firebase/app-check')
    return (await getToken(check)).token
  }

  /** As the SDK has it for its own calls: asked for only where the person has allowed notifications already. */
  async function messagingToken(): Promise<string | undefined> {
    if (!messaging || !mayNotify()) return undefined
    const { getMessaging, getToken } = await messaging
    return getToken(getMessaging(app))
  }

  return {
    ready: Promise.all([proof, named]).then(() => undefined),
    async tokens() {
      await named
      const [appCheck, messagingInstance] = await Promise.all([orNothing(appCheckToken()), orNothing(messagingToken())])
      return { appCheck, messagingInstance }
    },
  }
}

const orNothing = (token: Promise<string | undefined>) => token.catch(() => undefined)

const mayNotify = (): boolean => 'Notification' in globalThis && Notification.permission === 'granted'
