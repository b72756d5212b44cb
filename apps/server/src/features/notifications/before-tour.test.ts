import { getAvailability } from '@tour-ops/contract/bookings/availability'
import { cancelBooking } from '@tour-ops/contract/bookings/bookings'
import { checkIn } from '@tour-ops/contract/bookings/manifest'
import { listGuestRules, setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { move } from '../../../testing/bookings.ts'
import { messagesOf, sentMails } from '../../../testing/guest-mail.ts'
import { late } from '../../../testing/late.ts'
import { addDeparture, assignGuide, book, coreVerbOf, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Channels } from '../../platform/channels/channels.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { guestRuleVerbs } from './guest-rules-service.ts'
import { remindLastMinute } from './last-reminders.ts'
import { informGuests } from './remind-guests.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(guestRuleVerbs)
const ana = { name: 'Ana López', email: 'ana@example.com', locale: 'en' }
const tourDay = '2030-07-14'
const on = (day: number, time: string) => new Date(`2030-07-${day}T${time}:00Z`)

type Event = 'pre_tour_info' | 'last_reminder'
const set = (caller: TestCaller, event: Event, change: { setting?: number; isOn?: boolean }) =>
  caller.call(verbOf(setGuestRule), { event, ...change })

/** An office with both rules on, in Reykjavik, whose clock is UTC: a departure on 14 July at 9:00 with a pickup at 8:20, and one a day later. */
async function desk() {
  const office = await officeWithTour(world, new Date('2030-07-01T10:00:00Z'))
  const { caller, tourId } = office
  for (const event of ['pre_tour_info', 'last_reminder'] as const) await set(caller, event, { isOn: true })
  const departureId = await addDeparture(caller, tourId, { localDate: tourDay, capacity: 100 })
  const laterId = await addDeparture(caller, tourId, { localDate: '2030-07-15' })
  const { days } = await caller.call(coreVerbOf(getAvailability), { tourId, from: tourDay })
  const pickupStopId = days[0]?.departures[0]?.pickups.find(({ placeName }) => placeName === 'City Hall')?.stopId ?? ''
  return { ...office, departureId, laterId, pickupStopId }
}

const services = (clock: Clock, channels?: Channels) => ({ ...world.services, clock, ...(channels && { channels }) })
const inform = (clock: Clock, channels?: Channels) => informGuests(services(clock, channels))
const remind = (clock: Clock, channels?: Channels) => remindLastMinute(services(clock, channels))

/** Of these bookings: how many messages of an event each has. */
const written = (caller: TestCaller, event: Event, ...bookings: readonly { id: string }[]) =>
  Promise.all(
    bookings.map(async ({ id }) => (await messagesOf(caller, id)).filter((line) => line.startsWith(event)).length),
  )

/** Of all that is due: what the contact of a booking reads. What else leaves is of other tests. */
const mailsTo = async (clock: Clock, { bookingRef }: { bookingRef: string }) => {
  return (await sentMails(world, clock)).filter(({ body }) => body.includes(bookingRef))
}

test('both rules are off until somebody switches them on', async () => {
  const { caller } = await officeWithTour(world, new Date('2030-07-01T10:00:00Z'))
  const { rules } = await caller.call(verbOf(listGuestRules), {})
  expect(rules.filter(({ isOn }) => !isOn).map(({ event, setting }) => [event, setting])).toEqual([
    ['pre_tour_info', 48],
    ['last_reminder', 30],
  ])
})

describe('the information before a tour', () => {
  test('is written two days before the start, once, with what to bring and the weather', async () => {
    const { caller, clock, departureId } = await desk()
    await caller.transaction((tx) =>
      sql`update departures set weather_note = 'Windy' where id = ${departureId}`.execute(tx),
    )
    const booking = await book(caller, departureId, 2, { contact: ana })
    await sentMails(world, clock)
    clock.set(on(12, '08:59'))
    await inform(clock)
    expect(await written(caller, 'pre_tour_info', booking)).toEqual([0])
    clock.set(on(12, '09:00'))
    await inform(clock)
    await inform(clock)
    const [mail, ...more] = await mailsTo(clock, booking)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('Before your tour: Golden Circle')
    expect(mail?.body).toContain('Meeting point: BSÍ terminal')
    expect(mail?.body).toContain('Weather: Windy')
    expect(mail?.calendar).toContain('DTSTART:20300714T090000Z')
    clock.set(on(13, '18:00'))
    await inform(clock)
    expect(await written(caller, 'pre_tour_info', booking)).toEqual([1])
  })

  test('is not for who booked later, was just told everything, or is on a cancelled departure', async () => {
    const { caller, clock, departureId, laterId } = await desk()
    clock.set(on(12, '00:30'))
    const told = await book(caller, departureId, 1, { contact: ana })
    const silent = await book(caller, departureId, 1, { contact: ana, tellGuest: false })
    const cancelled = await book(caller, laterId, 1, { contact: ana, tellGuest: false })
    // no server was running at 9:00
    clock.set(on(12, '10:00'))
    const late = await book(caller, departureId, 1, { contact: ana, tellGuest: false })
    await inform(clock)
    expect(await written(caller, 'pre_tour_info', told, silent, late)).toEqual([0, 1, 0])
    await setStatus(caller, laterId, { to: 'cancelled', cancelReason: 'weather', reason: 'Storm' })
    clock.set(on(13, '09:00'))
    await inform(clock)
    expect(await written(caller, 'pre_tour_info', cancelled)).toEqual([0])
  })

  test('is not made up for when the reminder is near, nor where the rule was off', async () => {
    const { caller, clock, departureId, laterId } = await desk()
    const first = await book(caller, departureId, 1, { contact: ana })
    const second = await book(caller, laterId, 1, { contact: ana })
    clock.set(on(12, '21:00'))
    await inform(clock)
    expect(await written(caller, 'pre_tour_info', first)).toEqual([0])
    await set(caller, 'pre_tour_info', { isOn: false })
    clock.set(on(13, '09:00'))
    await inform(clock)
    await set(caller, 'pre_tour_info', { isOn: true })
    await inform(clock)
    expect(await written(caller, 'pre_tour_info', second)).toEqual([0])
  })

  test('comes as many hours before as an organization says', async () => {
    const { caller, clock, departureId } = await desk()
    await set(caller, 'pre_tour_info', { setting: 100 })
    const booking = await book(caller, departureId, 1, { contact: ana })
    clock.set(on(10, '04:59'))
    await inform(clock)
    expect(await written(caller, 'pre_tour_info', booking)).toEqual([0])
    clock.set(on(10, '05:00'))
    await inform(clock)
    expect(await written(caller, 'pre_tour_info', booking)).toEqual([1])
  })
})

describe('the last reminder', () => {
  test('reaches a party without names, and one of whose guests some are still to come', async () => {
    const { caller, clock, departureId } = await desk()
    const unnamed = await book(caller, departureId, 2, { contact: ana, guests: [], tellGuest: false })
    const guest = { firstName: 'Ana', lastName: 'López', unitType: 'adult' as const }
    const partly = await book(caller, departureId, 2, { contact: ana, guests: [guest], tellGuest: false })
    await caller.transaction((tx) =>
      sql`update manifest_entries set status = 'checked_in', check_in_at = app_now() where booking_id = ${partly.id}`.execute(
        tx,
      ),
    )
    clock.set(on(14, '08:30'))
    await remind(clock)
    expect(await written(caller, 'last_reminder', unnamed, partly)).toEqual([1, 1])
  })

  test('is written half an hour before each guest is met, once, without a calendar file', async () => {
    const { caller, clock, departureId, pickupStopId } = await desk()
    const atStart = await book(caller, departureId, 2, { contact: ana })
    const picked = await book(caller, departureId, 1, { contact: ana, pickupStopId })
    await sentMails(world, clock)
    for (const [time, expected] of [
      ['07:49', [0, 0]],
      ['07:50', [0, 1]],
      ['08:10', [0, 1]],
      ['08:30', [1, 1]],
      ['08:45', [1, 1]],
    ] as const) {
      clock.set(on(14, time))
      await remind(clock)
      expect(await written(caller, 'last_reminder', atStart, picked), time).toEqual(expected)
    }
    // the pickup is over by then
    const [mail, ...more] = (await sentMails(world, clock)).filter(({ body }) =>
      [atStart, picked].some(({ bookingRef }) => body.includes(bookingRef)),
    )
    expect(more).toEqual([])
    expect(mail?.body).toContain(atStart.bookingRef)
    expect(mail?.subject).toBe('See you soon: Golden Circle')
    expect(mail?.body).toContain('Meeting point: BSÍ terminal, 09:00')
    expect(mail?.calendar).toBeUndefined()
  })

  test('is not made up for after ten minutes', async () => {
    const { caller, clock, departureId, laterId } = await desk()
    const first = await book(caller, departureId, 1, { contact: ana })
    const second = await book(caller, laterId, 1, { contact: ana })
    clock.set(on(14, '08:40'))
    await remind(clock)
    clock.set(on(15, '08:39'))
    await remind(clock)
    expect(await written(caller, 'last_reminder', first, second)).toEqual([0, 1])
  })

  test('says when the vehicle is expected, where that is estimated', async () => {
    const { caller, clock, departureId } = await desk()
    const booking = await book(caller, departureId, 1, { contact: ana })
    await sentMails(world, clock)
    clock.set(on(14, '08:30'))
    await late(caller, departureId, 7)
    await remind(clock)
    const [mail] = await mailsTo(clock, booking)
    expect(mail?.body).toContain('Expected at about 09:07 (Reykjavik)')
  })

  test('is not for who is there, has left, booked just now, or is on a departure that has left or is cancelled', async () => {
    const { caller, clock, departureId, laterId } = await desk()
    const there = await book(caller, departureId, 1, { contact: ana })
    const gone = await book(caller, departureId, 1, { contact: ana })
    const moved = await book(caller, departureId, 1, { contact: ana })
    const off = await book(caller, laterId, 1, { contact: ana })
    await move(caller, [moved], laterId)
    const { id, version } = gone
    await caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request', note: null, tellGuest: false })
    clock.set(on(14, '08:25'))
    const { rows } = await caller.transaction((tx) =>
      sql<{ id: string }>`select id from manifest_entries where booking_id = ${there.id}`.execute(tx),
    )
    await assignGuide(caller, departureId)
    await setStatus(caller, departureId, { to: 'boarding', reason: 'Test' })
    const entries = rows.map((row) => ({ entryId: row.id, clientEventId: newId() }))
    await caller.call(coreVerbOf(checkIn), { departureId, entries })
    clock.set(on(14, '08:31'))
    const late = await book(caller, departureId, 1, { contact: ana, tellGuest: false }).catch(() => ({ id: there.id }))
    await remind(clock)
    expect(await written(caller, 'last_reminder', there, gone, moved, late)).toEqual([0, 0, 0, 0])
    await setStatus(caller, laterId, { to: 'cancelled', cancelReason: 'weather', reason: 'Storm' })
    clock.set(on(15, '08:30'))
    await remind(clock)
    expect(await written(caller, 'last_reminder', off, moved)).toEqual([0, 0])
  })

  test('that could not leave before the departure has left is not sent', async () => {
    const { caller, clock, departureId } = await desk()
    const booking = await book(caller, departureId, 1, { contact: ana })
    await sentMails(world, clock)
    clock.set(on(14, '08:30'))
    await remind(clock)
    clock.set(on(14, '09:00'))
    expect(await mailsTo(clock, booking)).toEqual([])
    expect(await messagesOf(caller, booking.id)).toEqual(['last_reminder suppressed', 'booking_confirmed sent'])
  })
})

test.each([
  ['pre_tour_info', 23, 'too_small', { min: 24 }],
  ['pre_tour_info', 169, 'too_large', { max: 168 }],
  ['last_reminder', 9, 'too_small', { min: 10 }],
  ['last_reminder', 181, 'too_large', { max: 180 }],
  ['feedback_request', 0, 'too_small', { min: 1 }],
  ['feedback_request', 49, 'too_large', { max: 48 }],
] as const)('%s takes no %i: %s', async (event, setting, code, params) => {
  const { caller } = await officeWithTour(world, new Date('2030-07-01T10:00:00Z'))
  await expect(caller.call(verbOf(setGuestRule), { event, setting })).rejects.toMatchObject({
    code: 'invalid-argument',
    details: { fieldIssues: { setting: [{ code, params }] } },
  })
})

test.each([
  ['pre_tour_info', -1380],
  ['pre_tour_info', -10_140],
  ['pre_tour_info', -1501],
  ['last_reminder', -9],
  ['last_reminder', -181],
  ['feedback_request', 2940],
] as const)('the database takes no %s at %i minutes', async (event, offset) => {
  const { caller } = await officeWithTour(world, new Date('2030-07-01T10:00:00Z'))
  await caller.call(verbOf(setGuestRule), { event, isOn: true })
  await expect(
    caller.transaction((tx) =>
      sql`update notification_rules set offset_min = ${offset} where event = ${event}`.execute(tx),
    ),
  ).rejects.toThrow(/notification_rules_/)
})

describe('of sixty parties', () => {
  /** Whose messages are due. */
  async function manyParties(due: Date) {
    const { caller, clock, departureId } = await desk()
    const parties: { id: string }[] = []
    for (let at = 0; at < 60; at += 1)
      parties.push(await book(caller, departureId, 1, { contact: { ...ana, email: `guest${at}@example.com` } }))
    clock.set(due)
    return { caller, clock, parties, once: parties.map(() => 1) }
  }

  test.each([
    ['pre_tour_info', inform, on(12, '09:00')],
    ['last_reminder', remind, on(14, '08:30')],
  ] as const)('each gets %s once through kills', async (event, run, due) => {
    const { caller, clock, parties, once } = await manyParties(due)
    const { channels } = world.services
    for (const last of [1, 26, 30]) {
      let left = last
      const send: Channels['send'] = async (tx, message) => {
        // other tests have offices as well
        if (message.orgId === caller.orgId) left -= 1
        if (left === 0) throw new Error('killed')
        return channels.send(tx, message)
      }
      await expect(run(clock, { ...channels, send })).rejects.toThrow('1 organization failed')
    }
    await run(clock)
    expect(await written(caller, event, ...parties)).toEqual(once)
    // PGlite has one connection: nothing happens at the same moment there
    if (process.env['TEST_DATABASE'] === 'embedded') await Promise.all([run(clock), run(clock), run(clock)])
    await run(clock)
    expect(await written(caller, event, ...parties)).toEqual(once)
  })
})
