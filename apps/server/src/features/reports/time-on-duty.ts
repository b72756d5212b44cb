import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { allOf, isOneOf, isOneOfIds } from '../../platform/list-query.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import type { Period } from '../../platform/reports/report-period.ts'
import type { ReportFilter } from '../../platform/reports/report-store.ts'

/** How long somebody was on duty, as recorded. */
export interface TimeOnDuty {
  staffId: string
  hours: number
}

/**
 * Hours on duty within the organization's days of a period, without breaks; people without any are left out. Duty that crosses the border of
 * the period is cut there, an open one counts until now, and times that several duties of a person share count once. With tours or languages
 * only duty on their departures counts.
 */
export async function selectTimeOnDuty(
  call: MemberCall,
  period: Period,
  { staffId, tourId, language }: ReportFilter,
): Promise<TimeOnDuty[]> {
  const timeZone = await organizationZone(call)
  const onDepartures =
    tourId?.length || language?.length
      ? sql<boolean>`exists (select from departures d where d.org_id = u.org_id and d.id = u.departure_id
          and ${allOf([isOneOfIds(sql`d.tour_id`, tourId), isOneOf(sql`d.language`, language)])})`
      : undefined
  const { rows } = await sql<TimeOnDuty>`
    with asked as (
      select tstzrange(${period.from}::date::timestamp at time zone ${timeZone}::text,
        (${period.to}::date + 1)::timestamp at time zone ${timeZone}::text) as span
    ), worked as (
      select u.staff_id, range_agg(tstzmultirange(tstzrange(u.started_at,
        greatest(u.started_at, coalesce(u.ended_at, u.break_started_at, app_now())))) - u.breaks) as times
      from asked join duty_sessions u on u.started_at < upper(asked.span) and (u.ended_at is null or u.ended_at > lower(asked.span))
      where ${allOf([
        sql`u.org_id = ${call.orgId} and u.staff_id is not null`,
        isOneOfIds(sql`u.staff_id`, staffId),
        onDepartures,
      ])}
      group by u.staff_id
    )
    select worked.staff_id as "staffId", round(sum(extract(epoch from upper(part) - lower(part))) / 3600, 2)::float8 as hours
    from asked cross join worked cross join unnest(worked.times * tstzmultirange(asked.span)) as part
    group by worked.staff_id order by worked.staff_id`.execute(call.tx)
  return rows
}
