import ical, { ICalEventStatus } from 'ical-generator'
import { LinkScopes } from '@tour-ops/contract/links/links'
import { isGuestEvent, linkPlaceholder } from '@tour-ops/contract/notifications/guest-rules'
import { sql } from 'kysely'
import type { Enclose } from '../channels/courier.ts'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { emailLocale, hasCalendar } from './guest-emails.ts'
import { usualLinkEnd } from './link-end.ts'
import { issueToken } from './link-tokens.ts'
import { isOutdated, selectToldBooking, type ToldBooking } from './tell-guests.ts'

/**
 * What goes with an e-mail about a booking when it is sent, and is stored nowhere: the address of the guest's page in its text, and the tour as a
 * calendar file.
 *
 * @param publicUrl Where the screens are.
 */
export const guestEnclosures =
  (publicUrl: string): Enclose =>
  async (tx, orgId, { messageId, body }) => {
    const { rows } = await sql<{
      bookingId: string | null
      kind: string
    }>`select subject_id as "bookingId", kind from messages
      where org_id = ${orgId} and id = ${messageId} and subject_type = 'booking'`.execute(tx)
    const { bookingId, kind } = rows[0] ?? {}
    const booking = bookingId && isGuestEvent(kind) && (await selectToldBooking(tx, orgId, bookingId))
    if (!booking) return { body }
    if (await isOutdated(tx, orgId, messageId, booking)) return 'outdated'
    const calendar = hasCalendar(kind) && { calendar: calendarOf(bookingId, booking, kind === 'booking_cancelled') }
    // on a line of its own: what somebody has typed into a name is within one
    const lines = body.split('\n')
    if (!lines.includes(linkPlaceholder)) return { body, ...calendar }
    const linkId = await guestLinkOf(tx, orgId, bookingId, booking)
    const { path } = await issueToken(tx, orgId, linkId, null)
    const address = new URL(path, publicUrl).href
    return { body: lines.map((line) => (line === linkPlaceholder ? address : line)).join('\n'), ...calendar }
  }

/** The link that e-mails of a booking carry; it follows the booking to another departure. A new one where the office has ended it. */
async function guestLinkOf(tx: Tx, orgId: string, bookingId: string, booking: ToldBooking): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from shared_links
    where org_id = ${orgId} and kind = 'booking_guest' and subject_id = ${bookingId} and created_by is null
      and status in ('scheduled', 'active', 'paused') order by created_at desc limit 1`.execute(tx)
  if (rows[0]) return rows[0].id
  const id = newId()
  await sql`
    insert into shared_links (org_id, id, kind, subject_id, departure_id, label, scopes, locale, expires_at, ends_with_departure)
    values (${orgId}, ${id}, 'booking_guest', ${bookingId}, ${booking.departureId}, ${`${booking.contactName} ${booking.bookingRef}`},
      ${JSON.stringify(LinkScopes.parse({}))}::jsonb, ${emailLocale(booking.language)}, ${usualLinkEnd(booking.now, booking.endsAt)}, true)`.execute(
    tx,
  )
  return id
}

/** Source: RFC 5545. The same UID each time and a rising sequence, so that a calendar changes what it has. */
function calendarOf(bookingId: string, booking: ToldBooking, isCancelled: boolean): string {
  const { organizationName, tourName, bookingRef, startsAt, endsAt, meeting, version, now } = booking
  const calendar = ical({ prodId: { company: 'Tour operations', product: 'Bookings' } })
  calendar.createEvent({
    id: bookingId,
    sequence: version,
    stamp: now,
    start: startsAt,
    end: endsAt,
    summary: tourName,
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    description: [organizationName, bookingRef].join('\n'),
    location: meeting && [meeting.placeName, meeting.address].filter(Boolean).join(', '),
  })
  return calendar.toString()
}
