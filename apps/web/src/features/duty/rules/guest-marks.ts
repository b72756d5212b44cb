import { noShowWaitMin } from '@tour-ops/contract/duty/duty-terms'
import { isRunning, hasStatus, presentStatuses } from '@tour-ops/contract/state-machines'
import type { StoredEvent, ShownDeparture, ShownEntry, ShownGroup } from '../store/shown-day.ts'
import { mayCheckIn } from './guest-list.ts'
import { wayOf } from './way.ts'

/** A check-in is undone without a question for this long, ms. */
const undoMs = 10_000

/** What a tap on a row does. `closed`: boarding has not been opened; `none`: nothing to be changed here. */
export type Tap = 'check-in' | 'undo' | 'ask-undo' | 'closed' | 'none'

type Facts = Pick<ShownDeparture, 'can' | 'departure'>

export function tapOn({ can, departure }: Facts, entry: ShownEntry, now: number): Tap {
  if (!can.mark) return 'none'
  if (mayCheckIn(entry)) return isRunning(departure) ? 'check-in' : 'closed'
  if (entry.status !== 'checked_in') return 'none'
  const isFresh = entry.checkInAt !== null && now - Date.parse(entry.checkInAt) < undoMs
  return isFresh ? 'undo' : 'ask-undo'
}

/** From when somebody may be marked as not come, ms: never earlier than the office's setting before the time at their own pickup. */
export const noShowFrom = (group: Pick<ShownGroup, 'at'>, noShowFromMin: number): number =>
  Date.parse(group.at) - noShowFromMin * 60_000

/**
 * Until when the crew waits at a pickup, ms: five minutes from the planned time, or from when they came, whichever is later.
 *
 * @returns null until someone marks the arrival.
 */
export function waitsUntil(shown: ShownDeparture, group: Pick<ShownGroup, 'at' | 'stopId'>): number | null {
  const arrivedAt = shown.departure.stops.find(({ id }) => id === group.stopId)?.actualArriveAt
  if (!arrivedAt) return null
  return Math.max(Date.parse(group.at), Date.parse(arrivedAt)) + noShowWaitMin * 60_000
}

/** Marks of a guest on the way. */
export type TourMark = 'missing' | 'left_early' | 'on_tour'

/** What may be marked for a guest while the tour is under way. A guest who is checked in becomes "on tour" with the start, here as at the office. */
export function tourMarksOf({ can, departure }: Facts, { status }: Pick<ShownEntry, 'status'>): readonly TourMark[] {
  if (!can.mark || departure.status !== 'in_progress') return []
  if (hasStatus(presentStatuses, status)) return ['missing', 'left_early']
  if (status === 'left_early') return ['on_tour']
  return status === 'missing' ? ['on_tour', 'left_early'] : []
}

/** The event on this phone that says where a guest is now and that the office does not have yet; null where there is none. */
export function waitingMarkOf(kept: readonly StoredEvent[], entryId: string): string | null {
  const last = kept.findLast(({ event }) => 'entryId' in event && event.entryId === entryId)
  return last?.outcome === null ? last.event.id : null
}

/** The same of a stop. */
export function waitingStopMarkOf(kept: readonly StoredEvent[], stopId: string): string | null {
  const last = kept.findLast(({ event }) => event.kind === 'stop' && event.stopId === stopId)
  return last?.outcome === null ? last.event.id : null
}

/** The stop where somebody gets in now: where the group is, else that of their pickup. */
export const stopOfCheckIn = (shown: ShownDeparture, group: Pick<ShownGroup, 'stopId'>): string | null =>
  wayOf(shown).here?.id ?? group.stopId
