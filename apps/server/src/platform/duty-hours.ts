import { type RawBuilder, sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import type { MemberCall } from '../context.ts'
import { statuses } from './operations/status-sets.ts'

/** A span of time whose days are those of a zone. */
export interface DutySpan {
  readonly from: Date
  readonly to: Date
  /** The organization's: one duty counts the same on every screen, wherever its tour runs. */
  readonly timeZone: string
}

/**
 * Hours of a duty from report to release, on each of its days at most `perDay`: nobody works the nights of a journey. The one definition
 * for planner, roster, suggestions and reports. Days are those of the organization, so that the hours of two halves add up to the whole.
 */
export const dutyHours = (
  from: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
  perDay: RawBuilder<unknown>,
  timeZone: RawBuilder<unknown>,
): RawBuilder<number> => {
  const hours = (start: RawBuilder<unknown>, end: RawBuilder<unknown>): RawBuilder<number> =>
    sql<number>`least(extract(epoch from ${end} - ${start})::float8 / 3600, ${perDay}::float8)`
  const firstDay = sql`(${from} at time zone ${timeZone})::date`
  const lastDay = sql`(${to} at time zone ${timeZone})::date`
  return sql<number>`case when ${firstDay} = ${lastDay} then ${hours(from, to)} else
    ${hours(from, sql`(${firstDay} + 1)::timestamp at time zone ${timeZone}`)}
    + ${perDay}::float8 * (${lastDay} - ${firstDay} - 1)
    + ${hours(sql`${lastDay}::timestamp at time zone ${timeZone}`, to)} end`
}

/** Whether an assignment `a` counts as a duty: it is or was binding, and not only standby. */
export const countsAsDuty = sql<boolean>`(a.role <> 'backup' and a.status in ${statuses.binding})`

/** Hours of duty by `staff_id` within a span; people without any are left out. A subselect to join. */
export const hoursByStaff = (orgId: string, { from, to, timeZone }: DutySpan): RawBuilder<unknown> => sql`(
  select busy.staff_id, sum(${dutyHours(
    sql`greatest(busy.from_at, ${from})`,
    sql`least(busy.to_at, ${to})`,
    sql`person.max_hours_per_day`,
    sql`${timeZone}::text`,
  )}) as hours
    from staff_busy(tstzrange(${from}, ${to}), null, true) busy
      join field_staff person on person.org_id = ${orgId} and person.id = busy.staff_id
   where busy.kind = 'assignment'
     and exists (select from assignments a where a.org_id = ${orgId} and a.calendar_entry_id = busy.id and ${countsAsDuty})
   group by busy.staff_id)`

/** The organization's week around a moment: contracted hours are hours of a week. */
export async function weekAround(call: Pick<MemberCall, 'tx' | 'orgId'>, at: Date): Promise<DutySpan> {
  const { rows } = await sql<{ timeZone: string; weekStart: number }>`
    select time_zone as "timeZone", week_start as "weekStart" from org_settings where org_id = ${call.orgId}`.execute(
    call.tx,
  )
  const { timeZone, weekStart } = rows[0] ?? { timeZone: 'UTC', weekStart: 1 }
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).startOfDay()
  const first = day.subtract({ days: (day.dayOfWeek - weekStart + 7) % 7 })
  return {
    from: new Date(first.epochMilliseconds),
    to: new Date(first.add({ days: 7 }).epochMilliseconds),
    timeZone,
  }
}
