import { updateDeparture } from '@tour-ops/contract/departures/departure-edit'
import { getAvailability } from '@tour-ops/contract/bookings/availability'
import {
  cancelBooking,
  confirmBooking,
  createBooking,
  extendHold,
  getBooking,
  listBookings,
  nameGuests,
  offerBooking,
  restoreBooking,
  updateBooking,
} from '@tour-ops/contract/bookings/bookings'
import { getDeparture, setDepartureSales } from '@tour-ops/contract/departures/departures'
import { getManifest } from '@tour-ops/contract/bookings/manifest'
import { archiveTour, getTour } from '@tour-ops/contract/tours/tours'
import { getTraveler } from '@tour-ops/contract/travelers/travelers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Outgoing } from '../../platform/channels/channels.ts'
import { addDeparture, assignGuide, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { travelersVerbs } from '../travelers/verbs.ts'
import { sweepExpiredHolds } from './sweep-holds.ts'
import { seats } from '../../../testing/bookings.ts'

let world: TestWorld
const emails: Outgoing[] = []
beforeAll(async () => {
  world = await testDatabase({
    channels: { delivery: 'outbox', send: async (_, email) => void emails.push(email), sendToMany: async () => '' },
  })
})
afterAll(() => world.close())

const start = new Date('2030-07-01T12:00:00Z')

async function desk(capacity = 20) {
  const office = await officeWithTour(world, start)
  return { ...office, departureId: await addDeparture(office.caller, office.tourId, { capacity }) }
}

test('one seat, one guest and one departure are written in the singular', async () => {
  const { caller, departureId, tourId } = await desk()
  const guest = (firstName: string) => ({ firstName, lastName: 'Okafor', unitType: 'adult' as const })
  const one = {
    departureId,
    mode: 'confirm' as const,
    contact: { name: 'Amara Okafor' },
    units: [{ unitType: 'adult' as const, quantity: 1 }],
  }
  const guests = [guest('Amara'), guest('Zoe')]
  await expect(caller.call(coreVerbOf(createBooking), { ...one, guests })).rejects.toMatchObject({
    details: { fieldErrors: { guests: ['1 seat, but 2 names.'] } },
  })
  const { id, version } = await caller.call(coreVerbOf(createBooking), { ...one, guests: [guest('Amara')] })
  await expect(caller.call(coreVerbOf(nameGuests), { id, version, guests })).rejects.toMatchObject({
    details: { fieldErrors: { guests: ['1 seat, but 2 names.'] } },
  })
  const tour = await caller.call(coreVerbOf(getTour), { id: tourId })
  await expect(caller.call(coreVerbOf(archiveTour), { id: tourId, version: tour.version })).rejects.toMatchObject({
    message: '1 guest is booked on future departures. Move or cancel them first.',
  })
})

describe('a new booking', () => {
  test('is priced by the tour, gets a reference, and its guests are on the manifest', async () => {
    const { caller, departureId } = await desk()
    const booking = await caller.call(coreVerbOf(createBooking), {
      departureId,
      mode: 'confirm',
      channel: 'phone',
      contact: { name: 'Amara Okafor', email: 'Amara@Example.com', phone: '+44 7700 900118' },
      units: [
        { unitType: 'adult', quantity: 2 },
        { unitType: 'child', quantity: 1 },
      ],
      guests: [
        { firstName: 'Amara', lastName: 'Okafor', unitType: 'adult' },
        { firstName: 'Zoe', lastName: 'Okafor', unitType: 'child' },
      ],
    })
    expect(booking).toMatchObject({
      status: 'confirmed',
      pax: 3,
      amountTotalMinor: 22_300,
      currency: 'EUR',
      paymentStatus: 'unpaid',
    })
    expect(booking.bookingRef).toMatch(/^[A-Z]{2,4}-[2-9A-HJ-NP-Z]{6}$/)
    expect(booking.contact).toMatchObject({ email: 'amara@example.com', phone: '+447700900118' })
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 3, seatsHeld: 0, seatsLeft: 17 })
    const manifest = await caller.call(coreVerbOf(getManifest), { departureId })
    expect(manifest.counts).toEqual({ total: 2, aboard: 0, toCome: 2, noShow: 0, unnamed: 1 })
    expect(manifest.groups[0]?.parties[0]).toMatchObject({
      bookingRef: booking.bookingRef,
      balanceMinor: 22_300,
      unnamed: 1,
    })
  })

  test('costs something else only for a reason, which stays with it until it costs what its seats do', async () => {
    const { caller, departureId } = await desk()
    const sell = (price: object) => book(caller, departureId, 2, { guests: [], ...price })
    await expect(sell({ amountTotalMinor: 15_000 })).rejects.toMatchObject({
      details: { fieldErrors: { priceReason: [expect.any(String)] } },
    })
    expect(await sell({ amountTotalMinor: 17_800, priceReason: 'None is needed' })).toMatchObject({ priceReason: null })
    const booking = await sell({ amountTotalMinor: 15_000, priceReason: 'Regular guest' })
    expect(booking).toMatchObject({ amountTotalMinor: 15_000, priceReason: 'Regular guest' })

    const { contact } = booking
    const change = async (amountTotalMinor: number, more: object = {}) => {
      const { version } = await caller.call(coreVerbOf(getBooking), { id: booking.id })
      return caller.call(coreVerbOf(updateBooking), { id: booking.id, version, contact, amountTotalMinor, ...more })
    }
    expect(await change(15_000)).toMatchObject({ priceReason: 'Regular guest' })
    await expect(change(14_000)).rejects.toMatchObject({
      details: { fieldErrors: { priceReason: [expect.any(String)] } },
    })
    expect(await change(14_000, { priceReason: 'Late bus' })).toMatchObject({ priceReason: 'Late bus' })
    expect(await change(17_800)).toMatchObject({ amountTotalMinor: 17_800, priceReason: null })
  })

  test('makes profiles of new guests with what was said of them', async () => {
    const { caller, departureId } = await desk()
    const booking = await book(caller, departureId, 2, {
      guests: [
        {
          lastName: 'Tamang',
          phone: '+977 1 4220 123',
          email: 'Mingma@Example.com',
          language: 'ne',
          unitType: 'adult',
        },
        { firstName: 'Pema', lastName: 'Tamang', dietary: ['nut_allergy'], mobility: 'wheelchair', unitType: 'adult' },
      ],
    })
    const [mingma, pema] = await Promise.all(
      booking.guests.map(({ travelerId }) => caller.call(verbsOf(travelersVerbs)(getTraveler), { id: travelerId })),
    )
    expect(mingma).toMatchObject({
      phone: '+97714220123',
      email: 'mingma@example.com',
      languages: ['ne'],
      mobility: 'none',
    })
    expect(pema).toMatchObject({ phone: null, dietary: ['nut_allergy'], mobility: 'wheelchair' })
  })

  test('a child needs an adult, and kinds that the tour does not sell are refused by field', async () => {
    const { caller, departureId } = await desk()
    const ask = (unitType: 'child' | 'senior') =>
      book(caller, departureId, 1, { units: [{ unitType, quantity: 1 }], guests: [] })
    await expect(ask('child')).rejects.toMatchObject({ details: { fieldErrors: { units: [expect.any(String)] } } })
    await expect(ask('senior')).rejects.toMatchObject({
      details: { fieldErrors: { 'units.0.unitType': [expect.any(String)] } },
    })
  })

  test('nobody is booked twice on a departure', async () => {
    const { caller, departureId } = await desk()
    const first = await book(caller, departureId, 1)
    const travelerId = first.guests[0]?.travelerId ?? ''
    const again = book(caller, departureId, 1, { guests: [{ travelerId, unitType: 'adult' }] })
    await expect(again).rejects.toMatchObject({
      code: 'aborted',
      details: { reason: 'traveler_booked_already', bookingRef: first.bookingRef },
    })
  })

  test('the same external reference of a channel is refused, and writes nothing', async () => {
    const { caller, departureId } = await desk()
    await book(caller, departureId, 1, { channel: 'ota', externalRef: 'FJ-1' })
    await expect(book(caller, departureId, 1, { channel: 'ota', externalRef: 'FJ-1' })).rejects.toMatchObject({
      details: { fieldErrors: expect.anything() },
    })
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 1 })
  })

  test('paused sales refuse', async () => {
    const { caller, departureId } = await desk()
    await caller.call(coreVerbOf(setDepartureSales), { ids: [departureId], to: 'paused' })
    await expect(book(caller, departureId, 1)).rejects.toMatchObject({
      details: { reason: 'sales_closed', because: 'paused' },
    })
  })
})

