import { getAvailability } from '@tour-ops/contract/bookings/availability'
import { cancelBooking } from '@tour-ops/contract/bookings/bookings'
import type { In } from '@tour-ops/contract/callable'
import { getDeparture, noteDeparture } from '@tour-ops/contract/departures/departures'
import { setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import type { createTour } from '@tour-ops/contract/tours/tours'
import { everybody } from '@tour-ops/contract/notifications/rule-audience'
import { noConditions } from '@tour-ops/contract/notifications/rule-conditions'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { move } from '../../../testing/bookings.ts'
import { failToSend, messagesOf, sentMails } from '../../../testing/guest-mail.ts'
import { addDeparture, book, coreVerbOf, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Channels } from '../../platform/channels/channels.ts'
import type { Clock } from '../../platform/clock.ts'
import { guestRuleVerbs } from './guest-rules-service.ts'
import { remindGuests } from './remind-guests.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(guestRuleVerbs)
const ana = { name: 'Ana López', email: 'ana@example.com', locale: 'es-MX' }
const tourDay = '2030-07-14'
const dayBefore = (time: string) => new Date(`2030-07-13T${time}Z`)

/** Somebody who sells on 1 July, and departures on 14 July at 09:00 and a day later, in Reykjavik, whose clock is UTC. */
async function desk(change: Partial<In<typeof createTour>> = {}) {
  const office = await officeWithTour(world, new Date('2030-07-01T10:00:00Z'), change)
  const departureId = await addDeparture(office.caller, office.tourId, { localDate: tourDay, capacity: 100 })
  const laterId = await addDeparture(office.caller, office.tourId, { localDate: '2030-07-15' })
  return { ...office, departureId, laterId }
}

const remind = (clock: Clock, channels?: Channels) =>
  remindGuests({ ...world.services, clock, ...(channels && { channels }) })
/** Of these bookings: how many reminders each has. */
const reminders = async (caller: TestCaller, ids: readonly string[]) =>
  Promise.all(
    ids.map(async (id) => (await messagesOf(caller, id)).filter((line) => line.startsWith('pickup_reminder')).length),
  )

describe('the contact of a confirmed booking', () => {
  test('is reminded at 18:00 of the day before, once, with where to be, what is due, their page and a calendar file', async () => {
    const { caller, clock, departureId } = await desk()
    const { id, bookingRef } = await book(caller, departureId, 2, { contact: ana })
    await sentMails(world, clock)
    const { version } = await caller.call(coreVerbOf(getDeparture), { id: departureId })
    const notes = { weatherNote: 'Viento fuerte', internalNote: 'Ask the ranger' }
    await caller.call(coreVerbOf(noteDeparture), { id: departureId, version, ...notes })
    clock.set(dayBefore('17:59:00'))
    await remind(clock)
    expect(await reminders(caller, [id])).toEqual([0])
    clock.set(dayBefore('18:00:00'))
    await remind(clock)
    await remind(clock)
    const [mail, ...more] = await sentMails(world, clock)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: 'ana@example.com', subject: 'Recordatorio: Golden Circle' })
    expect(mail?.body).toContain(
      'Le recordamos su tour: Golden Circle, domingo, 14 de julio de 2030, 9:00 (Reykjavik), 2 personas.',
    )
    expect(mail?.body).toContain('Punto de encuentro: BSÍ terminal, 9:00 (Reykjavik)')
    expect(mail?.body).toContain('Tiempo: Viento fuerte')
    expect(mail?.body).not.toContain('ranger')
    expect(mail?.body).toMatch(/Pendiente de pago: 178,00\sEUR/)
    expect(mail?.body).toContain(`Su localizador: ${bookingRef}`)
    expect(mail?.body).toContain('https://ops.example/share/')
    expect(mail?.calendar).toContain('DTSTART:20300714T090000Z')
    clock.set(dayBefore('23:00:00'))
    await remind(clock)
    expect(await messagesOf(caller, id)).toEqual(['pickup_reminder sent', 'booking_confirmed sent'])
  })

  test('is reminded later where no server was running, as long as they can still be there', async () => {
    const { caller, clock, departureId, tourId } = await desk()
    const { days } = await caller.call(coreVerbOf(getAvailability), { tourId, from: tourDay })
    const pickup = days[0]?.departures[0]?.pickups.find(({ placeName }) => placeName === 'City Hall')
    const atStart = await book(caller, departureId, 1, { contact: ana })
    const picked = await book(caller, departureId, 1, { contact: ana, pickupStopId: pickup?.stopId ?? null })
    // pickup was at 08:20
    clock.set(new Date(`${tourDay}T08:30:00Z`))
    await remind(clock)
    expect(await reminders(caller, [atStart.id, picked.id])).toEqual([1, 0])
  })

  test('is not reminded after the start, and what could not be sent until then is not sent', async () => {
    const { caller, clock, departureId, laterId } = await desk()
    const first = await book(caller, departureId, 1, { contact: ana })
    const second = await book(caller, laterId, 1, { contact: ana })
    await sentMails(world, clock)
    clock.set(new Date(`${tourDay}T18:00:00Z`))
    await remind(clock)
    expect(await reminders(caller, [first.id, second.id])).toEqual([0, 1])
    await failToSend(world, clock)
    clock.set(new Date('2030-07-15T09:01:00Z'))
    expect(await sentMails(world, clock)).toEqual([])
    expect(await messagesOf(caller, second.id)).toEqual(['pickup_reminder suppressed', 'booking_confirmed sent'])
  })

  test('is not reminded of a booking that was cancelled without a word before the reminder left', async () => {
    const { caller, clock, departureId } = await desk()
    const { id, version } = await book(caller, departureId, 1, { contact: ana })
    await sentMails(world, clock)
    clock.set(dayBefore('18:00:00'))
    await remind(clock)
    await caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request', note: null, tellGuest: false })
    await sentMails(world, clock)
    expect(await messagesOf(caller, id)).toEqual(['pickup_reminder suppressed', 'booking_confirmed sent'])
  })

  test('who was told everything in the last twelve hours is not reminded; who was told nothing is', async () => {
    const { caller, clock, departureId } = await desk()
    clock.set(dayBefore('05:59:00'))
    const early = await book(caller, departureId, 1, { contact: ana })
    clock.set(dayBefore('06:01:00'))
    const told = await book(caller, departureId, 1, { contact: ana })
    const silent = await book(caller, departureId, 1, { contact: ana, tellGuest: false })
    clock.set(dayBefore('18:00:00'))
    await remind(clock)
    expect(await reminders(caller, [early.id, told.id, silent.id])).toEqual([1, 0, 1])
    clock.set(new Date(`${tourDay}T08:00:00Z`))
    await remind(clock)
    expect(await reminders(caller, [early.id, told.id, silent.id])).toEqual([1, 0, 1])
  })
})

