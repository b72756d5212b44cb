import type { Out } from '@tour-ops/contract/callable'
import { fieldError } from '@tour-ops/contract/field-rules'
import { type Locale, locales } from '@tour-ops/contract/locales'
import {
  type Audience,
  guestAudience,
  type GuestText,
  maxRecipients,
  type OwnLanguages,
  previewGuestText,
  sendGuestMessage,
  stopGuestMessage,
  testGuestMessage,
  undoSeconds,
} from '@tour-ops/contract/notifications/guest-messages'
import { withLinkLine } from '@tour-ops/contract/notifications/link-line'
import { usualQuietHours } from '@tour-ops/contract/notifications/quiet-hours'
import { type GuestChannel, guestChannels } from '@tour-ops/contract/notifications/phone-channels'
import { refuse } from '@tour-ops/contract/refusals'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { unwantedReason } from '../../platform/channels/opt-outs.ts'
import { judgeMessages } from '../../platform/channels/judge-messages.ts'
import { reachedAt, reachedBy } from '../../platform/channels/phone-channels.ts'
import { homeZonesNow } from '../../platform/channels/home-zones.ts'
import { quietTo, writtenQuietUntil } from '../../platform/channels/quiet-hours.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { guestsMeant, isMeant } from '../../platform/operations/guest-audience.ts'
import { emailLocale } from '../../platform/operations/guest-emails.ts'
import { documentMessage, selectDocumentNumber, selectSentDocument } from '../../platform/operations/sent-documents.ts'
import { textFor, writeBy, type WrittenToGuest } from '../../platform/operations/guest-text.ts'
import { selectToldBookings, type ToldBooking } from '../../platform/operations/told-booking.ts'
import { type Verb, verb } from '../../platform/verb.ts'

/** What the log calls a message that somebody wrote, and a test of one. */
const kind = 'guest_message'
const testKind = 'guest_message_test'
/** Of guests without an address so many are listed. */
const unreachedShown = 50
/** Days within which a message can be sent later. */
const laterDays = 90

/** A document is needed: it is no message that guests can do without. */
const kindOf = ({ documentId }: Audience): string => (documentId === null ? kind : documentMessage)

/** Whether the contact of a booking `b` can be written to, and has nothing against it. */
const isReachable = (audience: Audience): RawBuilder<boolean> =>
  sql<boolean>`(${reachedBy} is not null and ${unwantedReason(sql.ref('b.org_id'), reachedAt, reachedBy, sql`${kindOf(audience)}::text`)} is null)`
const isReachedOf = (audience: Audience): RawBuilder<boolean> =>
  sql<boolean>`${isMeant(audience)} and ${isReachable(audience)}`

const meant = verb(guestAudience, async (call, { audience, languages }) => {
  const own = [...chosenIn(languages)].map(([bookingId, language]) => ({ bookingId, language }))
  const { rows } = await sql<{ language: string; channel: GuestChannel; count: number; pax: number }>`
    select coalesce(own.language, b.contact_locale, s.locale) as language, ${reachedBy} as channel, count(*)::int as count, sum(${guestsMeant(audience)})::int as pax
    from bookings b join org_settings s on s.org_id = b.org_id
    left join jsonb_to_recordset(${JSON.stringify(own)}::jsonb) as own ("bookingId" uuid, language text) on own."bookingId" = b.id
    where b.org_id = ${call.orgId} and ${isReachedOf(audience)} group by 1, 2`.execute(call.tx)
  const counts = new Map<Locale, number>()
  for (const { language, count } of rows) {
    const locale = emailLocale(language)
    counts.set(locale, (counts.get(locale) ?? 0) + count)
  }
  const by = (channel: GuestChannel) => rows.reduce((sum, row) => sum + (row.channel === channel ? row.count : 0), 0)
  const unreached = await selectUnreached(call, audience)
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    pax: rows.reduce((sum, { pax }) => sum + pax, 0),
    languages: locales.flatMap((language) => {
      const count = counts.get(language)
      return count === undefined ? [] : [{ language, count }]
    }),
    channels: guestChannels.map((channel) => ({ channel, count: by(channel) })).filter(({ count }) => count > 0),
    unreached: unreached.slice(0, unreachedShown).map(({ total: _total, ...row }) => row),
    unreachedCount: unreached[0]?.total ?? 0,
    tours: await selectTours(call, audience),
    quiet: await selectQuiet(call, audience),
    delivery: call.channels.delivery,
  }
})

async function selectQuiet(call: MemberCall, audience: Audience): Promise<{ count: number; until: string }> {
  const homes = await homeZonesNow(call.tx)
  const { rows } = await sql<{ count: number; until: string }>`
    select (count(b.id) filter (where ${audience.documentId === null} and ${writtenQuietUntil(homes)} is not null))::int as count, to_char(${quietTo(sql`s.notification_rules`)}, 'HH24:MI') as until
    from org_settings s left join (bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id)
      on b.org_id = s.org_id and ${isReachedOf(audience)}
    where s.org_id = ${call.orgId} group by s.org_id`.execute(call.tx)
  return rows[0] ?? { count: 0, until: usualQuietHours.to }
}