describe('when seats are short', () => {
  test('the refusal says what is left and offers the waitlist', async () => {
    const { caller, departureId } = await desk(4)
    await book(caller, departureId, 2)
    await expect(book(caller, departureId, 3)).rejects.toMatchObject({
      code: 'aborted',
      message: '2 seats left, you asked for 3.',
      details: { reason: 'seats_exhausted', seatsLeft: 2, asked: 3, waitlistRank: 1, lastSoldAt: start.toISOString() },
    })
    const waiting = await book(caller, departureId, 3, { mode: 'waitlist' })
    expect(waiting).toMatchObject({ status: 'waitlisted', waitlistRank: 1 })
    expect(await seats(caller, departureId)).toMatchObject({ seatsLeft: 2, waitlistCount: 1 })
  })

  test('a cancellation offers the seats to the first party that fits, in the same transaction', async () => {
    const { caller, departureId } = await desk(4)
    const sold = await book(caller, departureId, 2)
    await book(caller, departureId, 2)
    const large = await book(caller, departureId, 3, { mode: 'waitlist' })
    const contact = { name: 'Ines Vogel', email: 'ines@example.com', locale: 'de' }
    const small = await book(caller, departureId, 2, { mode: 'waitlist', contact })
    const { booking, promoted } = await caller.call(coreVerbOf(cancelBooking), {
      id: sold.id,
      version: sold.version,
      reason: 'guest_request',
    })
    expect(booking.status).toBe('cancelled')
    expect(promoted).toEqual([small.bookingRef])
    expect(emails.filter((email) => email.orgId === caller.orgId)).toEqual([
      expect.objectContaining({ to: 'ines@example.com', kind: 'waitlist_offer', locale: 'de', departureId }),
    ])
    expect(await caller.call(coreVerbOf(getBooking), { id: small.id })).toMatchObject({
      status: 'on_hold',
      expiresAt: '2030-07-02T12:00:00.000Z',
    })
    expect(await caller.call(coreVerbOf(getBooking), { id: large.id })).toMatchObject({
      status: 'waitlisted',
      waitlistRank: 1,
    })
    expect(await seats(caller, departureId)).toEqual({
      seatsConfirmed: 2,
      seatsHeld: 2,
      seatsLeft: 0,
      waitlistCount: 1,
    })
  })

  test('more capacity goes to those who wait', async () => {
    const { caller, departureId } = await desk(2)
    await book(caller, departureId, 2)
    const waiting = await book(caller, departureId, 2, { mode: 'waitlist' })
    const { version } = await caller.call(coreVerbOf(getDeparture), { id: departureId })
    await caller.call(coreVerbOf(updateDeparture), {
      id: departureId,
      version,
      capacity: 4,
      minPax: 4,
      overbookLimit: 0,
    })
    expect(await caller.call(coreVerbOf(getBooking), { id: waiting.id })).toMatchObject({ status: 'on_hold' })
  })

  test('capacity never falls below what is sold', async () => {
    const { caller, departureId } = await desk(4)
    await book(caller, departureId, 3)
    const { version } = await caller.call(coreVerbOf(getDeparture), { id: departureId })
    await expect(
      caller.call(coreVerbOf(updateDeparture), { id: departureId, version, capacity: 2, minPax: 1, overbookLimit: 0 }),
    ).rejects.toMatchObject({ details: { fieldErrors: { capacity: [expect.any(String)] } } })
  })
})

