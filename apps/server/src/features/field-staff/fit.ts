import type { Out } from '@tour-ops/contract/callable'
import type { BrokenRule, FitReason, suggestStaff } from '@tour-ops/contract/field-staff/assignments'
import { kilometers, restWith, travelHours } from '../../platform/operations/rest.ts'
import type { FitFacts } from './fit-facts.ts'

/** Further than this from home nobody comes for the day. */
const nearBaseKm = 150

/** What speaks for and against a person, the rules that an assignment would break among it, and how good they are for it. */
export interface Fit {
  readonly reasons: FitReason[]
  readonly broken: BrokenRule[]
  readonly score: number
}

type Obstacle = Out<typeof suggestStaff>['notPossible'][number]

/**
 * Why somebody is not offered for a duty at all. All but `travel` also refuse an assignment: that one is an estimate, and people who know
 * better may say why.
 */
export function obstacleOf(person: FitFacts): Obstacle | undefined {
  const { staffId, name } = person
  const obstacle = (because: Obstacle['because'], code: string | null = null) => ({ staffId, name, because, code })
  if (person.status !== 'active') return obstacle('suspended')
  if (person.licenceExpired) return obstacle('licence')
  if (person.blockedBy) return obstacle(person.blockedBy === 'time_off' ? 'leave' : 'busy', person.blockedCode)
  const rest = shortestRest(person)
  return rest && rest.hours < 0 ? obstacle('travel', rest.code) : undefined
}

/** The shorter of the rests before and after; null where nothing is near. */
function shortestRest(facts: FitFacts): { hours: number; code: string | null } | null {
  const rests = [restWith(facts.before, facts.firstStop), restWith(facts.after, facts.lastStop)]
  return rests.filter((rest) => rest !== null).toSorted((a, b) => a.hours - b.hours)[0] ?? null
}

/**
 * Ranks by language, rest, hours left in the week, distance from the base and experience with the tour; says why.
 *
 * @see docs/domain.md, "Assignments": these warn, and people who assign crew may override them with a reason.
 */
export function judge(facts: FitFacts): Fit {
  const rest = shortestRest(facts)
  const isRested = !rest || rest.hours >= facts.minRestHours
  const canArrive = !rest || rest.hours >= 0
  const isWithinHours = facts.limitHours === null || facts.weekHours + facts.dutyHours <= facts.limitHours
  const km = facts.base && facts.firstStop ? kilometers(facts.base, facts.firstStop) : null
  const isNear = km === null || km <= nearBaseKm
  const reasons: FitReason[] = [
    ...(facts.fitsKind ? [] : [{ ok: false, reason: 'kind' as const }]),
    { ok: facts.speaks, reason: 'language' },
    canArrive
      ? {
          ok: isRested,
          reason: 'rest',
          ...(!isRested && { hours: rest.hours, limitHours: facts.minRestHours, code: rest.code }),
        }
      : { ok: false, reason: 'travel', code: rest.code },
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
            hours: travelHours(facts.base, facts.firstStop, facts.base.roadSeconds),
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
