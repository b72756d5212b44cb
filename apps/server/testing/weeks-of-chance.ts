import { cancelBooking, getBooking, updateBooking } from '@tour-ops/contract/bookings/bookings'
import { checkIn, markNoShow } from '@tour-ops/contract/bookings/manifest'
import { recordPayment } from '@tour-ops/contract/bookings/payments'
import { sendProposals } from '@tour-ops/contract/bookings/proposals'
import { reviseBooking } from '@tour-ops/contract/bookings/revise'
import {
  backTestGuestRule,
  type GuestEvent,
  guestEvents,
  isOnAsShipped,
  setGuestRule,
} from '@tour-ops/contract/notifications/guest-rules'
import { sql } from 'kysely'
import { askGuests } from '../src/features/notifications/ask-feedback.ts'
import { guestRuleVerbs } from '../src/features/notifications/guest-rules-service.ts'
import { noticeDelays } from '../src/features/notifications/notice-delays.ts'
import { remindLastMinute } from '../src/features/notifications/last-reminders.ts'
import { informGuests, remindGuests } from '../src/features/notifications/remind-guests.ts'
import type { Clock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import type { RuleLimits } from '../src/platform/operations/guest-rules.ts'
import { move } from './bookings.ts'
import { sentMails, withoutQuietHours } from './guest-mail.ts'
import { late } from './late.ts'
import { addDeparture, assignGuide, book, coreVerbOf, officeWithTour, setStatus } from './operations.ts'
import { verbsOf } from './verbs.ts'
import type { TestCaller, TestWorld } from './world.ts'

// Offices to which the same happens, so that what their rules write can be compared.

const verbOf = verbsOf(guestRuleVerbs)
/** Of events that have a setting. */
type Settings = Readonly<Partial<Record<GuestEvent, number>>>
export type Counts = Readonly<Partial<Record<GuestEvent, number | null>>>

/** Who was not told of the booking, or of a change, needs these more often. */
export const reminders: readonly GuestEvent[] = ['pre_tour_info', 'pickup_reminder', 'last_reminder']

/** The same numbers for the same seed. */
function chances(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export const at = (day: number, time: string) => new Date(`2030-07-${String(day).padStart(2, '0')}T${time}:00Z`)

export type RuleOffice = Awaited<ReturnType<typeof officeWithTour>> & { readonly world: TestWorld }

/** An office that has decided about its rules on the first of July, in Reykjavik, whose clock is UTC. */
export async function ruleOffice(
  world: TestWorld,
  off: readonly GuestEvent[] = [],
  settings: Settings = {},
): Promise<RuleOffice> {
  const plan = await officeWithTour(world, at(1, '06:00'))
  const { caller } = plan
  await withoutQuietHours(caller)
  for (const event of guestEvents)
    if (!isOnAsShipped(event) && !off.includes(event)) await caller.call(verbOf(setGuestRule), { event, isOn: true })
  for (const event of off) await caller.call(verbOf(setGuestRule), { event, isOn: false })
  for (const event of guestEvents)
    if (settings[event] !== undefined) await caller.call(verbOf(setGuestRule), { event, setting: settings[event] })
  return { ...plan, world }
}

/** Everything that happens by itself in a minute. */
export async function minute(world: TestWorld, clock: Clock): Promise<void> {
  const services = { ...world.services, clock }
  await noticeDelays(services)
  await informGuests(services)
  await remindGuests(services)
  await remindLastMinute(services)
  await askGuests(services)
  await sentMails(world, clock)
}

/** Of the parties of some departures one pays, gets back what it paid, or has other seats; the same one in each office. */
async function changeParty(
  { caller, clock }: RuleOffice,
  departureIds: readonly string[],
  chance: (below: number) => number,
  kinds: readonly ('pay' | 'pay half' | 'refund' | 'seats')[],
): Promise<void> {
  clock.set(new Date(clock.now().getTime() + 60_000))
  const { rows } = await caller.transaction((tx) =>
    sql<{
      id: string
    }>`select id from bookings where departure_id = any (${departureIds}::uuid[]) and status = 'confirmed'
      order by created_at, booking_ref`.execute(tx),
  )
  const [row, kind] = [rows[chance(rows.length)], kinds[chance(kinds.length)]]
  if (!row) return
  const booking = await caller.call(coreVerbOf(getBooking), { id: row.id })
  if (kind === 'seats') {
    const quantity = 1 + chance(4)
    const guests = booking.guests.slice(0, quantity).map(({ travelerId, unitType }) => ({ travelerId, unitType }))
    const { id, version } = booking
    await caller.call(coreVerbOf(reviseBooking), { id, version, units: [{ unitType: 'adult', quantity }], guests })
    return
  }
  const due = booking.amountTotalMinor - booking.amountPaidMinor
  const amountMinor = kind === 'refund' ? booking.amountPaidMinor : kind === 'pay' ? due : Math.floor(due / 2)
  if (amountMinor <= 0) return
  await caller.call(coreVerbOf(recordPayment), {
    bookingId: booking.id,
    kind: kind === 'refund' ? 'refund' : 'payment',
    method: 'cash',
    amountMinor,
  })
}

/** What a day has of sales and changes. Each office gets the same from the same chances. */
async function sell(
  plan: RuleOffice,
  day: number,
  departures: ReadonlyMap<number, string>,
  chance: (below: number) => number,
  changes?: (below: number) => number,
): Promise<void> {
  const { world, caller, clock } = plan
  const ahead = [...departures].filter(([on]) => on > day).map(([, id]) => id)
  const anyAhead = (not?: string) => {
    const others = ahead.filter((id) => id !== not)
    return others[chance(others.length)] ?? ''
  }
  for (let hour = 8; hour < 20; hour += 5) {
    // what is due at an hour is written at it, as by a server that is running: the information at 9:00, the reminder at 18:00
    if (hour > 8) {
      clock.set(at(day, hour === 13 ? '09:00' : '18:00'))
      await minute(world, clock)
    }
    clock.set(at(day, `${String(hour).padStart(2, '0')}:${10 + chance(40)}`))
    if (ahead.length === 0) return
    const contact = { name: 'Ana López', ...(chance(5) > 0 && { email: `ana${chance(1000)}@example.com` }) }
    const channel = chance(2) > 0 ? 'phone' : 'ota'
    const booking = await book(caller, anyAhead(), 1 + chance(2), { contact, channel, tellGuest: chance(4) > 0 })
    await sentMails(world, clock)
    // no two things happen at one moment
    clock.set(new Date(clock.now().getTime() + 1000))
    // each kind of change comes by
    const then = (day * 3 + (hour - 8) / 5) % 6
    if (then === 0) await move(caller, [booking], anyAhead(booking.departureId))
    if (then === 1) {
      const { parties } = await move(caller, [booking], anyAhead(booking.departureId))
      if (chance(2) === 0) clock.set(new Date(clock.now().getTime() + 4 * 60_000))
      await minute(world, clock)
      await move(caller, parties, booking.departureId)
    }
    if (then === 2) {
      const { version, contact: was, sellerName, externalRef, notes, amountTotalMinor } = booking
      const form = { id: booking.id, version, contact: was, sellerName, externalRef, amountTotalMinor }
      await caller.call(coreVerbOf(updateBooking), { ...form, pickupStopId: null, notes: `${notes ?? ''} window seat` })
    }
    if (then === 3) {
      const { id, version } = await caller.call(coreVerbOf(getBooking), { id: booking.id })
      const how = { reason: 'guest_request', note: null, tellGuest: chance(3) > 0 } as const
      await caller.call(coreVerbOf(cancelBooking), { id, version, ...how })
    }
    if (changes) for (let some = 0; some < 3; some += 1) await changeParty(plan, ahead, changes, anyChange)
    clock.set(new Date(clock.now().getTime() + 4 * 60_000))
    await minute(world, clock)
  }
}

const payments = ['pay', 'pay half', 'refund'] as const
const anyChange = [...payments, 'seats', 'pay'] as const

/** A departure leaves late, with or without some of its guests, and ends. */
async function operate(
  plan: RuleOffice,
  day: number,
  departureId: string,
  chance: (below: number) => number,
  changes?: (below: number) => number,
): Promise<void> {
  const { world, caller, clock } = plan
  for (const time of ['07:00', '07:40', '08:00', '08:20', '08:40']) {
    clock.set(at(day, time))
    if (changes) await changeParty(plan, [departureId], changes, payments)
    await late(caller, departureId, chance(130))
    await minute(world, clock)
    if (time !== '08:20') continue
    // guests are reminded for the last time
    clock.set(at(day, '08:30'))
    await minute(world, clock)
  }
  await setStatus(caller, departureId, { to: 'boarding', reason: 'Test' })
  clock.set(at(day, '09:40'))
  const { rows } = await caller.transaction((tx) =>
    sql<{
      id: string
    }>`select id from manifest_entries where departure_id = ${departureId} and status = 'expected' order by id`.execute(
      tx,
    ),
  )
  const absent = rows.filter(() => chance(4) === 0).map(({ id }) => id)
  const entries = rows
    .filter(({ id }) => !absent.includes(id))
    .map(({ id }) => ({ entryId: id, clientEventId: newId() }))
  if (entries.length > 0) await caller.call(coreVerbOf(checkIn), { departureId, entries })
  if (absent.length > 0) await caller.call(coreVerbOf(markNoShow), { departureId, entryIds: absent })
  await setStatus(caller, departureId, { to: 'in_progress', reason: 'Test' })
  clock.set(at(day, '17:05'))
  await setStatus(caller, departureId, { to: 'completed', reason: 'Test' })
}

/** Nine days of sales, changes, tours that ran late, and one that was cancelled. @param areParties Whether parties pay and change their seats, too. */
export async function days(seed: number, plan: RuleOffice, areParties = false): Promise<void> {
  const { world, caller, clock, tourId } = plan
  const chance = chances(seed)
  const changes = areParties ? chances(seed + 1) : undefined
  const departures = new Map<number, string>()
  for (let day = 2; day <= 12; day += 1)
    departures.set(
      day,
      await addDeparture(caller, tourId, { localDate: `2030-07-${String(day).padStart(2, '0')}`, capacity: 60 }),
    )
  const cancelled = 7
  for (let day = 1; day <= 9; day += 1) {
    const departureId = departures.get(day)
    if (departureId && day !== cancelled) {
      await assignGuide(caller, departureId)
      await operate(plan, day, departureId, chance, changes)
    }
    if (day === cancelled - 1) await cancelDay(plan, departures.get(cancelled) ?? '', departures.get(12) ?? '')
    departures.delete(day === cancelled - 1 ? cancelled : day)
    await sell(plan, day, departures, chance, changes)
    for (const time of ['19:30', '20:00', '23:30']) {
      clock.set(at(day, time))
      await minute(world, clock)
    }
  }
}

async function cancelDay({ caller, clock }: RuleOffice, departureId: string, to: string) {
  clock.set(at(6, '07:00'))
  const { rows } = await caller.transaction((tx) =>
    sql<{
      id: string
    }>`select id from bookings where departure_id = ${departureId} and status = 'confirmed' order by id`.execute(tx),
  )
  await setStatus(caller, departureId, { to: 'cancelled', cancelReason: 'weather', reason: 'Storm' })
  const parties = await Promise.all(rows.map(({ id }) => caller.call(coreVerbOf(getBooking), { id })))
  if (parties.length === 0) return
  await caller.call(coreVerbOf(sendProposals), {
    departureId,
    parties: parties.map(({ id, version }) => ({ id, version, toDepartureId: to })),
  })
}

export const backTest = async (caller: TestCaller, event: GuestEvent, setting?: number, limits?: Partial<RuleLimits>) =>
  (await caller.call(verbOf(backTestGuestRule), { event, setting, ...limits })).written7d

export const allTests = async (
  caller: TestCaller,
  events: readonly GuestEvent[] = guestEvents,
  limits?: Partial<RuleLimits>,
): Promise<Counts> =>
  Object.fromEntries(
    await Promise.all(events.map(async (event) => [event, await backTest(caller, event, undefined, limits)])),
  )

/** What the rules have really written in the last seven days. */
export async function written(caller: TestCaller): Promise<Counts> {
  const { rows } = await caller.transaction((tx) =>
    sql<{ kind: string; count: number }>`select m.kind, count(*)::int as count from messages m
      where m.rule_id is not null and m.created_at > app_now() - interval '7 days'
        and exists (select from deliveries d where d.message_id = m.id and d.status <> 'suppressed') group by 1`.execute(
      tx,
    ),
  )
  const known = new Map(rows.map(({ kind, count }) => [kind, count]))
  return Object.fromEntries(guestEvents.map((event) => [event, known.get(event) ?? 0]))
}
