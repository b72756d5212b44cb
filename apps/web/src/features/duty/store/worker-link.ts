import { usePhone } from './phone.ts'

const workerAddress = '/duty-worker.js'
/** What the worker says to pages when the browser has woken it up to send. */
const sendMessage = 'duty-send'

interface SyncRegistration extends ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> }
}

/**
 * Installs the worker that serves the application without a network, and is notified when the browser reports that there is one again.
 *
 * @param send Called when the worker asks for what waits.
 * @returns Asks the browser to wake the worker up once there is a network, where it can.
 */
export function linkWorker(send: () => void): () => void {
  // in development there is none: it would continue serving the previous build
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return () => undefined
  const registered = navigator.serviceWorker
    .register(workerAddress, { scope: '/duty' })
    .then((registration: SyncRegistration) => {
      followUpdates(registration)
      return registration
    })
    .catch((error: unknown) => {
      console.warn('This page does not open without a network.', error)
      return undefined
    })
  navigator.serviceWorker.addEventListener('message', ({ data }) => data === sendMessage && send())
  // not every browser may send in the background; the open page sends in any case
  return () => void registered.then((registration) => registration?.sync?.register(sendMessage)).catch(() => undefined)
}

/** A new build waits until the pages of the old one are closed; what waits to be sent is read by both. */
function followUpdates(registration: ServiceWorkerRegistration): void {
  const look = () => {
    if (registration.waiting && registration.active) usePhone.setState({ hasUpdate: true })
  }
  look()
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look)
  })
}
