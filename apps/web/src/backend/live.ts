import type { Query, QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import type { LiveTopic } from '@tour-ops/contract/live/live-paths'
import { useEffect, useSyncExternalStore } from 'react'
import { useAuthStore } from '../identity/auth-store.ts'
import type { DocumentsState } from './documents-port.ts'
import { currentBackend } from './port.ts'

/**
 * Reads everything on screen again that one of these topics belongs to, whenever the server says that it changed. Queries name their topics
 * in `callQuery`; what is not on screen becomes stale and is read when it is shown again.
 *
 * @example useLiveTopics(['departures', 'bookings'])
 */
export function useLiveTopics(topics: readonly LiveTopic[]): void {
  const cache = useQueryClient()
  const orgId = useAuthStore((state) => state.organization?.id)
  const key = topics.join(' ')
  useEffect(() => {
    if (!orgId || !key) return
    const stops = key.split(' ').map((topic) => {
      const refresh = makeRefresh(cache, topic as LiveTopic)
      return currentBackend().documents.listen(`orgs/${orgId}/changes/${topic}`, {
        // A topic is heard of only when something changed, the first call included.
        next: refresh,
        error: (error) => {
          // A role that may not read a topic simply does not hear of it.
          if (error.code !== 'permission-denied') console.warn(`No live changes of ${topic}.`, error)
        },
      })
    })
    return () => stops.forEach((stop) => stop())
  }, [cache, orgId, key])
}

/**
 * One refetch at a time: a change that arrives during a refetch is followed by exactly one more, so that a busy day neither floods the
 * server nor cancels every answer before it arrives.
 */
export function makeRefresh(
  cache: Pick<QueryClient, 'invalidateQueries' | 'isFetching'>,
  topic: LiveTopic,
): () => void {
  const filter = { predicate: (query: Query) => query.meta?.topics?.includes(topic) ?? false }
  let isRunning = false
  let isDirty = false
  const run = async () => {
    isRunning = true
    do {
      // An answer on its way may be older than the change: wait for it, then ask again.
      isDirty = cache.isFetching(filter) > 0
      await cache.invalidateQueries(filter, { cancelRefetch: false })
    } while (isDirty)
    isRunning = false
  }
  return () => {
    isDirty = true
    if (!isRunning) void run()
  }
}

const unknownState: DocumentsState = { connection: 'reconnecting', lastEventAt: null }
let latestState = unknownState

function subscribeToState(onChange: () => void): () => void {
  return currentBackend().documents.onState((state) => {
    latestState = state
    onChange()
  })
}

/** Whether the live stream stands, and when the server was last heard. */
export const useLiveState = (): DocumentsState => useSyncExternalStore(subscribeToState, () => latestState)
