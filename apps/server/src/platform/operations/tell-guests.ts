import { type GuestEvent, changeNoticeMinutes, moreDelayMinutes } from '@tour-ops/contract/notifications/guest-rules'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import { type RawBuilder, sql } from 'kysely'
import { judgeMessages } from '../channels/judge-messages.ts'
import type { Tx } from '../db/database.ts'
import { iso } from '../list-query.ts'
import { addMinutes } from '../local-time.ts'
import { overdueMinutes } from './estimates.ts'
import { emailLocale } from './guest-emails.ts'
import { changesUnsaid, type Known, noteOccasion, selectOpenOccasions } from './guest-occasions.ts'
import { isMeant, ruleOf } from './guest-rules.ts'
import type { MeetingPoint } from './meeting-point.ts'
import { isOffered } from './offered-seats.ts'
import { type OpenProposal, selectOpenProposal } from './proposals.ts'
import { writeOfEvent } from './rule-text.ts'
import type { SeatCall } from './seat-call.ts'
import { selectToldBooking, type ToldBooking } from './told-booking.ts'
import { tookPart } from './took-part.ts'

const knownFrom = ({ departureId, units, meeting }: ToldBooking): Known => ({
  departureId,
  seats: units.map(({ unitType, qty }) => `${qty} ${unitType}`).toSorted(),
  meetingAt: meeting && iso(meeting.at),
  meetingPlace: meeting && meeting.placeName,
})

/**
 * Writes to the contact of a booking that it is confirmed or cancelled, in the transaction in which it becomes so: neither exists without the other.
 * Nothing is written to a contact who cannot be reached, after the start, where the organization has switched it off, or where somebody said so this once;
 * and once at most (I14). What waited about a change is no longer true then, and is not sent. A cancellation leaves after the minutes of a change, since it
 * may be undone.
 *
 * @see docs/domain.md, "Messages"
 */
export async function tellGuest(
  call: SeatCall,
  event: 'booking_confirmed' | 'booking_cancelled',
  bookingId: string,
  isTold: boolean,
): Promise<void> {
  const booking = await selectToldBooking(call.tx, call.orgId, bookingId)
  if (!booking) return
  await takeBack(call, await waitingOf(call, bookingId))
  if (!isTold || !booking.isAhead || (event === 'booking_confirmed' && !booking.isGoing)) return
  const occasion =
    event === 'booking_cancelled'
      ? // it is cancelled again where that was undone
        { occurrence: `${event} ${booking.version}`, dueAt: addMinutes(booking.now, changeNoticeMinutes) }
      : { occurrence: await occurrenceOfConfirmation(call, bookingId, booking) }
  await writeToGuest(call, event, bookingId, booking, { before: null, ...occasion })
}

/** Once for each booking; once more where it was undone and nobody has read one, or has read since that the booking is cancelled. */
async function occurrenceOfConfirmation(call: SeatCall, bookingId: string, { version }: ToldBooking): Promise<string> {
  const event: GuestEvent = 'booking_confirmed'
  const { rows } =
    await sql`select from messages where org_id = ${call.orgId} and subject_type = 'booking' and subject_id = ${bookingId}
    and kind = ${event} limit 1`.execute(call.tx)
  return rows.length > 0 && !isKnownSold(await lastSaid(call, bookingId)) ? `${event} ${version}` : event
}

/** Whether a contact has read of seats that are theirs. */
const isKnownSold = (said: { readonly kind: string } | null): boolean =>
  said !== null && said.kind !== 'waitlist_offer' && said.kind !== 'booking_cancelled'

/** Of a booking that is taken back: a confirmation that still waits is not sent, and who has read one reads that the booking is cancelled. */
export async function tellTakenBack(call: SeatCall, bookingId: string): Promise<void> {
  await takeBack(call, await waitingOf(call, bookingId, ['booking_confirmed']))
  const isTold = isKnownSold(await lastSaid(call, bookingId))
  await tellGuest(call, 'booking_cancelled', bookingId, isTold)
}

