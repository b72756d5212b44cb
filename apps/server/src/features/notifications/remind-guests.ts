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
  isRuleFor,
  partyNow,
  reminderDueAt,
  type RuleLimits,
  selectRule,
  shippedRule,
} from '../../platform/operations/guest-rules.ts'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { remindGuest } from '../../platform/operations/tell-guests.ts'
import { bookingsAtOnce, departuresAtOnce, inBatches, type TellingServices } from './in-batches.ts'
import { knowsAlready, toldOf } from './reminder-rule.ts'

/**
 * Reminds the contacts of confirmed bookings of departures whose reminder is due: at an hour of the day before, or later while the departure is ahead
 * where no server was running. A departure is done once for its date; one that changes at the moment has its turn a minute later. Any
 * number of processes may do it at once.
 *
 * @throws AggregateError with what went wrong in departures and organizations, after all of them.
 * @see docs/decisions/0108
 */
export async function remindGuests(services: TellingServices): Promise<void> {
  await eachOrganization(await organizationIds(services), (orgId) => remindGuestsOf(services, orgId))
}

async function remindGuestsOf(services: TellingServices, orgId: string): Promise<void> {
  await inTurns(async (after) => {
    const page = await insideOrganization(services, orgId, 'guests-remind', (tx) => takeDue(tx, orgId, after))
    await eachByItself(
      page.due.map(
        (id) => () => inBatches(services, 'guests-remind', orgId, (call, after) => remindSome(call, id, after)),
      ),
    )
    return page.last
  })
}

interface DuePage {
  /** Departures with somebody to remind. */
  readonly due: readonly string[]
  /** Of a full page. */
  readonly last: string | null
}

/** A page of what is due, the next to start first. Where nobody is to be reminded it is done. */
async function takeDue(tx: Tx, orgId: string, after: string | null): Promise<DuePage> {
  const { isOn, isDue } = await dueBy(tx, orgId)
  const { rows } = await sql<{ id: string; hasContacts: boolean }>`
    select d.id, exists (select from bookings b where b.org_id = d.org_id and b.departure_id = d.id and b.status = 'confirmed'
      and ${reachedBy} is not null) as "hasContacts"
    from departures d left join departure_notices n on n.org_id = d.org_id and n.departure_id = d.id
    where d.org_id = ${orgId} and ${isDue} and n.reminded_for is distinct from d.local_date
      and (${after}::uuid is null or (d.starts_at, d.id) > (select a.starts_at, a.id from departures a where a.org_id = ${orgId} and a.id = ${after}::uuid))
    order by d.starts_at, d.id limit ${departuresAtOnce}`.execute(tx)
  const due = rows.filter(({ hasContacts }) => isOn && hasContacts).map(({ id }) => id)
  const others = rows.map(({ id }) => id).filter((id) => !due.includes(id))
  // what came due while the rule was off is not made up for
  await markReminded(tx, orgId, others)
  return { due, last: rows.length === departuresAtOnce ? (rows.at(-1)?.id ?? null) : null }
}

/** Whether guests are reminded, and when departures `d` are due: found by their start, which is less than two days after any hour of the day before. */
async function dueBy(
  tx: Tx,
  orgId: string,
): Promise<{ isOn: boolean; limits: RuleLimits; isDue: RawBuilder<boolean> }> {
  const { isOn, setting, ...limits } =
    (await selectRule(tx, orgId, 'pickup_reminder')) ?? shippedRule('pickup_reminder')
  const isDue = sql<boolean>`(d.starts_at > app_now() and d.starts_at < app_now() + interval '2 days' and d.status in ${statuses.notLeft}
    and ${reminderDueAt(setting)} <= app_now())`
  return { isOn, limits, isDue }
}

const markReminded = (tx: Tx, orgId: string, ids: readonly string[]): Promise<unknown> =>
  sql`
    insert into departure_notices as n (org_id, departure_id, reminded_for)
    select d.org_id, d.id, d.local_date from departures d where d.org_id = ${orgId} and d.id = any (${ids}::uuid[]) order by d.id
    on conflict (org_id, departure_id) do update set reminded_for = excluded.reminded_for`.execute(tx)

/** @returns the last booking where there may be more. */
async function remindSome(call: SeatCall, departureId: string, after: string | null): Promise<string | null> {
  const { tx, orgId } = call
  const { isOn, limits, isDue } = await dueBy(tx, orgId)
  // somebody sells, changes or reminds there at the moment: it has its turn a minute later
  const { rows: departures } = await sql`
    select from departures d where d.org_id = ${orgId} and d.id = ${departureId} and ${isDue}
      and not exists (select from departure_notices n where n.org_id = d.org_id and n.departure_id = d.id and n.reminded_for = d.local_date)
    for no key update skip locked`.execute(tx)
  if (departures.length === 0 || !isOn) return null
  const { rows } = await sql<{ id: string; changes: boolean; knows: boolean }>`
    select b.id, ${isChanging} as changes, ${knowsAlready(sql`app_now()`)} as knows
    from bookings b where b.org_id = ${orgId} and b.departure_id = ${departureId} and b.status = 'confirmed' and ${reachedBy} is not null
      and ${isRuleFor(limits, partyNow)} and (${after}::uuid is null or b.id > ${after}::uuid)
    order by b.id limit ${bookingsAtOnce}`.execute(tx)
  for (const { id, changes, knows } of rows) if (!changes && !knows) await remindGuest(call, id)
  if (rows.length === bookingsAtOnce) return rows.at(-1)?.id ?? null
  const { rows: changing } = await sql`
    select from bookings b where b.org_id = ${orgId} and b.departure_id = ${departureId} and b.status = 'confirmed' and ${isChanging} limit 1`.execute(
    tx,
  )
  if (changing.length === 0) await markReminded(tx, orgId, [departureId])
  return null
}

/** Whether a change of a booking `b` waits to be told, and may be undone until then. */
const isChanging = sql<boolean>`exists (select ${toldOf} and m.kind = 'booking_changed' and v.status = 'queued' and v.attempts = 0)`
