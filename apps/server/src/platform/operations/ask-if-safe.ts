import type { Locale } from '@tour-ops/contract/locales'
import { rollCallMessage } from '@tour-ops/contract/monitoring/roll-calls'
import { linkPlaceholder } from '@tour-ops/contract/notifications/link-line'
import { isPhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import { type RawBuilder, sql } from 'kysely'
import { nameInEmail, oneLine } from '../channels/email-text.ts'
import type { Tx } from '../db/database.ts'
import { guestTexts } from './guest-email-texts.ts'
import { emailLocale, shortText } from './guest-emails.ts'
import type { SeatCall } from './seat-call.ts'
import { statuses } from './status-sets.ts'
import { outdate } from './tell-guests.ts'
import { selectToldBookings, type ToldBooking } from './told-booking.ts'

/** A question is one line of a text message. */
const questionLength = 300

interface SafetyTexts {
  readonly subject: (tour: string) => string
  readonly ask: string
}

const texts: Readonly<Record<Locale, SafetyTexts>> = {
  en: {
    subject: (tour) => `Are you safe? ${tour}`,
    ask: 'Please tell us whether you are safe or need help. One tap on this page is enough:',
  },
  de: {
    subject: (tour) => `Sind Sie in Sicherheit? ${tour}`,
    ask: 'Bitte sagen Sie uns, ob Sie in Sicherheit sind oder Hilfe brauchen. Ein Tipp auf dieser Seite genügt:',
  },
  es: {
    subject: (tour) => `¿Están a salvo? ${tour}`,
    ask: 'Díganos, por favor, si están a salvo o necesitan ayuda. Basta un toque en esta página:',
  },
}

/** Whether somebody of a booking `b` has not answered a roll call of an incident that is open. */
const isAsked = (rollCallId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select from manifest_entries e
    join roll_call_responses r on r.org_id = e.org_id and r.traveler_id = e.traveler_id and r.answer = 'no_answer'
    join roll_calls c on c.org_id = r.org_id and c.id = r.roll_call_id and c.id = ${rollCallId}
    join incidents i on i.org_id = c.org_id and i.id = c.incident_id and i.departure_id = e.departure_id and i.status not in ${statuses.overIncident}
  where e.org_id = b.org_id and e.booking_id = b.id and e.departure_id = b.departure_id and e.status <> 'cancelled')`

/**
 * Writes to the parties of whom somebody has not answered a roll call, each in its language, with the page on which one tap answers. It leaves at
 * once: no quiet hours, and no choice of fewer e-mails, keep it back.
 *
 * @returns how many parties are written to; the others have no address.
 */
export async function writeRollCall(
  call: SeatCall,
  { rollCallId, question }: { readonly rollCallId: string; readonly question: string | null },
): Promise<number> {
  const bookings = await selectToldBookings(call.tx, call.orgId, isAsked(sql`${rollCallId}::uuid`))
  await takeBackWaiting(
    call,
    bookings.map(({ id }) => id),
  )
  let written = 0
  for (const booking of bookings) if (await writeTo(call, booking, question)) written += 1
  return written
}

/** Asked again, what was asked before and has not left yet is not sent as well. */
async function takeBackWaiting({ tx, orgId }: SeatCall, bookingIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from messages
    where org_id = ${orgId} and kind = ${rollCallMessage} and subject_type = 'booking' and subject_id = any (${[...bookingIds]}::text[])
      and status = 'sending' order by id for no key update`.execute(tx)
  await outdate(tx, orgId, sql`any (${rows.map(({ id }) => id)}::uuid[])`)
}

async function writeTo(
  { tx, orgId, channels }: SeatCall,
  booking: ToldBooking,
  question: string | null,
): Promise<boolean> {
  const { reachedBy, reachedAt } = booking
  if (!reachedBy || !reachedAt) return false
  const locale = emailLocale(booking.language)
  const why = question?.trim() ? [oneLine(question, questionLength)] : []
  const [company, subject] = [
    nameInEmail(booking.organizationName),
    texts[locale].subject(nameInEmail(booking.tourName)),
  ]
  const body = isPhoneChannel(reachedBy)
    ? shortText({ company, subject, lines: why, hasPage: true })
    : [
        guestTexts[locale].hello(nameInEmail(booking.contactName)),
        ...why,
        `${texts[locale].ask}\n${linkPlaceholder}`,
        [company, booking.phone].filter(Boolean).join('\n'),
      ].join('\n\n')
  await channels.send(tx, {
    channel: reachedBy,
    to: reachedAt,
    subject,
    body,
    orgId,
    kind: rollCallMessage,
    locale,
    departureId: booking.departureId,
    about: { subjectType: 'booking', subjectId: booking.id },
  })
  return true
}

/** Whether a booking is still asked by a roll call: who has answered by now, or was asked in an incident that is over, is not written to. */
export async function isStillAsked(tx: Tx, orgId: string, bookingId: string): Promise<boolean> {
  const { rows } = await sql`select from bookings b
    where b.org_id = ${orgId} and b.id = ${bookingId} and ${isAsked(sql`c.id`)}`.execute(tx)
  return rows.length > 0
}
