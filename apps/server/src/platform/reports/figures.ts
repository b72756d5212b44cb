import type { Figure, ReportMetric } from '@tour-ops/contract/reports/reports'
import type { DepartureFact, TravelerFact } from './report-store.ts'

/** What figures need to know in addition to the facts. */
export interface FigureFrame {
  /** The organization's; money in others is next to it. */
  readonly currency: string
  /** A start this late still counts as on time. */
  readonly onTimeMinutes: number
  readonly days: number
  /** Opinions of fewer parties than these are not shown. */
  readonly fewestAnswers: number
}

interface OtherMoney {
  readonly currency: string
  readonly value: number
}
export interface Part extends Omit<Figure, 'before' | 'others'> {
  readonly others: readonly OtherMoney[]
}

export const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0)

export const total = (metric: ReportMetric, unit: Part['unit'], top: number): Part => ({
  metric,
  unit,
  value: top,
  top,
  bottom: null,
  range: null,
  currency: null,
  others: [],
})

export const ratio = (metric: ReportMetric, unit: Part['unit'], top: number, bottom: number): Part => ({
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
export const hasRun = ({ status }: Pick<DepartureFact, 'status'>): boolean =>
  status === 'completed' || status === 'aborted'

/** Starts that happened, and how late they were. */
export function starts(facts: readonly { startDelaySeconds: number | null }[], { onTimeMinutes }: FigureFrame): Part[] {
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

/** Parties that said on tours that ran whether they would recommend us. */
const answersOf = (facts: readonly DepartureFact[]): number => sum(facts.filter(hasRun), (fact) => fact.npsAnswers)

/**
 * The parts of a whole whose opinions are too few to be shown. Where they are still too few together, what they hide could be found by taking the others from
 * the whole: then the next smallest is hidden with them.
 */
export function partsWithFewAnswers<T>(parts: ReadonlyMap<T, readonly DepartureFact[]>, fewest: number): Set<T> {
  const answered = [...parts]
    .map(([part, facts]) => ({ part, answers: answersOf(facts) }))
    .filter(({ answers }) => answers > 0)
    .toSorted((a, b) => a.answers - b.answers)
  const few = answered.filter(({ answers }) => answers < fewest)
  const hidden = sum(few, ({ answers }) => answers)
  const count = hidden > 0 && hidden < fewest ? few.length + 1 : few.length
  return new Set(answered.slice(0, count).map(({ part }) => part))
}

/** Parties who would recommend us less those who would not, of all who answered. */
function netPromoters(facts: readonly DepartureFact[], fewest: number): Part {
  const answers = sum(facts, (fact) => fact.npsAnswers)
  if (answers < fewest) return ratio('nps', 'points', 0, 0)
  const promoters = sum(facts, (fact) => fact.promoters)
  const detractors = sum(facts, (fact) => fact.detractors)
  return ratio('nps', 'points', (promoters - detractors) * 100, answers)
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
    netPromoters(run, frame.fewestAnswers),
    ...incidentFigures(run, carried),
    ratio('cancellation_rate', 'share', cancelled, facts.length),
    ratio('no_show_rate', 'share', noShow, noShow + carried),
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
