import { guestMessagesAnHour } from '@tour-ops/contract/bookings/booking-thread'
import type { SharedThread } from '@tour-ops/contract/links/shared-page'
import type { Locale } from '@tour-ops/contract/locales'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import { nameInEmail, oneLine } from '../../platform/channels/email-text.ts'
import type { Tx } from '../../platform/db/database.ts'
import { iso } from '../../platform/list-query.ts'
import { type NoticeCall, sendNotice } from '../../platform/notices.ts'
import { insertThreadMessage, selectThread } from '../../platform/operations/booking-thread.ts'
import { linkOver, type OpenLink } from '../../platform/operations/open-link.ts'
import { selectPeopleWith } from '../../platform/people-with.ts'

/** Messages between the party of a link and the office; null on other links. Whoever answered is not named to guests. */
export async function selectGuestThread(tx: Tx, link: OpenLink): Promise<SharedThread | null> {
  if (link.kind !== 'booking_guest' || !link.scopes.messages) return null
  const rows = await selectThread(tx, link.orgId, link.subjectId)
  return { messages: rows.map(({ id, author, body, at }) => ({ id, author, body, at: iso(at) })) }
}

/**
 * Writes what the party says. Whoever books is notified of the first message that waits, and not of each that follows.
 *
 * @throws AppError `not-found` on other links; `aborted`, reason `too_many_messages`.
 */
export async function writeGuestMessage(call: NoticeCall, link: OpenLink, body: string): Promise<SharedThread> {
  const { tx, orgId } = call
  if (link.kind !== 'booking_guest' || !link.scopes.messages) throw linkOver()
  const { subjectId } = link
  // two phones of a party are counted one after the other
  await sql`select pg_advisory_xact_lock(hashtextextended(${`booking thread ${orgId} ${subjectId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ recent: number; waiting: number }>`
    select count(*) filter (where created_at > app_now() - interval '1 hour')::int as recent, count(*) filter (where read_at is null)::int as waiting
    from booking_messages where org_id = ${orgId} and booking_id = ${subjectId} and author = 'guest'`.execute(tx)
  const [before] = rows
  if (before && before.recent >= guestMessagesAnHour) throw refuse('too_many_messages')
  await insertThreadMessage(tx, orgId, subjectId, { userId: null, body })
  if (before?.waiting === 0) await notifyOffice(call, subjectId, body)
  const thread = await selectGuestThread(tx, link)
  if (!thread) throw linkOver()
  return thread
}

const titles: Readonly<Record<Locale, (name: string) => string>> = {
  en: (name) => `${name} has written`,
  de: (name) => `${name} hat geschrieben`,
  es: (name) => `${name} ha escrito`,
}

async function notifyOffice(call: NoticeCall, bookingId: string, body: string): Promise<void> {
  const { rows } = await sql<{ contact: string }>`
    select contact_name as contact from bookings where org_id = ${call.orgId} and id = ${bookingId}`.execute(call.tx)
  const [booking] = rows
  if (!booking) return
  const name = nameInEmail(booking.contact)
  for (const userId of await selectPeopleWith(call.tx, call.orgId, 'bookings:manage')) {
    await sendNotice(call, userId, {
      event: 'guest_wrote',
      link: `/travelers/list?booking=${bookingId}`,
      text: (locale) => ({ title: titles[locale](name), body: oneLine(body, 160) }),
    })
  }
}
