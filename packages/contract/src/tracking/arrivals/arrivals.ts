import { whereaboutsOf } from '../../departures/stop-progress.ts'
import { carryDelay, type DelayedStop, type Reach } from './carry-delay.ts'
import type { Evidence, Fix } from './evidence.ts'
import type { DeparturePlan, StopPlan, Tap } from './plan.ts'
import { type Point, speedLimitMps, straightLineTime } from './travel.ts'
import { trustedFixes } from './trusted-fixes.ts'
import type { Visit } from './standing.ts'
import { visitsOf } from './visits.ts'

/** A position older than this says nothing about where they are now. See docs/domain.md, "Phones of guides". */
export const staleMs = 10 * 60_000

/** What is known of one stop, or expected; moments in milliseconds since 1970. */
export interface StopArrival extends Visit {
  readonly id: string
  readonly status: 'planned' | 'arrived' | 'departed' | 'skipped'
  /** Null once the stop is done, skipped or passed. */
  readonly etaAt: number | null
  /** Positive is late. Of a stop ahead never less than 0. */
  readonly delaySeconds: number
  /** What the times rest on: a person's word, positions, or nothing but the plan. */
  readonly source: 'tap' | 'position' | 'plan'
  /** When that was seen or marked; null for the plan. Its age is now less this. */
  readonly asOf: number | null
  /** They are at a later stop and were never seen here: to be asked about. */
  readonly isPassed: boolean
}

export interface Arrivals {
  readonly stops: readonly StopArrival[]
  readonly delaySeconds: number
  /** When they can be at the next stop by where they are; null without a fresh position, at a stop and at the end. */
  readonly reach: SeenReach | null
}

export interface SeenReach extends Reach {
  /** The next stop. */
  readonly stopId: string
  /** Where they were, and when, milliseconds. */
  readonly from: Point
  readonly seenAt: number
}

/** What a router (OSRM, Valhalla) has answered about the way to a stop; moments in milliseconds since 1970. */
export interface RoutedWay {
  readonly stopId: string
  readonly arriveAt: number
  /** Of the position that it started from. */
  readonly seenAt: number
}

/** The answer of a router is asked for once a minute, and may be late; an older one has been overtaken by the way itself. */
const routedFreshMs = 5 * 60_000

export interface ArrivalsInput {
  readonly plan: DeparturePlan
  readonly evidence: Evidence
  readonly taps: readonly Tap[]
  /** Milliseconds. */
  readonly now: number
  /** Without it, or where it is old or of another stop, the straight line counts. */
  readonly routed?: RoutedWay | null
}

/**
 * Arrivals, departures, estimates and delays of a departure. What a person marked wins over positions. The answer depends on what is
 * known and on nothing else: neither on the order in which it came nor on what was answered before. See docs/domain.md, "Arrivals".
 */
export function arrivalsOf({ plan, evidence, taps, now, routed = null }: ArrivalsInput): Arrivals {
  const fixes = trustedFixes(evidence, now, speedLimitMps(plan.stops.map(({ mode }) => mode)))
  const visits = visitsOf(plan, fixes, taps, now)
  const skipped = new Set(taps.filter(({ kind }) => kind === 'skipped').map(({ stopId }) => stopId))
  const stops = plan.stops.map((stop, index) => asDelayed(stop, visits[index] as Visit, skipped.has(stop.id)))
  const startedAt = plan.startedAt === null ? null : new Date(plan.startedAt)
  const { here, behind, next } = whereaboutsOf(stops, startedAt)
  const fresh = freshest(fixes, now)
  const isUnderWay = here === -1 && next !== -1 && (startedAt !== null || behind !== -1)
  const reach = fresh && isUnderWay ? reachOf(fresh, plan.stops[next] as StopPlan, routed) : null
  const carried = carryDelay(stops, {
    startsAt: new Date(plan.startsAt),
    endsAt: new Date(plan.endsAt),
    startedAt,
    now: new Date(now),
    reach,
  })
  const known = lastKnown(visits)
  return {
    delaySeconds: carried.delaySeconds,
    reach,
    stops: stops.map((stop, index): StopArrival => {
      const visit = visits[index] as Visit
      const estimate = carried.stops[index]
      return {
        ...visit,
        id: (plan.stops[index] as StopPlan).id,
        status: stop.status,
        etaAt: estimate?.etaAt?.getTime() ?? null,
        delaySeconds: estimate?.delaySeconds ?? 0,
        isPassed: stop.status === 'planned' && index < behind && stop.kind !== 'pickup' && stop.kind !== 'start',
        ...(sourceOfVisit(visit) ??
          (reach !== null && fresh
            ? { source: 'position', asOf: fresh.at }
            : (known ?? { source: 'plan', asOf: null }))),
      }
    }),
  }
}

interface DelayedPlan extends DelayedStop {
  readonly status: StopArrival['status']
}

function asDelayed(stop: StopPlan, { arrivedAt, leftAt }: Visit, isSkipped: boolean): DelayedPlan {
  const moment = (at: number | null): Date | null => (at === null ? null : new Date(at))
  return {
    kind: stop.kind,
    plannedArriveAt: new Date(stop.plannedArriveAt),
    plannedDepartAt: new Date(stop.plannedDepartAt),
    actualArriveAt: moment(arrivedAt),
    actualDepartAt: moment(leftAt),
    slackMin: stop.slackMin,
    status: isSkipped ? 'skipped' : leftAt !== null ? 'departed' : arrivedAt !== null ? 'arrived' : 'planned',
  }
}

function freshest(fixes: readonly Fix[], now: number): Fix | null {
  const last = fixes.at(-1)
  return last && now - last.at <= staleMs ? last : null
}

function reachOf(fix: Fix, next: StopPlan, routed: RoutedWay | null): SeenReach {
  const seen = { from: { lat: fix.lat, lng: fix.lng }, seenAt: fix.at, stopId: next.id }
  if (routed?.stopId === next.id && Math.abs(fix.at - routed.seenAt) <= routedFreshMs) {
    return { ...seen, at: new Date(Math.max(routed.arriveAt, fix.at)), means: 'expected' }
  }
  const { seconds, means } = straightLineTime(fix, next, next.mode)
  return { ...seen, at: new Date(fix.at + seconds * 1000), means }
}

type Known = Pick<StopArrival, 'source' | 'asOf'>

function sourceOfVisit({ arrivedAt, arrivedBy, leftAt, leftBy }: Visit): Known | null {
  if (leftAt !== null && leftBy !== null) return { source: leftBy, asOf: leftAt }
  return arrivedAt !== null && arrivedBy !== null ? { source: arrivedBy, asOf: arrivedAt } : null
}

/** What was seen or marked last anywhere: estimates of the stops ahead rest on it. */
const lastKnown = (visits: readonly Visit[]): Known | null =>
  visits.reduce<Known | null>((last, visit) => {
    const known = sourceOfVisit(visit)
    return known !== null && (known.asOf ?? 0) >= (last?.asOf ?? 0) ? known : last
  }, null)