/** Of a party that waits again: an offer that has not left is not sent. Who has read it sees on their page that they wait. */
export async function withdrawOffer(call: SeatCall, bookingId: string): Promise<void> {
  await takeBack(call, await waitingOf(call, bookingId, ['waitlist_offer']))
}

/** Of a booking that is no longer cancelled: the e-mail about that is not sent, and where it was, the contact reads what is booked now. */
export async function tellRestored(call: SeatCall, bookingId: string): Promise<void> {
  await takeBack(call, await waitingOf(call, bookingId))
  const booking = await selectToldBooking(call.tx, call.orgId, bookingId)
  if (!booking?.isAhead || (await lastSaid(call, bookingId))?.kind !== 'booking_cancelled') return
  await writeToGuest(call, 'booking_changed', bookingId, booking, {
    occurrence: `booking_changed ${booking.version}`,
    before: null,
  })
}

/**
 * Makes a change of a booking, and tells its contact in the same way where it is confirmed: a few minutes later, and not at all when it was undone by
 * then, or is nothing that guests are told. Where nobody was ever told, what was so before counts as known.
 *
 * @param booking As it is before.
 */
export async function tellingChange(
  call: SeatCall,
  { id, status }: { readonly id: string; readonly status: StatusOf<'bookings'> },
  isTold: boolean,
  change: () => Promise<void>,
): Promise<void> {
  if (status !== 'confirmed') return change()
  const before = await selectToldBooking(call.tx, call.orgId, id)
  await change()
  await tellChange(call, id, before ? knownFrom(before) : null, isTold)
}

/**
 * Reminds the contact of a confirmed booking of its tour, once for each day that it may be on.
 *
 * @see docs/decisions/0108
 */
export async function remindGuest(call: SeatCall, bookingId: string): Promise<void> {
  const booking = await selectToldBooking(call.tx, call.orgId, bookingId)
  if (!booking || !isReminderInTime(booking)) return
  const occurrence = `pickup_reminder ${booking.localDate}`
  await writeToGuest(call, 'pickup_reminder', bookingId, booking, { occurrence, before: null })
}

/** Informs the contact of a confirmed booking of its tour some days before, once for each day that it may be on. */
export async function informGuest(call: SeatCall, bookingId: string): Promise<void> {
  const booking = await selectToldBooking(call.tx, call.orgId, bookingId)
  if (!booking || !isReminderInTime(booking)) return
  const occurrence = `pre_tour_info ${booking.localDate}`
  await writeToGuest(call, 'pre_tour_info', bookingId, booking, { occurrence, before: null })
}

/** Reminds the contact of a confirmed booking shortly before they are met, once for each departure and day. */
export async function remindLast(call: SeatCall, bookingId: string): Promise<void> {
  const booking = await selectToldBooking(call.tx, call.orgId, bookingId)
  if (!booking || !isLastInTime(booking)) return
  const occurrence = `last_reminder ${booking.departureId} ${booking.localDate}`
  await writeToGuest(call, 'last_reminder', bookingId, booking, { occurrence, before: null })
}

/** Whether the guests are still to be met, and nobody has left for them or without them. */
const isLastInTime = (booking: ToldBooking): boolean =>
  booking.isGoing && booking.meeting !== null && booking.meeting.at > booking.now && !booking.meeting.isPast

/** Whether a guest can still be there. */
const isReminderInTime = ({ isGoing, isAhead, meeting, now }: ToldBooking): boolean =>
  isGoing && isAhead && (meeting === null || meeting.at > now)

/** What guests were told of a delay. */
interface SaidDelay extends Known {
  readonly localDate: string
  readonly step: number
  readonly expectedAt: string
}

/**
 * Tells the contact of a booking when their vehicle really comes, once for each step.
 *
 * @param step See `delayStepOf`.
 * @see docs/decisions/0108
 */
