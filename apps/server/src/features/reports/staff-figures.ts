import { bindingStatuses, hasStatus } from '@tour-ops/contract/state-machines'
import { type FigureFrame, hasRun, type Part, ratio, starts, sum, total } from '../../platform/reports/figures.ts'
import type { AssignmentFact } from './staff-store.ts'
import type { TimeOnDuty } from './time-on-duty.ts'

const takenOffers: readonly string[] = [...bindingStatuses, 'released', 'replaced']

/** What guests gave their guides, 1 to 5. */
export interface Ratings {
  readonly ratings: number
  readonly ratingSum: number
  /** Sum of their squares. */
  readonly ratingSquares: number
}

export const ratingsOf = (facts: readonly Ratings[]): Ratings => ({
  ratings: sum(facts, (fact) => fact.ratings),
  ratingSum: sum(facts, (fact) => fact.ratingSum),
  ratingSquares: sum(facts, (fact) => fact.ratingSquares),
})

/** The mean of all counts as this many additional ratings, so that a few high ratings put nobody first. */
const priorWeight = 10
/** With fewer than these a person is not compared with others. */
const fewestRatings = 5
/** Standard deviations to both sides that hold nine values of ten. */
const deviations90 = 1.645

/** The mean of some ratings, drawn to that of all. */
function guideRating(facts: readonly Ratings[], all: Ratings): Part {
  const { ratings, ratingSum } = ratingsOf(facts)
  const part = ratio('guide_rating', 'rating', ratingSum, ratings)
  if (ratings < fewestRatings) return { ...part, value: null }
  const mean = all.ratingSum / all.ratings
  const spread = Math.sqrt(Math.max(0, all.ratingSquares / all.ratings - mean ** 2))
  const value = (mean * priorWeight + ratingSum) / (priorWeight + ratings)
  const aside = (deviations90 * spread) / Math.sqrt(priorWeight + ratings)
  return { ...part, value, range: { low: Math.max(1, value - aside), high: Math.min(5, value + aside) } }
}

/** People of the staff report: their contract counts also when they had nothing to do. */
export interface StaffContract {
  readonly staffId: string
  readonly contractedHoursPerWeek: number | null
}

/** What the staff report counts: how people were planned, and how long they were on duty. */
export interface StaffFacts {
  readonly assignments: readonly AssignmentFact[]
  readonly onDuty: readonly TimeOnDuty[]
}

/**
 * Figures of the staff report over what some people did. See docs/domain.md, "Figures of the reports".
 *
 * @param all Ratings of everybody in the period.
 */
export function staffFigures(
  { assignments, onDuty }: StaffFacts,
  people: readonly StaffContract[],
  all: Ratings,
  frame: FigureFrame,
): Part[] {
  const working = assignments.filter(({ status }) => hasStatus(bindingStatuses, status))
  const led = working.filter((fact) => fact.role === 'lead_guide' && hasRun({ status: fact.departureStatus }))
  const offers = assignments.filter((fact) => fact.offered)
  const taken = offers.filter(({ status }) => takenOffers.includes(status)).length
  const refused = offers.filter(({ status }) => status === 'declined' || status === 'expired').length
  const contracted = people.filter((person) => person.contractedHoursPerWeek !== null)
  const ids = new Set(contracted.map((person) => person.staffId))
  const weeks = frame.days / 7
  return [
    total('departures_led', 'count', led.length),
    total(
      'pax_carried',
      'count',
      sum(led, (fact) => fact.paxCarried),
    ),
    ...starts(led, frame),
    guideRating(assignments, all),
    ratio('acceptance', 'share', taken, taken + refused),
    total(
      'hours_assigned',
      'hours',
      sum(working, (fact) => fact.hours),
    ),
    total(
      'hours_on_duty',
      'hours',
      sum(onDuty, (time) => time.hours),
    ),
    ratio(
      'utilisation',
      'share',
      sum(
        working.filter((fact) => ids.has(fact.staffId)),
        (fact) => fact.hours,
      ),
      sum(contracted, (person) => (person.contractedHoursPerWeek ?? 0) * weeks),
    ),
  ]
}
