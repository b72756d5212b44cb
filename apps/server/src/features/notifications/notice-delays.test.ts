import { getAvailability } from '@tour-ops/contract/bookings/availability'
import { cancelBooking } from '@tour-ops/contract/bookings/bookings'
import { checkIn } from '@tour-ops/contract/bookings/manifest'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { markStop } from '@tour-ops/contract/departures/run-sheet'
import { previewRuleText } from '@tour-ops/contract/notifications/guest-rule-texts'
import { setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { move } from '../../../testing/bookings.ts'
import { failToSend, messagesOf, sentMails } from '../../../testing/guest-mail.ts'
import { late } from '../../../testing/late.ts'
import {
  addDeparture,
  assignGuide,
  book,
  coreVerbOf,
  estimate,
  officeWithTour,
  setStatus,
} from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Channels } from '../../platform/channels/channels.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { guestRuleVerbs } from './guest-rules-service.ts'
import { noticeDelays } from './notice-delays.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(guestRuleVerbs)
const ana = { name: 'Ana López', email: 'ana@example.com', locale: 'de' }
const tourDay = '2030-07-14'
const at = (time: string) => new Date(`${tourDay}T${time}Z`)
const notice = (clock: Clock, channels?: Channels) =>
  noticeDelays({ ...world.services, clock, ...(channels && { channels }) })

/** An office at 08:00 of the day, in Reykjavik, whose clock is UTC, and a departure at 09:00 with a pickup at 08:20. */
async function desk() {
  const office = await officeWithTour(world, new Date('2030-07-01T10:00:00Z'))
  const { caller, clock, tourId } = office
  const departureId = await addDeparture(caller, tourId, { localDate: tourDay, capacity: 100 })
  const { days } = await caller.call(coreVerbOf(getAvailability), { tourId, from: tourDay })
  const pickupStopId = days[0]?.departures[0]?.pickups.find(({ placeName }) => placeName === 'City Hall')?.stopId ?? ''
  const atStart = await book(caller, departureId, 2, { contact: ana })
  const picked = await book(caller, departureId, 1, { contact: ana, pickupStopId })
  await sentMails(world, clock)
  clock.set(at('08:00:00'))
  return { ...office, departureId, atStart, picked, pickupStopId }
}

/** Of all that is due: what the contact of a booking reads. */
const textTo = async (clock: Clock, { bookingRef }: { bookingRef: string }) =>
  (await sentMails(world, clock)).find(({ body }) => body.includes(bookingRef))?.body

/** How many notices each booking has. */
const notices = async (caller: TestCaller, ...bookings: readonly { id: string }[]) =>
  Promise.all(
    bookings.map(
      async ({ id }) => (await messagesOf(caller, id)).filter((line) => line.startsWith('delay_notice')).length,
    ),
  )

