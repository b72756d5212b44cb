import type { Figure, ReportMetric } from '@tour-ops/contract/reports/reports'
import type { AssignmentFact, DepartureFact, TravelerFact } from './report-store.ts'
import type { TimeOnDuty } from './time-on-duty.ts'
import { bindingStatuses, hasStatus } from '@tour-ops/contract/state-machines'

/** What figures need to know in addition to the facts. */
export interface FigureFrame {
  /** The organization's; money in others is next to it. */
  readonly currency: string
  /** A start this late still counts as on time. */
  readonly onTimeMinutes: number
  readonly days: number
}

interface OtherMoney {
  readonly currency: string
  readonly value: number
}
interface Part extends Omit<Figure, 'before' | 'others'> {
  readonly others: readonly OtherMoney[]
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0)

const total = (metric: ReportMetric, unit: Part['unit'], top: number): Part => ({
  metric,
  unit,
  value: top,
  top,
  bottom: null,
  range: null,
  currency: null,
  others: [],
})

const ratio = (metric: ReportMetric, unit: Part['unit'], top: number, bottom: number): Part => ({
  metric,
  unit,
  value: bottom === 0 ? null : top / bottom,
  top,
  bottom,
  range: null,
  currency: null,
  others: [],
})

type Purse = Omit<DepartureFact['money'][number], 'currency'>

/** What departures brought in, each currency by itself. */
function pursesOf(facts: readonly DepartureFact[]): Map<string, Purse> {
  const purses = new Map<string, Purse>()
  for (const { currency, revenueMinor, paxCarried } of facts.flatMap(({ money }) => money)) {
    const purse = purses.get(currency) ?? { revenueMinor: 0, paxCarried: 0 }
    purses.set(currency, {
      revenueMinor: purse.revenueMinor + revenueMinor,
      paxCarried: purse.paxCarried + paxCarried,
    })
  }
  return purses
}

/** A figure of money: in the organization's currency, and next to it in every other that was used. */
function inEach(purses: ReadonlyMap<string, Purse>, own: string, figureOf: (purse: Purse) => Part): Part {
  const others = [...purses]
    .filter(([currency]) => currency !== own)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([currency, purse]): OtherMoney[] => {
      const { value } = figureOf(purse)
      return value ? [{ currency, value }] : []
    })
  return { ...figureOf(purses.get(own) ?? { revenueMinor: 0, paxCarried: 0 }), currency: own, others }
}

/** Status completed or aborted: it left. */
const hasRun = ({ status }: Pick<DepartureFact, 'status'>): boolean => status === 'completed' || status === 'aborted'

/** Starts that happened, and how late they were. */
function starts(facts: readonly { startDelaySeconds: number | null }[], { onTimeMinutes }: FigureFrame): Part[] {
  const delays = facts.flatMap(({ startDelaySeconds: delay }) => (delay === null ? [] : [delay]))
  const onTime = delays.filter((delay) => delay <= onTimeMinutes * 60).length
  return [
    ratio('on_time_start', 'share', onTime, delays.length),
    ratio(
      'mean_delay',
      'seconds',
      sum(delays, (delay) => Math.max(0, delay)),
      delays.length,
    ),
  ]
}

/** Parties who would recommend us less those who would not, of all who answered. */
function netPromoters(facts: readonly DepartureFact[]): Part {
  const promoters = sum(facts, (fact) => fact.promoters)
  const detractors = sum(facts, (fact) => fact.detractors)
  return ratio(
    'nps',
    'points',
    (promoters - detractors) * 100,
    sum(facts, (fact) => fact.npsAnswers),
  )
}

/** Incidents for every thousand guests, and how long it took until they were resolved. */
const incidentFigures = (run: readonly DepartureFact[], carried: number): Part[] => [
  ratio('incident_rate', 'per_thousand', sum(run, (fact) => fact.incidents) * 1_000, carried),
  ratio(
    'time_to_resolve',
    'seconds',
    sum(run, (fact) => fact.resolveSeconds),
    sum(run, (fact) => fact.incidentsResolved),
  ),
]

/** Figures of the tour report over some departures. See docs/domain.md, "Figures of the reports". */
export function tourFigures(facts: readonly DepartureFact[], frame: FigureFrame): Part[] {
  const run = facts.filter(hasRun)
  const carried = sum(run, (fact) => fact.paxCarried)
  const noShow = sum(run, (fact) => fact.noShow)
  const cancelled = facts.filter(({ status }) => status === 'cancelled').length
  const { currency } = frame
  return [
    total('departures_run', 'count', run.length),
    total('pax_carried', 'count', carried),
    ratio(
      'load_factor',
      'share',
      carried,
      sum(run, (fact) => fact.capacity),
    ),
    inEach(pursesOf(facts), currency, (purse) => total('net_revenue', 'money', purse.revenueMinor)),
    inEach(pursesOf(run), currency, (purse) => ratio('revenue_per_pax', 'money', purse.revenueMinor, purse.paxCarried)),
    ...starts(run, frame),
    ratio(
      'stop_adherence',
      'share',
      sum(run, (fact) => fact.stopsVisited),
      sum(run, (fact) => fact.stopsPlanned),
    ),
    netPromoters(run),
    ...incidentFigures(run, carried),
    ratio('cancellation_rate', 'share', cancelled, facts.length),
    ratio('no_show_rate', 'share', noShow, noShow + carried),
  ]
}

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

/** Figures of the traveler report over some people. See docs/domain.md, "Figures of the reports". */
export const travelerFigures = (facts: readonly TravelerFact[]): Part[] => [
  total('travelers', 'count', facts.length),
  total('new_travelers', 'count', facts.filter((fact) => fact.isNew).length),
  ratio('repeat_rate', 'share', facts.filter((fact) => fact.isRepeat).length, facts.length),
]

/** Figures with those of the compared period. */
export const compared = (now: readonly Part[], before: readonly Part[] | null): Figure[] =>
  now.map((part) => {
    const past = before?.find(({ metric }) => metric === part.metric)
    const pastIn = (currency: string): number | null =>
      past?.others.find((other) => other.currency === currency)?.value ?? null
    return {
      ...part,
      before: past?.value ?? null,
      others: part.others.map((other) => ({ ...other, before: pastIn(other.currency) })),
    }
  })
