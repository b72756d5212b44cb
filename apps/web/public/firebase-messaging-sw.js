// The messaging library names this browser's instance only where a worker of this name is registered. The product sends no push messages;
// whoever does puts a worker of their own in its place.
self.addEventListener('install', () => self.skipWaiting())
