/** The database of the guide's phone (`/duty`) in this browser. */
export const phoneDatabaseName = 'duty'

/** The channel on which a session's end is announced to the phone's open pages. */
const phoneChannel = 'duty-day'

/** What is destroyed with a session. What waits to be sent stays, under a separate key, for the same person. */
const stores = ['keys', 'owner', 'days', 'fixes', 'reporting'] as const

/**
 * Destroys the day that a phone keeps: the key, and with it the guests' data, positions that wait, and the token to send them with. That the
 * office has ended this phone outlives a session: signing in again must not undo it.
 */
export function destroyDay(db: IDBDatabase): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(stores, 'readwrite')
    transaction.objectStore('keys').delete('day')
    for (const name of ['owner', 'days', 'fixes']) transaction.objectStore(name).clear()
    const rows = transaction.objectStore('reporting').openCursor()
    rows.addEventListener('success', () => {
      const row = rows.result
      if (!row) return
      if ((row.value as { ended: unknown }).ended === null) row.delete()
      row.continue()
    })
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('The day was not destroyed.')))
  })
}

/** The same wherever a session ends, as in the dashboard: a browser that has never been a guide's phone has nothing to forget. Never rejects. */
export async function forgetPhoneDay(): Promise<void> {
  try {
    const db = typeof indexedDB === 'undefined' ? null : await openExisting()
    if (!db) return
    try {
      await destroyDay(db)
    } finally {
      db.close()
    }
    notifyPages()
  } catch (error) {
    console.warn("The guide's day stays in this browser.", error)
  }
}

/** Null where there is none: asking must not make one. */
function openExisting(): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(phoneDatabaseName)
    request.addEventListener('upgradeneeded', () => request.transaction?.abort())
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () =>
      request.error?.name === 'AbortError' ? resolve(null) : reject(request.error),
    )
  })
}

function notifyPages(): void {
  const channel = new BroadcastChannel(phoneChannel)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
  channel.postMessage('forgotten')
  channel.close()
}

/** Calls when a session has ended on another page of this browser. @returns How to stop. */
export function onDayForgotten(tell: () => void): () => void {
  const channel = new BroadcastChannel(phoneChannel)
  channel.addEventListener('message', tell)
  return () => channel.close()
}
