import {
  type Booking,
  cancelBooking,
  getBooking,
  restoreBooking,
  takeBackMinutes,
} from '@tour-ops/contract/bookings/bookings'
import { discountRecord } from '@tour-ops/contract/bookings/discount-codes'
import { listPayments } from '@tour-ops/contract/bookings/payments'
import { joinParties, restoreJoin, shareOf, splitParty } from '@tour-ops/contract/bookings/split'
import type { In } from '@tour-ops/contract/callable'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seats } from '../../../testing/bookings.ts'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const nora = { name: 'Nora Lind', email: 'nora@example.com', phone: null, locale: 'de', country: null }
const adults = (quantity: number) => [{ unitType: 'adult' as const, quantity }]

async function desk(capacity = 6) {
  const office = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
  return { ...office, departureId: await addDeparture(office.caller, office.tourId, { capacity }) }
}

const now = (caller: TestCaller, { id }: { id: string }) => caller.call(coreVerbOf(getBooking), { id })

async function split(caller: TestCaller, of: Booking, wish: Partial<In<typeof splitParty>> = {}) {
  const { id, version } = await now(caller, of)
  return caller.call(coreVerbOf(splitParty), { id, version, units: adults(1), guests: [], contact: nora, ...wish })
}

async function join(caller: TestCaller, of: Booking, other: Booking) {
  const { id, version } = await now(caller, of)
  const second = await now(caller, other)
  return caller.call(coreVerbOf(joinParties), { id, version, other: { id: second.id, version: second.version } })
}

const moneyOf = ({ amountTotalMinor, amountPaidMinor, paymentStatus }: Booking) => [
  amountTotalMinor,
  amountPaidMinor,
  paymentStatus,
]
const namesOf = ({ guests }: Booking) =>
  guests.filter(({ status }) => status !== 'cancelled').map(({ travelerId }) => travelerId)
const wrong = (field: string, rule: string) => ({ details: { fieldIssues: { [field]: [{ code: rule }] } } })

