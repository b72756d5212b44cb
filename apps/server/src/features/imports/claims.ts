import type { EntityPlan } from './plan-types.ts'

export interface Claim {
  readonly line: number
  readonly plan: EntityPlan
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Columns that say which row it is, and that no second line may change. */
const fixed = new Set(['traveler_id', 'kind', 'mobility'])

/**
 * What a file writes so far, by row: a traveler who is in several lines, or a booking that several parties touch, is written once. Later
 * lines add what earlier ones left empty; where they say something else, somebody has to look.
 */
export class Claims {
  readonly #claims = new Map<string, Claim>()
  /** Plans that a later line has added to; the staging table must be updated. */
  readonly amended = new Map<string, Claim>()

  /** Line that says something else about the same row; undefined when there is none. */
  conflict(key: string, plan: EntityPlan | undefined): number | undefined {
    const claim = plan && this.#claims.get(key)
    if (!claim) return undefined
    const differs = Object.keys(plan.set).some(
      (column) =>
        !fixed.has(column) &&
        !isEmpty(plan.set[column]) &&
        !isEmpty(claim.plan.set[column]) &&
        !isSame(plan.set[column], claim.plan.set[column]),
    )
    return differs ? claim.line : undefined
  }

  /** The plan if this line is to carry it; undefined when it was added to an earlier line's. */
  take(key: string, line: number, plan: EntityPlan | undefined): EntityPlan | undefined {
    if (!plan) return undefined
    const claim = this.#claims.get(key)
    if (!claim) {
      this.#claims.set(key, { line, plan })
      return plan
    }
    for (const column of Object.keys(plan.set)) {
      if (fixed.has(column) || isEmpty(plan.set[column]) || !isEmpty(claim.plan.set[column])) continue
      claim.plan.set[column] = plan.set[column]
      if (!claim.plan.isNew) claim.plan.was[column] = plan.was[column] ?? null
      this.amended.set(key, claim)
    }
    return undefined
  }
}
