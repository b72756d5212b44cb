import type { GuardReason } from '@tour-ops/contract/departures/departures'
import { canBecome } from '@tour-ops/contract/state-machines'
import type { ShownDeparture } from '../store/shown-day.ts'
import { guestsOf } from './guest-list.ts'

type StepTo = 'boarding' | 'in_progress' | 'completed'

/** The next status of a departure as its crew leads to it: boarding, setting out, the end. */
export interface Step {
  readonly to: StepTo
  /** What blocks it, as far as this phone knows. */
  readonly unmet: readonly GuardReason[]
  /** False where a reason does not help. */
  readonly isAllowed: boolean
  readonly needsReason: boolean
}

const steps: readonly StepTo[] = ['boarding', 'in_progress', 'completed']

/** How long the answer of the office is valid for time rules, ms: later it may have become time meanwhile, and the office decides. */
const clockGuardMs = 2 * 60_000
const ofTheClock: readonly GuardReason[] = ['too_early', 'before_start']

/**
 * What comes next, for those who lead. Guards are those of the office's last answer, put right by what was done on this phone since.
 *
 * @param asOf When the office answered.
 * @returns null for who does not lead, and at the end.
 */
export function nextStepOf(shown: ShownDeparture, asOf: string, now: number): Step | null {
  const { departure, can } = shown
  const to = steps.find((one) => canBecome('departures', departure.status, one))
  if (!can.lead || to === undefined || departure.status === 'completed') return null
  const known = departure.nextStatuses.find((next) => next.to === to)
  const unmet = unmetNow(shown, to, known?.unmet ?? [], now - Date.parse(asOf) > clockGuardMs)
  return {
    to,
    unmet,
    isAllowed: unmet.length === 0 || known === undefined || known.overridable,
    needsReason: unmet.some((guard) => guard !== 'guests_undecided' || to === 'in_progress'),
  }
}

function unmetNow(shown: ShownDeparture, to: StepTo, known: readonly GuardReason[], isOld: boolean): GuardReason[] {
  const isUndecided = guestsOf(shown).some(({ status }) => status === 'expected' || status === 'missing')
  const unmet = known.filter((guard) => {
    if (guard === 'guests_undecided') return isUndecided
    if (guard === 'headcount_missing') return !isStartCounted(shown)
    return !(isOld && ofTheClock.includes(guard))
  })
  const asksGuests = to !== 'boarding' && isUndecided && !unmet.includes('guests_undecided')
  return asksGuests ? [...unmet, 'guests_undecided'] : unmet
}

/** Whether heads were counted where the tour sets out. */
const isStartCounted = ({ departure }: ShownDeparture): boolean =>
  departure.stops.some(
    ({ kind, headcountActual }) => (kind === 'start' || kind === 'pickup') && headcountActual !== null,
  )
