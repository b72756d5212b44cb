import { type GuestEvent, changeNoticeMinutes } from '@tour-ops/contract/notifications/guest-rules'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { iso } from '../list-query.ts'
import { addMinutes } from '../local-time.ts'
import { emailLocale, guestEmail, type GuestFacts } from './guest-emails.ts'
import { selectMeetingPoint } from './meeting-point.ts'
import type { SeatCall } from './seats.ts'

/** A booking with what its e-mails name, and where they go. */
export interface ToldBooking extends GuestFacts {
  readonly email: string | null
  readonly language: string | null
  readonly departureId: string
  readonly version: number
  readonly units: readonly { readonly unitType: string; readonly qty: number }[]
  readonly endsAt: Date
  readonly isAhead: boolean
  /** By the database's clock. */
  readonly now: Date
}

/** Undefined for a booking that is out of reach. */
export async function selectToldBooking(tx: Tx, orgId: string, id: string): Promise<ToldBooking | undefined> {
  const { rows } = await sql<Omit<ToldBooking, 'meeting'>>`
    select b.contact_name as "contactName", b.contact_email as email, b.contact_locale as language, b.booking_ref as "bookingRef", b.pax, b.units, b.version,
      b.departure_id as "departureId", t.name as "tourName", d.starts_at as "startsAt", d.ends_at as "endsAt", d.time_zone as "timeZone",
      d.starts_at > app_now() as "isAhead", app_now() as now, s.time_format as "timeFormat", s.general ->> 'phone' as phone,
      o.name as "organizationName", b.currency,
      case when b.payment_status in ('unpaid', 'deposit') then greatest(0, b.amount_total_minor - b.amount_paid_minor) else 0 end as "dueMinor"
    from bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id join tours t on t.org_id = d.org_id and t.id = d.tour_id
      join org_settings s on s.org_id = b.org_id join organizations o on o.org_id = b.org_id
    where b.org_id = ${orgId} and b.id = ${id}`.execute(tx)
  const [booking] = rows
  if (!booking) return undefined
  const meeting = await selectMeetingPoint(tx, orgId, booking.departureId, id)
  return { ...booking, meeting: meeting ?? null }
}

/**
 * Writes to the contact of a booking what has become of it, in the transaction in which it becomes so: neither exists without the other. Nothing is
 * written without an e-mail address, after the start, or where the organization has switched it off; and once at most for the same change (I14).
 * A change is told a few minutes later, and not at all when it was undone by then.
 *
 * @see docs/domain.md, "Messages"
 */
export async function tellGuest(call: SeatCall, event: GuestEvent, bookingId: string): Promise<void> {
  const { tx, orgId } = call
  const booking = await selectToldBooking(tx, orgId, bookingId)
  if (!booking?.email || !booking.isAhead) return
  const rule = await ruleOf(tx, orgId, event)
  if (!rule.isOn) return
  const isChange = event === 'booking_changed'
  const said = saidOf(booking)
  if (event !== 'booking_confirmed') await takeBackChanges(tx, orgId, bookingId)
  if (isChange && (await wasLastSaid(tx, orgId, bookingId, said))) return
  const locale = emailLocale(booking.language)
  await call.channels.send(tx, {
    ...guestEmail(event, booking, locale),
    channel: 'email',
    to: booking.email,
    orgId,
    kind: event,
    locale,
    departureId: booking.departureId,
    about: { subjectType: 'booking', subjectId: bookingId },
    // a booking is confirmed and cancelled once, and changed as often as it has versions
    rule: { id: rule.id, occurrence: isChange ? `${event} ${booking.version}` : event },
    said,
    ...(isChange && { dueAt: addMinutes(booking.now, changeNoticeMinutes) }),
  })
}

/** What guests know of their booking, and are told again when it is otherwise. */
const saidOf = ({ departureId, units, meeting }: ToldBooking) => ({
  departureId,
  units: units.map(({ unitType, qty }) => `${qty} ${unitType}`),
  meetingAt: meeting && iso(meeting.at),
  meetingPlace: meeting && meeting.placeName,
})

interface Rule {
  readonly id: string
  readonly isOn: boolean
}

/** Switches the rule of an event on or off, and makes it where it was as it is shipped. */
export const switchRule = (tx: Tx, orgId: string, event: GuestEvent, isOn: boolean): Promise<void> =>
  insertRule(
    tx,
    orgId,
    { event, isOn },
    sql`update set enabled = excluded.enabled where notification_rules.enabled <> excluded.enabled`,
  )

/** The rule of an event; made as it is shipped, switched on, where nobody has changed it yet. */
async function ruleOf(tx: Tx, orgId: string, event: GuestEvent): Promise<Rule> {
  const found = await selectRule(tx, orgId, event)
  if (found) return found
  // somebody else may make it at the same moment, and may have switched it off
  await insertRule(tx, orgId, { event, isOn: true }, sql`nothing`)
  const made = await selectRule(tx, orgId, event)
  if (!made) throw new Error(`The rule of ${event} could not be made.`)
  return made
}

async function insertRule(
  tx: Tx,
  orgId: string,
  { event, isOn }: { event: GuestEvent; isOn: boolean },
  onConflict: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into notification_rules (org_id, id, event, audience, channels, enabled) values (${orgId}, ${newId()}, ${event}, 'travelers', '{email}', ${isOn})
    on conflict (org_id, event) where audience = 'travelers' do ${onConflict}`.execute(tx)
}

async function selectRule(tx: Tx, orgId: string, event: GuestEvent): Promise<Rule | undefined> {
  const { rows } = await sql<Rule>`select id, enabled as "isOn" from notification_rules
    where org_id = ${orgId} and event = ${event} and audience = 'travelers'`.execute(tx)
  return rows[0]
}

/** An e-mail about a change that nobody has begun to send yet says what is no longer true. Messages are locked first: see `lockMessageOf`. */
async function takeBackChanges(tx: Tx, orgId: string, bookingId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from messages where org_id = ${orgId} and subject_type = 'booking' and subject_id = ${bookingId} and kind = 'booking_changed'
      and status = 'sending' for no key update`.execute(tx)
  if (rows.length === 0) return
  const ids = sql`any (${rows.map(({ id }) => id)}::uuid[])`
  await sql`update deliveries set status = 'suppressed', suppressed_reason = 'outdated'
    where org_id = ${orgId} and message_id = ${ids} and status = 'queued' and attempts = 0`.execute(tx)
  await sql`update messages set status = message_status(org_id, id), sent_at = app_now()
    where org_id = ${orgId} and id = ${ids} and message_status(org_id, id) <> 'sending'`.execute(tx)
}

/** Whether the last e-mail that a guest gets about a booking says the same. */
async function wasLastSaid(tx: Tx, orgId: string, bookingId: string, said: object): Promise<boolean> {
  const { rows } = await sql<{ isSame: boolean | null }>`
    select m.said = ${JSON.stringify(said)}::jsonb as "isSame" from messages m
    where m.org_id = ${orgId} and m.subject_type = 'booking' and m.subject_id = ${bookingId} and m.said is not null
      and exists (select from deliveries d where d.org_id = m.org_id and d.message_id = m.id and d.status <> 'suppressed')
    order by m.created_at desc, m.id desc limit 1`.execute(tx)
  return rows[0]?.isSame === true
}
