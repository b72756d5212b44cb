import { type Booking, takeBackMinutes } from '@tour-ops/contract/bookings/bookings'
import { joinParties, restoreJoin } from '@tour-ops/contract/bookings/split'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { tellingChange } from '../../platform/operations/tell-guests.ts'
import { verb } from '../../platform/verb.ts'
import { lockBookings } from './bookings-changes.ts'
import { restoreColumns, valuesBefore } from './before-request.ts'
import { selectBooking, selectRecord } from './bookings-store.ts'
import { payIn, payOut } from './payments-store.ts'
import { isStillAhead } from './seat-rules.ts'

/** A booking of two that became one, and the first value of each column that joining wrote, as the audit log has it. */
interface Before {
  readonly id: string
  readonly requestId: string
  readonly values: Readonly<Record<string, unknown>>
  /** Nothing has happened to the booking since. */
  readonly isLast: boolean
}

interface Join {
  /** The party that took the guests of the other. */
  readonly first: Before
  /** The booking that was cancelled. */
  readonly other: Before
}

/** Columns that joining writes: of the party that became larger, and of the one that was cancelled. */
const columnsOfFirst = [
  'units',
  'pax',
  'amount_total_minor',
  'cancellation_fee_minor',
  'discount_minor',
  'price_reason',
] as const
const columnsOfOther = [
  'status',
  'cancelled_at',
  'cancel_reason',
  'cancellation_fee_minor',
  'cancellation_fee_reason',
] as const

/** Makes two parties again of the one that they became. */
export const takeApart = verb(restoreJoin, async (call, wanted) => {
  const { id } = await selectRecord(call, wanted.id)
  const join = await selectJoin(call, id)
  if (!join) throw refuse('cancellation_stays')
  return separate(call, join, wanted)
})

/**
 * Gives the party that became part of another its seats, guests and payments again, and the other what it had before.
 *
 * @param wanted Whichever of the two somebody has seen.
 * @throws AppError `aborted`, reason `cancellation_stays`, where something has happened to one of them since, where their departure is over, and for a
 * hold that has ended.
 */
export async function separate(
  call: MemberCall,
  found: Join,
  wanted: { readonly id: string; readonly version: number },
): Promise<{ booking: Booking; other: Booking }> {
  const { bookings, departures } = await lockBookings(call, [
    await seen(call, found.first.id, wanted),
    await seen(call, found.other.id, wanted),
  ])
  // again, now that nobody else changes them
  const { first, other } = (await selectJoin(call, wanted.id)) ?? found
  if (first.id !== found.first.id || !first.isLast || !other.isLast) throw refuse('cancellation_stays')
  const [party, joined] = bookings
  if (!party || !joined) throw notFound('booking')
  const departure = departures.get(party.departureId)
  const isHoldOver = party.status === 'on_hold' && (joined.expiresAt === null || joined.expiresAt <= call.clock.now())
  if (!departure || !isStillAhead(departure.status, party.status) || isHoldOver) throw refuse('cancellation_stays')
  const paidMinor = Number(other.values['amount_paid_minor'] ?? 0)
  await tellingChange(call, party, true, async () => {
    await payOut(call, first.id, other.id, paidMinor)
    // before the other has its seats again: together they have no more than the party had
    await restoreColumns(call, first, columnsOfFirst)
    await sql`select set_config('app.restored_booking_id', ${other.id}, true)`.execute(call.tx)
    await restoreColumns(call, other, columnsOfOther)
    await sql`select set_config('app.restored_booking_id', '', true)`.execute(call.tx)
    await moveEntriesBack(call, first, other)
    await payIn(call, other.id, first.id, paidMinor)
  })
  return { booking: await selectBooking(call, first.id), other: await selectBooking(call, other.id) }
}

/** The version that somebody has seen; of the booking that they did not look at, the one of now. */
const seen = async (call: MemberCall, id: string, wanted: { readonly id: string; readonly version: number }) =>
  id === wanted.id ? wanted : { id, version: (await selectRecord(call, id)).version }

/** The last joining of a booking, on either side; undefined where there is none, or too long ago. */
export async function selectJoin({ tx, orgId }: MemberCall, id: string): Promise<Join | undefined> {
  const since = sql`app_now() - make_interval(mins => ${takeBackMinutes})`
  const { rows } = await sql<Before & { isOther: boolean }>`
    select e.entity_id as id, e.request_id as "requestId", coalesce(bool_or(e.diff #>> '{status,1}' = 'cancelled'), false) as "isOther",
      not exists (select from audit_entries later where later.org_id = ${orgId} and later.entity_type = 'bookings'
        and later.entity_id = e.entity_id and later.id > max(e.id)) as "isLast",
      ${valuesBefore(orgId)} as values
    from audit_entries e
    where e.org_id = ${orgId} and e.entity_type = 'bookings' and e.at > ${since} and e.action = ${joinParties.name}
      and e.request_id = (select last.request_id from audit_entries last where last.org_id = ${orgId} and last.entity_type = 'bookings'
        and last.entity_id = ${id} and last.action = ${joinParties.name} and last.at > ${since} order by last.id desc limit 1)
    group by e.entity_id, e.request_id`.execute(tx)
  const first = rows.find(({ isOther }) => !isOther)
  const other = rows.find(({ isOther }) => isOther)
  return first && other && { first, other }
}

/** Guests who came with the other booking are on it again, with what has become of them since: checked in, in another room. */
async function moveEntriesBack({ tx, orgId }: MemberCall, first: Before, other: Before): Promise<void> {
  await sql`update manifest_entries m set booking_id = ${other.id} where m.org_id = ${orgId} and m.booking_id = ${first.id}
    and exists (select from audit_entries e where e.org_id = m.org_id and e.entity_type = 'manifest_entries' and e.entity_id = m.id::text
      and e.request_id = ${first.requestId} and e.diff #>> '{booking_id,0}' = ${other.id})`.execute(tx)
}
