import { informationStaleHours, type GuestEvent } from '@tour-ops/contract/notifications/guest-rules'
import { type RawBuilder, sql } from 'kysely'
import { reachedBy } from '../../platform/channels/phone-channels.ts'
import type { Tx } from '../../platform/db/database.ts'
import {
  eachByItself,
  eachOrganization,
  inTurns,
  insideOrganization,
  organizationIds,
} from '../../platform/jobs/housekeeping.ts'
import {
  partyNow,
  informationDueAt,
  isRuleFor,
  reminderDueAt,
  type RuleLimits,
  selectRule,
  shippedRule,
} from '../../platform/operations/guest-rules.ts'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { informGuest, remindGuest } from '../../platform/operations/tell-guests.ts'
import { bookingsAtOnce, departuresAtOnce, inBatches, type TellingServices } from './in-batches.ts'
import { knowsAlready, toldOf } from './reminder-rule.ts'

/** What is written before a tour, at a time that is the same for all of its guests. */
interface Notice {
  readonly event: Extract<GuestEvent, 'pre_tour_info' | 'pickup_reminder'>
  readonly action: string
  /** Column of `departure_notices` with the date for which a departure is done. */
  readonly done: RawBuilder<unknown>
  /** When it is due for a departure `d`. */
  readonly dueAt: (setting: number | null) => RawBuilder<Date>
  /** Days before a start within which every due time lies. */
  readonly daysAhead: number
  /** Hours in which it is made up for where no server was running; null: until the start. Bookings that are made later get none. */
  readonly staleHours: number | null
  readonly tell: (call: SeatCall, bookingId: string) => Promise<void>
}

const reminder: Notice = {
  event: 'pickup_reminder',
  action: 'guests-remind',
  done: sql.ref('reminded_for'),
  dueAt: reminderDueAt,
  daysAhead: 2,
  staleHours: null,
  tell: remindGuest,
}

const information: Notice = {
  event: 'pre_tour_info',
  action: 'guests-inform',
  done: sql.ref('informed_for'),
  dueAt: informationDueAt,
  daysAhead: 7,
  staleHours: informationStaleHours,
  tell: informGuest,
}

/**
 * Reminds the contacts of confirmed bookings of departures whose reminder is due: at an hour of the day before, or later while the departure is ahead
 * where no server was running. A departure is done once for its date; one that changes at the moment has its turn a minute later. Any
 * number of processes may do it at once.
 *
 * @throws AggregateError with what went wrong in departures and organizations, after all of them.
 * @see docs/decisions/0108
 */
export const remindGuests = (services: TellingServices): Promise<void> => giveNotice(services, reminder)

/** Gives the contacts of confirmed bookings the information before their tour, in the same way. @see docs/decisions/0169 */
export const informGuests = (services: TellingServices): Promise<void> => giveNotice(services, information)

async function giveNotice(services: TellingServices, notice: Notice): Promise<void> {
  await eachOrganization(await organizationIds(services), (orgId) => giveNoticeIn(services, notice, orgId))
}

async function giveNoticeIn(services: TellingServices, notice: Notice, orgId: string): Promise<void> {
  const { action } = notice
  await inTurns(async (after) => {
    const page = await insideOrganization(services, orgId, action, (tx) => takeDue(tx, orgId, notice, after))
    await eachByItself(
      page.due.map(
        (id) => () => inBatches(services, action, orgId, (call, after) => tellSome(call, notice, id, after)),
      ),
    )
    return page.last
  })
}

interface DuePage {
  /** Departures with somebody to write to. */
  readonly due: readonly string[]
  /** Of a full page. */
  readonly last: string | null
}