describe('the contact of a party that waits', () => {
  test('is told when the vehicle really comes, with their page and no calendar file', async () => {
    const { caller, clock, departureId, atStart, picked } = await desk()
    await late(caller, departureId, 25)
    await notice(clock)
    const [mail, ...more] = await sentMails(world, clock)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: 'ana@example.com', subject: 'Verspätung: Golden Circle' })
    expect(mail?.body).toContain('Treffpunkt: BSÍ terminal\n')
    expect(mail?.body).toContain('Neue Zeit: etwa 09:25 (Reykjavik), statt 09:00 (Reykjavik)')
    expect(mail?.body).toContain('https://ops.example/share/')
    expect(mail?.body).not.toContain('Noch zu zahlen')
    expect(mail?.body).not.toContain('Kalender')
    expect(mail?.calendar).toBeUndefined()
    expect(await notices(caller, atStart, picked)).toEqual([1, 0])
  })

  test('at a pickup is told of its delay, and the others are not', async () => {
    const { caller, clock, departureId, atStart, picked } = await desk()
    await late(caller, departureId, 20, 'pickup')
    await notice(clock)
    expect(await notices(caller, atStart, picked)).toEqual([0, 1])
    expect(await textTo(clock, picked)).toContain(
      'Abholung: City Hall\nNeue Zeit: etwa 08:40 (Reykjavik), statt 08:20 (Reykjavik)',
    )
  })

  test('is told once for each step and only upward, however the estimate moves', async () => {
    const { caller, clock, departureId, atStart } = await desk()
    const counts: (number | undefined)[] = []
    for (const minutes of [14, 15, 14, 16, 15, 31, 29, 34, 20, 65, 60, 130, 0, 140, 200]) {
      await late(caller, departureId, minutes)
      await notice(clock)
      counts.push((await notices(caller, atStart))[0])
    }
    expect(counts).toEqual([0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 4, 4])
  })

  test('is not told a few minutes more because they pass a step', async () => {
    const { caller, clock, departureId, atStart } = await desk()
    const counts: (number | undefined)[] = []
    for (const minutes of [29, 30, 33, 34]) {
      await late(caller, departureId, minutes)
      await notice(clock)
      counts.push((await notices(caller, atStart))[0])
    }
    expect(counts).toEqual([1, 1, 1, 2])
  })

  test('is told of a large delay at once, and not of the smaller steps afterwards', async () => {
    const { caller, clock, departureId, atStart } = await desk()
    for (const minutes of [70, 40, 20, 75]) {
      await late(caller, departureId, minutes)
      await notice(clock)
    }
    expect(await notices(caller, atStart)).toEqual([1])
  })

  test('is told that nobody knows when, where the time has passed and nobody came', async () => {
    const { caller, clock, atStart, picked } = await desk()
    clock.set(at('09:15:20'))
    await estimate(caller, clock.now())
    await notice(clock)
    // the pickup would have been at 08:35
    expect(await notices(caller, atStart, picked)).toEqual([1, 0])
    expect(await textTo(clock, atStart)).toContain(
      'Neue Zeit: noch nicht bekannt, mindestens 15 Minuten nach 09:00 (Reykjavik)',
    )
  })

  test('is told of what their guide marks at the stop before', async () => {
    const { caller, clock, departureId, atStart, picked, pickupStopId } = await desk()
    const staffId = await assignGuide(caller, departureId)
    const guide = await world.as('guide', { orgId: caller.orgId, staffId, clock })
    clock.set(at('08:00:00'))
    await setStatus(caller, departureId, { to: 'boarding' })
    clock.set(at('08:42:00'))
    const stop = (await caller.call(coreVerbOf(getDeparture), { id: departureId })).stops.find(
      ({ id }) => id === pickupStopId,
    )
    await guide.call(coreVerbOf(markStop), { id: pickupStopId, version: stop?.version ?? 0, to: 'arrived' })
    await notice(clock)
    expect(await notices(caller, atStart, picked)).toEqual([1, 0])
    expect(await textTo(clock, atStart)).toContain('etwa 09:22 (Reykjavik)')
  })
})

test('nobody is told who is on board, has cancelled, has no address, or whose tour is hours ahead', async () => {
  const { caller, clock, departureId, atStart } = await desk()
  const silent = await book(caller, departureId, 1)
  const gone = await book(caller, departureId, 1, { contact: ana, tellGuest: false })
  const { id, version } = gone
  await caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request', note: null, tellGuest: false })
  clock.set(at('04:00:00'))
  await late(caller, departureId, 20)
  await notice(clock)
  expect(await notices(caller, atStart, silent, gone)).toEqual([0, 0, 0])
  clock.set(at('08:30:00'))
  await assignGuide(caller, departureId)
  await setStatus(caller, departureId, { to: 'boarding' })
  const entries = atStart.guests.map(({ entryId }) => ({ entryId: entryId ?? '', clientEventId: newId() }))
  await caller.call(coreVerbOf(checkIn), { departureId, entries: entries.slice(0, 1) })
  const half = await book(caller, departureId, 1, { contact: ana, tellGuest: false })
  await caller.call(coreVerbOf(checkIn), { departureId, entries: entries.slice(1) })
  await late(caller, departureId, 25)
  await notice(clock)
  expect(await notices(caller, atStart, silent, gone, half)).toEqual([0, 0, 0, 1])
})

describe('a notice that could not leave', () => {
  const waiting = async () => {
    const office = await desk()
    await late(office.caller, office.departureId, 25)
    await notice(office.clock)
    await failToSend(world, office.clock)
    office.clock.set(at('08:10:00'))
    return office
  }

  test('is sent while it is still true', async () => {
    const { caller, clock, departureId, atStart } = await waiting()
    await late(caller, departureId, 21)
    await sentMails(world, clock)
    expect(await messagesOf(caller, atStart.id)).toEqual(['delay_notice sent', 'booking_confirmed sent'])
  })

  test('is not sent when the vehicle comes earlier after all', async () => {
    const { caller, clock, departureId, atStart } = await waiting()
    await late(caller, departureId, 5)
    await sentMails(world, clock)
    expect(await messagesOf(caller, atStart.id)).toEqual(['delay_notice suppressed', 'booking_confirmed sent'])
  })

  test('is not sent after the vehicle was there', async () => {
    const { caller, clock, atStart } = await waiting()
    clock.set(at('09:28:00'))
    await sentMails(world, clock)
    expect(await messagesOf(caller, atStart.id)).toEqual(['delay_notice suppressed', 'booking_confirmed sent'])
  })

  test('is not sent beside a later one', async () => {
    const { caller, clock, departureId, atStart } = await waiting()
    await late(caller, departureId, 45)
    await notice(clock)
    await sentMails(world, clock)
    expect(await messagesOf(caller, atStart.id)).toEqual([
      'delay_notice sent',
      'delay_notice suppressed',
      'booking_confirmed sent',
    ])
  })
})

