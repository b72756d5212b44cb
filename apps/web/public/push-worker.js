// Shows notices that arrive while no page is open, and opens what they are about. It serves no page and stores nothing. A notice says
// what `apps/server/src/platform/channels/push-service.ts` puts into it.
self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  const { id, title, body, link } = event.data.json()
  // the same notice, sent once more, takes the place of the first
  const options = { body, tag: id, data: { link }, icon: '/icon-192.png', badge: '/icon.svg' }
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(new URL(event.notification.data.link, self.location.origin)))
})

async function open({ origin, href }) {
  // a notice leads to our own pages only
  if (origin !== self.location.origin) return
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ url }) => url === href)
  await (page ? page.focus() : self.clients.openWindow(href))
}
