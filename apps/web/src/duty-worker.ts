/// <reference lib="webworker" />
import type { PageConfig } from '@tour-ops/contract/page-config'

// Serves the guide's phone without a network. It knows the files of its build and nothing else; data is never in its cache.

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
  const page = await (await cache.match(documentAddress))?.text()
  if (page !== undefined && namesHostedService(page)) await cache.addAll(hostedFiles.map(fresh))
}

/** Whether the page configuration in this document does, for identity, backend, or proofs on calls. */
function namesHostedService(page: string): boolean {
  const data = /<script type="application\/json" id="page-config">(?<data>[^<]*)<\/script>/.exec(page)?.groups?.['data']
  if (data === undefined) return false
  const { identity, backend } = JSON.parse(data) as Pick<PageConfig, 'identity' | 'backend'>
  return identity.kind !== 'embedded' || backend.kind !== 'own' || backend.callHeaders !== undefined
}

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
  wake.waitUntil(
    worker.clients.matchAll({ includeUncontrolled: true }).then((pages) => {
      for (const page of pages) page.postMessage(sendMessage, [])
    }),
  )
})
