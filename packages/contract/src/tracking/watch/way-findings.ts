import type { TravelMode } from '../../tours/tour-terms.ts'
import type { Arrivals, StopArrival } from '../arrivals/arrivals.ts'
import { accuracyOf, type Fix } from '../arrivals/evidence.ts'
import type { DeparturePlan, StopPlan } from '../arrivals/plan.ts'
import { metersBetween, metersTo } from '../arrivals/travel.ts'
import { overspeedOf } from './overspeed.ts'
import { metersToLine, metersToShape, type Shape } from './shapes.ts'
import { type Judged, type Streak, streakOf } from './streak.ts'

export const findingKinds = ['off_route', 'long_stop', 'overspeed', 'geofence_absent', 'no_go_area'] as const
export type FindingKind = (typeof findingKinds)[number]

/** Something that the positions of a departure say and that should not be; moments in milliseconds since 1970. */
export interface Finding {
  readonly kind: FindingKind
  /** Two findings of one kind differ in this: the area of `no_go_area`. */
  readonly cause: string | null
  readonly since: number
  /** Of the newest position that says so, and where that was. */
  readonly seenAt: number
  readonly lat: number
  readonly lng: number
  /** What was measured, and what was allowed. */
  readonly facts: Readonly<Record<string, string | number>>
}

/** When something counts; what the settings say. See docs/domain.md, "Alerts". */
export interface WayLimits {
  readonly offRouteM: number
  /** Of stretches on foot. */
  readonly offRouteWalkM: number
  readonly offRouteMin: number
  readonly longStopMin: number
  readonly absentMin: number
  /** Of the vehicle; null where none is known. */
  readonly speedKmh: number | null
}

/** Where nobody may go. Out of it is who is farther away than in by `exitM` less `enterM`. */
export interface NoGoArea {
  readonly id: string
  readonly name: string
  readonly shape: Shape
  /** Around a point or a line. */
  readonly enterM: number
  readonly exitM: number
  readonly dwellS: number
}

export interface Way {
  readonly dayIndex: number
  readonly line: readonly (readonly [lng: number, lat: number])[]
}

export interface WatchInput {
  readonly plan: DeparturePlan
  readonly arrivals: Arrivals
  /** Accepted positions in order: `trustedFixes`. */
  readonly fixes: readonly Fix[]
  /** Drawn ways; a day without one is not watched for `off_route`. */
  readonly ways: readonly Way[]
  readonly areas: readonly NoGoArea[]
  readonly limits: WayLimits
  /** Milliseconds. */
  readonly now: number
}

/** Who stays within this has not moved on, in addition to the error of the positions. */
const standingM = 150
const minuteMs = 60_000

/**
 * What a departure's positions say against its plan. Like its arrivals it depends on what is known and on nothing else: neither on the
 * order nor on the grouping in which positions came. What cannot be known, during silence or within a position's error, stays as it was.
 */
export function wayFindingsOf(input: WatchInput): Finding[] {
  const last = input.fixes.at(-1)
  if (last === undefined) return []
  const found = [...absent(input), ...noGo(input)]
  return isOnTheWay(input) ? [...offRoute(input), ...longStop(input, last), ...overspeed(input), ...found] : found
}

/** They have set out, and have not left the last stop. */
const isOnTheWay = ({ plan, arrivals }: WatchInput): boolean =>
  plan.startedAt !== null && arrivals.stops.at(-1)?.status !== 'departed'

const lasted = (streak: Streak | null, minutes: number): streak is Streak =>
  streak !== null && streak.last.at - streak.since >= minutes * minuteMs

const findingOf = (kind: FindingKind, { since, last }: Streak, facts: Finding['facts'], cause?: string): Finding => ({
  kind,
  cause: cause ?? null,
  since,
  seenAt: last.at,
  lat: last.lat,
  lng: last.lng,
  facts,
})

/** Outside for certain, inside, or within the error of the position. */
const outside = (meters: number, fix: Fix, limitM: number): Judged =>
  meters <= limitM ? 'no' : meters - accuracyOf(fix) > limitM ? 'yes' : 'unsure'

const isAtAStop = (fix: Fix, stops: readonly StopPlan[]): boolean =>
  stops.some((stop) => metersTo(stop)(fix) <= stop.exitM + accuracyOf(fix))

/** How they traveled at a moment: as the plan says of the stop that they came to next. */
function modeAt({ plan, arrivals: { stops } }: WatchInput): (at: number) => TravelMode {
  const reached = stops.map(({ arrivedAt, leftAt }) => arrivedAt ?? leftAt)
  const behind = reached.findLastIndex((at) => at !== null)
  const ahead = stops.findIndex(({ status }, index) => index > behind && status === 'planned')
  const last = ahead === -1 ? plan.stops.length - 1 : ahead
  return (at) => {
    const next = reached.findIndex((each) => each !== null && each > at)
    // nobody comes to the first stop by the plan
    return plan.stops[Math.max(1, next === -1 ? last : next)]?.mode ?? 'drive'
  }
}

/** The course of ships, trains and planes is not theirs to choose. */
const followsTheWay = (mode: TravelMode): boolean => mode === 'walk' || mode === 'drive'

