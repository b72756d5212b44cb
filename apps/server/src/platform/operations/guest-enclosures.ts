import ical, { ICalEventStatus } from 'ical-generator'
import { guestAnswer } from '@tour-ops/contract/bookings/booking-thread'
import { LinkScopes } from '@tour-ops/contract/links/links'
import { feedbackDays } from '@tour-ops/contract/links/shared-page'
import type { Audience, GuestText } from '@tour-ops/contract/notifications/guest-messages'
import { rollCallMessage } from '@tour-ops/contract/monitoring/roll-calls'
import { isGuestEvent } from '@tour-ops/contract/notifications/guest-rules'
import { hasLinkLine, withLinkLine } from '@tour-ops/contract/notifications/link-line'
import { isPhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import { emailsFragment, isOptionalKind } from '@tour-ops/contract/notifications/opt-outs'
import { sql } from 'kysely'
import type { Enclose } from '../channels/courier.ts'
import { subjectLine } from '../channels/email-text.ts'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { addMinutes } from '../local-time.ts'
import { isStillAsked } from './ask-if-safe.ts'
import { isMeant } from './guest-audience.ts'
import { emailLocale, hasCalendar } from './guest-emails.ts'
import { textFor, writeBy } from './guest-text.ts'
import { documentMessage, selectValidNumber } from './sent-documents.ts'
import { withAddressOf } from './link-enclosure.ts'
import { usualLinkEnd } from './link-end.ts'
import { issueToken } from './link-tokens.ts'
import { readdress } from './readdress.ts'
import { isOutdated } from './tell-guests.ts'
import { selectToldBooking, selectToldBookings, type ToldBooking } from './told-booking.ts'

/**
 * What goes with an e-mail about a booking when it is sent, and is stored nowhere: the address of the guest's page in its text, and the tour as a
 * calendar file.
 *
 * @param publicUrl Where the screens are.
 */
export const guestEnclosures =
  (publicUrl: string): Enclose =>
  async (tx, orgId, { messageId, deliveryId, body }) => {
    const about = await selectAbout(tx, orgId, deliveryId)
    if (about?.linkId)
      return withAddressOf(tx, orgId, publicUrl, { deliveryId, kind: about.kind, linkId: about.linkId, body })
    if (about?.texts) return writeAgain(tx, orgId, publicUrl, { messageId, deliveryId }, about)
    const { bookingId, kind, channel = 'email' } = about ?? {}
    const isAnswer = kind === guestAnswer
    const isRollCall = kind === rollCallMessage
    if (!bookingId || !(isAnswer || isRollCall || isGuestEvent(kind))) return { body }
    const booking = await selectToldBooking(tx, orgId, bookingId)
    if (!booking) return { body }
    if (isAnswer) return withAddress(tx, orgId, publicUrl, booking, { kind, body }, pageOfAnswer(booking))
    const isOver = isRollCall
      ? !(await isStillAsked(tx, orgId, bookingId))
      : await isOutdated(tx, orgId, messageId, booking)
    if (isOver) return 'outdated'
    const calendar = isGuestEvent(kind) &&
      hasCalendar(kind) && { calendar: calendarOf(bookingId, booking, kind === 'booking_cancelled') }
    const to = addressOn(booking, channel)
    const unwanted = to === null ? null : await readdress(tx, orgId, deliveryId, kind, to)
    if (unwanted !== null) return unwanted
    const page = kind === 'feedback_request' ? opinionLink : isRollCall ? safetyLink : guestLink
    const content = await withAddress(tx, orgId, publicUrl, booking, { kind, body }, page)
    return content === 'outdated' ? content : { ...content, ...(to !== null && { to }), ...calendar }
  }

/** The page of the day while there is one. */
const pageOfAnswer = ({ endsAt, now }: ToldBooking): LinkOfEmail => (endsAt > now ? guestLink : opinionLink)

/** Where the contact is reached by now on the channel that was chosen when it was written. */
const addressOn = ({ email, contactPhone }: ToldBooking, channel: string): string | null =>
  isPhoneChannel(channel) ? contactPhone : email

interface About {
  readonly channel: string
  /** Chosen for this message by who sent it. */
  readonly language: string | null
  /** Null where it is gone, or the message is about none. */
  readonly bookingId: string | null
  readonly kind: string
  /** Of a message that somebody wrote. */
  readonly texts: readonly GuestText[] | null
  readonly audience: Audience
  /** That somebody made, and the message carries. */
  readonly linkId: string | null
}

async function selectAbout(tx: Tx, orgId: string, deliveryId: string): Promise<About | undefined> {
  const { rows } = await sql<About>`
    select d.booking_id as "bookingId", d.channel, d.language, m.kind, m.texts, m.audience, m.link_id as "linkId"
    from deliveries d join messages m on m.org_id = d.org_id and m.id = d.message_id
    where d.org_id = ${orgId} and d.id = ${deliveryId}`.execute(tx)
  return rows[0]
}

/** What somebody wrote, with what is so by now, where the guest can be reached by now; the log shows what was sent. Guests whom it was not meant for any more get nothing. */
async function writeAgain(
  tx: Tx,
  orgId: string,
  publicUrl: string,
  { messageId, deliveryId }: { readonly messageId: string; readonly deliveryId: string },
  { bookingId, channel, language, kind, texts, audience }: About,
): ReturnType<Enclose> {
  const [booking] = await selectToldBookings(tx, orgId, sql<boolean>`b.id = ${bookingId} and ${isMeant(audience)}`)
  const text = booking && textFor(texts ?? [], language ?? booking.language)
  const to = booking && addressOn(booking, channel)
  if (!text || !to) return 'outdated'
  const { documentId } = audience
  const document = documentId
    ? await selectValidNumber(tx, orgId, { messageId, bookingId: booking.id, documentId })
    : null
  if (documentId && document === null) return 'outdated'
  const unwanted = await readdress(tx, orgId, deliveryId, kind, to)
  if (unwanted !== null) return unwanted
  const { subject, body } = writeBy(channel, text, booking, document)
  const page = kind === documentMessage ? documentLink : guestLink
  const content = await withAddress(tx, orgId, publicUrl, booking, { kind, body }, page)
  if (content === 'outdated') return content
  await sql`update deliveries set subject = ${subjectLine(subject)}, body = ${body}
    where org_id = ${orgId} and id = ${deliveryId} and (subject, body) is distinct from (${subjectLine(subject)}, ${body})`.execute(
    tx,
  )
  return { to, subject: subjectLine(subject), ...content }
}

/**
 * Puts the address of the guest's page where it belongs: on a line of its own, for what somebody has typed into a name is within one. What
 * guests can do without says as well where they say so.
 *
 * @returns `outdated` for a message that is about its page, where the office has paused that.
 */
async function withAddress(
  tx: Tx,
  orgId: string,
  publicUrl: string,
  booking: ToldBooking,
  { kind, body }: { readonly kind: string; readonly body: string },
  page: LinkOfEmail = guestLink,
): Promise<{ body: string; optOutUrl?: string } | 'outdated'> {
  if (!hasLinkLine(body) && !isOptionalKind(kind)) return { body }
  const linkId = await linkOf(tx, orgId, booking, page)
  if (linkId === null) return 'outdated'
  const { path } = await issueToken(tx, orgId, linkId, null)
  const address = new URL(path, publicUrl).href
  return {
    body: withLinkLine(body, address),
    ...(isOptionalKind(kind) && { optOutUrl: `${address}#${emailsFragment}` }),
  }
}

/** A guest answers a roll call for so long. */
const safetyLinkHours = 48

/** What a link in an e-mail opens, and until when. */
interface LinkOfEmail {
  readonly scopes: LinkScopes
  readonly endsWithDeparture: boolean
  readonly end: (booking: ToldBooking) => Date
  /** Sent again, the link is open for as long again. */
  readonly isRenewed?: boolean
  /** The message is about the page: without it there is nothing to send. */
  readonly isNeeded?: boolean
}

/** The page of the day, which ends with the departure. */
const guestLink: LinkOfEmail = {
  scopes: LinkScopes.parse({ details: true, offer: true, feedback: true, messages: true, documents: true }),
  endsWithDeparture: true,
  end: ({ now, endsAt }) => usualLinkEnd(now, endsAt),
}

/** Whoever is asked whether they are safe is asked where things do not go by the plan: the page does not end with it. */
const safetyLink: LinkOfEmail = {
  scopes: guestLink.scopes,
  endsWithDeparture: false,
  end: ({ now }) => addMinutes(now, safetyLinkHours * 60),
  isRenewed: true,
}

/** How it was, and nothing of the day: it is open for longer than that should be. */
const opinionLink: LinkOfEmail = {
  scopes: LinkScopes.parse({ map: false, stops: false, crew: false, feedback: true, messages: true }),
  endsWithDeparture: false,
  end: ({ now }) => addMinutes(now, feedbackDays * 24 * 60),
}

/** Days for which a document can be opened from its message. */
const documentLinkDays = 90

/** Invoices and receipts, and nothing of the day: who books them does so when the tour is long over. */
const documentLink: LinkOfEmail = {
  scopes: LinkScopes.parse({ map: false, stops: false, crew: false, messages: true, documents: true }),
  endsWithDeparture: false,
  end: ({ now, endsAt }) => addMinutes(now > endsAt ? now : endsAt, documentLinkDays * 24 * 60),
  isRenewed: true,
  isNeeded: true,
}

/**
 * The link that e-mails of a booking carry; it follows the booking to another departure. A new one where the office has ended it. What the office
 * has paused stays so: neither a page that was made before there were documents gets a second one beside it, nor do documents a way around it.
 *
 * @returns null where it is paused, and the message is nothing without it.
 */
async function linkOf(
  tx: Tx,
  orgId: string,
  booking: ToldBooking,
  { scopes, endsWithDeparture, end, isRenewed = false, isNeeded = false }: LinkOfEmail,
): Promise<string | null> {
  const hasDocuments = sql<boolean>`coalesce((scopes ->> 'documents')::boolean, false)`
  const isAlike = sql<boolean>`(ends_with_departure = ${endsWithDeparture} and coalesce((scopes ->> 'details')::boolean, false) = ${scopes.details})`
  const isSame = sql<boolean>`(${isAlike} and ${hasDocuments} = ${scopes.documents})`
  const { rows } = await sql<{
    id: string
    isPaused: boolean
  }>`select id, status = 'paused' as "isPaused" from shared_links
    where org_id = ${orgId} and kind = 'booking_guest' and subject_id = ${booking.id} and created_by is null and status in ('scheduled', 'active', 'paused')
      and (${isSame} or status = 'paused' and (${isNeeded}::boolean or ${isAlike} and not ${hasDocuments}))
    order by ${isSame} desc, created_at desc limit 1`.execute(tx)
  const [known] = rows
  if (known?.isPaused && isNeeded) return null
  if (known) {
    if (isRenewed)
      await sql`update shared_links set expires_at = greatest(expires_at, ${end(booking)}::timestamptz)
        where org_id = ${orgId} and id = ${known.id}`.execute(tx)
    return known.id
  }
  const id = newId()
  await sql`
    insert into shared_links (org_id, id, kind, subject_id, departure_id, label, scopes, locale, expires_at, ends_with_departure)
    values (${orgId}, ${id}, 'booking_guest', ${booking.id}, ${booking.departureId}, ${`${booking.contactName} ${booking.bookingRef}`},
      ${JSON.stringify(scopes)}::jsonb, ${emailLocale(booking.language)}, ${end(booking)}, ${endsWithDeparture})`.execute(
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
