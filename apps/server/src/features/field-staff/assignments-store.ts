import type { AppError } from '@tour-ops/contract/errors'
import type { AgainstPeople, BrokenRule } from '@tour-ops/contract/field-staff/assignments'
import { fieldIssue } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { addMinutes } from '../../platform/local-time.ts'
import { licenceExpired, staffNotActive } from '../../platform/operations/staff-obstacles.ts'
import { tryAgainst } from '../../platform/savepoint.ts'
import { type Fit, judge, obstacleOf } from './fit.ts'
import { type Duty, type FitFacts, selectFitFacts, type Span } from './fit-facts.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

/** Crew report this long before the start and are released this long after the end, unless set otherwise. */
const reportBeforeMin = 30
const releaseAfterMin = 30

export interface DepartureSpan {
  readonly id: string
  readonly code: string
  readonly status: string
  readonly language: string | null
  readonly timeZone: string
  readonly localDate: string
  readonly startsAt: Date
  readonly endsAt: Date
}

export async function requireDeparture(call: MemberCall, id: string): Promise<DepartureSpan> {
  const { rows } = await sql<DepartureSpan>`
    select id, code, status, language, time_zone as "timeZone", local_date as "localDate", starts_at as "startsAt",
      ends_at as "endsAt" from ${call.scope === 'own' ? sql`own_assignment_departures()` : sql`departures`} where org_id = ${call.orgId} and id = ${id}`.execute(
    call.tx,
  )
  const departure = rows[0]
  if (!departure) throw notFound('departure')
  return departure
}

/** Refuses crew changes on what is over or will not run. */
export function requireOpen(departure: DepartureSpan): void {
  if (['cancelled', 'aborted', 'completed'].includes(departure.status)) {
    throw refuse('departure_over', { code: departure.code, status: departure.status })
  }
}

export interface NewAssignment {
  readonly duty: Duty
  readonly staffId: string
  readonly status: 'accepted' | 'offered'
  readonly respondBy?: Date | undefined
  readonly brokenRules: readonly BrokenRule[]
  /** Written only where a rule is broken. */
  readonly overrideReason: string | null
}

/**
 * Puts a person on a departure: a calendar entry, and the assignment that makes it binding.
 *
 * @throws AppError `aborted`, reason `staff_busy`, naming what the person is already on.
 */
export async function insertAssignment(
  call: MemberCall,
  wanted: NewAssignment,
): Promise<{ id: string; version: number }> {
  const { duty, staffId, brokenRules } = wanted
  const { span } = duty
  const id = newId()
  return tryAgainst(
    call.tx,
    'staff_calendar_entries_no_overlap',
    async () => {
      const entryId = newId()
      await sql`
        insert into staff_calendar_entries (org_id, id, staff_id, during, kind, status)
        values (${call.orgId}, ${entryId}, ${staffId}, tstzrange(${span.from}, ${span.to}), 'assignment',
          ${wanted.status === 'accepted' ? 'confirmed' : 'tentative'})`.execute(call.tx)
      await sql`
        insert into assignments (org_id, id, calendar_entry_id, departure_id, staff_id, role, status, report_at,
          release_at, offered_at, respond_by, responded_at, broken_rules, override_reason)
        values (${call.orgId}, ${id}, ${entryId}, ${duty.departureId}, ${staffId}, ${duty.role}, ${wanted.status},
          ${span.from}, ${span.to}, ${wanted.status === 'offered' ? sql`app_now()` : null}, ${wanted.respondBy ?? null},
          ${wanted.status === 'accepted' ? sql`app_now()` : null}, ${[...brokenRules]}::text[],
          ${brokenRules.length > 0 ? wanted.overrideReason : null})`.execute(call.tx)
      return { id, version: 1 }
    },
    () => staffBusy(call, staffId, span.from, span.to),
  )
}

/** The refusal of a double booking: who, and what they are already on. */
export async function staffBusy(call: MemberCall, staffId: string, from: Date, to: Date): Promise<AppError> {
  const { rows } = await sql<{
    name: string
    kind: string
    code: string | null
    departureId: string | null
    fromAt: Date
    toAt: Date
  }>`
    select s.first_name as name, busy.kind, d.code, d.id as "departureId", busy.from_at as "fromAt", busy.to_at as "toAt"
      from staff_busy(tstzrange(${from}, ${to}), ${[staffId]}::uuid[], true) busy
      join field_staff s on s.org_id = ${call.orgId} and s.id = busy.staff_id
      left join assignments a on a.org_id = s.org_id and a.calendar_entry_id = busy.id
      left join departures d on d.org_id = a.org_id and d.id = a.departure_id
     limit 1`.execute(call.tx)
  const other = rows[0]
  return refuse(
    'staff_busy',
    other
      ? {
          name: other.name,
          departureId: other.departureId,
          code: other.code,
          kind: other.kind,
          from: other.fromAt.toISOString(),
          to: other.toAt.toISOString(),
        }
      : {},
  )
}

