import type { DuplicateChoice } from '@tour-ops/contract/imports/import-batch'
import type { ImportField } from '@tour-ops/contract/imports/import-mapping'
import type { BatchFacts } from './batch-facts.ts'
import type { Claims } from './claims.ts'
import type { DepartureBook } from './departure-book.ts'
import { problem, type Problem } from './import-problems.ts'
import type { ImportSeal } from './import-seal.ts'
import type { PartiesOfFile } from './likely-duplicates.ts'
import type { MappingOfParty } from './party-fields.ts'
import type { PeopleOfFile } from './people-of-file.ts'
import type { PartyProblem } from './plan-booking.ts'
import type { RoomBook } from './plan-rooms.ts'
import type { EntityPlan, StagedRow } from './plan-types.ts'

/** What the lines before have decided. Lives as long as one check of one file. */
export interface PlanMemory {
  readonly departures: DepartureBook
  readonly claims: Claims
  readonly people: PeopleOfFile
  readonly rooms: RoomBook
  readonly parties: PartiesOfFile
  /** Who is on which departure by this file: `departure traveler` → line. */
  readonly onBoard: Map<string, number>
}

export interface PlanContext {
  readonly facts: BatchFacts
  readonly memory: PlanMemory
  readonly now: Date
  readonly seal: ImportSeal
  readonly mapping: MappingOfParty
  /** Which likely duplicates are imported. */
  readonly duplicates: DuplicateChoice
  /** Header of the column that goes to a field. */
  readonly headerOf: (field: string) => string | null
  /** An unused reference. */
  readonly freeRef: () => string
}

/** Refuses one line, and with it its party. */
export class Refusal extends Error {
  readonly line: number
  readonly problem: Problem

  constructor(line: number, found: Problem) {
    super(found.code)
    this.line = line
    this.problem = found
  }
}

/** Refuses the party of a line. */
export function refuse(
  context: PlanContext,
  row: StagedRow,
  found: PartyProblem | (Omit<Problem, 'column'> & { field?: ImportField }),
): never {
  const column = found.field === undefined ? null : context.headerOf(found.field)
  throw new Refusal(row.line, problem(found.code, column, found.params))
}

/** Refuses a line that says something else about the same row of the database than an earlier one. */
export function requireAgreement(
  context: PlanContext,
  row: StagedRow,
  key: string,
  plan: EntityPlan | undefined,
  code: 'party_disagrees' | 'person_disagrees',
): void {
  const line = context.memory.claims.conflict(key, plan)
  if (line !== undefined) refuse(context, row, { code, params: { line: String(line) } })
}
