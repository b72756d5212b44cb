import { moveBookings } from '@tour-ops/contract/bookings/bookings'
import { guestAudience, sendGuestMessage } from '@tour-ops/contract/notifications/guest-messages'
import { setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { listOutbox } from '@tour-ops/contract/notifications/notifications'
import { getNotificationSettings, updateNotificationSettings } from '@tour-ops/contract/settings/settings'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messagesOf, sentMails } from '../../../testing/guest-mail.ts'
import { addDeparture, book, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'
import { informGuests, remindGuests } from './remind-guests.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const texts = [{ language: 'en' as const, subject: 'Hello', body: 'A new meeting point.' }]

/** A party of two on a departure of 14 July at nine, where the zone is Iceland's if nothing else is said. */
async function party({
  timeZone = 'Atlantic/Reykjavik',
  startTimeLocal = '09:00',
  phone = undefined as string | undefined,
} = {}) {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-01T10:00:00Z'), { timeZone })
  const departureId = await addDeparture(caller, tourId, { startTimeLocal })
  const email = `ana.${newId()}@example.com`
  const booking = await book(caller, departureId, 2, { contact: { name: 'Ana López', email, ...(phone && { phone }) } })
  const subjects = async () =>
    (await sentMails(world, clock)).filter(({ to }) => to === email).map(({ subject }) => subject)
  const at = (time: string) => clock.set(new Date(time))
  await subjects()
  return {
    caller,
    clock,
    tourId,
    departureId,
    booking,
    at,
    subjects,
    write: () => caller.call(verbOf(sendGuestMessage), { audience: { departureIds: [departureId] }, texts, count: 1 }),
    quiet: async () => (await caller.call(verbOf(guestAudience), { audience: { departureIds: [departureId] } })).quiet,
    waiting: async () => {
      const { rows } = await caller.call(verbOf(listOutbox), { filters: { status: ['queued'] } })
      return rows.map(({ kind, dueAt, quietZone }) => ({ kind, dueAt, quietZone }))
    },
    setHours: async (quietFrom: string, quietTo: string) => {
      const admin = await world.as('admin', { orgId: caller.orgId, clock })
      const { version, settings } = await admin.call(verbOf(getNotificationSettings), {})
      await admin.call(verbOf(updateNotificationSettings), { version, settings: { ...settings, quietFrom, quietTo } })
    },
  }
}

describe('at night where the tour is', () => {
  test('a message about a tour that is days away waits for the morning there, and the outbox says until when', async () => {
    const { at, write, subjects, waiting, quiet } = await party({ timeZone: 'Asia/Tokyo' })
    at('2030-07-02T12:30:00Z')
    expect(await quiet()).toEqual({ count: 1, until: '08:00' })
    await write()
    at('2030-07-02T12:31:00Z')
    expect(await subjects()).toEqual([])
    expect(await waiting()).toEqual([
      { kind: 'guest_message', dueAt: '2030-07-02T23:00:00.000Z', quietZone: 'Asia/Tokyo' },
    ])
    at('2030-07-02T22:59:00Z')
    expect(await subjects()).toEqual([])
    at('2030-07-02T23:00:00Z')
    expect(await subjects()).toEqual(['Hello'])
    expect(await quiet()).toEqual({ count: 0, until: '08:00' })
    expect(await waiting()).toEqual([])
  })

  test('the morning is that of the clocks there, also in the night in which they change', async () => {
    const { caller, clock, tourId, at, waiting } = await party({ timeZone: 'Europe/Berlin' })
    const departureId = await addDeparture(caller, tourId, { localDate: '2031-04-10' })
    const { id } = await book(caller, departureId, 1, { contact: { name: 'Bo', email: `bo.${newId()}@example.com` } })
    await sentMails(world, clock)
    at('2031-03-29T21:00:00Z')
    await caller.call(verbOf(sendGuestMessage), { audience: { bookingIds: [id] }, texts, count: 1 })
    at('2031-03-29T21:01:00Z')
    await sentMails(world, clock)
    expect(await waiting()).toMatchObject([{ kind: 'guest_message', dueAt: '2031-03-30T06:00:00.000Z' }])
  })

  test('what is about a tour within a day leaves at once, and so does a confirmation', async () => {
    const { caller, departureId, at, write, subjects, quiet } = await party()
    at('2030-07-13T22:00:00Z')
    expect(await quiet()).toMatchObject({ count: 0 })
    await write()
    const { id } = await book(caller, departureId, 1, { contact: { name: 'Bo', email: `bo.${newId()}@example.com` } })
    at('2030-07-13T22:01:00Z')
    expect(await subjects()).toEqual(['Hello'])
    expect(await messagesOf(caller, id)).toEqual(['booking_confirmed sent'])
  })

  test('a change of a tour of tomorrow is told at once, also where the new one is days away; another change waits', async () => {
    const near = await party()
    const far = await party()
    const later = (of: typeof near) => addDeparture(of.caller, of.tourId, { localDate: '2030-07-20' })
    const move = async (of: typeof near) =>
      of.caller.call(verbOf(moveBookings), {
        parties: [{ id: of.booking.id, version: of.booking.version }],
        toDepartureId: await later(of),
      })
    near.at('2030-07-13T22:00:00Z')
    await move(near)
    near.at('2030-07-13T22:04:00Z')
    expect(await near.subjects()).toHaveLength(1)
    far.at('2030-07-10T22:00:00Z')
    await move(far)
    far.at('2030-07-10T22:04:00Z')
    expect(await far.subjects()).toEqual([])
    far.at('2030-07-11T08:00:00Z')
    expect(await far.subjects()).toHaveLength(1)
  })

  test('a reminder waits only where the morning is early enough for it', async () => {
    const early = await party({ startTimeLocal: '09:00' })
    const noon = await party({ startTimeLocal: '13:00' })
    for (const { caller, at, clock } of [early, noon]) {
      await caller.call(verbOf(setGuestRule), { event: 'pickup_reminder', setting: 22 })
      at('2030-07-13T22:01:00Z')
      await remindGuests({ ...world.services, clock })
    }
    expect(await early.subjects()).toHaveLength(1)
    expect(await noon.subjects()).toEqual([])
    noon.at('2030-07-14T08:00:00Z')
    expect(await noon.subjects()).toHaveLength(1)
  })
})

test('information a day before a tour that starts early waits for the morning', async () => {
  const { caller, clock, at, subjects } = await party({ startTimeLocal: '05:00' })
  await caller.call(verbOf(setGuestRule), { event: 'pre_tour_info', isOn: true, setting: 24 })
  at('2030-07-13T05:00:00Z')
  await informGuests({ ...world.services, clock })
  expect(await subjects()).toEqual([])
  at('2030-07-13T08:00:00Z')
  expect(await subjects()).toEqual([expect.stringMatching(/^Before your tour/)])
})

describe('a guest with a phone number of one zone', () => {
  const tokyo = { timeZone: 'Asia/Tokyo', startTimeLocal: '13:00', phone: '+4930901820' }

  test('is at home days before the tour: the hours there count', async () => {
    const { at, write, subjects, waiting, quiet } = await party(tokyo)
    // 21:30 in Tokyo, the afternoon in Berlin
    at('2030-07-02T12:30:00Z')
    expect(await quiet()).toMatchObject({ count: 0 })
    await write()
    at('2030-07-02T12:31:00Z')
    expect(await subjects()).toEqual(['Hello'])
    // eight in the morning in Tokyo, one at night in Berlin
    at('2030-07-02T23:00:00Z')
    expect(await quiet()).toEqual({ count: 1, until: '08:00' })
    await write()
    at('2030-07-02T23:01:00Z')
    expect(await subjects()).toEqual([])
    expect(await waiting()).toEqual([
      { kind: 'guest_message', dueAt: '2030-07-03T06:00:00.000Z', quietZone: 'Europe/Berlin' },
    ])
    at('2030-07-03T06:00:00Z')
    expect(await subjects()).toEqual(['Hello'])
  })

  test.each([
    ['2030-07-13T03:59:00Z', 0],
    ['2030-07-13T04:00:00Z', 1],
  ])('is where the tour is from a day before it: a reminder of %s, in the night of their home', async (time, count) => {
    const { caller, at, clock, subjects, waiting } = await party(tokyo)
    await caller.call(verbOf(setGuestRule), { event: 'pickup_reminder', setting: 12 })
    at(time)
    await remindGuests({ ...world.services, clock })
    expect(await subjects()).toHaveLength(count)
    const held = { kind: 'pickup_reminder', dueAt: '2030-07-13T06:00:00.000Z', quietZone: 'Europe/Berlin' }
    expect(await waiting()).toEqual(count === 0 ? [held] : [])
  })

  test.each([
    ['2030-07-16T12:30:00Z', 0, 'on the third day'],
    ['2030-07-19T12:29:00Z', 0, 'a day after the end'],
    ['2030-07-19T12:30:00Z', 1, 'later than that'],
  ])('is where the tour is until a day after it: %s, %i of one sent, %s', async (time, count) => {
    const { caller, departureId, at, write, subjects, waiting } = await party(tokyo)
    await caller.transaction((tx) =>
      sql`update departures set ends_at = '2030-07-18T12:29:30Z' where id = ${departureId}`.execute(tx),
    )
    at(time)
    await write()
    at(new Date(Date.parse(time) + 16_000).toISOString())
    expect(await subjects()).toHaveLength(count)
    expect(await waiting()).toHaveLength(1 - count)
  })

  test.each(['+12125550123', '+34911234567'])('is where the tour is as far as anybody knows with %s', async (phone) => {
    const { at, write, subjects, waiting } = await party({ ...tokyo, phone })
    at('2030-07-02T12:30:00Z')
    await write()
    at('2030-07-02T12:31:00Z')
    expect(await subjects()).toEqual([])
    expect(await waiting()).toMatchObject([{ quietZone: 'Asia/Tokyo' }])
  })
})

describe('the hours of an organization', () => {
  test('are looked at again for what waits when they are changed', async () => {
    const { at, write, subjects, setHours, waiting } = await party()
    at('2030-07-02T22:00:00Z')
    await write()
    at('2030-07-02T22:01:00Z')
    expect(await subjects()).toEqual([])
    await setHours('21:30', '06:15')
    expect(await subjects()).toEqual([])
    expect(await waiting()).toMatchObject([{ dueAt: '2030-07-03T06:15:00.000Z' }])
    await setHours('23:00', '06:15')
    expect(await subjects()).toEqual(['Hello'])
  })

  test('hold back exactly what falls into them, over midnight or not; equal times are none', async () => {
    const { at, quiet, setHours } = await party()
    const hours = [
      ['21:00', '08:00'],
      ['00:00', '05:30'],
      ['12:00', '13:00'],
      ['23:59', '00:00'],
      ['07:00', '07:00'],
    ] as const
    for (const [from, to] of hours) {
      at('2030-07-02T10:00:00Z')
      await setHours(from, to)
      for (const time of [
        '00:00',
        '05:29',
        '05:30',
        '07:00',
        '08:00',
        '12:00',
        '12:59',
        '13:00',
        '20:59',
        '21:00',
        '23:59',
      ]) {
        at(`2030-07-02T${time}:00Z`)
        const isInside = from <= to ? time >= from && time < to : time >= from || time < to
        expect([from, to, time, (await quiet()).count]).toEqual([from, to, time, isInside ? 1 : 0])
      }
    }
  })
})
