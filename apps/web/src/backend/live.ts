import type { QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { livePath, type LiveChanges, type LiveTopic } from '@tour-ops/contract/live/live-paths'
import { useEffect, useSyncExternalStore } from 'react'
import { useAuthStore } from '../identity/auth-store.ts'
import type { Documents, DocumentsState, TargetSnapshot } from './documents-port.ts'
import { currentBackend } from './port.ts'
import { refresh } from './refresh.ts'

/**
 * Keeps the screen up to date: is notified of changes of everything that mounted queries depend on, and reads again what they touch. Called once,
 * by the frame; a screen takes part by reading.
 */
export function useLiveQueries(): void {
  const cache = useQueryClient()
  const orgId = useAuthStore((state) => state.organization?.id)
  useEffect(() => (orgId ? followQueries(cache, currentBackend().documents, orgId) : undefined), [cache, orgId])
}

/** A topic that was refused is requested again after this time, while it is wanted: a role may have changed. */
const askAgainMs = 5 * 60_000

/** Listens to the topics of all queries that are mounted, as they come and go, until the returned function is called. */
export function followQueries(cache: QueryClient, documents: Pick<Documents, 'listen'>, orgId: string): () => void {
  const queries = cache.getQueryCache()
  const stops = new Map<LiveTopic, () => void>()
  const retries: ReturnType<typeof setTimeout>[] = []
  const listen = (topic: LiveTopic) =>
    documents.listen(livePath.changes(orgId, topic), {
      // A topic is reported only when something changed, the first call included.
      next: (snapshot) => void refresh(cache, [{ topic, ids: idsOf(snapshot) }]),
      error: (error) => {
        // A role that may not read a topic is simply not notified.
        if (error.code !== 'permission-denied') console.warn(`No live changes of ${topic}.`, error)
        retries.push(setTimeout(() => stops.delete(topic) && follow(), askAgainMs))
      },
    })
  const follow = (): void => {
    const wanted = topicsOnScreen(cache)
    for (const [topic, stop] of stops) {
      if (wanted.has(topic)) continue
      stop()
      stops.delete(topic)
    }
    for (const topic of wanted) if (!stops.has(topic)) stops.set(topic, listen(topic))
  }
  // a screen mounts many at once, and takes the place of one that is still there
  let timer: ReturnType<typeof setTimeout> | undefined
  const unsubscribe = queries.subscribe(({ type }) => {
    if (type !== 'observerAdded' && type !== 'observerRemoved' && type !== 'observerOptionsUpdated') return
    timer ??= setTimeout(() => {
      timer = undefined
      follow()
    })
  })
  follow()
  return () => {
    unsubscribe()
    for (const waiting of [timer, ...retries]) clearTimeout(waiting)
    for (const stop of stops.values()) stop()
  }
}

function topicsOnScreen(cache: QueryClient): ReadonlySet<LiveTopic> {
  const mounted = cache.getQueryCache().findAll({ type: 'active' })
  return new Set(mounted.flatMap(({ meta }) => [...(meta?.topics ?? []), ...(meta?.rowTopics ?? [])]))
}

/** Ids of the rows that changed; null where the server does not say which. */
function idsOf({ documents }: TargetSnapshot): readonly string[] | null {
  const changes = documents.map(({ data }) => data as LiveChanges | null)
  return changes.every((one) => one?.isComplete === true) ? changes.flatMap((one) => one?.ids ?? []) : null
}

const unknownState: DocumentsState = { connection: 'reconnecting', lastEventAt: null }
let latestState = unknownState

function subscribeToState(onChange: () => void): () => void {
  return currentBackend().documents.onState((state) => {
    latestState = state
    onChange()
  })
}

/** Whether the live stream is connected, and when the server last sent something. */
export const useLiveState = (): DocumentsState => useSyncExternalStore(subscribeToState, () => latestState)