describe('holds', () => {
  test('a hold becomes a booking in time, and not after it has expired', async () => {
    const { caller, departureId, clock } = await desk(4)
    const kept = await book(caller, departureId, 2, { mode: 'hold', holdMinutes: 60 })
    const lost = await book(caller, departureId, 2, { mode: 'hold', holdMinutes: 30 })
    expect(await seats(caller, departureId)).toMatchObject({ seatsHeld: 4, seatsLeft: 0 })
    clock.set(new Date('2030-07-01T12:45:00Z'))
    expect(await caller.call(coreVerbOf(confirmBooking), { id: kept.id, version: kept.version })).toMatchObject({
      status: 'confirmed',
    })
    await expect(caller.call(coreVerbOf(confirmBooking), { id: lost.id, version: lost.version })).rejects.toMatchObject(
      {
        code: 'aborted',
        details: { reason: 'hold_expired' },
      },
    )
  })

  test('run-out holds make room for the next who asks, after those who wait', async () => {
    const { caller, departureId, clock } = await desk(4)
    await book(caller, departureId, 4, { mode: 'hold', holdMinutes: 30 })
    const waiting = await book(caller, departureId, 3, { mode: 'waitlist' })
    clock.set(new Date('2030-07-01T12:45:00Z'))
    await expect(book(caller, departureId, 2)).rejects.toMatchObject({
      details: { reason: 'seats_exhausted', seatsLeft: 1 },
    })
    // The refusal wrote nothing, so the next caller makes the offer.
    await book(caller, departureId, 1)
    expect(await caller.call(coreVerbOf(getBooking), { id: waiting.id })).toMatchObject({ status: 'on_hold' })
    expect(await seats(caller, departureId)).toEqual({
      seatsConfirmed: 1,
      seatsHeld: 3,
      seatsLeft: 0,
      waitlistCount: 0,
    })
  })

  test('the sweep frees seats without a request, and the guests may be booked again', async () => {
    const { caller, departureId, clock } = await desk(4)
    const held = await book(caller, departureId, 2, { mode: 'hold', holdMinutes: 30 })
    clock.set(new Date('2030-07-01T13:00:00Z'))
    expect(await sweepExpiredHolds({ ...world.services, clock })).toBeGreaterThanOrEqual(1)
    expect(await seats(caller, departureId)).toMatchObject({ seatsHeld: 0, seatsLeft: 4 })
    const guests = held.guests.map(({ travelerId, unitType }) => ({ travelerId, unitType }))
    await book(caller, departureId, 2, { guests })
    const again = caller.call(coreVerbOf(offerBooking), { id: held.id, version: held.version + 1 })
    await expect(again).rejects.toMatchObject({ details: { reason: 'traveler_booked_already' } })
  })

  test('a hold can be given more time, but not beyond the start', async () => {
    const { caller, departureId } = await desk()
    const held = await book(caller, departureId, 1, { mode: 'hold' })
    const until = '2030-07-05T12:00:00.000Z'
    expect(await caller.call(coreVerbOf(extendHold), { id: held.id, version: held.version, until })).toMatchObject({
      expiresAt: until,
    })
    await expect(
      caller.call(coreVerbOf(extendHold), { id: held.id, version: held.version + 1, until: '2030-07-20T12:00:00Z' }),
    ).rejects.toMatchObject({ details: { fieldErrors: { until: [expect.any(String)] } } })
  })
})