export async function tellDelay(call: SeatCall, bookingId: string, step: number): Promise<void> {
  const booking = await selectToldBooking(call.tx, call.orgId, bookingId)
  if (!booking || !isDelayInTime(booking)) return
  const { departureId, localDate, meeting } = booking
  const said = { ...knownFrom(booking), localDate, step, expectedAt: iso(meeting.expectedAt) } satisfies SaidDelay
  const occurrence = `delay_notice ${departureId} ${localDate} ${step}`
  await writeToGuest(call, 'delay_notice', bookingId, booking, { occurrence, before: null, said })
}

type Met = ToldBooking & { readonly meeting: MeetingPoint }

/** Whether the vehicle has yet to come for a guest. */
const isDelayInTime = (booking: ToldBooking): booking is Met =>
  booking.isGoing &&
  booking.meeting !== null &&
  booking.meeting.isComing &&
  booking.meeting.expectedAt > addMinutes(booking.now, -overdueMinutes)

/** Whether they still have to wait for about as long as they would read. */
const isStillLate = (booking: ToldBooking, { expectedAt }: SaidDelay): boolean =>
  isDelayInTime(booking) && booking.meeting.expectedAt >= addMinutes(new Date(expectedAt), -moreDelayMinutes)

/** Tells the contact of a party that has waited, in the transaction in which seats are held for it, that it can have them. */
export async function tellOffer(call: SeatCall, bookingId: string): Promise<void> {
  const booking = await selectToldBooking(call.tx, call.orgId, bookingId)
  if (!booking?.isAhead) return
  // it may be offered seats, leave them, and wait again
  const occurrence = `waitlist_offer ${booking.version}`
  await writeToGuest(call, 'waitlist_offer', bookingId, booking, { occurrence, before: null })
}

/**
 * Tells the contact of a party whose departure was cancelled what it is offered instead, in the transaction in which it is.
 *
 * @see docs/decisions/0127
 */
export async function tellProposal(call: SeatCall, proposal: OpenProposal): Promise<void> {
  const booking = await selectToldBooking(call.tx, call.orgId, proposal.bookingId)
  if (!booking?.isAhead) return
  const facts = { ...booking, proposal: { ...proposal, refundMinor: booking.paidMinor } }
  const occurrence = `rebooking_offer ${proposal.id}`
  await writeToGuest(call, 'rebooking_offer', proposal.bookingId, facts, { occurrence, before: null })
}

const isStillProposed = async (tx: Tx, orgId: string, bookingId: string): Promise<boolean> =>
  (await selectOpenProposal(tx, orgId, sql<boolean>`p.booking_id = ${bookingId}`)) !== undefined

async function isStillOffered(tx: Tx, orgId: string, bookingId: string): Promise<boolean> {
  const { rows } =
    await sql`select from bookings b where b.org_id = ${orgId} and b.id = ${bookingId} and ${isOffered}`.execute(tx)
  return rows.length > 0
}

/**
 * Asks the contact of a party that was on its tour how it was, once, where nobody of it has said so by then.
 *
 * @see docs/decisions/0122
 */
export async function askFeedback(call: SeatCall, bookingId: string): Promise<void> {
  const booking = await selectToldBooking(call.tx, call.orgId, bookingId)
  if (!booking || !(await isToBeAsked(call.tx, call.orgId, bookingId))) return
  const occurrence = `feedback_request ${booking.departureId}`
  await writeToGuest(call, 'feedback_request', bookingId, booking, { occurrence, before: null })
}

async function isToBeAsked(tx: Tx, orgId: string, bookingId: string): Promise<boolean> {
  const { rows } = await sql`
    select from bookings b where b.org_id = ${orgId} and b.id = ${bookingId} and ${tookPart} and not exists (
      select from feedback f where f.org_id = b.org_id and f.booking_id = b.id and f.departure_id = b.departure_id)`.execute(
    tx,
  )
  return rows.length > 0
}

