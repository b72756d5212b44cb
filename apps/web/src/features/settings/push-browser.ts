import { pushOfBrowser, pushScope } from '../../identity/push-of-browser.ts'

const workerAddress = '/push-worker.js'

/** Whether this browser can be told although no page is open: not without TLS, and on iPhones only as an app on the home screen. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** What a server needs to reach this browser. */
export interface BrowserAddress {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** The person has said no, or the browser of itself: only its settings change that. */
export class PushRefused extends Error {
  override readonly name = 'PushRefused'
}

/**
 * Asks the person, and the push service of the browser.
 *
 * @param publicKey Of the installation. Who subscribed with another one, or was somebody else, subscribes anew.
 * @param isOwn Whether an address that the browser has already belongs to this person.
 * @throws PushRefused; another error where the push service cannot be reached.
 */
export async function subscribeBrowser(
  publicKey: string,
  isOwn: (endpoint: string) => boolean,
): Promise<BrowserAddress> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused()
  const before = await pushOfBrowser()
  if (before && isOwn(before.endpoint) && keyOf(before) === publicKey) return addressOf(before)
  await before?.unsubscribe()
  const registration = await navigator.serviceWorker.register(workerAddress, { scope: pushScope })
  await activated(registration)
  return addressOf(await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }))
}

/** No page waits for this worker, so `ready` of the container never comes for it. */
function activated(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.installing ?? registration.waiting
  if (!worker) return Promise.resolve()
  return new Promise((resolve) => {
    worker.addEventListener('statechange', () => worker.state === 'activated' && resolve())
  })
}

function addressOf(subscription: PushSubscription): BrowserAddress {
  return {
    endpoint: subscription.endpoint,
    p256dh: base64Url(subscription.getKey('p256dh')),
    auth: base64Url(subscription.getKey('auth')),
  }
}

const keyOf = ({ options }: PushSubscription): string => base64Url(options.applicationServerKey)

const base64Url = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
