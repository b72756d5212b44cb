import { updateBooking } from '@tour-ops/contract/bookings/bookings'
import type { Given } from '@tour-ops/contract/callable'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { requireVersion } from '../../platform/optimistic-lock.ts'
import { tellingChange } from '../../platform/operations/tell-guests.ts'
import { verb } from '../../platform/verb.ts'
import { selectBooking, selectPickup, selectRecord, type BookingRecord } from './bookings-store.ts'
import { priceOf } from './prices.ts'
import { lockOne } from './seat-rules.ts'

export const update = verb(updateBooking, async (call, { id, version, tellGuest, ...details }) => {
  const before = await selectRecord(call, id)
  await lockOne(call, before.departureId)
  const booking = await selectRecord(call, id)
  requireVersion(booking, version, 'booking')
  await tellingChange(call, booking, tellGuest, () => updateDetails(call, booking, details))
  return selectBooking(call, id)
})

/** Everything of a booking but its departure, seats and guests. */
export type Details = Omit<Given<typeof updateBooking>, 'id' | 'version' | 'tellGuest'>

/**
 * Writes contact, pickup, price and notes of a booking whose departure is locked.
 *
 * @param withPickups False: guests who are picked up elsewhere than their party still are.
 */
export async function updateDetails(
  call: MemberCall,
  booking: BookingRecord,
  { pickupStopId, isOnAgentCredit, ...fields }: Details,
  withPickups = true,
): Promise<void> {
  const { id } = booking
  const pickup = await selectPickup(call, booking.departureId, pickupStopId)
  const { contact } = fields
  const price = priceOf(fields, booking.listMinor, {
    totalMinor: booking.amountTotalMinor,
    reason: booking.priceReason,
  })
  await sql`
    update bookings set contact_name = ${contact.name}, contact_email = ${contact.email}, contact_phone = ${contact.phone},
      contact_locale = ${contact.locale}, contact_country = ${contact.country}, seller_name = ${fields.sellerName},
      external_ref = ${fields.externalRef}, pickup_place_id = ${pickup?.placeId ?? null}, pickup_at = ${pickup?.at ?? null}, notes = ${fields.notes},
      amount_total_minor = ${price.totalMinor}, price_reason = ${price.reason},
      payment_status = ${statusFor(isOnAgentCredit)}
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  if (!withPickups) return
  await sql`update manifest_entries set pickup_stop_id = ${pickupStopId}::uuid where org_id = ${call.orgId} and booking_id = ${id}
    and status in ('expected', 'checked_in', 'no_show')`.execute(call.tx)
}

/** Put on an agent's account, taken off, or as it is; off the account the database says what the status is. */
const statusFor = (isOnAgentCredit: boolean | undefined): RawBuilder<unknown> => {
  if (isOnAgentCredit === undefined) return sql`payment_status`
  return isOnAgentCredit
    ? sql`'agent_credit'`
    : sql`case payment_status when 'agent_credit' then 'unpaid' else payment_status end`
}
