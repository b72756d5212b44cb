/// <reference lib="webworker" />
import { isDutyPath } from '@tour-ops/contract/duty/duty-terms'
import type { PageConfig } from '@tour-ops/contract/page-config'
import { makeHttpClient } from './backend/http-client.ts'
import { sendWhileClosed } from './features/duty/store/send-closed.ts'
import { makeEmbeddedIdentity } from './identity/embedded.ts'

// Serves the guide's phone without a network, and sends what waits when no page of it is shown. Data is never in its cache.

/** Addresses of this build's files, those for hosted services, and a name for the build: put in by `build/duty-worker.ts`. */
declare const dutyFiles: readonly string[]
declare const hostedFiles: readonly string[]
declare const dutyBuild: string

const worker = self as unknown as ServiceWorkerGlobalScope
const documentAddress = '/duty'
const cacheName = `duty-${dutyBuild}`
const storedFiles: ReadonlySet<string> = new Set([...dutyFiles, ...hostedFiles])
const sendMessage = 'duty-send'

worker.addEventListener('install', (event) => event.waitUntil(install()))

async function install(): Promise<void> {
  const cache = await caches.open(cacheName)
  const fresh = (address: string) =>
    new Request(address, { cache: address.startsWith('/assets/') ? 'default' : 'reload' })
  await cache.addAll([documentAddress, ...dutyFiles].map(fresh))
  const config = await storedConfig()
  if (config && namesHostedService(config)) await cache.addAll(hostedFiles.map(fresh))
}

type Config = Pick<PageConfig, 'baseUrl' | 'identity' | 'backend'>

/** The page configuration in the document of this build. */
async function storedConfig(): Promise<Config | null> {
  const cache = await caches.open(cacheName)
  const page = (await (await cache.match(documentAddress))?.text()) ?? ''
  const data = /<script type="application\/json" id="page-config">(?<data>[^<]*)<\/script>/.exec(page)?.groups?.['data']
  return data === undefined ? null : (JSON.parse(data) as Config)
}

/** Whether it does, for identity, backend, or proofs on calls. */
const namesHostedService = ({ identity, backend }: Config): boolean =>
  identity.kind !== 'embedded' || backend.kind !== 'own' || backend.callHeaders !== undefined

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys()
      const old = names.filter((name) => name.startsWith('duty-') && name !== cacheName)
      await Promise.all(old.map((name) => caches.delete(name)))
      await worker.clients.claim()
    })(),
  )
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin) return
  if (request.mode === 'navigate') event.respondWith(cachedOr(documentAddress, request))
  else if (storedFiles.has(pathname)) event.respondWith(cachedOr(pathname, request))
})

async function cachedOr(address: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName)
  return (await cache.match(address)) ?? fetch(request)
}

/** Of the draft "Web Background Synchronization": the browser has a network again. */
worker.addEventListener('sync', (event) => {
  const wake = event as ExtendableEvent & { readonly tag: string }
  if (wake.tag !== sendMessage) return
  wake.waitUntil(sendFromHere())
})

/**
 * A page that is shown sends by itself. A hidden one may have been stopped by the browser, and a closed one does nothing: the worker sends for
 * them, where the server is ours. The script of a hosted service, which knows its session, runs in pages only.
 */
async function sendFromHere(): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const pages = windows.filter(({ url }) => isDutyPath(new URL(url).pathname))
  const config = await storedConfig()
  const isShown = pages.some(({ visibilityState }) => visibilityState === 'visible')
  if (!isShown && config && !namesHostedService(config)) await sendWhileClosed(ownServer(config))
  for (const page of pages) page.postMessage(sendMessage, [])
}

function ownServer({ baseUrl }: Config) {
  // a worker has no other tabs to hear from
  const alone = { announce: () => undefined, listen: () => undefined }
  return { http: makeHttpClient(baseUrl), identity: makeEmbeddedIdentity(makeHttpClient(`${baseUrl}/auth`), alone) }
}
