import type { TourContent } from '@tour-ops/contract/tours/tour-content'
import type { Tour } from '@tour-ops/contract/tours/tours'

type Problem = Tour['problems'][number]

interface Checked {
  readonly durationDays: number
  readonly content: TourContent
}

const problem = (step: Problem['step'], reason: Problem['reason'], message: string): Problem => ({
  step,
  reason,
  message,
})

/** What blocks the publication of a draft, in the order of the steps that fix it. */
export function publishProblems({ durationDays, content }: Checked): Problem[] {
  const problems: Problem[] = []
  const { stops, units } = content
  if (stops.length === 0) problems.push(problem('itinerary', 'no_stops', 'Add at least one stop.'))
  if (stops.some((stop) => stop.dayIndex > durationDays)) {
    problems.push(problem('itinerary', 'stop_after_last_day', 'A stop lies after the last day.'))
  }
  if (firstBackwards(content) !== undefined) {
    problems.push(problem('itinerary', 'times_go_back', 'The times of the stops go back in time.'))
  }
  if (units.length === 0) problems.push(problem('prices', 'no_prices', 'Add at least one price.'))
  if (new Set(units.map((unit) => unit.currency)).size > 1) {
    problems.push(problem('prices', 'mixed_currencies', 'All prices need the same currency.'))
  }
  return problems
}

/** The first stop that would be reached before the one in front of it. See docs/domain.md, "Invariants", I7. */
function firstBackwards({ stops }: TourContent): number | undefined {
  const ordered = stops.toSorted((a, b) => a.dayIndex - b.dayIndex || a.order - b.order)
  const index = ordered.findIndex((stop, at) => {
    const before = ordered[at - 1]
    return before && before.dayIndex === stop.dayIndex && stop.offsetMin < before.offsetMin + before.dwellMin
  })
  return index === -1 ? undefined : index
}
