/// <reference lib="webworker" />
// Serves the guide's phone without a network. It knows the files of its build and nothing else; data is never in its cache.

/** Addresses of this build's files, and a name for it: put in by the build (`build/duty-worker.ts`). */
declare const dutyFiles: readonly string[]
declare const dutyBuild: string

const worker = self as unknown as ServiceWorkerGlobalScope
const documentAddress = '/duty'
const cacheName = `duty-${dutyBuild}`
const sendMessage = 'duty-send'

worker.addEventListener('install', (event) => {
  const fresh = (address: string) =>
    new Request(address, { cache: address.startsWith('/assets/') ? 'default' : 'reload' })
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll([documentAddress, ...dutyFiles].map(fresh))))
})

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
  else if (dutyFiles.includes(pathname)) event.respondWith(cachedOr(pathname, request))
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
