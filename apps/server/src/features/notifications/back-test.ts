import { backTestDays, type GuestEvent } from '@tour-ops/contract/notifications/guest-rules'
import { isUnconditional } from '@tour-ops/contract/notifications/rule-conditions'
import { type RawBuilder, sql } from 'kysely'
import { isContactOptedOut } from '../../platform/channels/opt-outs.ts'
import { reachedBy } from '../../platform/channels/phone-channels.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { type SeenDelay, toldDelays } from '../../platform/operations/guest-occasions.ts'
import {
  feedbackDueAt,
  informationDueAt,
  type GuestRule,
  isRuleFor,
  lastReminderDueAt,
  type Party,
  partyNoted,
  reminderDueAt,
  type RuleLimits,
  tourOfDeparture,
} from '../../platform/operations/guest-rules.ts'
import { meetingPointOf } from '../../platform/operations/meeting-point.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { tookPart } from '../../platform/operations/took-part.ts'
import { knowsAlready, wasAwaited, wasJustTold } from './reminder-rule.ts'

/** The days that are looked at. */
const isLately = (at: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${at} > app_now() - make_interval(days => ${backTestDays}) and ${at} <= app_now())`

/**
 * How many messages a rule would have written in the last days if it had been switched on with a setting, for an audience and under conditions, by what was recorded:
 * occasions that were passed over, departures, bookings and their changes. The other rules count as they were.
 *
 * @returns null where not all of these days are recorded.
 * @see docs/decisions/0147
 */
export async function countWouldWrite(
  tx: Tx,
  orgId: string,
  event: GuestEvent,
  { setting, ...limits }: Pick<GuestRule, 'setting' | keyof RuleLimits>,
): Promise<number | null> {
  if (event === 'pickup_reminder') return countReminders(tx, orgId, setting, limits)
  if (event === 'pre_tour_info') return countInformation(tx, orgId, setting, limits)
  if (event === 'last_reminder') return countLastReminders(tx, orgId, setting, limits)
  if (event === 'feedback_request') return countQuestions(tx, orgId, setting, limits)
  if (!(await areOccasionsKnown(tx, orgId))) return null
  return event === 'delay_notice'
    ? countDelays(tx, orgId, setting ?? 0, limits)
    : countOccasions(tx, orgId, event, limits)
}

async function areOccasionsKnown(tx: Tx, orgId: string): Promise<boolean> {
  const { rows } = await sql`
    select from org_settings where org_id = ${orgId} and guest_occasions_from > app_now() - make_interval(days => ${backTestDays})`.execute(
    tx,
  )
  return rows.length === 0
}

/** Whether a rule would have been for the booking `b` of what was written or noted: of its departure, and with the party as it was. */
const isNotedFor = (limits: RuleLimits, of: 'm' | 'o'): RawBuilder<boolean> =>
  isRuleFor(limits, partyNoted(of), tourOfDeparture(sql.ref(`${of}.departure_id`)))

/** What was written, and what was passed over while the rule was switched off or for others. */
async function countOccasions(tx: Tx, orgId: string, event: GuestEvent, limits: RuleLimits): Promise<number> {
  const written = sql`from messages m join deliveries v on v.org_id = m.org_id and v.message_id = m.id and v.status <> 'suppressed'
    where m.org_id = ${orgId} and m.kind = ${event} and m.rule_id is not null`
  const { rows } = await sql<{ count: number }>`
    select ((select count(distinct m.id) ${written} and ${isLately(sql`m.created_at`)} and exists (
        select from bookings b where b.org_id = m.org_id and b.id = case m.subject_type when 'booking' then m.subject_id::uuid end and ${isNotedFor(limits, 'm')}))
      + (select count(*) from guest_occasions o join bookings b on b.org_id = o.org_id and b.id = o.booking_id
        where o.org_id = ${orgId} and o.event = ${event} and ${isLately(sql`o.at`)} and ${isNotedFor(limits, 'o')}
        and not exists (select ${written} and m.subject_id = o.booking_id::text and m.occurrence = o.occurrence)))::int as count`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

interface DelayRow extends SeenDelay {
  /** Of one booking on one date. */
  party: string
  isLate: boolean
}

/** The delays that were seen, told again from the beginning. */
async function countDelays(tx: Tx, orgId: string, from: number, limits: RuleLimits): Promise<number> {
  const { rows } = await sql<DelayRow>`
    select concat_ws(' ', o.booking_id, o.departure_id, o.local_date) as party, o.delay_minutes as "delayMinutes", o.expected_at as "expectedAt",
      ${isLately(sql`o.at`)} as "isLate"
    from guest_occasions o join bookings b on b.org_id = o.org_id and b.id = o.booking_id
    where o.org_id = ${orgId} and o.event = 'delay_notice' and ${isNotedFor(limits, 'o')}
    order by o.at, o.id`.execute(tx)
  const parties = Map.groupBy(rows, ({ party }) => party)
  return [...parties.values()].flatMap((seen) => toldDelays(seen, from)).filter(({ isLate }) => isLate).length
}

/** What a column of a booking `b` or a departure `d` was at a time: what its first change afterwards replaced, else what it is. */
function valueThen(of: 'b' | 'd', column: 'status' | 'departure_id', at: RawBuilder<unknown>): RawBuilder<string> {
  const id = sql.ref(`${of}.id`)
  return sql<string>`coalesce((select a.diff -> ${sql.lit(column)} ->> 0 from audit_entries a
    where a.org_id = ${sql.ref(`${of}.org_id`)} and a.entity_type = ${sql.lit(of === 'b' ? 'bookings' : 'departures')} and a.entity_id = ${id}::text
      and a.op = 'update' and a.at > ${at} and a.diff ? ${sql.lit(column)} order by a.id limit 1), ${sql.ref(`${of}.${column}`)}::text)`
}

/** A booking `b` as it was at a time; not read where nobody asks. */
const partyAt = ({ conditions }: RuleLimits, at: RawBuilder<unknown>): Party =>
  isUnconditional(conditions)
    ? { pax: sql`null`, owes: sql`null` }
    : { pax: sql`(booking_at(b, ${at})).pax`, owes: sql`(due_minor(booking_at(b, ${at})) > 0)` }

/** What is written before a tour: when, and to whom not. */
interface NoticeCount {
  /** Over a departure `d` and the `meeting` of a booking. */
  readonly dueAt: RawBuilder<Date>
  /** Days before a start within which every due time lies. */
  readonly daysAhead: number
  /** Whether the contact of a booking `b` knew everything at a time. */
  readonly knew: (at: RawBuilder<unknown>) => RawBuilder<boolean>
  /** Over `d`, `b` and `due`, which has `meeting_at` as well. */
  readonly isMet: RawBuilder<boolean>
}

/** They are met later, or their departure has no stops. */
const isStillMet = sql<boolean>`coalesce(due.meeting_at > due.at, true)`

const countReminders = (tx: Tx, orgId: string, setting: number | null, limits: RuleLimits): Promise<number> =>
  countNotices(tx, orgId, limits, {
    dueAt: reminderDueAt(setting),
    daysAhead: 2,
    knew: knowsAlready,
    isMet: isStillMet,
  })

const countInformation = (tx: Tx, orgId: string, setting: number | null, limits: RuleLimits): Promise<number> =>
  countNotices(tx, orgId, limits, {
    dueAt: informationDueAt(setting),
    daysAhead: 8,
    knew: knowsAlready,
    isMet: isStillMet,
  })

const countLastReminders = (tx: Tx, orgId: string, setting: number | null, limits: RuleLimits): Promise<number> =>
  countNotices(tx, orgId, limits, {
    dueAt: lastReminderDueAt(sql`meeting.at`, setting),
    daysAhead: 1,
    knew: wasJustTold,
    isMet: sql<boolean>`(coalesce(d.actual_start_at > due.at, true) and ${wasAwaited(sql`due.at`)})`,
  })

/** Who would have been written to before their tour: as bookings and departures were when it was due. */
async function countNotices(
  tx: Tx,
  orgId: string,
  limits: RuleLimits,
  { dueAt, daysAhead, knew, isMet }: NoticeCount,
): Promise<number> {
  const due = sql`due.at`
  const { rows } = await sql<{ count: number }>`
    with moved as materialized (
      select a.entity_id::uuid as booking_id, (a.diff -> 'departure_id' ->> 0)::uuid as departure_id from audit_entries a
      where a.org_id = ${orgId} and a.entity_type = 'bookings' and a.op = 'update' and ${isLately(sql`a.at`)} and a.diff ? 'departure_id'),
    -- first what is cheap to know: when it was due for which party
    due as materialized (
      select told.booking_id, told.departure_id, meeting.at as meeting_at, due.at
      from departures d
        -- under names that mean nothing else inside
        cross join lateral (
          select party.id as booking_id, d.id as departure_id from bookings party where party.org_id = d.org_id and party.departure_id = d.id
          union select moved.booking_id, d.id from moved where moved.departure_id = d.id) told
        left join lateral (${meetingPointOf(orgId, sql.ref('told.departure_id'), sql.ref('told.booking_id'))}) meeting on true
        cross join lateral (select ${dueAt} as at) due
      where d.org_id = ${orgId} and d.starts_at > app_now() - make_interval(days => ${backTestDays + 1}) and d.starts_at < app_now() + make_interval(days => ${daysAhead})
        and ${isLately(due)} and d.starts_at > due.at)
    select count(distinct (b.id, d.local_date))::int as count
    from due join departures d on d.org_id = ${orgId} and d.id = due.departure_id join bookings b on b.org_id = d.org_id and b.id = due.booking_id
    where b.created_at <= due.at and ${isMet}
      and ${valueThen('d', 'status', due)} in ${statuses.notLeft} and ${valueThen('b', 'status', due)} = 'confirmed'
      and ${valueThen('b', 'departure_id', due)} = d.id::text
      and ${reachedBy} is not null and not ${isContactOptedOut} and not ${knew(due)} and ${isRuleFor(limits, partyAt(limits, due), sql`d.tour_id`)}`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** Who would have been asked how it was: parties of departures that have ended, unless they had said so by then. */
async function countQuestions(tx: Tx, orgId: string, setting: number | null, limits: RuleLimits): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from departures d cross join lateral (
        select max(a.at) as ended from audit_entries a where a.org_id = d.org_id and a.entity_type = 'departures' and a.entity_id = d.id::text
          and a.op = 'update' and a.diff -> 'status' ->> 1 = 'completed') e
      cross join lateral (select ${feedbackDueAt(sql`e.ended`, setting)} as at) due
      join bookings b on b.org_id = d.org_id and b.departure_id = d.id
    where d.org_id = ${orgId} and d.status = 'completed' and d.ends_at > app_now() - interval '60 days' and ${isLately(sql`due.at`)}
      and ${tookPart} and ${reachedBy} is not null and not ${isContactOptedOut} and ${isRuleFor(limits, partyAt(limits, sql`due.at`), sql`d.tour_id`)} and not exists (
        select from feedback f where f.org_id = b.org_id and f.booking_id = b.id and f.departure_id = b.departure_id and f.created_at <= due.at)`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** Occasions that no rule is asked about any more. The day more is for delays that began before. */
export const oldGuestOccasions: OrganizationSweep = {
  action: 'occasions-forget',
  run: (tx, orgId) =>
    sql`delete from guest_occasions where org_id = ${orgId} and at < app_now() - make_interval(days => ${backTestDays + 1})`.execute(
      tx,
    ),
}
