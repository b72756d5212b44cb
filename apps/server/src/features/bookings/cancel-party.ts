import type { cancelBooking } from '@tour-ops/contract/bookings/bookings'
import { proposedFeeMinor } from '@tour-ops/contract/bookings/cancellation'
import type { Given } from '@tour-ops/contract/callable'
import { sql } from 'kysely'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { releaseGuests } from '../../platform/operations/seats.ts'
import { tellGuest } from '../../platform/operations/tell-guests.ts'
import type { BookingRecord } from './bookings-store.ts'
import { keptFeeOf, selectCancellationRule } from './cancellation-fee.ts'

type How = Pick<Given<typeof cancelBooking>, 'reason' | 'note' | 'feeMinor' | 'feeReason' | 'tellGuest'>

/** Ends a booking whose departure is locked: what is kept of its price, its guests off the manifest, its contact told. Its seats are offered to nobody yet. */
export async function cancelParty(
  call: SeatCall,
  booking: BookingRecord,
  { reason, note, tellGuest: isTold, ...wanted }: How,
): Promise<void> {
  const { id, departureId, status, amountTotalMinor } = booking
  const rule = await selectCancellationRule(call, departureId)
  const proposed = proposedFeeMinor({ ...booking, departureStatus: rule.departureStatus }, reason, rule)
  const kept = keptFeeOf(wanted, proposed, amountTotalMinor)
  await sql`update bookings set status = 'cancelled', cancel_reason = ${reason}, waitlist_rank = null,
    cancellation_fee_minor = ${kept.feeMinor}, cancellation_fee_reason = ${kept.reason},
    notes = case when ${note}::text is null then notes else concat_ws(E'\n', notes, ${note}::text) end
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  await releaseGuests(call.tx, call.orgId, [id])
  // who was only held seats, or waits, was never told that they are booked
  if (status === 'confirmed') await tellGuest(call, 'booking_cancelled', id, isTold)
}