describe('a party that is split', () => {
  test('gives guests a booking of their own, with their room and their share of price and payment, on a departure that is full', async () => {
    const { caller, departureId } = await desk(2)
    const booking = await book(caller, departureId, 2, { amountPaidMinor: 17_800 })
    const [stays, goes] = namesOf(booking)
    const entries = await caller.transaction(async (tx) => {
      const { rows } = await sql<{ id: string }>`select id from manifest_entries
        where org_id = ${caller.orgId} and traveler_id = ${goes ?? ''}`.execute(tx)
      return rows
    })
    const { booking: first, other } = await split(caller, booking, { guests: [goes ?? ''] })
    expect([moneyOf(first), moneyOf(other)]).toEqual([
      [8_900, 8_900, 'paid'],
      [8_900, 8_900, 'paid'],
    ])
    expect([namesOf(first), namesOf(other)]).toEqual([[stays], [goes]])
    expect(other).toMatchObject({ status: 'confirmed', pax: 1, contact: nora, departureId, priceReason: null })
    expect(other.bookingRef).not.toBe(first.bookingRef)
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 2, seatsLeft: 0 })
    const { payments } = await caller.call(coreVerbOf(listPayments), { bookingId: other.id })
    expect(payments).toMatchObject([{ kind: 'payment', amountMinor: 8_900, reference: first.bookingRef }])
    const after = await caller.transaction(async (tx) => {
      const { rows } = await sql<{ id: string }>`select id from manifest_entries
        where org_id = ${caller.orgId} and booking_id = ${other.id}`.execute(tx)
      return rows
    })
    expect(after).toEqual(entries)
  })

  test('shares a deposit, a discount and a price that was agreed on; nothing is lost in rounding', async () => {
    const { caller, departureId } = await desk()
    await caller.call(verbsOf(allVerbs)(discountRecord.create), { code: 'TENTH', kind: 'percent', value: 10 })
    const booking = await book(caller, departureId, 3, { guests: [], discountCode: 'TENTH', amountPaidMinor: 10_001 })
    const { booking: first, other } = await split(caller, booking)
    expect(first.amountTotalMinor + other.amountTotalMinor).toBe(booking.amountTotalMinor)
    expect(first.amountPaidMinor + other.amountPaidMinor).toBe(10_001)
    expect([moneyOf(first), moneyOf(other)]).toEqual([
      [16_020, 6_667, 'deposit'],
      [8_010, 3_334, 'deposit'],
    ])
    expect(first.discount).toEqual({ code: 'TENTH', amountMinor: 1_780 })
    expect(other).toMatchObject({ discount: null, priceReason: 'TENTH' })
    // and is again what it was when that is undone
    const { version: _, ...before } = booking
    expect((await join(caller, first, other)).booking).toMatchObject(before)
  })

  test('leaves somebody, with an adult for each child, and has no more seats than before', async () => {
    const { caller, departureId } = await desk()
    const child = [{ unitType: 'child' as const, quantity: 1 }]
    const booking = await book(caller, departureId, 2, {
      guests: [],
      units: [...adults(2), ...child],
    })
    const all = { units: [...adults(2), ...child] }
    await expect(split(caller, booking, all)).rejects.toMatchObject(wrong('units', 'nobody_stays'))
    await expect(split(caller, booking, { units: adults(3) })).rejects.toMatchObject(
      wrong('units.0.quantity', 'units_above_booked'),
    )
    await expect(split(caller, booking, { units: child })).rejects.toMatchObject(wrong('units', 'adult_missing'))
    await expect(split(caller, booking, { units: adults(2) })).rejects.toMatchObject(wrong('units', 'adult_missing'))
    const stranger = await book(caller, departureId, 1)
    await expect(split(caller, booking, { guests: namesOf(stranger) })).rejects.toMatchObject(
      wrong('guests.0', 'traveler_unknown'),
    )
    const { version: _before, ...before } = booking
    expect(await now(caller, booking)).toMatchObject(before)
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 4, seatsLeft: 2 })
  })

  test('of two people who split it at once, one learns that it has changed', async () => {
    const { caller, departureId } = await desk()
    const { id, version } = await book(caller, departureId, 3, { guests: [] })
    const wish = { id, version, units: adults(2), guests: [], contact: nora }
    const both = await Promise.allSettled([
      caller.call(coreVerbOf(splitParty), wish),
      caller.call(coreVerbOf(splitParty), wish),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 3 })
  })
})

describe('two parties that become one', () => {
  test('bring guests, seats, price and payments together; the other booking is cancelled and owes nothing', async () => {
    const { caller, departureId } = await desk(2)
    const booking = await book(caller, departureId, 2, { amountPaidMinor: 9_001 })
    const [, goes] = namesOf(booking)
    const { other } = await split(caller, booking, { guests: [goes ?? ''] })
    const { booking: again, other: gone } = await join(caller, booking, other)
    const { version: _, ...before } = booking
    const { version: __, ...after } = again
    expect(after).toEqual(before)
    expect(gone).toMatchObject({
      status: 'cancelled',
      cancelReason: 'duplicate',
      amountPaidMinor: 0,
      cancellationFeeMinor: 0,
    })
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 2, seatsLeft: 0 })
  })

  test('have to be on one departure, booked alike, and two', async () => {
    const { caller, departureId, tourId } = await desk()
    const elsewhere = await addDeparture(caller, tourId, { startTimeLocal: '15:00' })
    const booking = await book(caller, departureId, 1)
    const held = await book(caller, departureId, 1, { mode: 'hold' })
    const there = await book(caller, elsewhere, 1)
    for (const other of [held, there, booking])
      await expect(join(caller, booking, other)).rejects.toMatchObject(wrong('other.id', 'booking_elsewhere'))
  })
})

