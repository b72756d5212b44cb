import { notifyManager, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Callable, Out } from '@tour-ops/contract/callable'
import { listDepartures } from '@tour-ops/contract/departures/departures'
import { monitoringList } from '@tour-ops/contract/monitoring/monitoring-list'
import { getOverview } from '@tour-ops/contract/overview/overview'
import { useCallback, useSyncExternalStore } from 'react'
import { callKey } from '../../backend/queries.ts'

/** Lists that can be behind the drawer, and their departures in order. */
const lists = [
  listOf(listDepartures, ({ rows }) => rows),
  listOf(getOverview, ({ departures }) => departures),
  listOf(monitoringList, ({ rows }) => rows),
]

/** What the cache has under a callable's key is its answer. */
function listOf<C extends Callable>(callable: C, rowsOf: (answer: Out<C>) => readonly { id: string }[]) {
  return { callable, idsOf: (cached: unknown) => rowsOf(cached as Out<C>).map((row) => row.id) }
}

/** The departures of the list on screen that holds this one; empty when there is none. */
function departuresOnScreen(cache: QueryClient, id: string): readonly string[] {
  for (const { callable, idsOf } of lists) {
    for (const query of cache.getQueryCache().findAll({ queryKey: callKey(callable), type: 'active' })) {
      const ids = query.state.data === undefined ? [] : idsOf(query.state.data)
      if (ids.includes(id)) return ids
    }
  }
  return []
}

/** The same, followed: the list may arrive after the drawer. One text, because two readings of one list must be equal. */
function useDeparturesOnScreen(id: string): readonly string[] {
  const cache = useQueryClient()
  const subscribe = useCallback(
    // Batched: the cache also reports queries that are made while a component renders.
    (onChange: () => void) => cache.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [cache],
  )
  return useSyncExternalStore(subscribe, () => departuresOnScreen(cache, id).join(' ')).split(' ')
}

/** Steps through the list behind the drawer; undefined where no list shows this departure. */
export function useDepartureSteps(id: string): ((by: 1 | -1) => void) | undefined {
  const navigate = useNavigate()
  const ids = useDeparturesOnScreen(id)
  if (ids.length < 2) return undefined
  return (by) => {
    const next = ids[ids.indexOf(id) + by]
    if (next === undefined) return
    void navigate({
      to: '.',
      search: (before) => ({ ...before, departure: next }),
      replace: true,
      resetScroll: false,
    })
  }
}