test('naming guests keeps those who stay and takes off those who go', async () => {
  const { caller, departureId } = await desk()
  const booking = await book(caller, departureId, 2)
  const [stays] = booking.guests
  const renamed = await caller.call(coreVerbOf(nameGuests), {
    id: booking.id,
    version: booking.version,
    guests: [
      { travelerId: stays?.travelerId, unitType: 'adult' },
      { firstName: 'Ben', lastName: 'Okafor', unitType: 'adult' },
    ],
  })
  expect(renamed.guests.map((guest) => guest.name)).toEqual([stays?.name, 'Ben Okafor'])
  expect(renamed.guests[0]?.entryId).toBe(stays?.entryId)
})

test('what is said of a guest for this trip is on the manifest, follows the booking, and stays out of the audit log', async () => {
  const { caller, departureId } = await desk()
  const guest = { firstName: 'Zoe', lastName: 'Okafor', unitType: 'child' as const }
  const booking = await book(caller, departureId, 2, {
    units: [
      { unitType: 'adult', quantity: 1 },
      { unitType: 'child', quantity: 1 },
    ],
    guests: [{ ...guest, note: 'Afraid of dogs', age: 9, childSeat: true }],
  })
  const zoe = booking.guests[0]
  expect(zoe).toMatchObject({ note: 'Afraid of dogs', childSeat: true })
  const entryOf = async () => {
    const { groups } = await caller.call(coreVerbOf(getManifest), { departureId })
    return groups.flatMap(({ parties }) => parties.flatMap(({ entries }) => entries))[0]
  }
  expect(await entryOf()).toMatchObject({ note: 'Afraid of dogs', age: 9, flags: ['child_seat'] })
  const { counts } = await caller.call(coreVerbOf(getDeparture), { id: departureId })
  expect(counts).toMatchObject({ childSeats: 1, wheelchairs: 0 })

  // a name that is sent again without more keeps what was said; an emptied note is removed
  const again = { travelerId: zoe?.travelerId ?? '', unitType: 'child' as const }
  const renamed = (version: number, said: object) =>
    caller.call(coreVerbOf(nameGuests), { id: booking.id, version, guests: [{ ...again, ...said }] })
  const kept = await renamed(booking.version, {})
  expect(kept.guests[0]).toMatchObject({ entryId: zoe?.entryId, note: 'Afraid of dogs', childSeat: true })
  const emptied = await renamed(kept.version, { note: null, childSeat: false })
  expect(emptied.guests[0]).toMatchObject({ note: null, childSeat: false })
  expect(await entryOf()).toMatchObject({ age: 9, flags: [] })

  const noted = await renamed(emptied.version, { note: 'Sits in front' })
  const { booking: cancelled } = await caller.call(coreVerbOf(cancelBooking), {
    id: booking.id,
    version: noted.version,
    reason: 'guest_request',
  })
  const restored = await caller.call(coreVerbOf(restoreBooking), { id: booking.id, version: cancelled.version })
  expect(restored.guests[0]).toMatchObject({ note: 'Sits in front' })

  const entries = await caller.transaction((tx) =>
    sql<{
      diff: string
    }>`select diff::text as diff from audit_entries where org_id = ${caller.orgId} and entity_type = 'manifest_entries'`.execute(
      tx,
    ),
  )
  const logged = entries.rows.map(({ diff }) => diff).join(' ')
  expect(logged).toContain('note')
  expect(logged).not.toMatch(/dogs|in front/)
})

