import { delayNoticeHours, leastDelayMinutes } from '@tour-ops/contract/notifications/guest-rules'
import { sql } from 'kysely'
import { reachedBy } from '../../platform/channels/phone-channels.ts'
import type { Tx } from '../../platform/db/database.ts'
import {
  eachByItself,
  eachOrganization,
  insideOrganization,
  organizationIds,
} from '../../platform/jobs/housekeeping.ts'
import { overdueMinutes } from '../../platform/operations/estimates.ts'
import { isWorthNoting, newDelayStep, noteDelay, type PartyDelay } from '../../platform/operations/guest-occasions.ts'
import { isRuleFor, partyNow, selectRule, shippedRule } from '../../platform/operations/guest-rules.ts'
import { expectedAt, isComing, meetingFirst } from '../../platform/operations/meeting-point.ts'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { tellDelay } from '../../platform/operations/tell-guests.ts'
import { bookingsAtOnce, departuresAtOnce, inBatches, type TellingServices } from './in-batches.ts'

/**
 * Tells the contacts of confirmed bookings that their vehicle comes later, where the estimates of a minute say so: once for each step, and only
 * upward. What another setting of the rule would have told is noted. Looks only at departures that `writeEstimates` has noted. Any number of processes may do it at once.
 *
 * @throws AggregateError with what went wrong in departures and organizations, after all of them.
 * @see docs/decisions/0108
 */
export async function noticeDelays(services: TellingServices): Promise<void> {
  await eachOrganization(await organizationIds(services), async (orgId) => {
    const ids = await insideOrganization(services, orgId, 'delays-notice', (tx) => selectLate(tx, orgId))
    await eachByItself(
      ids.map((id) => () => inBatches(services, 'delays-notice', orgId, (call, after) => noticeSome(call, id, after))),
    )
  })
}

async function selectLate(tx: Tx, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select departure_id as id from departure_notices where org_id = ${orgId} and late_since is not null
    order by late_since, departure_id limit ${departuresAtOnce}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** @returns the last booking where there are more. */
async function noticeSome(call: SeatCall, departureId: string, after: string | null): Promise<string | null> {
  const { tx, orgId } = call
  // somebody sells, marks or tells there at the moment: it has its turn a minute later
  const { rows: departures } = await sql`
    select from departures d where d.org_id = ${orgId} and d.id = ${departureId} and exists (
      select from departure_notices n where n.org_id = d.org_id and n.departure_id = d.id and n.late_since is not null)
    for no key update skip locked`.execute(tx)
  if (departures.length === 0) return null
  const waiting = await selectWaiting(tx, orgId, departureId)
  const further = waiting.filter(({ id }) => after === null || id > after)
  const batch = further.slice(0, bookingsAtOnce)
  for (const { id, step, localDate, seen, isNoted } of batch) {
    if (isNoted) await noteDelay(call, id, departureId, localDate, seen)
    if (step !== undefined) await tellDelay(call, id, step)
  }
  if (further.length > bookingsAtOnce) return batch.at(-1)?.id ?? null
  // who became late while the others were told has their turn a minute later
  if (further.length === waiting.length) {
    await sql`update departure_notices set late_since = null where org_id = ${orgId} and departure_id = ${departureId}`.execute(
      tx,
    )
  }
  return null
}

interface Waiting {
  readonly id: string
  readonly localDate: string
  readonly seen: PartyDelay
  /** Of which they are told now; undefined where they are not. */
  readonly step: number | undefined
  /** Another setting of the rule would tell them, so that it is noted. */
  readonly isNoted: boolean
}

interface WaitingRow {
  id: string
  localDate: string
  delayMinutes: number
  expectedAt: Date
  pax: number
  owes: boolean
  saidStep: number | null
  saidAt: Date | null
  noted: { delayMinutes: number; expectedAt: string; pax: number; owes: boolean }[]
  isMeant: boolean
}

/** Bookings with somebody who is not on board yet, and does not know how late it is by the rule, or would not by another setting of it. */
async function selectWaiting(tx: Tx, orgId: string, departureId: string): Promise<Waiting[]> {
  const { isOn, setting, ...limits } = (await selectRule(tx, orgId, 'delay_notice')) ?? shippedRule('delay_notice')
  const { rows } = await sql<WaitingRow>`
    select b.id, d.local_date as "localDate", s.delay_seconds / 60 as "delayMinutes", ${expectedAt} as "expectedAt", told.step as "saidStep", told.at as "saidAt",
      noted.delays as noted, b.pax, ${partyNow.owes} as owes, ${isRuleFor(limits, partyNow)} as "isMeant"
    from bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id
      cross join lateral (select s.* from departure_stops s where s.org_id = d.org_id and s.departure_id = d.id ${meetingFirst} limit 1) s
      cross join lateral (select max((m.said ->> 'step')::int) as step, max((m.said ->> 'expectedAt')::timestamptz) as at from messages m
        where m.org_id = b.org_id and m.subject_type = 'booking' and m.subject_id = b.id::text and m.kind = 'delay_notice'
          and m.departure_id = d.id and m.said ->> 'localDate' = d.local_date::text) told
      cross join lateral (select coalesce(jsonb_agg(jsonb_build_object('delayMinutes', o.delay_minutes, 'expectedAt', o.expected_at, 'pax', o.pax, 'owes', o.owes) order by o.at, o.id), '[]') as delays
        from guest_occasions o where o.org_id = b.org_id and o.booking_id = b.id and o.event = 'delay_notice' and o.departure_id = d.id and o.local_date = d.local_date) noted
    where b.org_id = ${orgId} and b.departure_id = ${departureId} and b.status = 'confirmed' and ${reachedBy} is not null and d.status in ${statuses.active}
      and ${isComing} and s.delay_seconds >= ${leastDelayMinutes * 60}
      and ${expectedAt} > app_now() - make_interval(mins => ${overdueMinutes}) and s.planned_arrive_at <= app_now() + make_interval(hours => ${delayNoticeHours})
      and exists (select from manifest_entries g where g.org_id = b.org_id and g.booking_id = b.id and g.departure_id = d.id and g.status = 'expected')
    order by b.id`.execute(tx)
  return rows
    .map(({ id, localDate, saidStep, saidAt, noted, isMeant, ...seen }) => {
      const said = saidStep !== null && saidAt !== null ? { step: saidStep, expectedAt: saidAt } : null
      const step = isOn && isMeant && setting !== null ? newDelayStep(seen, said, setting) : undefined
      const before = noted.map((delay) => ({ ...delay, expectedAt: new Date(delay.expectedAt) }))
      return { id, localDate, seen, step, isNoted: isWorthNoting(seen, before) }
    })
    .filter(({ step, isNoted }) => step !== undefined || isNoted)
}
