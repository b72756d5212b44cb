import { answerThread, bookingThread, guestAnswer, markThreadRead } from '@tour-ops/contract/bookings/booking-thread'
import { linkPlaceholder } from '@tour-ops/contract/notifications/link-line'
import type { Locale } from '@tour-ops/contract/locales'
import type { GuestChannel } from '@tour-ops/contract/notifications/phone-channels'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { nameInEmail } from '../../platform/channels/email-text.ts'
import { iso } from '../../platform/list-query.ts'
import { insertThreadMessage, selectThread } from '../../platform/operations/booking-thread.ts'
import { emailLocale } from '../../platform/operations/guest-emails.ts'
import { selectToldBooking, type ToldBooking } from '../../platform/operations/told-booking.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'

const read = verb(bookingThread, async ({ tx, orgId }, { id }) => ({
  messages: (await selectThread(tx, orgId, id)).map(({ at, ...row }) => ({ ...row, at: iso(at) })),
}))

const answer = verb(answerThread, async (call, { id, seen, body }) => {
  const { tx, orgId, caller } = call
  const booking = await selectToldBooking(tx, orgId, id)
  if (!booking) throw notFound('booking')
  if (seen !== null) await markRead(call, id, seen)
  await insertThreadMessage(tx, orgId, id, { userId: caller.userId, body })
  const { reachedBy, reachedAt } = booking
  if (reachedBy === null || reachedAt === null) return { sentBy: null }
  await send(call, booking, { channel: reachedBy, to: reachedAt }, { body, isAnswer: seen !== null })
  return { sentBy: reachedBy }
})

const marked = verb(markThreadRead, async (call, { id, seen }) => {
  await markRead(call, id, seen)
  return {}
})

/** @throws AppError `not-found` for a message that is not of this booking. */
async function markRead({ tx, orgId }: MemberCall, bookingId: string, seen: string): Promise<void> {
  const { rows } = await sql<{ at: string }>`select created_at::text as at from booking_messages
    where org_id = ${orgId} and booking_id = ${bookingId} and id = ${seen}`.execute(tx)
  const [last] = rows
  if (!last) throw notFound('booking')
  await sql`update booking_messages set read_at = app_now() where org_id = ${orgId} and booking_id = ${bookingId}
    and author = 'guest' and read_at is null and (created_at, id) <= (${last.at}::timestamptz, ${seen}::uuid)`.execute(
    tx,
  )
}

const subjects: Readonly<Record<Locale, (tour: string) => string>> = {
  en: (tour) => `Our answer: ${tour}`,
  de: (tour) => `Unsere Antwort: ${tour}`,
  es: (tour) => `Nuestra respuesta: ${tour}`,
}
const firstSubjects: Readonly<Record<Locale, (tour: string) => string>> = {
  en: (tour) => `A message for you: ${tour}`,
  de: (tour) => `Eine Nachricht für Sie: ${tour}`,
  es: (tour) => `Un mensaje para usted: ${tour}`,
}
const pages: Readonly<Record<Locale, string>> = {
  en: 'Write back on your page:',
  de: 'Antworten Sie auf Ihrer Seite:',
  es: 'Responda en su página:',
}

/** What was written, and where the party writes back. By a text the page is named without words, which it costs. */
async function send(
  call: MemberCall,
  booking: ToldBooking,
  { channel, to }: { readonly channel: GuestChannel; readonly to: string },
  { body, isAnswer }: { readonly body: string; readonly isAnswer: boolean },
): Promise<void> {
  const locale = emailLocale(booking.language)
  await call.channels.send(call.tx, {
    channel,
    to,
    orgId: call.orgId,
    kind: guestAnswer,
    subject: (isAnswer ? subjects : firstSubjects)[locale](nameInEmail(booking.tourName)),
    body: channel === 'email' ? `${body}\n\n${pages[locale]}\n${linkPlaceholder}` : `${body}\n${linkPlaceholder}`,
    locale,
    departureId: booking.departureId,
    about: { subjectType: 'booking', subjectId: booking.id },
  })
}

export const threadVerbs: Verb[] = [read, answer, marked]
