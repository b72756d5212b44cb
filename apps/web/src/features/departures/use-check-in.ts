import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Departure } from '@tour-ops/contract/departures/departures'
import type { AppError } from '@tour-ops/contract/errors'
import {
  checkIn,
  getManifest,
  markNoShow,
  setEntryStatus,
  undoCheckIn,
  type Manifest,
  type ManifestEntry,
} from '@tour-ops/contract/bookings/manifest'
import { useRef, useState } from 'react'
import { currentBackend } from '../../backend/port.ts'
import { refreshAfter } from '../../backend/refresh.ts'
import { m } from '../../paraglide/messages.js'
import { dismissToast, toast } from '../../ui/toast.tsx'
import { checkedIn, takenBack } from './manifest-model.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useDepartureWrite } from './use-departure-write.ts'

export interface CheckIns {
  /** What was checked in last, until something else is done: the footer offers to undo it. */
  last: readonly string[]
  /** Entries whose event is on its way to the server. */
  pending: ReadonlySet<string>
  checkIn: (ids: readonly string[]) => void
  undo: (ids: readonly string[]) => void
  noShow: (ids: readonly string[]) => void
  setStatus: (entry: ManifestEntry, to: 'on_tour' | 'left_early' | 'missing') => void
}

interface Batch {
  kind: 'check-in' | 'undo'
  ids: readonly string[]
}

/**
 * Check-in that shows at once and settles when the server has answered: each event has its own id, so that an event sent twice
 * is written once. A refused event is reset to the server's state, and an error is shown. See docs/domain.md, "Invariants", I10.
 */
export function useCheckIn(departure: Pick<Departure, 'id' | 'status'>): CheckIns {
  const cache = useQueryClient()
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<readonly string[]>([])
  // One toast for the last answer.
  const shown = useRef<number | null>(null)
  const say = (message: string) => {
    if (shown.current !== null) dismissToast(shown.current)
    shown.current = toast(message)
  }
  const key = [getManifest.name, { departureId: departure.id }]
  const patch = (change: (manifest: Manifest) => Manifest) =>
    cache.setQueryData<Manifest>(key, (manifest) => manifest && change(manifest))
  const mark = (ids: readonly string[], isPending: boolean) =>
    setPending((before) => {
      const after = new Set(before)
      for (const id of ids)
        if (isPending) after.add(id)
        else after.delete(id)
      return after
    })

  const events = useMutation<Awaited<ReturnType<typeof sendEvents>>, AppError, Batch>({
    mutationKey: [checkIn.name, departure.id],
    networkMode: 'always',
    mutationFn: (batch) => sendEvents(departure.id, batch),
    onMutate: async ({ kind, ids }) => {
      mark(ids, true)
      setLast([])
      await cache.cancelQueries({ queryKey: key })
      const wanted = new Set(ids)
      const at = new Date().toISOString()
      patch((manifest) =>
        kind === 'undo'
          ? takenBack(manifest, wanted)
          : checkedIn(manifest, wanted, at, departure.status === 'in_progress'),
      )
    },
    onSuccess: ({ entries }, { kind, ids }) => {
      const written = entries.filter((entry) => entry.outcome !== 'refused').map((entry) => entry.entryId)
      if (kind === 'check-in') setLast(written)
      const refused = entries.filter((entry) => entry.outcome === 'refused')
      if (refused.length > 0) say(m.departures_check_in_refused({ count: refused.length }))
      else if (kind === 'undo') say(m.departures_check_in_undone({ count: ids.length }))
    },
    onError: (error) => say(m.departures_check_in_failed({ reason: refusalText(error) })),
    onSettled: async (_answer, _error, { kind, ids }) => {
      mark(ids, false)
      await refreshAfter(cache, kind === 'undo' ? undoCheckIn : checkIn)
    },
  })
  const refuse = (error: AppError) => say(refusalText(error))
  const noShow = useDepartureWrite(
    markNoShow,
    ({ changed }) => toast(m.departures_no_show_marked({ count: changed })),
    refuse,
  )
  const status = useDepartureWrite(setEntryStatus, undefined, refuse)
  return {
    pending,
    last,
    checkIn: (ids) => ids.length > 0 && events.mutate({ kind: 'check-in', ids }),
    undo: (ids) => ids.length > 0 && events.mutate({ kind: 'undo', ids }),
    noShow: (ids) => ids.length > 0 && noShow.mutate({ departureId: departure.id, entryIds: [...ids] }),
    setStatus: (entry, to) => status.mutate({ entryId: entry.id, version: entry.version, to }),
  }
}

function sendEvents(departureId: string, { kind, ids }: Batch) {
  const deviceAt = new Date().toISOString()
  const entries = ids.map((entryId) => ({ entryId, clientEventId: crypto.randomUUID(), deviceAt }))
  return currentBackend().call(kind === 'undo' ? undoCheckIn : checkIn, {
    departureId,
    entries,
    method: ids.length > 1 ? 'bulk' : 'tap',
  })
}
