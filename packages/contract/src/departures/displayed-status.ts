import type { StatusOf } from '../state-machines.ts'

/** A status always shows icon and word with its tint. See docs/visual-rules.md, "Status". */
export type Tint = 'neutral' | 'info' | 'ok' | 'warn' | 'bad' | 'gap'

export type DisplayedStatus =
  | 'draft'
  | 'scheduled'
  | 'guaranteed'
  | 'boarding'
  | 'on_time'
  | 'delayed'
  | 'at_risk'
  | 'completed'
  | 'cancelled'
  | 'aborted'

export interface Displayed {
  readonly status: DisplayedStatus
  readonly tint: Tint
  /** Whole minutes late, for `delayed` and for `at_risk` by delay; null otherwise. */
  readonly delayMin: number | null
  /** Why it is at risk; null unless it is. */
  readonly risk: 'delay' | 'timed_entry' | 'below_minimum' | null
  /** Cancelled and aborted are struck through. */
  readonly struck: boolean
}

export interface StatusFacts {
  readonly status: StatusOf<'departures'>
  readonly delaySeconds: number
  readonly seatsConfirmed: number
  readonly minPax: number
  /** Decision day of go or no-go, ISO 8601; null without one. */
  readonly decideBy: string | null
  /** A timed entry on the way will be missed by the present estimate. */
  readonly missesTimedEntry?: boolean
}

/** What an organization calls late, minutes: on time up to the first, delayed beyond, at risk from the second. A setting, on every screen. */
export interface LateLimits {
  readonly onTimeToleranceMin: number
  readonly atRiskMin: number
}

/** Of an organization that has set nothing. See docs/domain.md, "Lateness". */
export const defaultLateLimits: LateLimits = { onTimeToleranceMin: 5, atRiskMin: 45 }
/** "On decision day": the day before the deadline starts to count. */
const decisionDayMs = 24 * 60 * 60 * 1000

const plain = (status: DisplayedStatus, tint: Tint, struck = false): Displayed => ({
  status,
  tint,
  delayMin: null,
  risk: null,
  struck,
})

/**
 * The one answer to "how does this departure look": status word, tint and number for boards, lists, drawer and map.
 *
 * @param now The moment of looking; decision day depends on it.
 * @param limits Those of the organization.
 * @see docs/domain.md, "Lateness"
 */
export function displayedStatus(facts: StatusFacts, now: Date, limits: LateLimits): Displayed {
  switch (facts.status) {
    case 'draft':
      return plain('draft', 'neutral')
    case 'completed':
      return plain('completed', 'neutral')
    case 'cancelled':
      return plain('cancelled', 'neutral', true)
    case 'aborted':
      return plain('aborted', 'neutral', true)
    default:
      return running(facts, now, limits)
  }
}

function running(facts: StatusFacts, now: Date, limits: LateLimits): Displayed {
  const delayMin = Math.round(facts.delaySeconds / 60)
  if (facts.delaySeconds >= limits.atRiskMin * 60) return atRisk('delay', delayMin)
  if (facts.missesTimedEntry) return atRisk('timed_entry', delayMin > 0 ? delayMin : null)
  if (isBelowMinimumOnDecisionDay(facts, now)) return atRisk('below_minimum', null)
  if (facts.delaySeconds > limits.onTimeToleranceMin * 60) {
    return { status: 'delayed', tint: 'warn', delayMin, risk: null, struck: false }
  }
  if (facts.status === 'in_progress') return plain('on_time', 'ok')
  if (facts.status === 'boarding') return plain('boarding', 'info')
  return plain(facts.status === 'guaranteed' ? 'guaranteed' : 'scheduled', 'neutral')
}

const atRisk = (risk: Displayed['risk'], delayMin: number | null): Displayed => ({
  status: 'at_risk',
  tint: 'bad',
  delayMin,
  risk,
  struck: false,
})

/** Only before the go decision: a guaranteed departure runs whatever its pax. */
function isBelowMinimumOnDecisionDay(facts: StatusFacts, now: Date): boolean {
  if (facts.status !== 'scheduled' || facts.decideBy === null) return false
  return facts.seatsConfirmed < facts.minPax && now.getTime() >= Date.parse(facts.decideBy) - decisionDayMs
}
