import type { BrokenRule, FitReason } from '@tour-ops/contract/field-staff'
import type { FitFacts, Neighbor, Point } from './fit-facts.ts'

/** Further than this from home nobody comes for the day. */
const nearBaseKm = 150

/** What speaks for and against a person, the rules that an assignment would break among it, and how good they are for it. */
export interface Fit {
  readonly reasons: FitReason[]
  readonly broken: BrokenRule[]
  readonly score: number
}

/** Kilometers between two points on the ground, as the crow flies. */
export function kilometers(from: Point, to: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half = (difference: number) => Math.sin(radians(difference) / 2) ** 2
  const chord =
    half(to.lat - from.lat) + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * half(to.lng - from.lng)
  return 6371 * 2 * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/**
 * Hours from one place to another: by road at 60 km/h over a way a third longer than the straight line, or by air with four hours for
 * both airports, whichever is sooner. Short ways are part of the report time. An estimate for planning; there is no router here.
 */
export function travelHours(from: Point | null, to: Point | null): number {
  if (!from || !to) return 0
  const km = kilometers(from, to)
  return km < 25 ? 0 : Math.min((km * 1.3) / 60, 4 + km / 700)
}

/** Rest between a duty and its neighbor: what is left of the gap after the way; below zero nobody arrives. */
function restWith(neighbor: Neighbor | null, place: Point | null): { hours: number; code: string | null } | null {
  return neighbor && { hours: neighbor.gapHours - travelHours(neighbor.at, place), code: neighbor.code }
}

/** The shorter of the rests before and after; null where nothing is near. */
export function shortestRest(facts: FitFacts): { hours: number; code: string | null } | null {
  const rests = [restWith(facts.before, facts.firstStop), restWith(facts.after, facts.lastStop)]
  return rests.filter((rest) => rest !== null).toSorted((a, b) => a.hours - b.hours)[0] ?? null
}

/**
 * Ranks by language, rest, hours left in the week, distance from the base and experience with the tour; says why.
 *
 * @see product description, I19: these warn, and whoever assigns people may override them with a reason.
 */
export function judge(facts: FitFacts): Fit {
  const rest = shortestRest(facts)
  const isRested = !rest || rest.hours >= facts.minRestHours
  const isWithinHours = facts.limitHours === null || facts.weekHours + facts.dutyHours <= facts.limitHours
  const km = facts.base && facts.firstStop ? kilometers(facts.base, facts.firstStop) : null
  const isNear = km === null || km <= nearBaseKm
  const reasons: FitReason[] = [
    { ok: facts.speaks, reason: 'language' },
    {
      ok: isRested,
      reason: 'rest',
      ...(!isRested && { hours: Math.max(0, rest.hours), limitHours: facts.minRestHours, code: rest.code }),
    },
    {
      ok: isWithinHours,
      reason: 'hours',
      hours: facts.weekHours,
      addedHours: facts.dutyHours,
      limitHours: facts.limitHours,
    },
    ...(km === null || !facts.base
      ? []
      : [
          {
            ok: isNear,
            reason: 'base' as const,
            place: facts.base.name,
            distanceKm: Math.round(km),
            hours: travelHours(facts.base, facts.firstStop),
          },
        ]),
    ...(facts.certificateExpired ? [{ ok: false, reason: 'certificate' as const }] : []),
    ...(facts.ledBefore > 0 ? [{ ok: true, reason: 'led_before' as const, count: facts.ledBefore }] : []),
  ]
  const nearness = km === null ? 15 : isNear ? 30 * (1 - km / nearBaseKm) : -60
  return {
    reasons,
    broken: reasons.flatMap(({ ok, reason }) => (ok || reason === 'led_before' ? [] : [reason])),
    score:
      (facts.speaks ? 60 : 0) +
      (isRested ? 30 : 0) +
      (isWithinHours ? 20 : 0) +
      nearness +
      Math.min(facts.ledBefore, 10),
  }
}