describe('two parties that became one', () => {
  const stays = { code: 'aborted', details: { reason: 'cancellation_stays' } }
  /** Each change has another version. */
  const withoutVersion = (booking: Booking) => ({ ...booking, version: 0 })
  const undo = async (caller: TestCaller, of: Booking) => {
    const { id, version } = await now(caller, of)
    return caller.call(coreVerbOf(restoreJoin), { id, version })
  }

  test('are again what they were: guests, seats, price, discount and payments of each, on a departure that is full', async () => {
    const { caller, departureId } = await desk(3)
    await caller.call(verbsOf(allVerbs)(discountRecord.create), { code: 'TENTH', kind: 'percent', value: 10 })
    const discountCode = 'TENTH'
    const one = await book(caller, departureId, 2, { amountPaidMinor: 9_001, discountCode })
    const two = await book(caller, departureId, 1, { amountPaidMinor: 8_010, discountCode, contact: nora })
    for (const side of [one, two]) {
      await join(caller, one, two)
      const { booking, other } = await undo(caller, side)
      expect(withoutVersion(booking)).toEqual(withoutVersion(one))
      expect(withoutVersion(other)).toEqual(withoutVersion(two))
      expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 3, seatsLeft: 0 })
    }
    const { payments } = await caller.call(coreVerbOf(listPayments), { bookingId: two.id })
    expect(payments.map(({ kind, amountMinor }) => [kind, amountMinor])).toContainEqual(['refund', 8_010])
  })

  test('are two again as well where somebody undoes the cancellation of the second', async () => {
    const { caller, departureId } = await desk(3)
    const one = await book(caller, departureId, 2)
    const two = await book(caller, departureId, 1)
    const { other: gone } = await join(caller, one, two)
    const back = await caller.call(coreVerbOf(restoreBooking), { id: gone.id, version: gone.version })
    expect(withoutVersion(back)).toEqual(withoutVersion(two))
    expect(await now(caller, one)).toMatchObject({ pax: 2, amountTotalMinor: one.amountTotalMinor })
    // a cancellation after that is undone as any other
    const cancel = { id: back.id, version: back.version, reason: 'guest_request' as const, feeMinor: 0 }
    const { booking: cancelled } = await caller.call(coreVerbOf(cancelBooking), cancel)
    const again = await caller.call(coreVerbOf(restoreBooking), { id: cancelled.id, version: cancelled.version })
    expect(withoutVersion(again)).toEqual(withoutVersion(two))
  })

  test('stay one once anything followed, and after the minutes of undo', async () => {
    const { caller, clock, departureId } = await desk(6)
    const [one, two] = [await book(caller, departureId, 2, { guests: [] }), await book(caller, departureId, 1)]
    await join(caller, one, two)
    const { id, version } = await now(caller, one)
    await caller.call(coreVerbOf(splitParty), { id, version, units: adults(1), guests: [], contact: nora })
    await expect(undo(caller, one)).rejects.toMatchObject(stays)
    await expect(undo(caller, two)).rejects.toMatchObject(stays)
    const [third, fourth] = [await book(caller, departureId, 1), await book(caller, departureId, 1)]
    await join(caller, third, fourth)
    clock.set(new Date(clock.now().getTime() + (takeBackMinutes + 1) * 60_000))
    await expect(undo(caller, third)).rejects.toMatchObject(stays)
  })
})

test('whatever is split off, prices and payments of both are those of the party before', () => {
  const prices = [
    { unitType: 'adult' as const, priceMinor: 8_900, paxCount: 1 },
    { unitType: 'child' as const, priceMinor: 0, paxCount: 1 },
  ].map((price) => ({ ...price, currency: 'EUR', minAge: null, maxAge: null, requiresAdult: false }))
  for (let n = 2; n < 40; n += 1) {
    const amountTotalMinor = n * 8_137 + 11
    const party = {
      units: [
        { unitType: 'adult' as const, quantity: n },
        { unitType: 'child' as const, quantity: 3 },
      ],
      amountTotalMinor,
      amountPaidMinor: Math.floor(amountTotalMinor / (n % 3 || 1)),
      cancellationFeeMinor: n % 7,
    }
    const share = shareOf(party, adults(1), prices)
    expect(share.totalMinor).toBeGreaterThanOrEqual(0)
    expect(share.totalMinor).toBeLessThanOrEqual(amountTotalMinor - party.cancellationFeeMinor)
    expect(share.paidMinor).toBeLessThanOrEqual(Math.min(party.amountPaidMinor, share.totalMinor + 1))
    expect(Number.isInteger(share.totalMinor) && Number.isInteger(share.paidMinor)).toBe(true)
  }
})
