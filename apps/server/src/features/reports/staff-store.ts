import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { countsAsDuty, dutyHours } from '../../platform/duty-hours.ts'
import { allOf, isOneOfIds } from '../../platform/list-query.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import type { Period } from '../../platform/reports/report-period.ts'
import {
  type DepartureFact,
  inReport,
  maxFacts,
  type ReportFilter,
  requireReasonable,
  startDelay,
} from '../../platform/reports/report-store.ts'

export interface AssignmentFact {
  assignmentId: string
  staffId: string
  name: string
  code: string
  localDate: string
  departureStatus: DepartureFact['status']
  role: string
  status: string
  /** It was asked for; employees may be put on a departure directly. */
  offered: boolean
  paxCarried: number
  startDelaySeconds: number | null
  /** Hours of the duty, as everywhere; once for departures that share a duty. */
  hours: number
  /** What guests of the departure gave the person, once where they had several roles on it. */
  ratings: number
  ratingSum: number
  ratingSquares: number
}

/** Only the caller's own record where the permission reaches no further. */
const isOwnStaff = (call: MemberCall, staffId: RawBuilder<unknown>): RawBuilder<boolean> | undefined =>
  call.scope === 'all' ? undefined : sql<boolean>`${staffId} = ${call.staffId}::uuid`

/** Assignments on the departures of a period, in the order of people. */
export async function selectAssignmentFacts(
  call: MemberCall,
  period: Period,
  filter: ReportFilter,
): Promise<AssignmentFact[]> {
  const { staffId, ...onDepartures } = filter
  const timeZone = await organizationZone(call)
  const { rows } = await sql<AssignmentFact>`
    with part as (
      select a.id as "assignmentId", a.staff_id as "staffId", concat_ws(' ', f.first_name, f.last_name) as name, d.code,
        d.local_date as "localDate", d.status as "departureStatus", a.role, a.status, a.offered_at is not null as offered,
        coalesce((select count(*)::int from manifest_entries m join bookings b on b.org_id = m.org_id and b.id = m.booking_id
          where m.org_id = d.org_id and m.departure_id = d.id and m.status in ${statuses.carried} and b.status in ${statuses.sold}), 0) as "paxCarried",
        ${startDelay} as "startDelaySeconds",
        case when ${countsAsDuty} and row_number() over (partition by a.calendar_entry_id, ${countsAsDuty} order by a.id) = 1
          then ${dutyHours(sql`lower(e.during)`, sql`upper(e.during)`, sql`f.max_hours_per_day`, sql`${timeZone}::text`)}
          else 0 end as hours,
        case when row_number() over (partition by a.departure_id, a.staff_id order by a.id) = 1 then said.ratings else 0 end as ratings,
        case when row_number() over (partition by a.departure_id, a.staff_id order by a.id) = 1 then said.total else 0 end as "ratingSum",
        case when row_number() over (partition by a.departure_id, a.staff_id order by a.id) = 1 then said.squares else 0 end as "ratingSquares"
      from assignments a
      join departures d on d.org_id = a.org_id and d.id = a.departure_id
      join field_staff f on f.org_id = a.org_id and f.id = a.staff_id
      join staff_calendar_entries e on e.org_id = a.org_id and e.id = a.calendar_entry_id
      cross join lateral (
        select count(*)::int as ratings, coalesce(sum(v.guide_rating), 0)::int as total,
          coalesce(sum(v.guide_rating * v.guide_rating), 0)::int as squares
        from feedback v where v.org_id = a.org_id and v.departure_id = a.departure_id and v.staff_id = a.staff_id and v.guide_rating is not null
      ) said
      where ${inReport(call, period, onDepartures)} and a.status <> 'draft' and ${allOf([
        isOneOfIds(sql`a.staff_id`, staffId),
        isOwnStaff(call, sql`a.staff_id`),
      ])}
      limit ${maxFacts + 1}
    )
    select "assignmentId", "staffId", name, code, "localDate", "departureStatus", role, status, offered, "paxCarried",
      "startDelaySeconds", round(hours::numeric, 2)::float8 as hours, ratings, "ratingSum", "ratingSquares"
    from part order by name collate "und-x-icu", "staffId", "localDate", code, "assignmentId"`.execute(call.tx)
  return requireReasonable(rows)
}

export interface StaffMember {
  staffId: string
  name: string
  code: string
  contractedHoursPerWeek: number | null
}

/** People of the staff report: everybody active, and everyone who was on a departure or on duty in the period. */
export async function selectStaff(
  call: MemberCall,
  filter: ReportFilter,
  seen: readonly string[],
): Promise<StaffMember[]> {
  const { rows } = await sql<StaffMember>`
    select f.id as "staffId", concat_ws(' ', f.first_name, f.last_name) as name, f.code,
      f.contracted_hours_per_week::float8 as "contractedHoursPerWeek"
    from field_staff f
    where f.org_id = ${call.orgId} and (f.id = any (${[...seen]}::uuid[]) or f.status = 'active' and f.archived_at is null)
      and ${allOf([isOneOfIds(sql`f.id`, filter.staffId), isOwnStaff(call, sql`f.id`)])}
    order by concat_ws(' ', f.first_name, f.last_name) collate "und-x-icu", f.id`.execute(call.tx)
  return rows
}
