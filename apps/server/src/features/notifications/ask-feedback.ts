import { feedbackStaleDays } from '@tour-ops/contract/notifications/guest-rules'
import { sql } from 'kysely'
import { reachedBy } from '../../platform/channels/phone-channels.ts'
import type { Tx } from '../../platform/db/database.ts'
import {
  eachByItself,
  eachOrganization,
  insideOrganization,
  organizationIds,
} from '../../platform/jobs/housekeeping.ts'
import { feedbackDueAt, isRuleFor, partyNow, selectRule, shippedRule } from '../../platform/operations/guest-rules.ts'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { askFeedback } from '../../platform/operations/tell-guests.ts'
import { tookPart } from '../../platform/operations/took-part.ts'
import { bookingsAtOnce, departuresAtOnce, inBatches, type TellingServices } from './in-batches.ts'

/**
 * Asks the contacts of parties whose tour is over how it was: some hours after the end. Looks only at departures that the schema has noted
 * when they ended. Any number of processes may do it at once.
 *
 * @throws AggregateError with what went wrong in departures and organizations, after all of them.
 * @see docs/decisions/0122
 */
export async function askGuests(services: TellingServices): Promise<void> {
  await eachOrganization(await organizationIds(services), async (orgId) => {
    const ids = await insideOrganization(services, orgId, 'feedback-ask', (tx) => selectDue(tx, orgId))
    await eachByItself(
      ids.map((id) => () => inBatches(services, 'feedback-ask', orgId, (call, after) => askSome(call, id, after))),
    )
  })
}

async function selectDue(tx: Tx, orgId: string): Promise<string[]> {
  const { setting } = (await selectRule(tx, orgId, 'feedback_request')) ?? shippedRule('feedback_request')
  const { rows } = await sql<{ id: string }>`
    select d.id from departure_notices n join departures d on d.org_id = n.org_id and d.id = n.departure_id
    where n.org_id = ${orgId} and n.feedback_from is not null
      and ${feedbackDueAt(sql`n.feedback_from`, setting)} <= app_now()
    order by n.feedback_from, d.id limit ${departuresAtOnce}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** @returns the last booking where there may be more. */
async function askSome(call: SeatCall, departureId: string, after: string | null): Promise<string | null> {
  const { tx, orgId } = call
  // somebody marks or asks there at the moment: it has its turn a minute later
  const { rows: departures } = await sql<{ isAsked: boolean }>`
    select d.status = 'completed' and n.feedback_from > app_now() - make_interval(days => ${feedbackStaleDays}) as "isAsked"
    from departures d join departure_notices n on n.org_id = d.org_id and n.departure_id = d.id and n.feedback_from is not null
    where d.org_id = ${orgId} and d.id = ${departureId} for no key update skip locked`.execute(tx)
  const [departure] = departures
  if (!departure) return null
  const { isOn, ...rule } = (await selectRule(tx, orgId, 'feedback_request')) ?? shippedRule('feedback_request')
  // what ended while the rule was off is not made up for
  const { rows } = await sql<{ id: string }>`
    select b.id from bookings b where ${isOn && departure.isAsked} and b.org_id = ${orgId} and b.departure_id = ${departureId} and ${reachedBy} is not null
      and ${tookPart} and ${isRuleFor(rule, partyNow)} and (${after}::uuid is null or b.id > ${after}::uuid)
    order by b.id limit ${bookingsAtOnce}`.execute(tx)
  for (const { id } of rows) await askFeedback(call, id)
  if (rows.length === bookingsAtOnce) return rows.at(-1)?.id ?? null
  await sql`update departure_notices set feedback_from = null where org_id = ${orgId} and departure_id = ${departureId}`.execute(
    tx,
  )
  return null
}
