import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { AlertRules } from '../../platform/operations/alert-limits.ts'
import type { DueSubject } from '../../platform/operations/alert-dues.ts'
import { isAwaited, isOut } from '../../platform/operations/departure-phase.ts'
import { ahead } from './alert-ahead.ts'
import { type SubjectIds, subjectKey } from './due-subjects.ts'
import { silence } from './on-tour-signals.ts'
import { isCurrent } from './weather-reach.ts'

// When something that signals say can become true or false without a change of a row. Each condition with a clock in it has its moment here;
// `due-times.test.ts` holds both against each other. A moment too many costs one evaluation, one too few an alert.

const ids = (list: readonly string[]): RawBuilder<unknown> => sql`any (${[...list]}::uuid[])`
const hours = (count: number): RawBuilder<unknown> => sql`make_interval(hours => ${count}::int)`
const days = (count: number): RawBuilder<unknown> => sql`make_interval(days => ${count}::int)`
const mins = (count: number): RawBuilder<unknown> => sql`make_interval(mins => ${count}::int)`
/** A range that ends at a moment does not hold it: true only after it. */
const after = sql`interval '1 millisecond'`

const departureTimes = (orgId: string, { departure }: SubjectIds, rules: AlertRules): RawBuilder<unknown> => sql`
  select 'departure' as kind, d.id, times.at from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
    cross join lateral (
      select at from (values (d.starts_at), (d.starts_at + ${mins(rules.lateStartMin)}), (d.starts_at + ${mins(rules.atRiskMin)}),
        (d.starts_at - ${hours(ahead.leadGuideHours)}), (d.starts_at - ${hours(ahead.serviceHours)}),
        (d.starts_at - ${days(ahead.documentsDays)}), (d.starts_at - ${hours(ahead.documentsUrgentHours)}),
        (d.ends_at), (d.ends_at + interval '1 day'), (d.ends_at + interval '60 days'),
        (d.decide_by - ${days(ahead.belowMinimumDays)}), (d.decide_by - interval '1 day')) fixed (at)
      union all
      select a.respond_by from assignments a where a.org_id = d.org_id and a.departure_id = d.id and a.status = 'offered'
      union all
      select m.ends_at from alert_mutes m where m.org_id = d.org_id and m.departure_id = d.id and m.ended_at is null
      union all
      select silence.lost_at from ${silence(rules)} silence
      union all
      select change.at from weather_warnings w cross join lateral (values (w.starts_at), (w.ends_at)) change (at)
      where w.org_id = d.org_id and ${isCurrent} and (d.starts_at < w.ends_at and d.ends_at > w.starts_at or ${isOut})
    ) times
  where d.org_id = ${orgId} and d.id = ${ids(departure)} and (${isAwaited} or ${isOut})`

/** Papers by the days of the database's clock, rests by what is planned within a month; whoever has more ahead is evaluated again by then. */
const staffTimes = (orgId: string, { staff }: SubjectIds): RawBuilder<unknown> => sql`
  select 'staff', c.staff_id, paper.at from staff_certificates c
    cross join lateral (values ((c.valid_until - ${ahead.certificateDays}::int)::timestamptz), ((c.valid_until + 1)::timestamptz)) paper (at)
  where c.org_id = ${orgId} and c.staff_id = ${ids(staff)}
  union all
  select 'staff', busy.staff_id, duty.at
  from staff_busy(tstzrange(app_now() - ${hours(ahead.restBackHours)}, app_now() + interval '31 days'), ${[...staff]}::uuid[], true) busy
    cross join lateral (values (busy.from_at), (busy.from_at - ${hours(ahead.restHours)} + ${after}), (busy.to_at + ${hours(ahead.restBackHours)}),
      (app_now() + interval '28 days')) duty (at)
  where busy.kind = 'assignment'
  union all
  select 'staff', id, app_now() + interval '28 days' from unnest(${[...staff]}::uuid[]) id`

const vehicleTimes = (orgId: string, { vehicle }: SubjectIds): RawBuilder<unknown> => sql`
  select 'vehicle', v.id, inspection.at from vehicles v
    cross join lateral (values ((v.inspection_valid_until - ${ahead.certificateDays}::int)::timestamptz), ((v.inspection_valid_until + 1)::timestamptz)) inspection (at)
  where v.org_id = ${orgId} and v.id = ${ids(vehicle)}`

const bookingTimes = (orgId: string, { booking }: SubjectIds): RawBuilder<unknown> => sql`
  select 'booking', b.id, hold.at from bookings b
    cross join lateral (values (b.expires_at - ${hours(ahead.holdHours)}), (b.expires_at)) hold (at)
  where b.org_id = ${orgId} and b.id = ${ids(booking)} and b.status = 'on_hold'`

const messageTimes = (orgId: string, { message }: SubjectIds): RawBuilder<unknown> => sql`
  select 'message', g.id, g.created_at + ${hours(ahead.messageHours)} from messages g
  where g.org_id = ${orgId} and g.id = ${ids(message)} and g.status in ('failed', 'partly_failed')`

/** The first moment after now for each of these that has one, by `subjectKey`. */
export async function selectNextDues(
  tx: Tx,
  orgId: string,
  subjects: SubjectIds,
  rules: AlertRules,
): Promise<Map<string, Date>> {
  const parts = [
    subjects.departure.length > 0 && departureTimes(orgId, subjects, rules),
    subjects.staff.length > 0 && staffTimes(orgId, subjects),
    subjects.vehicle.length > 0 && vehicleTimes(orgId, subjects),
    subjects.booking.length > 0 && bookingTimes(orgId, subjects),
    subjects.message.length > 0 && messageTimes(orgId, subjects),
  ].filter((part) => part !== false)
  if (parts.length === 0) return new Map()
  const { rows } = await sql<DueSubject & { at: Date }>`
    select due.kind, due.id, min(due.at) as at from (${sql.join(parts, sql` union all `)}) due (kind, id, at)
    where due.at > app_now() group by due.kind, due.id`.execute(tx)
  return new Map(rows.map(({ at, ...subject }) => [subjectKey(subject), at]))
}
