/** What tabs of one browser send each other: they share the session cookie. */
export interface IdentityChannel {
  /** Notifies the other tabs that the session changed. The message carries nothing about whom. */
  announce(): void
  /** Calls back when another tab changed the session, and when this tab is shown again: it may have ended elsewhere meanwhile. */
  listen(run: () => void): void
}

export function browserIdentityChannel(): IdentityChannel {
  const channel = new BroadcastChannel('identity')
  return {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only and takes no target
    announce: () => channel.postMessage('changed'),
    listen(run) {
      channel.addEventListener('message', run)
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') run()
      })
    },
  }
}
