import { formHoldSeconds, holdSeats, maxFormsPerPerson, releaseSeats } from '@tour-ops/contract/bookings/form-holds'
import type { Given } from '@tour-ops/contract/callable'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { isOwnForm } from '../../platform/operations/form-holds.ts'
import { lockSeats, type LockedDeparture, promoteWaitlist } from '../../platform/operations/seats.ts'
import { iso } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { requireOnSale, requireSeats } from './seat-rules.ts'

type Wanted = Given<typeof holdSeats>

interface Held {
  departureId: string
  seats: number
}

const holdEnd = sql<Date>`app_now() + make_interval(secs => ${formHoldSeconds})`

/** An open form renews what it holds without a lock; everything else is decided like a sale, and refused with the same words. */
const hold = verb(holdSeats, async (call, wanted) => {
  const until = (await renew(call, wanted)) ?? (await holdAnew(call, wanted))
  return { until: iso(until) }
})

/** @returns the new end, or undefined where the form does not hold just that. */
async function renew(call: MemberCall, { formId, departureId, seats }: Wanted): Promise<Date | undefined> {
  const { rows } = await sql<{ until: Date }>`
    update form_holds f set expires_at = ${holdEnd} where f.org_id = ${call.orgId} and ${isOwnForm(call, formId)}
      and f.departure_id = ${departureId} and f.seats = ${seats} and f.expires_at > app_now() returning f.expires_at as until`.execute(
    call.tx,
  )
  return rows[0]?.until
}

async function holdAnew(call: MemberCall, wanted: Wanted): Promise<Date> {
  const before = await selectHeld(call, wanted.formId)
  const departures = await lockSeats(call, [wanted.departureId, ...(before ? [before.departureId] : [])])
  const departure = departures.get(wanted.departureId)
  if (!departure) throw notFound('departure')
  requireOnSale(departure, call.clock.now(), wanted.channel)
  // read again: it may have expired, or been sold, before the lock was there
  const held = await selectHeld(call, wanted.formId)
  await requireSeats(call, withSeatsOf(departure, held), wanted.seats)
  const until = held ? await replaceHold(call, wanted) : await insertHold(call, wanted)
  if (held && (held.departureId !== departure.id || held.seats > wanted.seats)) {
    await promoteWaitlist(call, held.departureId)
  }
  return until
}

/** The departure as it is for a form that gives up what it holds there. */
const withSeatsOf = (departure: LockedDeparture, held: Held | undefined): LockedDeparture =>
  held?.departureId === departure.id ? { ...departure, seatsLeft: departure.seatsFree + held.seats } : departure

async function selectHeld(call: MemberCall, formId: string): Promise<Held | undefined> {
  const { rows } = await sql<Held>`select f.departure_id as "departureId", f.seats from form_holds f
    where f.org_id = ${call.orgId} and ${isOwnForm(call, formId)}`.execute(call.tx)
  return rows[0]
}

async function replaceHold(call: MemberCall, { formId, departureId, seats }: Wanted): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`
    update form_holds f set departure_id = ${departureId}, seats = ${seats}, expires_at = ${holdEnd}
    where f.org_id = ${call.orgId} and ${isOwnForm(call, formId)} returning f.expires_at as until`.execute(call.tx)
  if (!rows[0]) throw notFound('departure')
  return rows[0].until
}

async function insertHold(call: MemberCall, { formId, departureId, seats }: Wanted): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`
    insert into form_holds (org_id, user_id, id, departure_id, seats, expires_at, slot)
    select ${call.orgId}, ${call.caller.userId}, ${formId}, ${departureId}, ${seats}, ${holdEnd}, min(slot)
    from generate_series(1, ${maxFormsPerPerson}::int) slot
    where slot not in (select f.slot from form_holds f where f.org_id = ${call.orgId} and f.user_id = ${call.caller.userId})
    having min(slot) is not null
    returning expires_at as until`.execute(call.tx)
  if (!rows[0]) throw refuse('too_many_forms', { max: maxFormsPerPerson })
  return rows[0].until
}

const release = verb(releaseSeats, async (call, { formId }) => {
  const before = await selectHeld(call, formId)
  if (!before) return { seats: 0 }
  const departure = (await lockSeats(call, [before.departureId])).get(before.departureId)
  if (!departure) throw notFound('departure')
  const seats = await deleteHold(call, departure, formId)
  if (seats > 0) await promoteWaitlist(call, departure.id)
  return { seats }
})

async function deleteHold(call: MemberCall, { id }: LockedDeparture, formId: string): Promise<number> {
  const { rows } = await sql<{
    seats: number
  }>`delete from form_holds f where f.org_id = ${call.orgId} and ${isOwnForm(call, formId)}
    and f.departure_id = ${id} returning f.seats`.execute(call.tx)
  return rows[0]?.seats ?? 0
}

/** What a form holds on a locked departure becomes free for the sale of this transaction, and for nobody else. */
export async function takeFormHold(
  call: MemberCall,
  departure: LockedDeparture,
  formId: string | undefined,
): Promise<LockedDeparture> {
  if (formId === undefined) return departure
  const seats = await deleteHold(call, departure, formId)
  return seats > 0 ? { ...departure, seatsLeft: departure.seatsFree + seats } : departure
}

export const formHoldsVerbs: Verb[] = [hold, release]
