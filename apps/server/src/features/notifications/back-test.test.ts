import { cancelBooking } from '@tour-ops/contract/bookings/bookings'
import { type GuestEvent, guestEvents, setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { everybody, type RuleAudience } from '@tour-ops/contract/notifications/rule-audience'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { move } from '../../../testing/bookings.ts'
import { addDeparture, book, coreVerbOf } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import {
  allTests,
  at,
  backTest,
  type Counts,
  days,
  minute,
  reminders,
  type RuleOffice,
  ruleOffice,
  written,
} from '../../../testing/weeks-of-chance.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { oldGuestOccasions } from './back-test.ts'
import { guestRuleVerbs } from './guest-rules-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(guestRuleVerbs)
const office = (...given: Parameters<typeof ruleOffice> extends [unknown, ...infer More] ? More : never) =>
  ruleOffice(world, ...given)

const only = (counts: Counts, events: readonly GuestEvent[]): Counts =>
  Object.fromEntries(events.map((event) => [event, counts[event]]))

test(
  'over a week of chance, a rule that is off or set otherwise says what one that is on has written',
  { timeout: 400_000 },
  async () => {
    const late30 = { delay_notice: 30 }
    const first = ['booking_confirmed', 'booking_changed', 'delay_notice', 'waitlist_offer'] as const
    const second = [
      'pre_tour_info',
      'pickup_reminder',
      'last_reminder',
      'booking_cancelled',
      'rebooking_offer',
      'feedback_request',
    ] as const
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
      pre_tour_info: 0,
      pickup_reminder: 0,
      last_reminder: 0,
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
  expect(await allTests(all.caller, guestEvents, { audience: sold })).toEqual(phoned)
  // who was not told of the booking needs a reminder more often
  const others = guestEvents.filter((event) => !reminders.includes(event))
  expect(await allTests(some.caller, others, { audience: everybody })).toEqual(only(known, others))
})

test('a reminder at another hour goes to those who were booked, there and without news by then', async () => {
  const eveningBefore = async (plan: RuleOffice) => {
    const { caller, clock, tourId } = plan
    const departureId = await addDeparture(caller, tourId, { localDate: '2030-07-05', capacity: 60 })
    const laterId = await addDeparture(caller, tourId, { localDate: '2030-07-09' })
    const contact = { name: 'Ana López', email: 'ana@example.com' }
    clock.set(at(2, '10:00'))
    const stays = await book(caller, departureId, 1, { contact })
    const goes = await book(caller, departureId, 1, { contact })
    const moves = await book(caller, departureId, 1, { contact })
    await book(caller, departureId, 1)
    await minute(world, clock)
    clock.set(at(4, '07:00'))
    await book(caller, departureId, 1, { contact })
    for (const hour of ['18', '20']) {
      clock.set(at(4, `${hour}:00`))
      await minute(world, clock)
      if (hour === '20') break
      clock.set(at(4, '19:00'))
      await caller.call(coreVerbOf(cancelBooking), {
        id: goes.id,
        version: goes.version,
        reason: 'guest_request',
        note: null,
      })
      await move(caller, [moves], laterId)
      await minute(world, clock)
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
  const freed = async ({ caller, clock, tourId }: RuleOffice) => {
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
