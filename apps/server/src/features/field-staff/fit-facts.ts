import type { In, Out } from '@tour-ops/contract/callable'
import { drivingKinds, kindsForRole, type suggestStaff } from '@tour-ops/contract/field-staff/assignments'
import type { Point } from '@tour-ops/contract/tracking/arrivals/travel'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { dutyHours, hoursByStaff, weekAround } from '../../platform/duty-hours.ts'
import { type Neighbor, roadSeconds, stopOf } from '../../platform/operations/rest.ts'
import { endedCertificates } from '../../platform/operations/staff-obstacles.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

export interface Span {
  readonly from: Date
  readonly to: Date
}

/** What is known of a person about one duty. */
export interface FitFacts {
  readonly staffId: string
  readonly name: string
  readonly employment: Out<typeof suggestStaff>['fits'][number]['employment']
  readonly status: string
  /** Whether the role is their work. */
  readonly fitsKind: boolean
  readonly speaks: boolean
  readonly certificateExpired: boolean
  /** Of the role: without it nobody may do the work at all. */
  readonly licenceExpired: boolean
  readonly blockedBy: string | null
  readonly blockedCode: string | null
  readonly before: Neighbor | null
  readonly after: Neighbor | null
  readonly minRestHours: number
  /** `roadSeconds`: from there to the first stop, as of a neighbor. */
  readonly base: (Point & { readonly name: string; readonly roadSeconds: number | null }) | null
  readonly firstStop: Point | null
  readonly lastStop: Point | null
  readonly ledBefore: number
  /** Of the organization's week, without the duty in question. */
  readonly weekHours: number
  readonly dutyHours: number
  readonly limitHours: number | null
}

type StaffRole = In<typeof suggestStaff>['role']

export interface Duty {
  readonly departureId: string
  readonly role: StaffRole
  readonly language: string | null
  readonly localDate: string
  /** Report to release. */
  readonly span: Span
}

/** How far around a duty to look for the next ones: the longest rest, and the longest journey with room. */
const aroundHours = 96

/** Roles that need the licence of a guide, where somebody has one. */
const guiding: readonly StaffRole[] = ['lead_guide', 'guide', 'tour_leader']

/**
 * What speaks for and against people on a duty, for all whose work the role is, or for those named. Everything is read in one
 * statement: there is no query per person.
 */
