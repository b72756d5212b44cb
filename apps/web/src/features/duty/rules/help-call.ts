import type { DutyEvent } from '@tour-ops/contract/duty/duty-phone'
import type { StoredEvent } from '../store/shown-day.ts'

/** The person's own call for help, as far as it has got. */
export interface ShownHelpCall {
  readonly calledAt: string
  /** It is still on the phone alone. */
  readonly isWaiting: boolean
  /** Who takes care of it at the office. */
  readonly takenBy: string | null
  /** When the person said that they need no help any more. */
  readonly overAt: string | null
  /** When the office closed it. */
  readonly closedAt: string | null
}

/** What belongs to a call for help. */
export const isUrgent = ({ kind }: DutyEvent): boolean => kind.startsWith('help')

/**
 * What of the waiting events is sent next: a call for help alone, so that nothing that the office cannot take keeps it back; else everything, in
 * the order of doing.
 */
export function sentNext(waiting: readonly DutyEvent[]): readonly DutyEvent[] {
  const urgent = waiting.filter(isUrgent)
  return urgent.length > 0 ? urgent : waiting
}

/** The office's answer with what was tapped since on top; null where nobody called. */
export function helpCallOf(
  atOffice: Omit<ShownHelpCall, 'isWaiting'> | null | undefined,
  kept: readonly StoredEvent[],
): ShownHelpCall | null {
  let shown: ShownHelpCall | null = atOffice ? { ...atOffice, isWaiting: false } : null
  for (const { event, outcome } of kept) {
    if (outcome?.outcome === 'refused') continue
    if (event.kind === 'help') {
      const isKnown = outcome !== null && shown?.closedAt === null
      shown = {
        ...(isKnown && shown ? shown : { takenBy: null }),
        calledAt: event.at,
        isWaiting: outcome === null,
        overAt: null,
        closedAt: null,
      }
    }
    if (event.kind === 'help_over' && shown) shown = { ...shown, overAt: event.at }
  }
  return shown
}

/** Whether the phone goes on saying that somebody called. */
export const isCalling = (call: ShownHelpCall | null): call is ShownHelpCall =>
  call !== null && call.overAt === null && call.closedAt === null
