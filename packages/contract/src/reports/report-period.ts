import * as z from 'zod/mini'

/** Days of a period at most: two years, so that one can be compared with the other. */
export const maxReportDays = 731

/** What a period is compared with. */
export const comparisons = ['none', 'previous', 'last_year'] as const
export type Comparison = (typeof comparisons)[number]

const dayMs = 86_400_000
const daysOf = (period: { from: string; to: string }): number =>
  (Date.parse(period.to) - Date.parse(period.from)) / dayMs + 1

interface DatesAsked {
  readonly from: string
  readonly to: string
}

/** The rule that the end of a period breaks; null where there is none. */
export const periodRule = (asked: DatesAsked): 'end_before_start' | 'two_years_at_once' | null =>
  asked.to < asked.from ? 'end_before_start' : daysOf(asked) > maxReportDays ? 'two_years_at_once' : null

/** The rules of a period of days, for the shape that has it. */
export const periodChecks = (['end_before_start', 'two_years_at_once'] as const).map((rule) =>
  z.refine<DatesAsked>((asked) => periodRule(asked) !== rule, { path: ['to'], error: rule }),
)
