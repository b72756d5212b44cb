import { noteWith, noteWithout } from './kept-cells.ts'
import type { EntityPlan } from './plan-types.ts'

/** Where a plan is stored: with a line, or with a further guest of it. */
export interface ClaimPlace {
  readonly line: number
  readonly more?: number | undefined
}

export interface Claim extends ClaimPlace {
  readonly plan: EntityPlan
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A value of a column; of a note only what the file says there. */
function saidIn(plan: EntityPlan, column: string, other: EntityPlan): unknown {
  const value = plan.set[column]
  return column === 'notes' && typeof value === 'string'
    ? noteWithout(value, [...(plan.kept ?? []), ...(other.kept ?? [])])
    : value
}

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
        !isSame(saidIn(plan, column, claim.plan), saidIn(claim.plan, column, plan)),
    )
    return differs ? claim.line : undefined
  }

  /** The plan if this line is to carry it; undefined when it was added to an earlier line's. */
  take(key: string, place: ClaimPlace, plan: EntityPlan | undefined): EntityPlan | undefined {
    if (!plan) return undefined
    const claim = this.#claims.get(key)
    if (!claim) {
      this.#claims.set(key, { ...place, plan })
      return plan
    }
    for (const column of Object.keys(plan.set)) {
      if (column === 'notes') this.#addNotes(key, claim, plan)
      if (fixed.has(column) || isEmpty(plan.set[column]) || !isEmpty(claim.plan.set[column])) continue
      claim.plan.set[column] = plan.set[column]
      if (!claim.plan.isNew) claim.plan.was[column] = plan.was[column] ?? null
      this.amended.set(key, claim)
    }
    return undefined
  }

  /** Parts of a file that have a booking in common keep what was not understood in the same note. */
  #addNotes(key: string, claim: Claim, { kept = [] }: EntityPlan): void {
    const { plan } = claim
    const { notes } = plan.set
    if (typeof notes !== 'string') return
    const joined = noteWith(notes, kept)
    if (joined === notes) return
    plan.set['notes'] = joined
    this.amended.set(key, claim)
  }
}