test('a change that waits to be told is told beside a delay', async () => {
  const { caller, clock, departureId, tourId, atStart } = await desk()
  const laterId = await addDeparture(caller, tourId, { localDate: tourDay, startTimeLocal: '10:00' })
  await move(caller, [atStart], laterId)
  await late(caller, laterId, 25)
  await late(caller, departureId, 25)
  await notice(clock)
  clock.set(at('08:05:00'))
  await sentMails(world, clock)
  expect(await messagesOf(caller, atStart.id)).toEqual([
    'delay_notice sent',
    'booking_changed sent',
    'booking_confirmed sent',
  ])
})

describe('the rule', () => {
  test('says from which delay on, in its own organization only', async () => {
    const mine = await desk()
    const theirs = await desk()
    await mine.caller.call(verbOf(setGuestRule), { event: 'delay_notice', setting: 30 })
    for (const { caller, departureId } of [mine, theirs]) await late(caller, departureId, 20)
    await notice(mine.clock)
    expect(await notices(mine.caller, mine.atStart)).toEqual([0])
    expect(await notices(theirs.caller, theirs.atStart)).toEqual([1])
    await late(mine.caller, mine.departureId, 30)
    await notice(mine.clock)
    expect(await notices(mine.caller, mine.atStart)).toEqual([1])
  })

  test('that is off tells nobody, and its preview is of its smallest delay', async () => {
    const { caller, clock, departureId, atStart } = await desk()
    await caller.call(verbOf(setGuestRule), { event: 'delay_notice', isOn: false, setting: 60 })
    await late(caller, departureId, 70)
    await notice(clock)
    expect(await notices(caller, atStart)).toEqual([0])
    const { message } = await caller.call(verbOf(previewRuleText), { event: 'delay_notice', language: 'es' })
    expect(message?.body).toContain('Nueva hora: 10:00 (Reykjavik) aproximadamente, en lugar de 9:00 (Reykjavik)')
    await expect(caller.call(verbOf(setGuestRule), { event: 'delay_notice', setting: 20 })).rejects.toMatchObject({
      details: { fieldIssues: { setting: [{ code: 'not_listed' }] } },
    })
  })
})

/** Sixty parties that wait, and a delay that nobody was told of. */
async function manyParties() {
  const { caller, clock, departureId } = await desk()
  const parties: { id: string }[] = []
  for (let number = 0; number < 60; number += 1) {
    const contact = { ...ana, email: `guest${number}@example.com` }
    parties.push(await book(caller, departureId, 1, { contact, tellGuest: false }))
  }
  await late(caller, departureId, 25)
  return { caller, clock, parties, once: parties.map(() => 1) }
}

test('a server that is killed on the way leaves nobody out and tells nobody twice', async () => {
  const { caller, clock, parties, once } = await manyParties()
  const { channels } = world.services
  for (const last of [1, 27]) {
    let left = last
    const send: Channels['send'] = async (tx, message) => {
      left -= 1
      if (left === 0) throw new Error('killed')
      return channels.send(tx, message)
    }
    await expect(notice(clock, { ...channels, send })).rejects.toThrow('1 organization failed')
  }
  await notice(clock)
  expect(await notices(caller, ...parties)).toEqual(once)
  expect(
    await world.rows('select from departure_notices where late_since is not null and org_id = $1', [caller.orgId]),
  ).toEqual([])
})

// PGlite has one connection: nothing happens at the same moment there
describe.runIf(process.env['TEST_DATABASE'] === 'embedded')('at the same moment (runs on PostgreSQL)', () => {
  test('several processes tell everybody once', async () => {
    const { caller, clock, parties, once } = await manyParties()
    await Promise.all([notice(clock), notice(clock), notice(clock)])
    await notice(clock)
    expect(await notices(caller, ...parties)).toEqual(once)
  })
})