test('nobody is reminded of what is held, cancelled, has no address, or is on a cancelled departure', async () => {
  const { caller, clock, departureId, laterId } = await desk()
  const held = await book(caller, departureId, 1, { contact: ana, mode: 'hold' })
  const silent = await book(caller, departureId, 1)
  const gone = await book(caller, departureId, 1, { contact: ana })
  await caller.call(coreVerbOf(cancelBooking), {
    id: gone.id,
    version: gone.version,
    reason: 'guest_request',
    note: null,
    tellGuest: false,
  })
  const off = await book(caller, laterId, 1, { contact: ana })
  await setStatus(caller, laterId, { to: 'cancelled', cancelReason: 'weather', reason: 'Storm' })
  clock.set(new Date(`${tourDay}T20:00:00Z`))
  await remind(clock)
  clock.set(dayBefore('20:00:00'))
  await remind(clock)
  expect(await reminders(caller, [held.id, silent.id, gone.id, off.id])).toEqual([0, 0, 0, 0])
})

describe('a booking that moves', () => {
  test('to another day has another reminder, and back no second one of the first', async () => {
    const { caller, clock, departureId, laterId } = await desk()
    const booking = await book(caller, departureId, 1, { contact: ana })
    clock.set(dayBefore('18:00:00'))
    await remind(clock)
    const { parties } = await move(caller, [booking], laterId)
    clock.set(dayBefore('18:03:00'))
    await sentMails(world, clock)
    const back = await move(caller, parties, departureId)
    clock.set(dayBefore('18:06:00'))
    await sentMails(world, clock)
    await remind(clock)
    expect(await reminders(caller, [booking.id])).toEqual([1])
    await move(caller, back.parties, laterId)
    clock.set(dayBefore('18:09:00'))
    await sentMails(world, clock)
    clock.set(new Date(`${tourDay}T18:00:00Z`))
    await remind(clock)
    expect(await reminders(caller, [booking.id])).toEqual([2])
  })

  test('and may be undone waits with the reminder until the change is told or undone', async () => {
    const { caller, clock, departureId, laterId } = await desk()
    const [moved, undone] = [
      await book(caller, laterId, 1, { contact: ana }),
      await book(caller, laterId, 1, { contact: ana }),
    ]
    await sentMails(world, clock)
    clock.set(dayBefore('17:59:00'))
    await move(caller, [moved], departureId)
    const { parties } = await move(caller, [undone], departureId)
    clock.set(dayBefore('18:00:00'))
    await remind(clock)
    expect(await reminders(caller, [moved.id, undone.id])).toEqual([0, 0])
    await move(caller, parties, laterId)
    clock.set(dayBefore('18:05:00'))
    await sentMails(world, clock)
    await remind(clock)
    // the change has told the first everything, the other is on the day after
    expect(await reminders(caller, [moved.id, undone.id])).toEqual([0, 0])
    clock.set(new Date(`${tourDay}T18:00:00Z`))
    await remind(clock)
    expect(await reminders(caller, [moved.id, undone.id])).toEqual([0, 1])
  })

  test('with its departure to another day is reminded for that day', async () => {
    const { caller, clock, departureId } = await desk()
    const { id } = await book(caller, departureId, 1, { contact: ana })
    clock.set(dayBefore('18:00:00'))
    await remind(clock)
    await caller.transaction(async (tx) => {
      await sql`update departures set starts_at = starts_at + interval '2 days', ends_at = ends_at + interval '2 days', local_date = local_date + 2
        where id = ${departureId}`.execute(tx)
      await sql`update departure_stops set planned_arrive_at = planned_arrive_at + interval '2 days', planned_depart_at = planned_depart_at + interval '2 days'
        where departure_id = ${departureId}`.execute(tx)
    })
    await remind(clock)
    expect(await reminders(caller, [id])).toEqual([1])
    clock.set(new Date('2030-07-15T18:00:00Z'))
    await remind(clock)
    expect(await reminders(caller, [id])).toEqual([2])
  })
})

