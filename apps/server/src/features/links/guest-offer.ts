import type { SharedOffer } from '@tour-ops/contract/links/shared-page'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso } from '../../platform/list-query.ts'
import { isOffered } from '../../platform/operations/offered-seats.ts'
import { type OpenLink, linkOver } from '../../platform/operations/open-link.ts'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { lockSeats, promoteWaitlist, releaseGuests } from '../../platform/operations/seats.ts'
import { tellGuest } from '../../platform/operations/tell-guests.ts'

const mayOffer = ({ kind, scopes }: OpenLink): boolean => kind === 'booking_guest' && scopes.offer

interface OfferRow extends Omit<SharedOffer, 'until'> {
  until: Date | null
}

/** Seats that the party of the link may have; null on other links, and where none are held for it. */
export async function selectGuestOffer(tx: Tx, link: OpenLink): Promise<SharedOffer | null> {
  if (!mayOffer(link)) return null
  const { rows } = await sql<OfferRow>`
    select b.pax as seats, b.expires_at as until, b.amount_total_minor as "amountMinor", b.currency
    from bookings b where b.org_id = ${link.orgId} and b.id::text = ${link.subjectId} and ${isOffered}`.execute(tx)
  const [offer] = rows
  return offer?.until ? { ...offer, until: iso(offer.until) } : null
}

/**
 * Books the seats, or gives them to whoever waits next.
 *
 * @throws AppError `not-found` on other links; `aborted`, reason `offer_over`, where they are no longer held.
 */
export async function answerGuestOffer(call: SeatCall, link: OpenLink, take: boolean): Promise<{ isBooked: boolean }> {
  if (!mayOffer(link)) throw linkOver()
  const { tx, orgId } = call
  await lockSeats(call, [link.departureId])
  const { rows } = await sql<{ id: string }>`
    select b.id from bookings b where b.org_id = ${orgId} and b.id::text = ${link.subjectId} and b.departure_id = ${link.departureId} and ${isOffered}
    for no key update`.execute(tx)
  const [booking] = rows
  if (!booking) throw refuse('offer_over')
  if (take) {
    await sql`update bookings set status = 'confirmed', expires_at = null where org_id = ${orgId} and id = ${booking.id}`.execute(
      tx,
    )
    await tellGuest(call, 'booking_confirmed', booking.id, true)
    return { isBooked: true }
  }
  await sql`update bookings set status = 'cancelled', cancel_reason = 'guest_request' where org_id = ${orgId} and id = ${booking.id}`.execute(
    tx,
  )
  await releaseGuests(tx, orgId, [booking.id])
  await promoteWaitlist(call, link.departureId)
  return { isBooked: false }
}
