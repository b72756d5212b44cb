import { guestMessagesAnHour } from '@tour-ops/contract/bookings/booking-thread'
import type { Locale } from '@tour-ops/contract/locales'
import type { PhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import { sql } from 'kysely'
import { nameInEmail, oneLine } from '../channels/email-text.ts'
import { type NoticeCall, sendNotice } from '../notices.ts'
import { selectPeopleWith } from '../people-with.ts'
import { insertThreadMessage } from './booking-thread.ts'

/** People write line by line on a phone, and nobody can tell them that a text was not taken. */
const textsAnHour = 100

/**
 * Writes what the party of a booking says, on its page or by a text. Whoever books is notified of the first message that waits, and not of each
 * that follows.
 *
 * @returns false where the party has written as much as it may within an hour: nothing was written.
 */
export async function writeAsGuest(
  call: NoticeCall,
  bookingId: string,
  { body, channel = null }: { readonly body: string; readonly channel?: PhoneChannel | null },
): Promise<boolean> {
  const { tx, orgId } = call
  // two phones of a party are counted one after the other
  await sql`select pg_advisory_xact_lock(hashtextextended(${`booking thread ${orgId} ${bookingId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ recent: number; waiting: number }>`
    select count(*) filter (where created_at > app_now() - interval '1 hour')::int as recent, count(*) filter (where read_at is null)::int as waiting
    from booking_messages where org_id = ${orgId} and booking_id = ${bookingId} and author = 'guest'`.execute(tx)
  const [before] = rows
  if (before && before.recent >= (channel === null ? guestMessagesAnHour : textsAnHour)) return false
  await insertThreadMessage(tx, orgId, bookingId, { userId: null, body, channel })
  if (before?.waiting === 0) await notifyOffice(call, bookingId, body)
  return true
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
