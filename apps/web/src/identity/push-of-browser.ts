/** Of the worker that shows notices (`public/push-worker.js`): it serves no page, so it needs none. */
export const pushScope = '/push/'

/** What this browser receives notices by; null where it receives none. */
export async function pushOfBrowser(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator)) return null
  const registration = await navigator.serviceWorker.getRegistration(pushScope)
  return (await registration?.pushManager?.getSubscription()) ?? null
}

/** Ends notices in this browser, as its session has ended: the next person is not to read them. Never rejects. */
export async function endPushOfBrowser(): Promise<void> {
  try {
    await (await pushOfBrowser())?.unsubscribe()
  } catch (error) {
    console.warn('Notices still arrive in this browser.', error)
  }
}