async function tellChange(call: SeatCall, bookingId: string, before: Known | null, isTold: boolean): Promise<void> {
  const booking = await selectToldBooking(call.tx, call.orgId, bookingId)
  if (!booking) return
  const waiting = await waitingOf(call, bookingId)
  const known = knownFrom(booking)
  const last = waiting.at(-1)
  // what waits is still true, and goes where it should
  if (last && (last.to ?? booking.reachedAt) === booking.reachedAt && isSame(last.said, known)) return
  await takeBack(call, waiting)
  const told = waiting[0] ? waiting[0].before : ((await lastSaid(call, bookingId))?.said ?? before)
  if (!isTold || !booking.isAhead || isSame(told, known)) return
  // of a departure that was cancelled nobody is told what changed about it
  if (!booking.isGoing && booking.departureId === (told ?? known).departureId) return
  await writeToGuest(call, 'booking_changed', bookingId, booking, {
    // as often as it has versions
    occurrence: `booking_changed ${booking.version}`,
    before: told,
    dueAt: addMinutes(booking.now, changeNoticeMinutes),
  })
}

const isSame = (one: Known | null, other: Known | null): boolean =>
  one !== null &&
  other !== null &&
  one.departureId === other.departureId &&
  one.meetingAt === other.meetingAt &&
  one.meetingPlace === other.meetingPlace &&
  one.seats.join() === other.seats.join()

interface Occasion {
  readonly occurrence: string
  readonly before: Known | null
  readonly dueAt?: Date
  /** What guests know of their booking, where it is nothing else. */
  readonly said?: Known
}

/** Where its contact can be reached and the rule is on, and for them. */
async function writeToGuest(
  call: SeatCall,
  event: GuestEvent,
  bookingId: string,
  booking: ToldBooking,
  { occurrence, before, dueAt, said = knownFrom(booking) }: Occasion,
): Promise<void> {
  const { tx, orgId } = call
  const { reachedBy, reachedAt } = booking
  if (!reachedBy || !reachedAt) return
  const rule = await ruleOf(tx, orgId, event)
  if (!rule.isOn || !(await isMeant(tx, orgId, rule, bookingId)))
    return noteOccasion(call, event, booking, { occurrence, said, before, dueAt })
  const locale = emailLocale(booking.language)
  const { subject, body } = writeOfEvent(event, booking, locale, reachedBy, rule.texts)
  await call.channels.send(tx, {
    subject,
    body,
    channel: reachedBy,
    to: reachedAt,
    orgId,
    kind: event,
    locale,
    departureId: booking.departureId,
    about: { subjectType: 'booking', subjectId: bookingId },
    rule: { id: rule.id, occurrence },
    said: { now: said, before },
    party: { pax: booking.pax, owes: booking.dueMinor > 0 },
    ...(dueAt && { dueAt }),
  })
}

interface Waiting {
  readonly id: string
  /** Null for what the rule, switched off, has not written. */
  readonly to: string | null
  readonly said: Known | null
  readonly before: Known | null
}

/**
 * E-mails about changes, or the cancellation, that nobody has begun to send yet, the oldest first, and what would wait like them if its rule were
 * switched on; the courier passes them over now. Messages are locked first: see `lockMessageOf`.
 */
async function waitingOf(
  { tx, orgId }: SeatCall,
  bookingId: string,
  kinds: readonly GuestEvent[] = ['booking_changed', 'booking_cancelled'],
): Promise<Waiting[]> {
  await sql`select from messages where org_id = ${orgId} and subject_type = 'booking' and subject_id = ${bookingId} and kind = any (${[...kinds]}::text[])
    and status = 'sending' for no key update`.execute(tx)
  const { rows } = await sql<Waiting>`
    select m.id, d.recipient as "to", m.said, m.said_before as before from messages m
    join deliveries d on d.org_id = m.org_id and d.message_id = m.id and d.status = 'queued' and d.attempts = 0
    where m.org_id = ${orgId} and m.subject_type = 'booking' and m.subject_id = ${bookingId} and m.kind = any (${[...kinds]}::text[]) and m.status = 'sending'
    order by m.created_at, m.id for no key update of d`.execute(tx)
  return [...(await selectOpenOccasions(tx, orgId, bookingId)), ...rows]
}

