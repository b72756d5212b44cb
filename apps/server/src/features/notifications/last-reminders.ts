import { lastReminderStaleMinutes } from '@tour-ops/contract/notifications/guest-rules'
import { type RawBuilder, sql } from 'kysely'
import { reachedBy } from '../../platform/channels/phone-channels.ts'
import type { Tx } from '../../platform/db/database.ts'
import {
  eachByItself,
  eachOrganization,
  insideOrganization,
  organizationIds,
} from '../../platform/jobs/housekeeping.ts'
import {
  type GuestRule,
  isRuleFor,
  lastReminderDueAt,
  partyNow,
  selectRule,
  shippedRule,
} from '../../platform/operations/guest-rules.ts'
import { meetingPointOf } from '../../platform/operations/meeting-point.ts'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { remindLast } from '../../platform/operations/tell-guests.ts'
import { bookingsAtOnce, inBatches, type TellingServices } from './in-batches.ts'
import { wasAwaited, wasJustTold } from './reminder-rule.ts'

/**
 * Reminds the contacts of confirmed bookings some minutes before they are met, each by their own pickup, as long as nobody has left. Whoever booked
 * later than that gets none, and what could not be written for some minutes is not made up for. Any number of processes may do it at once.
 *
 * @throws AggregateError with what went wrong in departures and organizations, after all of them.
 * @see docs/decisions/0169
 */
export async function remindLastMinute(services: TellingServices): Promise<void> {
  await eachOrganization(await organizationIds(services), async (orgId) => {
    const ids = await insideOrganization(services, orgId, 'guests-remind-last', (tx) => selectDue(tx, orgId))
    await eachByItself(
      ids.map(
        (id) => () => inBatches(services, 'guests-remind-last', orgId, (call, after) => remindSome(call, id, after)),
      ),
    )
  })
}

const selectLastRule = async (tx: Tx, orgId: string): Promise<GuestRule> =>
  (await selectRule(tx, orgId, 'last_reminder')) ?? shippedRule('last_reminder')

/** Whether a last reminder is due, and not for long. @param meetingAt When guests are met. */
function isDue(meetingAt: RawBuilder<unknown>, setting: number | null): RawBuilder<boolean> {
  const due = lastReminderDueAt(meetingAt, setting)
  return sql<boolean>`(${due} <= app_now() and ${due} > app_now() - make_interval(mins => ${lastReminderStaleMinutes}))`
}

/** Departures of which somebody is met within the minutes of the rule. A pickup may be long before the start. */
async function selectDue(tx: Tx, orgId: string): Promise<string[]> {
  const { isOn, setting } = await selectLastRule(tx, orgId)
  if (!isOn) return []
  const { rows } = await sql<{ id: string }>`
    select d.id from departures d
    where d.org_id = ${orgId} and d.starts_at > app_now() - interval '1 day' and d.starts_at < app_now() + interval '1 day' and d.status in ${statuses.notLeft}
      and d.actual_start_at is null and (
        exists (select from departure_stops s where s.org_id = d.org_id and s.departure_id = d.id and s.planned_arrive_at > app_now()
          and ${isDue(sql`s.planned_arrive_at`, setting)})
        or exists (select from bookings b where b.org_id = d.org_id and b.departure_id = d.id and b.status = 'confirmed' and b.pickup_at > app_now()
          and ${isDue(sql`b.pickup_at`, setting)}))
    order by d.starts_at, d.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** @returns the last booking where there may be more. */
async function remindSome(call: SeatCall, departureId: string, after: string | null): Promise<string | null> {
  const { tx, orgId } = call
  // somebody sells, changes or reminds there at the moment: it has its turn a minute later
  const { rows: departures } = await sql`
    select from departures d where d.org_id = ${orgId} and d.id = ${departureId} and d.status in ${statuses.notLeft}
    for no key update skip locked`.execute(tx)
  const { isOn, setting, ...limits } = await selectLastRule(tx, orgId)
  if (departures.length === 0 || !isOn) return null
  const due = lastReminderDueAt(sql`meeting.at`, setting)
  const { rows } = await sql<{ id: string }>`
    select b.id from bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id
      -- under names that mean nothing else inside
      cross join lateral (select b.id as booking_id, b.departure_id) told
      cross join lateral (${meetingPointOf(orgId, sql.ref('told.departure_id'), sql.ref('told.booking_id'))}) meeting
    where b.org_id = ${orgId} and b.departure_id = ${departureId} and b.status = 'confirmed' and ${reachedBy} is not null
      and meeting.at > app_now() and ${isDue(sql`meeting.at`, setting)} and b.created_at <= ${due} and not ${wasJustTold(sql`app_now()`)}
      and ${wasAwaited(sql`app_now()`)} and ${isRuleFor(limits, partyNow)} and (${after}::uuid is null or b.id > ${after}::uuid)
      and not exists (select from messages m where m.org_id = b.org_id and m.subject_type = 'booking' and m.subject_id = b.id::text
        and m.kind = 'last_reminder' and m.occurrence = concat_ws(' ', 'last_reminder', d.id, d.local_date))
    order by b.id limit ${bookingsAtOnce}`.execute(tx)
  for (const { id } of rows) await remindLast(call, id)
  return rows.length === bookingsAtOnce ? (rows.at(-1)?.id ?? null) : null
}