interface UnreachedRow {
  bookingId: string
  bookingRef: string
  name: string
  phone: string | null
  pax: number
  reason: Out<typeof guestAudience>['unreached'][number]['reason']
  total: number
}

async function selectUnreached(call: MemberCall, audience: Audience): Promise<UnreachedRow[]> {
  const { rows } = await sql<UnreachedRow>`
    select b.id as "bookingId", b.booking_ref as "bookingRef", b.contact_name as name, b.contact_phone as phone, ${guestsMeant(audience)} as pax,
      case when ${reachedBy} is null then 'no_address' else 'opted_out' end as reason, (count(*) over ())::int as total
    from bookings b where b.org_id = ${call.orgId} and ${isMeant(audience)} and not ${isReachable(audience)}
    order by b.contact_name, b.id limit ${unreachedShown}`.execute(call.tx)
  return rows
}

async function selectTours(call: MemberCall, audience: Audience): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct t.name from bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id
      join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where b.org_id = ${call.orgId} and ${isMeant(audience)} order by t.name limit 20`.execute(call.tx)
  return rows.map(({ name }) => name)
}

const preview = verb(previewGuestText, async (call, { at, ...wanted }) => {
  const found = await writtenTo(call, wanted, at)
  if (!found) return { message: null }
  const { booking, written } = found
  const { bookingRef, contactName: name, reachedBy: channel, reachedAt } = booking
  return {
    message: {
      bookingId: booking.id,
      bookingRef,
      name,
      channel: channel ?? 'email',
      to: reachedAt ?? '',
      ...written,
      missing: [...written.missing],
    },
  }
})

interface Wanted {
  readonly audience: Audience
  readonly texts: readonly GuestText[]
  readonly languages: OwnLanguages
}

/** In which language guests read the message for whom one was chosen, by booking. */
const chosenIn = (chosen: OwnLanguages): ReadonlyMap<string, Locale> =>
  new Map(chosen.map(({ bookingId, language }) => [bookingId, language]))

/** What the `at`-th of the guests reads, by name; the last one where there are not so many by now. */
async function writtenTo(
  call: MemberCall,
  { audience, texts, languages }: Wanted,
  at: number,
): Promise<{ booking: ToldBooking; written: WrittenToGuest } | undefined> {
  const pick = async (offset: number) => (await selectReached(call, audience, { limit: 1, offset }))[0]
  const booking = (await pick(at)) ?? (at > 0 ? await pick(0) : undefined)
  const text = booking && textFor(texts, chosenIn(languages).get(booking.id) ?? booking.language)
  if (!text) return undefined
  const document = await numberOf(call, audience, booking)
  return { booking, written: writeBy(booking.reachedBy ?? 'email', text, booking, document) }
}

/** Number of the document that a message is about. */
const numberOf = async ({ tx, orgId }: MemberCall, { documentId }: Audience, { id }: ToldBooking) =>
  documentId === null ? null : selectDocumentNumber(tx, orgId, id, documentId)

const selectReached = (
  call: MemberCall,
  audience: Audience,
  page: { readonly limit: number; readonly offset?: number },
): Promise<ToldBooking[]> => selectToldBookings(call.tx, call.orgId, isReachedOf(audience), page)

/** @throws AppError `not-found` for what is out of reach, so that nobody believes to have written to it. */
async function requireReach({ tx, orgId }: MemberCall, { audience, languages }: Omit<Wanted, 'texts'>): Promise<void> {
  const bookingIds = [...audience.bookingIds, ...languages.map(({ bookingId }) => bookingId)]
  const { rows } = await sql<{ isDeparture: boolean }>`
    select true as "isDeparture" from unnest(${audience.departureIds}::uuid[]) as given(id)
    where not exists (select from departures d where d.org_id = ${orgId} and d.id = given.id)
    union all select false from unnest(${bookingIds}::uuid[]) as given(id)
    where not exists (select from bookings b where b.org_id = ${orgId} and b.id = given.id) limit 1`.execute(tx)
  if (rows[0]) throw notFound(rows[0].isDeparture ? 'departure' : 'booking')
}

/** A document goes to the contact of its booking and to nobody else. @returns its number; null where a message is about none. @throws AppError `not-found`. */
async function requireDocument(
  { tx, orgId }: MemberCall,
  { documentId, bookingIds, departureIds }: Audience,
): Promise<string | null> {
  if (documentId === null) return null
  const [bookingId, ...others] = bookingIds
  const isOfOne = bookingId !== undefined && others.length === 0 && departureIds.length === 0
  const number = isOfOne ? await selectDocumentNumber(tx, orgId, bookingId, documentId) : null
  if (number === null) throw notFound('billing_document')
  return number
}

/**
 * Two who send a document at once, or one who presses twice, send it once: the booking is locked, and what waits is not sent again.
 *
 * @throws AppError `aborted`, reason `document_waits`.
 */
async function requireNoneWaits({ tx, orgId }: MemberCall, { documentId, bookingIds }: Audience): Promise<void> {
  if (documentId === null) return
  await sql`select from bookings where org_id = ${orgId} and id = any (${bookingIds}::uuid[]) for no key update`.execute(
    tx,
  )
  if ((await selectSentDocument(tx, orgId, documentId))?.status === 'queued') throw refuse('document_waits')
}

const send = verb(sendGuestMessage, async (call, { audience, texts, languages, count, sendAt }) => {
  await requireReach(call, { audience, languages })
  const document = await requireDocument(call, audience)
  await requireNoneWaits(call, audience)
  const bookings = await selectReached(call, audience, { limit: maxRecipients + 1 })
  if (bookings.length > maxRecipients) throw refuse('too_many_recipients', { max: maxRecipients })
  if (bookings.length !== count) throw refuse('audience_changed', { count: bookings.length, seen: count })
  const [first] = texts
  if (!first) throw fieldError('texts', 'required')
  const chosen = chosenIn(languages)
  const recipients = bookings.flatMap((booking) => {
    const language = chosen.get(booking.id) ?? null
    // who was given a language reads no other one
    if (language !== null && !texts.some((one) => one.language === language)) throw fieldError('texts', 'text_missing')
    const text = textFor(texts, language ?? booking.language)
    const { reachedBy: channel, reachedAt: to } = booking
    if (!text || channel === null || to === null) return []
    const { subject, body } = writeBy(channel, text, booking, document)
    return [{ channel, to, bookingId: booking.id, language, subject, body }]
  })
  const departureIds = new Set(bookings.map(({ departureId }) => departureId))
  const [departureId = null] = departureIds
  const id = await call.channels.sendToMany(call.tx, {
    orgId: call.orgId,
    kind: kindOf(audience),
    subject: first.subject,
    body: first.body,
    locale: first.language,
    departureId: departureIds.size === 1 ? departureId : null,
    audience,
    texts,
    dueAt: dueAt(call, sendAt),
    recipients,
  })
  return { id, count: recipients.length }
})

/** When it leaves: after the seconds in which it can be taken back, or when the sender wants it to. */
function dueAt({ clock }: MemberCall, sendAt: string | undefined): Date {
  const now = clock.now().getTime()
  const soonest = new Date(now + undoSeconds * 1000)
  if (sendAt === undefined) return soonest
  const at = new Date(sendAt)
  if (at.getTime() < now) throw fieldError('sendAt', 'sent_in_past')
  if (at.getTime() > now + laterDays * 86_400_000) throw fieldError('sendAt', 'sent_too_late', { days: laterDays })
  return at < soonest ? soonest : at
}

const stop = verb(stopGuestMessage, async (call, { id }) => {
  const { tx, orgId } = call
  const { rows: found } =
    await sql`select from messages where org_id = ${orgId} and id = ${id} and kind in (${kind}, ${documentMessage}) for no key update`.execute(
      tx,
    )
  if (found.length === 0) throw notFound('message')
  // what the courier has taken may be on its way
  const { numAffectedRows } = await sql`update deliveries set status = 'suppressed', suppressed_reason = 'stopped'
    where org_id = ${orgId} and message_id = ${id} and status = 'queued' and attempts = 0`.execute(tx)
  await judgeMessages(tx, orgId, sql`m.id = ${id}`)
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from deliveries
    where org_id = ${orgId} and message_id = ${id} and status <> 'suppressed'`.execute(tx)
  return { stopped: Number(numAffectedRows ?? 0n), left: rows[0]?.left ?? 0 }
})

const ownPage: Readonly<Record<Locale, string>> = {
  en: '[The address of the guest’s page]',
  de: '[Die Adresse der Gästeseite]',
  es: '[La dirección de la página del huésped]',
}

const test = verb(testGuestMessage, async (call, { at, ...wanted }) => {
  await requireReach(call, wanted)
  await requireDocument(call, wanted.audience)
  const to = call.caller.email
  if (!to) throw refuse('no_own_address')
  const found = await writtenTo(call, wanted, at)
  if (!found) throw refuse('audience_changed', { count: 0, seen: at + 1 })
  const { subject, body, language } = found.written
  // a test opens nobody's page
  await call.channels.send(call.tx, {
    channel: 'email',
    to,
    orgId: call.orgId,
    kind: testKind,
    subject,
    body: withLinkLine(body, ownPage[language]),
    locale: language,
    recipient: { userId: call.caller.userId },
  })
  return { to }
})

export const guestMessageVerbs: Verb[] = [meant, preview, send, stop, test]