describe('the rule', () => {
  test('says at what hour, in its own organization only', async () => {
    const { caller, clock, departureId } = await desk()
    const other = await desk()
    const { setting } = await caller.call(verbOf(setGuestRule), { event: 'pickup_reminder', setting: 20 })
    expect(setting).toBe(20)
    const mine = await book(caller, departureId, 1, { contact: ana })
    const theirs = await book(other.caller, other.departureId, 1, { contact: ana })
    clock.set(dayBefore('19:59:00'))
    await remind(clock)
    expect(await reminders(caller, [mine.id])).toEqual([0])
    expect(await reminders(other.caller, [theirs.id])).toEqual([1])
    clock.set(dayBefore('20:00:00'))
    await remind(clock)
    expect(await reminders(caller, [mine.id])).toEqual([1])
  })

  test('takes an hour of the day before, and an hour only where there is one', async () => {
    const { caller } = await desk()
    for (const [event, setting] of [
      ['pickup_reminder', 3],
      ['booking_confirmed', 18],
    ] as const)
      await expect(caller.call(verbOf(setGuestRule), { event, setting })).rejects.toMatchObject({
        code: 'invalid-argument',
        details: { fieldIssues: { setting: [{ code: 'not_listed' }] } },
      })
    await caller.call(verbOf(setGuestRule), { event: 'pickup_reminder', setting: 7 })
    expect(await caller.call(verbOf(setGuestRule), { event: 'pickup_reminder', isOn: false })).toEqual({
      event: 'pickup_reminder',
      isOn: false,
      setting: 7,
      audience: everybody,
      conditions: noConditions,
      escalateTo: null,
    })
  })

  test('that is off reminds nobody, and what came due meanwhile is not made up for', async () => {
    const { caller, clock, departureId, laterId } = await desk()
    const first = await book(caller, departureId, 1, { contact: ana })
    const second = await book(caller, laterId, 1, { contact: ana })
    await caller.call(verbOf(setGuestRule), { event: 'pickup_reminder', isOn: false })
    clock.set(dayBefore('18:00:00'))
    await remind(clock)
    await caller.call(verbOf(setGuestRule), { event: 'pickup_reminder', isOn: true })
    await remind(clock)
    expect(await reminders(caller, [first.id])).toEqual([0])
    clock.set(new Date(`${tourDay}T18:00:00Z`))
    await remind(clock)
    expect(await reminders(caller, [first.id, second.id])).toEqual([0, 1])
  })
})