test.each([
  { said: { note: 'x'.repeat(301) }, field: 'guests.0.note' },
  { said: { age: 121 }, field: 'guests.0.age' },
])('what is said of a guest has limits: $field', async ({ said, field }) => {
  const { caller, departureId } = await desk()
  const guests = [{ lastName: 'Okafor', unitType: 'adult' as const, ...said }]
  await expect(book(caller, departureId, 1, { guests })).rejects.toMatchObject({
    code: 'invalid-argument',
    details: { fieldErrors: { [field]: expect.anything() } },
  })
})

test('a stale version is refused with the one that counts', async () => {
  const { caller, departureId } = await desk()
  const booking = await book(caller, departureId, 1, { mode: 'hold' })
  await caller.call(coreVerbOf(confirmBooking), { id: booking.id, version: booking.version })
  await expect(
    caller.call(coreVerbOf(cancelBooking), { id: booking.id, version: booking.version, reason: 'other' }),
  ).rejects.toMatchObject({ details: { reason: 'version_conflict', current: booking.version + 1 } })
})

test('availability counts seats day by day and knows run-out holds', async () => {
  const { caller, departureId, tourId, clock } = await desk(10)
  await addDeparture(caller, tourId, { localDate: '2030-07-15', capacity: 2 })
  await book(caller, departureId, 8, { mode: 'hold', holdMinutes: 30 })
  const ask = () => caller.call(coreVerbOf(getAvailability), { tourId, from: '2030-07-14', days: 3 })
  const before = await ask()
  expect(before.days.map((day) => day.seatsLeft)).toEqual([2, 2, 0])
  expect(before.days[0]?.departures[0]).toMatchObject({ state: 'limited', seatsTaken: 8, startTimeLocal: '09:00' })
  expect(before.days[0]?.departures[0]?.pickups).toMatchObject([
    { placeName: 'City Hall', lat: 64.1375, lng: -21.935 },
    { placeName: 'BSÍ terminal', lat: 64.1375, lng: -21.935 },
  ])
  expect(before.units.map((unit) => unit.priceMinor)).toEqual([8900, 4500])
  clock.set(new Date('2030-07-01T13:00:00Z'))
  expect((await ask()).days[0]?.seatsLeft).toBe(10)
})

test('a guide sees the bookings of own departures only', async () => {
  const { caller, departureId, tourId } = await desk()
  const other = await addDeparture(caller, tourId, { startTimeLocal: '12:00' })
  const mine = await book(caller, departureId, 2)
  const foreign = await book(caller, other, 1)
  const staffId = await assignGuide(caller, departureId)
  const guide = await world.as('guide', { orgId: caller.orgId, staffId })
  const list = await guide.call(coreVerbOf(listBookings), {})
  expect(list.rows.map((row) => row.id)).toEqual([mine.id])
  await expect(guide.call(coreVerbOf(getBooking), { id: foreign.id })).rejects.toMatchObject({ code: 'not-found' })
  await expect(guide.call(coreVerbOf(getManifest), { departureId: other })).rejects.toMatchObject({ code: 'not-found' })
  await expect(book(guide, departureId, 1)).rejects.toMatchObject({ code: 'permission-denied' })
})
