import { isLeftByStarting, whereaboutsOf } from '../../departures/stop-progress.ts'
import type { TourStop } from '../../tours/tour-content.ts'
import type { TravelTime } from './travel.ts'

/** What the carrying of a delay needs to know of a stop. */
export interface DelayedStop {
  readonly kind: TourStop['kind']
  readonly plannedArriveAt: Date
  readonly plannedDepartAt: Date
  readonly actualArriveAt: Date | null
  readonly actualDepartAt: Date | null
  readonly status: 'planned' | 'approaching' | 'arrived' | 'departed' | 'skipped'
  readonly slackMin: number
}

/** How far a departure is in its schedule. */
export interface Progress {
  readonly startsAt: Date
  readonly endsAt: Date
  /** When it really set out; null before. */
  readonly startedAt: Date | null
  readonly now: Date
  /** When they can be at the next stop by where they were last; null where no position says so. */
  readonly reach?: Reach | null
}

export interface Reach {
  readonly at: Date
  readonly means: TravelTime['means']
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

/** Whole minutes by which a planned moment has passed without what was planned for it, as seconds; 0 before. */
const overdueSeconds = (now: Date, planned: Date): number =>
  Math.max(0, Math.floor((now.getTime() - planned.getTime()) / 60_000) * 60)

/**
 * Carries the last known delay forward, reduced by the slack of each stop on the way. What should have happened by now and has not
 * (the start, the arrival at the next stop, leaving the present one) is late from that minute, whether or not someone marks it.
 * The only place where a delay is carried on: the server's estimates and `arrivalsOf` both ask here. See docs/domain.md, "Lateness".
 */
export function carryDelay(
  stops: readonly DelayedStop[],
  { startsAt, endsAt, startedAt, now, reach = null }: Progress,
): CarriedDelay {
  const atStart = startedAt ? Math.max(0, secondsLate(startedAt, startsAt)) : overdueSeconds(now, startsAt)
  if (stops.length === 0) return { stops: [], delaySeconds: startedAt ? overdueSeconds(now, endsAt) : atStart }
  const { behind, here } = whereaboutsOf(stops, startedAt)
  // Before the tour sets out nobody waits for pickups.
  const next = stops.findIndex(
    (stop, index) => index > behind && isOpen(stop) && (startedAt !== null || stop.kind !== 'pickup'),
  )
  // Each day of a journey may begin with its own start; the tour sets out once.
  const start = stops.findIndex(({ kind }) => kind === 'start')
  let carried = atStart
  const estimates = stops.map((stop, index): StopEstimate => {
    // Setting out says how late the way begins, whatever was marked before; a pickup behind that nobody marked is not ahead of anybody.
    if (startedAt && index === start && (isOpen(stop) || isLeftByStarting(stop, startedAt))) carried = atStart
    if (stop.status === 'skipped' || (index <= behind && isOpen(stop))) return { etaAt: null, delaySeconds: 0 }
    if (isOpen(stop)) {
      const late = index === next ? lateAtNext(stop, carried, now, reach) : carried
      carried = Math.max(0, late - stop.slackMin * 60)
      return { etaAt: new Date(stop.plannedArriveAt.getTime() + late * 1000), delaySeconds: late }
    }
    const arrival = stop.actualArriveAt ? secondsLate(stop.actualArriveAt, stop.plannedArriveAt) : carried
    if (isLeftByStarting(stop, startedAt)) return { etaAt: null, delaySeconds: arrival }
    if (stop.actualDepartAt) {
      const leaving = secondsLate(stop.actualDepartAt, stop.plannedDepartAt)
      carried = Math.max(0, leaving)
      return { etaAt: null, delaySeconds: leaving }
    }
    const isLeavingDue = index === here && index < stops.length - 1
    const overdue = isLeavingDue ? overdueSeconds(now, stop.plannedDepartAt) : 0
    carried = Math.max(0, arrival - stop.slackMin * 60, overdue)
    return { etaAt: null, delaySeconds: overdue > 0 ? Math.max(arrival, overdue) : arrival }
  })
  const shown = here === -1 ? next : here
  const last = stops.findLastIndex((stop) => stop.status !== 'skipped')
  return {
    stops: estimates,
    delaySeconds: Math.max(0, estimates[shown === -1 ? last : shown]?.delaySeconds ?? carried),
  }
}

/**
 * How late they come to the next stop: as late as they left the last one, or as their position says. A router knows what they have won on
 * the way, and so does the straight line of a short one; otherwise a position only shows what is no longer possible.
 */
function lateAtNext({ plannedArriveAt }: DelayedStop, carried: number, now: Date, reach: Reach | null): number {
  const overdue = overdueSeconds(now, plannedArriveAt)
  const byPosition = reach === null ? 0 : overdueSeconds(reach.at, plannedArriveAt)
  return Math.max(overdue, byPosition, reach?.means === 'expected' ? 0 : carried)
}

const isOpen = ({ status }: DelayedStop): boolean => status === 'planned' || status === 'approaching'
