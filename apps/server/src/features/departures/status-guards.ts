import type { GuardReason, NextStatus } from '@tour-ops/contract/departures/departures'
import { nextStatuses, type StatusOf } from '@tour-ops/contract/state-machines'

type Status = StatusOf<'departures'>

/** What the guards look at. See docs/domain.md, "States". */
export interface DepartureFacts {
  readonly status: Status
  readonly startsAt: Date
  readonly actualEndAt: Date | null
  readonly seatsConfirmed: number
  readonly minPax: number
  readonly hasLeadGuide: boolean
  readonly hasHeadcount: boolean
  /** Passenger seats of the vehicles without the crew's; null when nobody drives. */
  readonly vehicleSeats: number | null
  /** The tour asks for a class of vehicle. */
  readonly needsVehicle: boolean
  readonly aboard: number
  /** People still expected or missing. */
  readonly undecided: number
}

export interface GuardRules {
  /** Boarding opens this many minutes before the start. */
  readonly boardingOpensMinutes: number
  /** A head count must be recorded before a departure leaves. */
  readonly needsHeadcount: boolean
}

/** A mistaken "completed" may be undone for two hours. See docs/domain.md, "States". */
const reopenWindowMs = 2 * 60 * 60 * 1000

/** Guards that a reason given by the right person lifts; the others only the facts can meet. */
const liftedByReason: readonly GuardReason[] = [
  'below_min_pax',
  'before_start',
  'headcount_missing',
  'no_lead_guide',
  'no_vehicle',
  'not_enough_seats',
  'guests_undecided',
]
/** Check-in without a responsible person must not open, and nobody is forgotten at the end. */
const strictFor: Partial<Record<Status, readonly GuardReason[]>> = {
  boarding: ['no_lead_guide'],
  completed: ['guests_undecided'],
}

/** Leaving earlier than this before the start leaves somebody behind. */
const earlyStartMs = 15 * 60 * 1000

/** Every legal next status with what still blocks it, for the status button and for the verb behind it. */
export function statusOptions(facts: DepartureFacts, rules: GuardRules, now: Date): NextStatus[] {
  return nextStatuses('departures', facts.status).map((to) => {
    const unmet = unmetGuards(facts, rules, to, now)
    const overridable = unmet.every(
      (reason) => liftedByReason.includes(reason) && !(strictFor[to] ?? []).includes(reason),
    )
    return {
      to,
      allowed: unmet.length === 0 || overridable,
      unmet,
      overridable: unmet.length > 0 && overridable,
      needsReason: to === 'cancelled' || to === 'aborted' || unmet.length > 0 || facts.status === 'completed',
    }
  })
}

function unmetGuards(facts: DepartureFacts, rules: GuardRules, to: Status, now: Date): GuardReason[] {
  const guards: Partial<Record<Status, () => [GuardReason, boolean][]>> = {
    guaranteed: () => [['below_min_pax', facts.seatsConfirmed < facts.minPax]],
    boarding: () => [
      ['too_early', now.getTime() < facts.startsAt.getTime() - rules.boardingOpensMinutes * 60_000],
      ['no_lead_guide', !facts.hasLeadGuide],
    ],
    in_progress: () =>
      facts.status === 'completed'
        ? [['reopen_window_over', isReopenOver(facts, now)]]
        : [
            ['headcount_missing', rules.needsHeadcount && !facts.hasHeadcount],
            ['before_start', now.getTime() < facts.startsAt.getTime() - earlyStartMs],
            ['guests_undecided', facts.undecided > 0],
            ['no_lead_guide', !facts.hasLeadGuide],
            ['no_vehicle', facts.needsVehicle && facts.vehicleSeats === null],
            ['not_enough_seats', facts.vehicleSeats !== null && facts.vehicleSeats < facts.aboard],
          ],
    completed: () => [['guests_undecided', facts.undecided > 0]],
  }
  return (guards[to]?.() ?? []).filter(([, isUnmet]) => isUnmet).map(([reason]) => reason)
}

const isReopenOver = (facts: DepartureFacts, now: Date): boolean =>
  facts.actualEndAt === null || now.getTime() > facts.actualEndAt.getTime() + reopenWindowMs