/** A page of what is due, the next to start first. Where nobody is to be written to it is done. */
async function takeDue(tx: Tx, orgId: string, notice: Notice, after: string | null): Promise<DuePage> {
  const { isOn, isDue } = await dueBy(tx, orgId, notice)
  const { rows } = await sql<{ id: string; hasContacts: boolean }>`
    select d.id, exists (select from bookings b where b.org_id = d.org_id and b.departure_id = d.id and b.status = 'confirmed'
      and ${reachedBy} is not null) as "hasContacts"
    from departures d left join departure_notices n on n.org_id = d.org_id and n.departure_id = d.id
    where d.org_id = ${orgId} and ${isDue} and n.${notice.done} is distinct from d.local_date
      and (${after}::uuid is null or (d.starts_at, d.id) > (select a.starts_at, a.id from departures a where a.org_id = ${orgId} and a.id = ${after}::uuid))
    order by d.starts_at, d.id limit ${departuresAtOnce}`.execute(tx)
  const due = rows.filter(({ hasContacts }) => isOn && hasContacts).map(({ id }) => id)
  const others = rows.map(({ id }) => id).filter((id) => !due.includes(id))
  // what came due while the rule was off is not made up for
  await markDone(tx, orgId, notice, others)
  return { due, last: rows.length === departuresAtOnce ? (rows.at(-1)?.id ?? null) : null }
}

interface DueBy {
  readonly isOn: boolean
  readonly limits: RuleLimits
  /** Of departures `d`. */
  readonly isDue: RawBuilder<boolean>
  /** Of bookings `b` of them. */
  readonly isInTime: RawBuilder<boolean>
}

/** Whether the rule is on, and for which departures it is due: found by their start, which is near enough. */
async function dueBy(tx: Tx, orgId: string, { event, dueAt, daysAhead, staleHours }: Notice): Promise<DueBy> {
  const { isOn, setting, ...limits } = (await selectRule(tx, orgId, event)) ?? shippedRule(event)
  const isDue = sql<boolean>`(d.starts_at > app_now() and d.starts_at < app_now() + make_interval(days => ${daysAhead}) and d.status in ${statuses.notLeft}
    and ${dueAt(setting)} <= app_now())`
  const isInTime =
    staleHours === null
      ? sql<boolean>`true`
      : sql<boolean>`(b.created_at <= ${dueAt(setting)} and ${dueAt(setting)} > app_now() - make_interval(hours => ${staleHours}))`
  return { isOn, limits, isDue, isInTime }
}

const markDone = (tx: Tx, orgId: string, { done }: Notice, ids: readonly string[]): Promise<unknown> =>
  sql`
    insert into departure_notices as n (org_id, departure_id, ${done})
    select d.org_id, d.id, d.local_date from departures d where d.org_id = ${orgId} and d.id = any (${ids}::uuid[]) order by d.id
    on conflict (org_id, departure_id) do update set ${done} = excluded.${done}`.execute(tx)

/** @returns the last booking where there may be more. */
async function tellSome(
  call: SeatCall,
  notice: Notice,
  departureId: string,
  after: string | null,
): Promise<string | null> {
  const { tx, orgId } = call
  const { isOn, limits, isDue, isInTime } = await dueBy(tx, orgId, notice)
  // somebody sells, changes or writes there at the moment: it has its turn a minute later
  const { rows: departures } = await sql`
    select from departures d where d.org_id = ${orgId} and d.id = ${departureId} and ${isDue}
      and not exists (select from departure_notices n where n.org_id = d.org_id and n.departure_id = d.id and n.${notice.done} = d.local_date)
    for no key update skip locked`.execute(tx)
  if (departures.length === 0 || !isOn) return null
  const { rows } = await sql<{ id: string; changes: boolean; knows: boolean }>`
    select b.id, ${isChanging} as changes, ${knowsAlready(sql`app_now()`)} as knows
    from bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id
    where b.org_id = ${orgId} and b.departure_id = ${departureId} and b.status = 'confirmed' and ${reachedBy} is not null
      and ${isInTime} and ${isRuleFor(limits, partyNow)} and (${after}::uuid is null or b.id > ${after}::uuid)
    order by b.id limit ${bookingsAtOnce}`.execute(tx)
  for (const { id, changes, knows } of rows) if (!changes && !knows) await notice.tell(call, id)
  if (rows.length === bookingsAtOnce) return rows.at(-1)?.id ?? null
  const { rows: changing } = await sql`
    select from bookings b where b.org_id = ${orgId} and b.departure_id = ${departureId} and b.status = 'confirmed' and ${isChanging} limit 1`.execute(
    tx,
  )
  if (changing.length === 0) await markDone(tx, orgId, notice, [departureId])
  return null
}

/** Whether a change of a booking `b` waits to be told, and may be undone until then. */
const isChanging = sql<boolean>`exists (select ${toldOf} and m.kind = 'booking_changed' and v.status = 'queued' and v.attempts = 0)`
