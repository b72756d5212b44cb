import {
  quietKinds,
  reminderAheadHours,
  urgentHours,
  usualQuietHours,
} from '@tour-ops/contract/notifications/quiet-hours'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { guestZone, type HomeZones } from './home-zones.ts'

type Moment = RawBuilder<Date | null>

/** When the quiet hours end that it is now in a zone; null outside of them. @param rules `org_settings.notification_rules`. */
const quietEnd = (zone: RawBuilder<string>, rules: RawBuilder<unknown>): Moment => {
  const now = sql`app_now() at time zone ${zone}`
  const from = sql`coalesce(${rules} ->> 'quietFrom', ${usualQuietHours.from})::time`
  const to = quietTo(rules)
  return sql<Date | null>`(case
    when ${from} < ${to} and (${now})::time >= ${from} and (${now})::time < ${to} then (${now})::date + ${to}
    when ${from} > ${to} and (${now})::time >= ${from} then (${now})::date + 1 + ${to}
    when ${from} > ${to} and (${now})::time < ${to} then (${now})::date + ${to}
    end at time zone ${zone})`
}

/** When quiet hours end, by the clock there. */
export const quietTo = (rules: RawBuilder<unknown>) =>
  sql`coalesce(${rules} ->> 'quietTo', ${usualQuietHours.to})::time`

const isUrgent = (at: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${at} between app_now() - make_interval(hours => ${urgentHours}) and app_now() + make_interval(hours => ${urgentHours}), false)`

/** When something that is written now to the contact of a booking `b` of a departure `d` may arrive, by the settings `s`; null: at once. */
export const writtenQuietUntil = (homes: HomeZones): Moment => sql<Date | null>`
  (case when not ${isUrgent(sql`d.starts_at`)} then (
    select ${quietEnd(sql`z.zone`, sql`s.notification_rules`)} from (select ${guestZone(homes)} as zone) z) end)`

/** Whether a message `m` about a departure `d` waits for a moment. What guests believed until now may be nearer than what is so. */
const canWaitUntil = (until: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`case
  when m.kind = 'feedback_request' then true
  when m.kind in ('pre_tour_info', 'pickup_reminder') then d.starts_at >= ${until} + make_interval(hours => ${reminderAheadHours})
  else not ${isUrgent(sql`d.starts_at`)} and not ${isUrgent(sql`(m.said_before ->> 'meetingAt')::timestamptz`)}
    and not exists (select from departures o where o.org_id = m.org_id and o.id = (m.said_before ->> 'departureId')::uuid
      and ${isUrgent(sql`o.starts_at`)}) end`

/** Until when a delivery `v` waits, and in which zone; no row for one that leaves at once. */
const quietOf = (homes: HomeZones): RawBuilder<unknown> => sql`
  select q.until, z.zone
  from messages m join bookings b on b.org_id = m.org_id and b.id = v.booking_id
    join departures d on d.org_id = b.org_id and d.id = b.departure_id
    join org_settings s on s.org_id = m.org_id
    cross join lateral (select ${guestZone(homes)} as zone) z
    cross join lateral (select ${quietEnd(sql`z.zone`, sql`s.notification_rules`)} as until) q
  where m.org_id = v.org_id and m.id = v.message_id and m.kind = any (${quietKinds}::text[])
    and q.until is not null and ${canWaitUntil(sql`q.until`)}`

/** Whether a delivery `v` waits for the end of quiet hours. */
export const isQuiet = (homes: HomeZones): RawBuilder<boolean> => sql<boolean>`exists (${quietOf(homes)})`

/**
 * Lets what is due and can wait do so until the quiet hours are over where the guest is (see `guestZone`). Others may do the same at the moment;
 * what they have is passed over.
 */
export async function waitForMorning(tx: Tx, orgId: string, homes: HomeZones): Promise<void> {
  await sql`
    with waiting as (
      select v.id, quiet.until, quiet.zone from deliveries v cross join lateral (${quietOf(homes)}) quiet
      where v.org_id = ${orgId} and v.status = 'queued' and coalesce(v.next_attempt_at, v.created_at) <= app_now()
      for update of v skip locked)
    update deliveries d set next_attempt_at = waiting.until, quiet_zone = waiting.zone
    from waiting where d.org_id = ${orgId} and d.id = waiting.id`.execute(tx)
}

/** Has everything that waits looked at again: the hours are others by now. */
export async function endQuietHours(tx: Tx, orgId: string): Promise<void> {
  await sql`update deliveries set next_attempt_at = app_now(), quiet_zone = null
    where org_id = ${orgId} and status = 'queued' and quiet_zone is not null`.execute(tx)
  await sql`select pg_notify('outbox', ${orgId})`.execute(tx)
}