/** What they say is no longer true. */
async function takeBack({ tx, orgId }: SeatCall, waiting: readonly Waiting[]): Promise<void> {
  if (waiting.length === 0) return
  const ids = sql`any (${waiting.map(({ id }) => id)}::uuid[])`
  await outdate(tx, orgId, ids)
  await sql`delete from guest_occasions where org_id = ${orgId} and id = ${ids}`.execute(tx)
}

/** Messages are not sent where they still wait. Lock them first: see `lockMessageOf`. @param ids `any (…)`. */
export async function outdate(tx: Tx, orgId: string, ids: RawBuilder<unknown>): Promise<void> {
  await sql`update deliveries set status = 'suppressed', suppressed_reason = 'outdated'
    where org_id = ${orgId} and message_id = ${ids} and status = 'queued'`.execute(tx)
  await judgeMessages(tx, orgId, sql`m.id = ${ids}`)
}

/**
 * What the last e-mail said that reaches a guest, or reached them; null where nobody wrote. While changes are not written about, also what the
 * last of them would have said.
 */
async function lastSaid({ tx, orgId }: SeatCall, bookingId: string): Promise<{ kind: string; said: Known } | null> {
  const { rows } = await sql<{ kind: string; said: Known }>`
    select kind, said from (
      select m.kind, m.said, m.created_at as at, m.id from messages m
      where m.org_id = ${orgId} and m.subject_type = 'booking' and m.subject_id = ${bookingId} and m.said is not null and m.kind <> 'delay_notice'
        and exists (select from deliveries d where d.org_id = m.org_id and d.message_id = m.id and d.status not in ('suppressed', 'failed'))
      union all ${changesUnsaid(orgId, bookingId)}) known
    order by at desc, id desc limit 1`.execute(tx)
  return rows[0] ?? null
}

/**
 * Whether what an e-mail says is no longer true. A later one about the same booking has been sent or is on its way; one about a change that still
 * waits may be taken back, and is none; one about a delay says nothing else, and a reminder nothing of a delay. A reminder and a delay also when the booking is otherwise by now,
 * when it is too late for them, and when the guests are awaited earlier than they would read.
 */
export async function isOutdated(tx: Tx, orgId: string, messageId: string, booking: ToldBooking): Promise<boolean> {
  const { rows } = await sql<{ kind: string; said: Known | SaidDelay | null; isReplaced: boolean }>`
    select m.kind, m.said, exists (
      select from messages later join deliveries d on d.org_id = later.org_id and d.message_id = later.id
      where later.org_id = m.org_id and later.subject_type = m.subject_type and later.subject_id = m.subject_id
        and later.rule_id is not null and (later.created_at, later.id) > (m.created_at, m.id) and d.status not in ('suppressed', 'failed')
        and not (later.kind = 'booking_changed' and d.status = 'queued' and d.attempts = 0)
        and case m.kind when 'delay_notice' then later.kind not in ('pre_tour_info', 'pickup_reminder', 'last_reminder') else later.kind not in ('delay_notice', 'pre_tour_info', 'last_reminder') end) as "isReplaced"
    from messages m where m.org_id = ${orgId} and m.id = ${messageId}`.execute(tx)
  const [message] = rows
  if (!message) return true
  if (message.isReplaced) return true
  const { kind, said } = message
  if (kind === 'waitlist_offer') return !(await isStillOffered(tx, orgId, booking.id))
  if (kind === 'rebooking_offer') return !(await isStillProposed(tx, orgId, booking.id))
  if (kind === 'feedback_request') return !(await isToBeAsked(tx, orgId, booking.id))
  if (kind !== 'pre_tour_info' && kind !== 'pickup_reminder' && kind !== 'last_reminder' && kind !== 'delay_notice')
    return false
  const isInTime =
    said && 'step' in said
      ? isStillLate(booking, said)
      : kind === 'last_reminder'
        ? isLastInTime(booking)
        : isReminderInTime(booking)
  return !isInTime || !isSame(said, knownFrom(booking))
}