export async function selectFitFacts(
  call: MemberCall,
  duty: Duty,
  who: 'whose work it is' | { staffIds: readonly string[] },
): Promise<FitFacts[]> {
  const { from, to } = duty.span
  const week = await weekAround(call, from)
  const isDriven = sql`(${duty.role}::text = 'driver' or t.kind = 'transfer')`
  const fitsKind = sql`(s.kinds && ${[...kindsForRole[duty.role]]}::text[] or t.kind = 'transfer' and s.kinds && ${[...drivingKinds]}::text[])`
  const staffIds = typeof who === 'string' ? null : [...who.staffIds]
  const wanted = staffIds ? sql`s.id = any (${staffIds}::uuid[])` : fitsKind
  const neighbor = (side: 'before' | 'after') => {
    const isBefore = side === 'before'
    const road = isBefore
      ? roadSeconds(call.orgId, sql`n.last_stop`, sql`ends.first_stop`)
      : roadSeconds(call.orgId, sql`ends.last_stop`, sql`n.first_stop`)
    return sql`left join lateral (
      select jsonb_build_object('code', n.code, 'at', n.${sql.raw(isBefore ? 'last_stop' : 'first_stop')}, 'roadSeconds', ${road}, 'gapHours',
        extract(epoch from ${isBefore ? sql`${from}::timestamptz - n.to_at` : sql`n.from_at - ${to}::timestamptz`})::float8 / 3600) as fact
      from near n where n.staff_id = s.id and n.kind = 'assignment'
        and ${isBefore ? sql`n.to_at <= ${from}::timestamptz` : sql`n.from_at >= ${to}::timestamptz`}
      order by ${isBefore ? sql`n.to_at desc` : sql`n.from_at`} limit 1) ${sql.ref(side)} on true`
  }
  const { rows } = await sql<FitFacts>`
    with near as materialized (
      select busy.staff_id, busy.kind, busy.from_at, busy.to_at, d.code, ${stopOf('d', 'first')} as first_stop,
        ${stopOf('d', 'last')} as last_stop
      from staff_busy(tstzrange(${from}::timestamptz - make_interval(hours => ${aroundHours}),
          ${to}::timestamptz + make_interval(hours => ${aroundHours})), ${staffIds}::uuid[], true) busy
        left join lateral (select a.departure_id from assignments a where a.org_id = ${call.orgId} and a.calendar_entry_id = busy.id
          and a.status in ${statuses.binding} order by a.id limit 1) a on true
        left join departures d on d.org_id = ${call.orgId} and d.id = a.departure_id
    )
    select s.id as "staffId", trim(s.first_name || ' ' || s.last_name) as name, s.employment, s.status, ${fitsKind} as "fitsKind",
      ${duty.language}::text is null or exists (select 1 from jsonb_array_elements(s.languages) spoken
        where spoken->>'tag' like ${duty.language}::text || '%') as speaks,
      coalesce(papers.expired, false) as "certificateExpired",
      coalesce(papers.guiding_expired and ${guiding.includes(duty.role)}::boolean and t.kind <> 'transfer'
        or papers.driving_expired and ${isDriven}, false) as "licenceExpired",
      blocked.kind as "blockedBy", blocked.code as "blockedCode", before.fact as before, after.fact as after,
      s.min_rest_hours::float8 as "minRestHours",
      case when base.id is not null then jsonb_build_object('name', base.name, 'lat', base.lat, 'lng', base.lng, 'roadSeconds',
        ${roadSeconds(call.orgId, sql`jsonb_build_object('lat', base.lat, 'lng', base.lng)`, sql`ends.first_stop`)}) end as base,
      ends.first_stop as "firstStop", ends.last_stop as "lastStop",
      (select count(*)::int from assignments a join departures d on d.org_id = a.org_id and d.id = a.departure_id
        where a.org_id = s.org_id and a.staff_id = s.id and a.status = 'completed' and d.tour_id = duty.tour_id) as "ledBefore",
      coalesce(week.hours, 0)::float8 as "weekHours",
      case when ${from}::timestamptz < ${week.to}::timestamptz then ${dutyHours(
        sql`${from}::timestamptz`,
        sql`least(${to}::timestamptz, ${week.to}::timestamptz)`,
        sql`s.max_hours_per_day`,
        sql`${week.timeZone}::text`,
      )} else 0 end as "dutyHours",
      s.contracted_hours_per_week::float8 as "limitHours"
    from departures duty
      join tours t on t.org_id = duty.org_id and t.id = duty.tour_id
      cross join lateral (select ${stopOf('duty', 'first')} as first_stop, ${stopOf('duty', 'last')} as last_stop) ends
      join field_staff s on s.org_id = duty.org_id and s.archived_at is null and ${wanted}
      left join places base on base.org_id = s.org_id and base.id = s.home_base_place_id
      left join ${hoursByStaff(call.orgId, week)} week on week.staff_id = s.id
      left join lateral ${endedCertificates(sql`${duty.localDate}`)} papers on true
      left join lateral (
        select n.kind, n.code from near n
         where n.staff_id = s.id and n.from_at < ${to}::timestamptz and n.to_at > ${from}::timestamptz
         order by n.from_at limit 1) blocked on true
      ${neighbor('before')}
      ${neighbor('after')}
    where duty.org_id = ${call.orgId} and duty.id = ${duty.departureId}
    order by s.last_name collate "und-x-icu", s.id`.execute(call.tx)
  return rows
}
