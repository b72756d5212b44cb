import { Temporal } from 'temporal-polyfill'
import type { TourContent, TourStop } from '@tour-ops/contract/tours/tour-content'
import { addDays, addMinutes, momentOf } from '../local-time.ts'

/** A stop of one departure, planned. */
export interface PlannedStop {
  /** Chosen before, where something refers to it already. */
  readonly id?: string
  readonly order: number
  readonly dayIndex: number
  readonly placeId: string
  readonly kind: TourStop['kind']
  readonly plannedArriveAt: Date
  readonly plannedDepartAt: Date
  readonly template: TourStop
}

export interface RunSheetPlan {
  readonly startsAt: Date
  readonly endsAt: Date
  readonly stops: readonly PlannedStop[]
}

interface DatedTour {
  readonly localDate: string
  readonly startTimeLocal: string
  readonly timeZone: string
  readonly durationMin: number
  readonly durationDays: number
}

/**
 * Moments of all stops of a departure. Each day begins at the wall-clock time of the departure, whatever the clocks do
 * overnight; within a day minutes are counted as they pass.
 */
export function planRunSheet(tour: DatedTour, content: Pick<TourContent, 'stops'>): RunSheetPlan {
  const dayStart = (dayIndex: number): Date =>
    momentOf(addDays(tour.localDate, dayIndex - 1), tour.startTimeLocal, tour.timeZone).at
  const ordered = content.stops.toSorted((a, b) => a.dayIndex - b.dayIndex || a.order - b.order)
  const stops = ordered.map((template, index): PlannedStop => {
    const plannedArriveAt = addMinutes(dayStart(template.dayIndex), template.offsetMin)
    return {
      order: index + 1,
      dayIndex: template.dayIndex,
      placeId: template.placeId,
      kind: template.kind,
      plannedArriveAt,
      plannedDepartAt: addMinutes(plannedArriveAt, template.dwellMin),
      template,
    }
  })
  const startsAt = dayStart(1)
  const planned = addMinutes(dayStart(tour.durationDays), tour.durationMin)
  const last = stops.at(-1)?.plannedDepartAt ?? planned
  return { startsAt, endsAt: last > planned ? last : planned, stops }
}

/** The code of a departure, `GOLD-260714-0900`. See docs/domain.md, "Settings". */
export function departureCode(pattern: string, tourCode: string, localDate: string, startTimeLocal: string): string {
  const date = Temporal.PlainDate.from(localDate).toString().replaceAll('-', '')
  return pattern
    .replaceAll('{TOUR}', tourCode)
    .replaceAll('{YYYYMMDD}', date)
    .replaceAll('{YYMMDD}', date.slice(2))
    .replaceAll('{HHMM}', startTimeLocal.slice(0, 5).replace(':', ''))
}