test.each([
  ['Europe/Lisbon', '2030-03-31', '2030-03-30T18:00:00Z'],
  ['Europe/Lisbon', '2030-04-01', '2030-03-31T17:00:00Z'],
  ['Europe/Lisbon', '2030-10-27', '2030-10-26T17:00:00Z'],
  ['Europe/Lisbon', '2030-10-28', '2030-10-27T18:00:00Z'],
  ['Pacific/Auckland', '2030-07-14', '2030-07-13T06:00:00Z'],
  ['America/Los_Angeles', '2030-07-14', '2030-07-14T01:00:00Z'],
])('in %s guests of %s are reminded at %s', async (timeZone, localDate, due) => {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-03-01T10:00:00Z'), { timeZone })
  const departureId = await addDeparture(caller, tourId, { localDate })
  const { id } = await book(caller, departureId, 1, { contact: ana })
  clock.set(new Date(Date.parse(due) - 60_000))
  await remind(clock)
  expect(await reminders(caller, [id])).toEqual([0])
  clock.set(new Date(due))
  await remind(clock)
  expect(await reminders(caller, [id])).toEqual([1])
})

/** Sixty parties of one departure, whose reminders are due. */
async function manyParties() {
  const { caller, clock, departureId } = await desk()
  const ids: string[] = []
  for (let at = 0; at < 60; at += 1) {
    const { id } = await book(caller, departureId, 1, { contact: { ...ana, email: `guest${at}@example.com` } })
    ids.push(id)
  }
  clock.set(dayBefore('18:00:00'))
  return { caller, clock, ids, once: ids.map(() => 1) }
}

test('a server that is killed on the way leaves nobody out and reminds nobody twice', async () => {
  const { caller, clock, ids, once } = await manyParties()
  const { channels } = world.services
  for (const last of [1, 26, 40]) {
    let left = last
    const send: Channels['send'] = async (tx, message) => {
      left -= 1
      if (left === 0) throw new Error('killed')
      return channels.send(tx, message)
    }
    await expect(remind(clock, { ...channels, send })).rejects.toThrow('1 organization failed')
  }
  await remind(clock)
  expect(await reminders(caller, ids)).toEqual(once)
})

// PGlite has one connection: nothing happens at the same moment there
describe.runIf(process.env['TEST_DATABASE'] === 'embedded')('at the same moment (runs on PostgreSQL)', () => {
  test('several processes remind everybody once', async () => {
    const { caller, clock, ids, once } = await manyParties()
    await Promise.all([remind(clock), remind(clock), remind(clock)])
    await remind(clock)
    expect(await reminders(caller, ids)).toEqual(once)
  })

  test('a departure that is being sold has its turn afterwards', async () => {
    const { caller, clock, departureId } = await desk()
    const { id } = await book(caller, departureId, 1, { contact: ana })
    clock.set(dayBefore('18:00:00'))
    await caller.transaction(async (tx) => {
      await sql`select from departures where id = ${departureId} for no key update`.execute(tx)
      await remind(clock)
    })
    expect(await reminders(caller, [id])).toEqual([0])
    await remind(clock)
    expect(await reminders(caller, [id])).toEqual([1])
  })
})
