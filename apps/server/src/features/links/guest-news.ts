import type { SharedNews } from '@tour-ops/contract/links/shared-page'
import type { Audience, GuestText } from '@tour-ops/contract/notifications/guest-messages'
import { isLinkLine } from '@tour-ops/contract/notifications/link-line'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso } from '../../platform/list-query.ts'
import { isMeant } from '../../platform/operations/guest-audience.ts'
import { textFor, writeToGuest } from '../../platform/operations/guest-text.ts'
import { type OpenLink, partyOf } from '../../platform/operations/open-link.ts'
import { documentMessage } from '../../platform/operations/sent-documents.ts'
import { selectToldBooking } from '../../platform/operations/told-booking.ts'

interface NewsRow {
  id: string
  texts: GuestText[]
  audience: Audience
  /** As it was sent to this party; null where no e-mail reached it: an SMS is too short to be read here. */
  subject: string | null
  body: string | null
  at: Date
}

/** Without documents, which the page lists by themselves. Of the last 60 days the latest, from which those that are meant for the party are taken. */
async function selectWritten(tx: Tx, { orgId, departureId }: OpenLink, bookingId: string): Promise<NewsRow[]> {
  const { rows } = await sql<NewsRow>`
    select m.id, m.texts, m.audience, own.subject, own.body, news.at
    from messages m
      cross join lateral (select min(d.sent_at) as at from deliveries d where d.org_id = m.org_id and d.message_id = m.id) news
      left join deliveries own on own.org_id = m.org_id and own.message_id = m.id and own.booking_id = ${bookingId} and own.channel = 'email' and own.sent_at is not null
    where m.org_id = ${orgId} and m.texts is not null and m.kind <> ${documentMessage} and m.created_at > app_now() - interval '60 days' and news.at is not null
      and (m.audience -> 'departureIds' ? ${departureId} or m.audience -> 'bookingIds' ? ${bookingId})
    order by m.created_at desc, m.id desc limit 10`.execute(tx)
  return rows
}

/** Of messages those that are for the booking by now, or were sent to it. */
async function meantOf(
  tx: Tx,
  orgId: string,
  bookingId: string,
  rows: readonly NewsRow[],
): Promise<ReadonlySet<string>> {
  const meant = rows.map(
    ({ id, audience, body }) =>
      sql`select ${id}::text as id from bookings b where b.org_id = ${orgId} and b.id = ${bookingId}::uuid and (${body !== null} or ${isMeant(audience)})`,
  )
  const { rows: found } = await sql<{
    id: string
  }>`select meant.id from (${sql.join(meant, sql` union all `)}) meant`.execute(tx)
  return new Set(found.map(({ id }) => id))
}

/**
 * What the office has written to the party of a link, alone or with others, the newest first: as it was sent, or, where no e-mail could reach the
 * party, with what is so by now. Empty on other links.
 */
export async function selectGuestNews(tx: Tx, link: OpenLink): Promise<SharedNews[]> {
  const bookingId = partyOf(link)
  if (bookingId === null || !link.scopes.messages) return []
  const rows = await selectWritten(tx, link, bookingId)
  if (rows.length === 0) return []
  const meant = await meantOf(tx, link.orgId, bookingId, rows)
  const booking = await selectToldBooking(tx, link.orgId, bookingId)
  if (!booking) return []
  return rows.flatMap(({ id, texts, subject, body, at }) => {
    const text = textFor(texts, booking.language)
    if (!meant.has(id) || !text) return []
    const written = subject !== null && body !== null ? { subject, body } : writeToGuest(text, booking)
    return [{ id, subject: written.subject, body: withoutLink(written.body), at: iso(at) }]
  })
}

/** The reader is on the page that it names. */
const withoutLink = (body: string): string =>
  body
    .split('\n')
    .filter((line) => !isLinkLine(line))
    .join('\n')
    .trim()
