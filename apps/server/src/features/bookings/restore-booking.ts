import { restoreBooking, takeBackMinutes } from '@tour-ops/contract/bookings/bookings'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { tellRestored } from '../../platform/operations/tell-guests.ts'
import { verb } from '../../platform/verb.ts'
import { lockBooking } from './bookings-changes.ts'
import { selectBooking } from './bookings-store.ts'
import { requireUnbooked } from './guests.ts'
import { selectJoin, separate } from './restore-join.ts'
import { isStillAhead, requireSeats } from './seat-rules.ts'

/** What a booking was until it was cancelled, as the audit log has it. */
interface Before {
  requestId: string
  status: StatusOf<'bookings'>
  waitlistRank: number | null
  feeMinor: number | null
  hadFeeReason: boolean
  feeReason: string | null
}

/**
 * Makes a booking again what it was before it was cancelled. What somebody wrote about the cancellation stays in its notes. One that became part of another
 * leaves it with its guests.
 */
export const restore = verb(restoreBooking, async (call, { id, version }) => {
  const join = await selectJoin(call, id)
  if (join?.other.id === id && join.other.isLast) return (await separate(call, join, { id, version })).other
  const { booking, departure } = await lockBooking(call, id, version)
  const before = booking.status === 'cancelled' ? await selectBefore(call, id) : undefined
  if (!before || !isStillAhead(departure.status, before.status)) throw refuse('cancellation_stays')
  if (before.status === 'on_hold' && (booking.expiresAt === null || booking.expiresAt <= call.clock.now()))
    throw refuse('cancellation_stays')
  if (before.status !== 'waitlisted') await requireSeats(call, departure, booking.pax)
  await sql`select set_config('app.restored_booking_id', ${id}, true)`.execute(call.tx)
  await sql`update bookings set status = ${before.status}, cancelled_at = null, cancel_reason = null, waitlist_rank = ${before.waitlistRank},
      cancellation_fee_minor = coalesce(${before.feeMinor}::bigint, cancellation_fee_minor),
      cancellation_fee_reason = case when ${before.hadFeeReason}::boolean then ${before.feeReason}::text else cancellation_fee_reason end
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  await restoreGuests(call, id, departure.id, before.requestId)
  await sql`select set_config('app.restored_booking_id', '', true)`.execute(call.tx)
  await tellRestored(call, id)
  return selectBooking(call, id)
})

/** Undefined where anything followed the cancellation, a payment for example, or too long ago it was. */
async function selectBefore({ tx, orgId }: MemberCall, id: string): Promise<Before | undefined> {
  const { rows } = await sql<Before>`
    select last.request_id as "requestId", last.diff #>> '{status,0}' as status, (last.diff #>> '{waitlist_rank,0}')::int as "waitlistRank",
      (last.diff #>> '{cancellation_fee_minor,0}')::float8 as "feeMinor", last.diff ? 'cancellation_fee_reason' as "hadFeeReason",
      last.diff #>> '{cancellation_fee_reason,0}' as "feeReason"
    from (select e.request_id, e.diff, e.at from audit_entries e where e.org_id = ${orgId} and e.entity_type = 'bookings' and e.entity_id = ${id}
      order by e.id desc limit 1) last
    where last.diff #>> '{status,1}' = 'cancelled' and last.request_id is not null
      and last.at > app_now() - make_interval(mins => ${takeBackMinutes})`.execute(tx)
  return rows[0]
}

/** Those who left the manifest with the booking, and nobody who had cancelled before. */
export async function restoreGuests(
  call: MemberCall,
  bookingId: string,
  departureId: string,
  requestId: string,
): Promise<void> {
  const { tx, orgId } = call
  const { rows } = await sql<{ id: string; travelerId: string }>`
    select m.id, m.traveler_id as "travelerId" from manifest_entries m
    where m.org_id = ${orgId} and m.booking_id = ${bookingId} and m.status = 'cancelled'
      and exists (select from audit_entries e where e.org_id = m.org_id and e.entity_type = 'manifest_entries' and e.entity_id = m.id::text
        and e.request_id = ${requestId} and e.diff #>> '{status,1}' = 'cancelled')`.execute(tx)
  if (rows.length === 0) return
  await requireUnbooked(
    call,
    departureId,
    rows.map(({ travelerId }) => travelerId),
  )
  await sql`update manifest_entries set status = 'expected'
    where org_id = ${orgId} and id = any (${rows.map((row) => row.id)}::uuid[])`.execute(tx)
}
