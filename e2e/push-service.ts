import http from 'node:http'
import type { BrowserContext, Page, Worker } from '@playwright/test'
import { testBrowser } from '../apps/server/testing/push-browser.ts'

/** Where it listens: inside the server's own network, which is told so. */
export const pushPort = 18_089

export interface PushedNotice {
  readonly title: string
  readonly body: string
  readonly link: string
}

/** A push service for one browser, which the browser that is driven has not: what arrives is opened with the keys of that browser. */
export async function pushService(context: BrowserContext) {
  const browser = testBrowser()
  const notices: PushedNotice[] = []
  const state = { isGone: false }
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (!state.isGone) notices.push(browser.read(Buffer.concat(chunks)))
      response.writeHead(state.isGone ? 410 : 201).end()
    })
  })
  await new Promise<void>((listening) => server.listen(pushPort, '127.0.0.1', listening))
  await letSubscribe(context, browser.keys)
  return {
    notices,
    /** The browser takes no more. */
    end: () => {
      state.isGone = true
    },
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** Lets the browser that is driven subscribe, as one with a push service does. */
export async function letSubscribe(context: BrowserContext, keys = testBrowser().keys): Promise<void> {
  await context.grantPermissions(['notifications'])
  await context.addInitScript(subscribing, { endpoint: `http://127.0.0.1:${pushPort}/push/browser`, keys })
}

/** Whether notices are switched on in the browser of a page. */
export const isSubscribed = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/push/')
    return Boolean(await registration?.pushManager.getSubscription())
  })

/** In every page: the browser subscribes at the service of the journey instead of at its maker's. */
function subscribing({ endpoint, keys }: { endpoint: string; keys: { p256dh: string; auth: string } }): void {
  const stored = 'push service of the journey'
  const bytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0)).buffer
  const subscription = (publicKey: string) => ({
    endpoint,
    options: { applicationServerKey: bytes(publicKey) },
    getKey: (name: 'p256dh' | 'auth') => bytes(keys[name]),
    unsubscribe: () => Promise.resolve(localStorage.removeItem(stored)),
  })
  Object.assign(PushManager.prototype, {
    subscribe: ({ applicationServerKey }: { applicationServerKey: string }) => {
      localStorage.setItem(stored, applicationServerKey)
      return Promise.resolve(subscription(applicationServerKey))
    },
    getSubscription: () => {
      const publicKey = localStorage.getItem(stored)
      return Promise.resolve(publicKey === null ? null : subscription(publicKey))
    },
  })
}

/**
 * What the worker shows and opens, noted in its own scope: a browser without a screen has no notices to look at, and opens windows only for a
 * press.
 */
export async function noticesOfWorker(context: BrowserContext) {
  const isOurs = (worker: Worker) => worker.url().endsWith('/push-worker.js')
  const worker = context.serviceWorkers().find(isOurs) ?? (await context.waitForEvent('serviceworker', isOurs))
  await worker.evaluate(() => {
    const noted: { shown: unknown[]; opened: string[] } = { shown: [], opened: [] }
    const scope = self as unknown as ServiceWorkerScope
    scope.noted = noted
    scope.registration.showNotification = (title, { body, data } = {}) => {
      noted.shown.push({ title, body, data })
      return Promise.resolve()
    }
    scope.clients.openWindow = (href) => {
      noted.opened.push(href)
      return Promise.resolve(null)
    }
  })
  return {
    shown: () => worker.evaluate(() => (self as unknown as ServiceWorkerScope).noted.shown),
    /** What a press on a notice with this link opens. */
    openedBy: (link: string) =>
      worker.evaluate(async (pressed) => {
        const scope = self as unknown as ServiceWorkerScope
        scope.noted.opened.length = 0
        const waits: Promise<unknown>[] = []
        const press = Object.assign(new Event('notificationclick'), {
          notification: { data: { link: pressed }, close: () => undefined },
          waitUntil: (work: Promise<unknown>) => waits.push(work),
        })
        scope.dispatchEvent(press)
        await Promise.all(waits)
        return scope.noted.opened
      }, link),
  }
}

/** As far as it is used here. */
interface ServiceWorkerScope {
  noted: { shown: unknown[]; opened: string[] }
  readonly registration: {
    showNotification: (title: string, options?: { body?: string; data?: unknown }) => Promise<void>
  }
  readonly clients: { openWindow: (href: string) => Promise<null> }
  dispatchEvent: (event: Event) => boolean
}
