import { Temporal } from 'temporal-polyfill'
import type { TourContent, TourStop } from '@tour-ops/contract/tours'
import { addDays, addMinutes, momentOf } from '../local-time.ts'

/** A stop of one departure, planned. */
export interface PlannedStop {
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

/** The code of a departure, `GOLD-260714-0900`. Source: product description, section 5.7, code patterns. */
export function departureCode(pattern: string, tourCode: string, localDate: string, startTimeLocal: string): string {
  const date = Temporal.PlainDate.from(localDate).toString().replaceAll('-', '')
  return pattern
    .replaceAll('{TOUR}', tourCode)
    .replaceAll('{YYYYMMDD}', date)
    .replaceAll('{YYMMDD}', date.slice(2))
    .replaceAll('{HHMM}', startTimeLocal.slice(0, 5).replace(':', ''))
}

/** What the carrying of a delay needs to know of a stop. */
export interface DelayedStop {
  readonly plannedArriveAt: Date
  readonly plannedDepartAt: Date
  readonly actualArriveAt: Date | null
  readonly actualDepartAt: Date | null
  readonly status: 'planned' | 'approaching' | 'arrived' | 'departed' | 'skipped'
  readonly slackMin: number
}

export interface StopEstimate {
  /** Null once the stop is done or skipped. */
  readonly etaAt: Date | null
  /** Positive is late; early arrival never counts as a negative delay of later stops. */
  readonly delaySeconds: number
}

export interface CarriedDelay {
  readonly stops: readonly StopEstimate[]
  /** Delay of the departure as boards show it: where they are, else at the next stop, at the end at the last. */
  readonly delaySeconds: number
}

const secondsLate = (actual: Date, planned: Date): number => Math.round((actual.getTime() - planned.getTime()) / 1000)

/**
 * Carries the last known delay forward, reduced by the slack of each stop on the way.
 * Source: product description, section 4.9, point 5.
 *
 * @param known Delay before the first stop, seconds.
 */
export function carryDelay(stops: readonly DelayedStop[], known = 0): CarriedDelay {
  const reached = stops.findLastIndex((stop) => stop.status === 'arrived' || stop.status === 'departed')
  let carried = Math.max(0, known)
  const estimates = stops.map((stop, index): StopEstimate => {
    // A pickup that nobody marked and that lies behind by now is not ahead of anybody.
    if (stop.status === 'skipped' || (index < reached && isOpen(stop))) return { etaAt: null, delaySeconds: 0 }
    if (!isOpen(stop)) {
      const arrival = stop.actualArriveAt ? secondsLate(stop.actualArriveAt, stop.plannedArriveAt) : carried
      const leaving = stop.actualDepartAt ? secondsLate(stop.actualDepartAt, stop.plannedDepartAt) : null
      carried = Math.max(0, leaving ?? arrival - stop.slackMin * 60)
      return { etaAt: null, delaySeconds: leaving ?? arrival }
    }
    const here = carried
    carried = Math.max(0, carried - stop.slackMin * 60)
    return { etaAt: new Date(stop.plannedArriveAt.getTime() + here * 1000), delaySeconds: here }
  })
  const shown = estimates[shownIndex(stops, reached)]
  return { stops: estimates, delaySeconds: Math.max(0, shown?.delaySeconds ?? carried) }
}

const isOpen = ({ status }: DelayedStop): boolean => status === 'planned' || status === 'approaching'

function shownIndex(stops: readonly DelayedStop[], reached: number): number {
  if (stops[reached]?.status === 'arrived') return reached
  const next = stops.findIndex((stop, index) => index > reached && isOpen(stop))
  return next === -1 ? stops.findLastIndex((stop) => stop.status !== 'skipped') : next
}