function offRoute(input: WatchInput): Finding[] {
  const { plan, arrivals, fixes, ways, limits } = input
  const lines = linesOfNow(plan, arrivals, ways)
  if (lines === null) return []
  const modeOfFix = modeAt(input)
  const away = (fix: Fix) => Math.min(...lines.map((line) => metersToLine(fix, line)))
  const limitAt = ({ at }: Fix) => (modeOfFix(at) === 'walk' ? limits.offRouteWalkM : limits.offRouteM)
  const streak = streakOf(fixes, (fix) => {
    if (!followsTheWay(modeOfFix(fix.at))) return 'no'
    const judged = outside(away(fix), fix, limitAt(fix))
    return judged === 'yes' && isAtAStop(fix, plan.stops) ? 'no' : judged
  })
  if (!lasted(streak, limits.offRouteMin)) return []
  const { last } = streak
  const facts = { meters: Math.round(away(last)), limitM: limitAt(last), limitMin: limits.offRouteMin }
  return [findingOf('off_route', streak, facts)]
}

/** The drawn ways of the day on which they are, and of the one that comes next; null where one of them has none. */
function linesOfNow(plan: DeparturePlan, { stops }: Arrivals, ways: readonly Way[]): readonly Way['line'][] | null {
  const behind = stops.findLastIndex(({ status }) => status === 'arrived' || status === 'departed')
  const ahead = stops.findIndex(({ status }, index) => index > behind && status === 'planned')
  const days = new Set([behind, ahead].flatMap((index) => plan.stops[index]?.dayIndex ?? []))
  const drawn = ways.filter(({ dayIndex }) => days.has(dayIndex))
  const isWhole = [...days].every((day) => drawn.some(({ dayIndex }) => dayIndex === day))
  return isWhole && drawn.length > 0 ? drawn.map(({ line }) => line) : null
}

function longStop({ plan, fixes, limits: { longStopMin } }: WatchInput, last: Fix): Finding[] {
  if (isAtAStop(last, plan.stops)) return []
  const streak = streakOf(fixes, (fix) =>
    metersBetween(fix, last) <= standingM + accuracyOf(fix) + accuracyOf(last) ? 'yes' : 'no',
  )
  if (!lasted(streak, longStopMin)) return []
  const minutes = Math.floor((streak.last.at - streak.since) / minuteMs)
  return [findingOf('long_stop', streak, { minutes, limitMin: longStopMin })]
}

/** In a vehicle of the operator's, boats among them. */
const isInVehicle = (mode: TravelMode): boolean => mode === 'drive' || mode === 'boat'

function overspeed(input: WatchInput): Finding[] {
  const { fixes, now, limits } = input
  const { speedKmh } = limits
  if (speedKmh === null) return []
  const modeOfFix = modeAt(input)
  const inVehicle = fixes.filter(({ at }) => isInVehicle(modeOfFix(at)))
  const found = overspeedOf(inVehicle, speedKmh, now)
  if (found === null) return []
  return [findingOf('overspeed', found, { kmh: found.kmh, limitKmh: speedKmh })]
}

/** Not where they should be: at the stop that a person has marked, or where the tour starts once its time has come. */
function absent({ plan, arrivals, fixes, limits: { absentMin }, now }: WatchInput): Finding[] {
  const due = dueStop(plan, arrivals.stops, now)
  if (due === null) return []
  const { stop, from } = due
  const meters = metersTo(stop)
  const since = fixes.filter(({ at }) => at >= from)
  const streak = streakOf(since, (fix) => outside(meters(fix), fix, stop.exitM))
  if (!lasted(streak, absentMin)) return []
  const facts = { stopId: stop.id, meters: Math.round(meters(streak.last)), limitM: stop.exitM, limitMin: absentMin }
  return [findingOf('geofence_absent', streak, facts)]
}

function dueStop(
  plan: DeparturePlan,
  stops: readonly StopArrival[],
  now: number,
): { stop: StopPlan; from: number } | null {
  const marked = stops.findLastIndex(({ status, arrivedBy }) => status === 'arrived' && arrivedBy === 'tap')
  const there = plan.stops[marked]
  if (there !== undefined) return { stop: there, from: stops[marked]?.arrivedAt ?? 0 }
  const start = plan.stops.find(({ kind }) => kind === 'start')
  if (start === undefined || plan.startedAt !== null || now < start.plannedArriveAt) return null
  return { stop: start, from: start.plannedArriveAt }
}

function noGo({ fixes, areas }: WatchInput): Finding[] {
  return areas.flatMap(({ id, name, shape, enterM, exitM, dwellS }) => {
    const around = shape.type === 'Point' || shape.type === 'LineString' ? enterM : 0
    const streak = streakOf(fixes, (fix) => {
      const meters = metersToShape(fix, shape) - around
      return meters <= 0 ? 'yes' : meters > exitM - enterM ? 'no' : 'unsure'
    })
    return lasted(streak, dwellS / 60) ? [findingOf('no_go_area', streak, { areaId: id, area: name }, id)] : []
  })
}
