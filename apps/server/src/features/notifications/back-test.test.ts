import { cancelBooking, getBooking, updateBooking } from '@tour-ops/contract/bookings/bookings'
import { checkIn, markNoShow } from '@tour-ops/contract/bookings/manifest'
import { sendProposals } from '@tour-ops/contract/bookings/proposals'
import {
  backTestGuestRule,
  type GuestEvent,
  guestEvents,
  setGuestRule,
} from '@tour-ops/contract/notifications/guest-rules'
import { everybody, type RuleAudience } from '@tour-ops/contract/notifications/rule-audience'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { move } from '../../../testing/bookings.ts'
import { sentMails, withoutQuietHours } from '../../../testing/guest-mail.ts'
import { addDeparture, assignGuide, book, coreVerbOf, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { writeEstimates } from '../../platform/operations/estimates.ts'
import { askGuests } from './ask-feedback.ts'
import { oldGuestOccasions } from './back-test.ts'
import { guestRuleVerbs } from './guest-rules-service.ts'
import { noticeDelays } from './notice-delays.ts'
import { remindGuests } from './remind-guests.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(guestRuleVerbs)
/** Of events that have a setting. */
type Settings = Readonly<Partial<Record<GuestEvent, number>>>
type Counts = Readonly<Partial<Record<GuestEvent, number | null>>>
/** The same numbers for the same seed. */
function chances(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const at = (day: number, time: string) => new Date(`2030-07-${String(day).padStart(2, '0')}T${time}:00Z`)

/** An office that has decided about its rules on the first of July, in Reykjavik, whose clock is UTC. */
async function office(off: readonly GuestEvent[] = [], settings: Settings = {}) {
  const plan = await officeWithTour(world, at(1, '06:00'))
  const { caller } = plan
  await withoutQuietHours(caller)
  for (const event of off) await caller.call(verbOf(setGuestRule), { event, isOn: false })
  for (const event of guestEvents)
    if (settings[event] !== undefined) await caller.call(verbOf(setGuestRule), { event, setting: settings[event] })
  return plan
}

/** Everything that happens by itself in a minute. */
async function minute(clock: Clock): Promise<void> {
  const services = { ...world.services, clock }
  await noticeDelays(services)
  await remindGuests(services)
  await askGuests(services)
  await sentMails(world, clock)
}

const late = (caller: TestCaller, departureId: string, minutes: number) =>
  caller.transaction(async (tx) => {
    const { rows } = await sql<{ id: string; eta: Date }>`
      select s.id, s.planned_arrive_at + make_interval(mins => ${minutes}) as eta from departures d
      join departure_stops s on s.org_id = d.org_id and s.departure_id = d.id and s.kind = 'start' where d.id = ${departureId} for no key update of d`.execute(
      tx,
    )
    const stops = rows.map(({ id, eta }) => ({ id, eta_at: eta, delay_seconds: minutes * 60 }))
    await writeEstimates(tx, caller.orgId, { stops, departures: [] })
  })

/** What a day has of sales and changes. Each office gets the same from the same chances. */
async function sell(
  { caller, clock }: Awaited<ReturnType<typeof office>>,
  day: number,
  departures: ReadonlyMap<number, string>,
  chance: (below: number) => number,
): Promise<void> {
  const ahead = [...departures].filter(([on]) => on > day).map(([, id]) => id)
  const anyAhead = (not?: string) => {
    const others = ahead.filter((id) => id !== not)
    return others[chance(others.length)] ?? ''
  }
  for (let hour = 8; hour < 20; hour += 5) {
    clock.set(at(day, `${String(hour).padStart(2, '0')}:${10 + chance(40)}`))
    if (ahead.length === 0) return
    const contact = { name: 'Ana López', ...(chance(5) > 0 && { email: `ana${chance(1000)}@example.com` }) }
    const channel = chance(2) > 0 ? 'phone' : 'ota'
    const booking = await book(caller, anyAhead(), 1 + chance(2), { contact, channel, tellGuest: chance(4) > 0 })
    await sentMails(world, clock)
    // each kind of change comes by
    const then = (day * 3 + (hour - 8) / 5) % 6
    if (then === 0) await move(caller, [booking], anyAhead(booking.departureId))
    if (then === 1) {
      const { parties } = await move(caller, [booking], anyAhead(booking.departureId))
      if (chance(2) === 0) clock.set(new Date(clock.now().getTime() + 4 * 60_000))
      await minute(clock)
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
    clock.set(new Date(clock.now().getTime() + 4 * 60_000))
    await minute(clock)
  }
}

/** A departure leaves late, with or without some of its guests, and ends. */
async function operate(
  { caller, clock }: Awaited<ReturnType<typeof office>>,
  day: number,
  departureId: string,
  chance: (below: number) => number,
): Promise<void> {
  for (const time of ['07:00', '07:40', '08:00', '08:20', '08:40']) {
    clock.set(at(day, time))
    await late(caller, departureId, chance(130))
    await minute(clock)
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

/** Nine days of sales, changes, tours that ran late, and one that was cancelled. */
async function days(seed: number, plan: Awaited<ReturnType<typeof office>>): Promise<void> {
  const { caller, clock, tourId } = plan
  const chance = chances(seed)
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
      await operate(plan, day, departureId, chance)
    }
    if (day === cancelled - 1) await cancelDay(plan, departures.get(cancelled) ?? '', departures.get(12) ?? '')
    departures.delete(day === cancelled - 1 ? cancelled : day)
    await sell(plan, day, departures, chance)
    for (const time of ['18:00', '19:00', '20:00', '23:30']) {
      clock.set(at(day, time))
      await minute(clock)
    }
  }
}

async function cancelDay({ caller, clock }: Awaited<ReturnType<typeof office>>, departureId: string, to: string) {
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

const backTest = async (caller: TestCaller, event: GuestEvent, setting?: number, audience?: RuleAudience) =>
  (await caller.call(verbOf(backTestGuestRule), { event, setting, audience })).written7d

const allTests = async (
  caller: TestCaller,
  events: readonly GuestEvent[] = guestEvents,
  audience?: RuleAudience,
): Promise<Counts> =>
  Object.fromEntries(
    await Promise.all(events.map(async (event) => [event, await backTest(caller, event, undefined, audience)])),
  )

/** What the rules have really written in the last seven days. */
async function written(caller: TestCaller): Promise<Counts> {
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

const only = (counts: Counts, events: readonly GuestEvent[]): Counts =>
  Object.fromEntries(events.map((event) => [event, counts[event]]))

test(
  'over a week of chance, a rule that is off or set otherwise says what one that is on has written',
  { timeout: 400_000 },
  async () => {
    const late30 = { delay_notice: 30 }
    const first = ['booking_confirmed', 'booking_changed', 'delay_notice', 'waitlist_offer'] as const
    const second = ['pickup_reminder', 'booking_cancelled', 'rebooking_offer', 'feedback_request'] as const
    const [on, firstOff, secondOff] = [await office(), await office(first), await office(second, late30)]
    for (const plan of [on, firstOff, secondOff]) await days(7, plan)
    const known = await written(on.caller)
    for (const event of guestEvents) if (event !== 'waitlist_offer') expect(known[event], event).toBeGreaterThan(0)
    expect(await allTests(on.caller)).toEqual(known)
    expect(only(await written(firstOff.caller), first)).toEqual({
      booking_confirmed: 0,
      booking_changed: 0,
      delay_notice: 0,
      waitlist_offer: 0,
    })
    expect(await allTests(firstOff.caller, first)).toEqual(only(known, first))
    expect(only(await written(secondOff.caller), second)).toEqual({
      pickup_reminder: 0,
      booking_cancelled: 0,
      rebooking_offer: 0,
      feedback_request: 0,
    })
    expect(await allTests(secondOff.caller, second)).toEqual(only(known, second))
    const { delay_notice: from30 } = await written(secondOff.caller)
    for (const { caller } of [on, firstOff, secondOff]) {
      expect(await backTest(caller, 'delay_notice', 30)).toBe(from30)
      expect(await backTest(caller, 'delay_notice', 15)).toBe(known.delay_notice)
    }
  },
)

test('over a week of chance, a rule says what one has written that is for others', { timeout: 400_000 }, async () => {
  const sold = { tourIds: [], channels: ['phone'] } satisfies RuleAudience
  const [all, some] = [await office(), await office()]
  for (const event of guestEvents) await some.caller.call(verbOf(setGuestRule), { event, audience: sold })
  for (const plan of [all, some]) await days(11, plan)
  const [known, phoned] = [await written(all.caller), await written(some.caller)]
  expect(phoned.booking_confirmed).toBeLessThan(known.booking_confirmed ?? 0)
  expect(await allTests(some.caller)).toEqual(phoned)
  expect(await allTests(all.caller, guestEvents, sold)).toEqual(phoned)
  // who was not told of the booking needs a reminder more often
  const others = guestEvents.filter((event) => event !== 'pickup_reminder')
  expect(await allTests(some.caller, others, everybody)).toEqual(only(known, others))
})

test('a reminder at another hour goes to those who were booked, there and without news by then', async () => {
  const eveningBefore = async (plan: Awaited<ReturnType<typeof office>>) => {
    const { caller, clock, tourId } = plan
    const departureId = await addDeparture(caller, tourId, { localDate: '2030-07-05', capacity: 60 })
    const laterId = await addDeparture(caller, tourId, { localDate: '2030-07-09' })
    const contact = { name: 'Ana López', email: 'ana@example.com' }
    clock.set(at(2, '10:00'))
    const stays = await book(caller, departureId, 1, { contact })
    const goes = await book(caller, departureId, 1, { contact })
    const moves = await book(caller, departureId, 1, { contact })
    await book(caller, departureId, 1)
    await minute(clock)
    clock.set(at(4, '07:00'))
    await book(caller, departureId, 1, { contact })
    for (const hour of ['18', '20']) {
      clock.set(at(4, `${hour}:00`))
      await minute(clock)
      if (hour === '20') break
      clock.set(at(4, '19:00'))
      await caller.call(coreVerbOf(cancelBooking), {
        id: goes.id,
        version: goes.version,
        reason: 'guest_request',
        note: null,
      })
      await move(caller, [moves], laterId)
      await minute(clock)
    }
    clock.set(at(6, '12:00'))
    return { caller, stays }
  }
  const at20 = await eveningBefore(await office([], { pickup_reminder: 20 }))
  const at18 = await eveningBefore(await office())
  const off = await eveningBefore(await office(['pickup_reminder']))
  // at 18:00 the one who stays, who goes and who moves; at 20:00 the one who stays, and who was told thirteen hours before
  expect([(await written(at18.caller)).pickup_reminder, (await written(at20.caller)).pickup_reminder]).toEqual([3, 2])
  for (const { caller } of [at18, at20, off]) {
    expect(await backTest(caller, 'pickup_reminder', 18)).toBe(3)
    expect(await backTest(caller, 'pickup_reminder', 20)).toBe(2)
  }
})

test('a change that is undone in time would have told nobody', async () => {
  const { caller, clock, tourId } = await office(['booking_changed', 'booking_cancelled'])
  const departureId = await addDeparture(caller, tourId, { localDate: '2030-07-05' })
  const laterId = await addDeparture(caller, tourId, { localDate: '2030-07-06' })
  const booking = await book(caller, departureId, 1, { contact: { name: 'Ana López', email: 'ana@example.com' } })
  const { parties } = await move(caller, [booking], laterId)
  expect(await backTest(caller, 'booking_changed')).toBe(1)
  const back = await move(caller, parties, departureId)
  expect(await backTest(caller, 'booking_changed')).toBe(0)
  const again = await move(caller, back.parties, laterId)
  clock.set(new Date(clock.now().getTime() + 4 * 60_000))
  await move(caller, again.parties, departureId)
  expect(await backTest(caller, 'booking_changed')).toBe(2)
})

test('a seat that became free would have been offered to who waits', async () => {
  const freed = async ({ caller, clock, tourId }: Awaited<ReturnType<typeof office>>) => {
    const departureId = await addDeparture(caller, tourId, { localDate: '2030-07-05', capacity: 2 })
    const contact = { name: 'Ana López', email: 'ana@example.com' }
    const { id, version } = await book(caller, departureId, 2, { contact })
    await book(caller, departureId, 1, { contact, mode: 'waitlist' })
    await book(caller, departureId, 1, { mode: 'waitlist' })
    await caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request', note: null })
    clock.set(at(2, '06:00'))
    return caller
  }
  const on = await freed(await office())
  const off = await freed(await office(['waitlist_offer']))
  expect([(await written(on)).waitlist_offer, (await written(off)).waitlist_offer]).toEqual([1, 0])
  expect([await backTest(on, 'waitlist_offer'), await backTest(off, 'waitlist_offer')]).toEqual([1, 1])
})

test('where the days before are not recorded, a rule says nothing of what it would have written', async () => {
  const { caller, clock } = await office()
  await caller.transaction((tx) => sql`update org_settings set guest_occasions_from = app_now()`.execute(tx))
  clock.set(at(7, '06:00'))
  expect(await allTests(caller)).toMatchObject({
    booking_confirmed: null,
    booking_changed: null,
    delay_notice: null,
    pickup_reminder: 0,
  })
  clock.set(at(8, '06:01'))
  expect(await allTests(caller)).toMatchObject({ booking_confirmed: 0, booking_changed: 0, delay_notice: 0 })
})

test('what nobody asks about any more is deleted', async () => {
  const { caller, clock, tourId } = await office(['booking_confirmed'])
  const departureId = await addDeparture(caller, tourId, { localDate: '2030-07-05' })
  await book(caller, departureId, 1, { contact: { name: 'Ana López', email: 'ana@example.com' } })
  const forget = () => caller.transaction((tx) => oldGuestOccasions.run(tx, caller.orgId))
  const left = async () => (await world.rows('select from guest_occasions where org_id = $1', [caller.orgId])).length
  clock.set(at(8, '05:59'))
  await forget()
  expect([await backTest(caller, 'booking_confirmed'), await left()]).toEqual([1, 1])
  clock.set(at(9, '06:01'))
  await forget()
  expect([await backTest(caller, 'booking_confirmed'), await left()]).toEqual([0, 0])
})

test('a setting that the rule does not have is refused', async () => {
  const { caller } = await office()
  for (const [event, setting] of [
    ['pickup_reminder', 3],
    ['booking_confirmed', 18],
  ] as const)
    await expect(backTest(caller, event, setting)).rejects.toMatchObject({
      details: { fieldIssues: { setting: [{ code: 'not_listed' }] } },
    })
})