/** The duty period of a departure: from report to release. */
export const dutyOf = (departure: DepartureSpan, role: Duty['role'], given: Partial<Span> = {}): Duty => ({
  departureId: departure.id,
  role,
  language: departure.language,
  localDate: departure.localDate,
  span: {
    from: given.from ?? addMinutes(departure.startsAt, -reportBeforeMin),
    to: given.to ?? addMinutes(departure.endsAt, releaseAfterMin),
  },
})

/**
 * The rules that each of these people would break on a duty.
 *
 * @throws AppError as `judgeAll`, and `invalid-argument` on `overrideReason` when a rule would be broken without one, with
 * `details.against`: who, and what speaks against them.
 */
export async function requireFit(
  call: MemberCall,
  duty: Duty,
  staffIds: readonly string[],
  overrideReason: string | null,
): Promise<ReadonlyMap<string, BrokenRule[]>> {
  const judged = await judgeAll(call, duty, staffIds)
  const against: AgainstPeople = judged
    .filter(({ fit }) => fit.broken.length > 0)
    .map(({ staffId, name, fit }) => ({ staffId, name, reasons: fit.reasons.filter(({ ok }) => !ok) }))
  if (!overrideReason && against.length > 0) {
    throw refuse('override_reason_missing', { against }, { fields: { overrideReason: [fieldIssue('reason_missing')] } })
  }
  return new Map(judged.map(({ staffId, fit }) => [staffId, fit.broken]))
}

interface Judged {
  readonly staffId: string
  readonly name: string
  readonly fit: Fit
}

/**
 * Judges people on a duty as it is now.
 *
 * @throws AppError `not-found` for somebody unknown, `aborted` for somebody who cannot do it at all: not active (`staff_not_active`),
 * without the licence (`licence_expired`), on leave or on something else (`staff_busy`).
 */
async function judgeAll(call: MemberCall, duty: Duty, staffIds: readonly string[]): Promise<Judged[]> {
  const people = await selectFitFacts(call, duty, { staffIds })
  if (people.length < new Set(staffIds).size) {
    throw notFound('field_staff')
  }
  for (const person of people) {
    const refusal = await refusalOf(call, duty, person)
    if (refusal) throw refusal
  }
  return people.map((person) => ({ staffId: person.staffId, name: person.name, fit: judge(person) }))
}

/** The refusal of somebody who cannot do a duty at all, whatever the reason. */
async function refusalOf(call: MemberCall, { span }: Duty, person: FitFacts): Promise<AppError | undefined> {
  const { staffId, name } = person
  switch (obstacleOf(person)?.because) {
    case 'suspended':
      return staffNotActive(name, person.status)
    case 'licence':
      return licenceExpired(name)
    case 'busy':
    case 'leave':
      return staffBusy(call, staffId, span.from, span.to)
    case 'travel':
    case undefined:
      return undefined
  }
}

/** What was overridden for an assignment, and why. */
export interface Overridden {
  readonly brokenRules: readonly BrokenRule[]
  readonly overrideReason: string | null
}

/**
 * Judges an offer again at the moment of its yes: between the two the person may have been given another duty, or a certificate have ended.
 *
 * @param offered What was overridden when it was offered: that is not asked again.
 * @param overrideReason From people who may override; null for everybody else.
 * @returns What is broken now, with the reason to keep.
 * @throws AppError `aborted`, reason `no_longer_fits`, with what speaks against the person since the offer.
 */
export async function requireStillFit(
  call: MemberCall,
  duty: Duty,
  { staffId, offered, overrideReason }: { staffId: string; offered: Overridden; overrideReason: string | null },
): Promise<Overridden> {
  const [judged] = await judgeAll(call, duty, [staffId])
  const { reasons, broken } = judged?.fit ?? { reasons: [], broken: [] }
  const since = broken.filter((rule) => !offered.brokenRules.includes(rule))
  if (since.length > 0 && !overrideReason) {
    throw refuse('no_longer_fits', {
      reasons: reasons.filter(({ reason }) => since.some((rule) => rule === reason)),
    })
  }
  return { brokenRules: broken, overrideReason: broken.length > 0 ? (overrideReason ?? offered.overrideReason) : null }
}
