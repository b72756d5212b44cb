// The messaging library names this browser's instance only where a worker of this name is registered. The product sends nothing by it;
// an installation that does replaces this worker with its own.
self.addEventListener('install', () => self.skipWaiting())
