import type { TourUnit } from '@tour-ops/contract/units'
import { describe, expect, test } from 'vitest'
import type { OfferedDay, OfferedDeparture } from './availability.tsx'
import {
  callerFrom,
  clashingTrip,
  dayOf,
  departureOf,
  firstQuantities,
  fittedTo,
  holdEnd,
  nextKind,
  partyOf,
  quantitiesFor,
  withGuest,
} from './booking-choice.ts'

const unit = (unitType: TourUnit['unitType'], priceMinor: number, change: Partial<TourUnit> = {}): TourUnit => ({
  unitType,
  minAge: null,
  maxAge: null,
  paxCount: 1,
  priceMinor,
  currency: 'EUR',
  requiresAdult: false,
  ...change,
})
const prices = [
  unit('adult', 8900),
  unit('child', 4500, { requiresAdult: true }),
  unit('family', 20_000, { paxCount: 4 }),
]

test('a booking begins with one adult, or with what the tour sells', () => {
  expect(firstQuantities(prices)).toEqual({ adult: 1 })
  expect(firstQuantities([])).toEqual({ adult: 1 })
  expect(firstQuantities([unit('family', 1)])).toEqual({ family: 1 })
})

test('seats that were said before any kind are adults, or what the tour sells', () => {
  expect(quantitiesFor(6, prices)).toEqual({ adult: 6 })
  expect(quantitiesFor(2, [unit('family', 1)])).toEqual({ family: 2 })
})

test('somebody new begins with what was typed to find them', () => {
  expect(callerFrom(' +44 7700 900118 ')).toMatchObject({ id: null, name: '', phone: '+44 7700 900118', email: null })
  expect(callerFrom('amara@example.com')).toMatchObject({ name: '', phone: null, email: 'amara@example.com' })
  expect(callerFrom('Amara Okafor')).toMatchObject({ name: 'Amara Okafor', phone: null, email: null })
  expect(callerFrom('Bus 12')).toMatchObject({ name: 'Bus 12', phone: null })
})

test('the next guest to be named takes the first seat that nobody has', () => {
  const party = partyOf({ adult: 2, child: 1 }, prices)
  expect(nextKind(party, prices, [])).toBe('adult')
  expect(nextKind(party, prices, ['adult', 'adult'])).toBe('child')
  expect(nextKind(partyOf({ family: 1 }, prices), prices, ['family', 'family', 'family'])).toBe('family')
})

test('a party has seats, a price and an adult', () => {
  expect(partyOf({ adult: 2, child: 1 }, prices)).toMatchObject({ pax: 3, totalMinor: 22_300, lacksAdult: false })
  expect(partyOf({ family: 1, child: 0 }, prices)).toMatchObject({
    pax: 4,
    units: [{ unitType: 'family', quantity: 1 }],
  })
  expect(partyOf({ child: 1 }, prices).lacksAdult).toBe(true)
})

test('a party that is too large is cut from the last kind of seat, and never to children alone', () => {
  expect(fittedTo(2, { adult: 2, child: 1 }, prices)).toMatchObject({ adult: 2, child: 0 })
  expect(fittedTo(1, { adult: 2, child: 2 }, prices)).toMatchObject({ adult: 1, child: 0 })
  expect(fittedTo(3, { family: 1 }, prices)).toBeNull()
  expect(fittedTo(0, { adult: 1 }, prices)).toBeNull()
})

const departure = (id: string, seatsLeft: number, state: OfferedDeparture['state'] = 'limited') =>
  ({ id, seatsLeft, state, startsAt: '2026-11-21T09:00:00Z', endsAt: '2026-11-21T17:00:00Z' }) as OfferedDeparture
const day = (localDate: string, departures: OfferedDeparture[]): OfferedDay => ({
  localDate,
  seatsLeft: Math.max(0, ...departures.map((one) => one.seatsLeft)),
  departures,
})

test('the first day and the first start with room are proposed; a closed one never is', () => {
  const days = [day('2026-11-20', [departure('a', 0)]), day('2026-11-21', [departure('b', 0), departure('c', 4)])]
  expect(dayOf(days, null)?.localDate).toBe('2026-11-21')
  expect(dayOf(days, '2026-11-20')?.localDate).toBe('2026-11-20')
  const later = day('2026-11-22', [departure('d', 5), departure('e', 9)])
  expect(dayOf([...days, later], null, 6)?.localDate).toBe('2026-11-22')
  expect(departureOf(later, null, 6)?.id).toBe('e')
  expect(dayOf([...days, later], null, 12)?.localDate).toBe('2026-11-21')
  expect(departureOf(days[1], null)?.id).toBe('c')
  expect(departureOf(days[1], 'b')?.id).toBe('b')
  expect(departureOf(day('2026-11-22', [departure('d', 3, 'closed')]), null)).toBeUndefined()
})

test('another trip at the same time is a clash, a cancelled one is none', () => {
  const trip = {
    departureId: 'x',
    code: 'X',
    bookingStatus: 'confirmed',
    departureStatus: 'scheduled',
    entryStatus: 'expected',
  }
  const overlapping = { ...trip, startsAt: '2026-11-21T16:00:00Z', endsAt: '2026-11-21T20:00:00Z' }
  expect(clashingTrip([overlapping], departure('c', 1))?.code).toBe('X')
  expect(clashingTrip([{ ...overlapping, departureStatus: 'cancelled' }], departure('c', 1))).toBeUndefined()
  expect(clashingTrip([{ ...overlapping, bookingStatus: 'cancelled' }], departure('c', 1))).toBeUndefined()
  expect(clashingTrip([{ ...overlapping, startsAt: '2026-11-21T17:00:00Z' }], departure('c', 1))).toBeUndefined()
})

test('a hold ends after its time, and never after the start', () => {
  const now = Date.parse('2026-11-20T18:00:00Z')
  expect(holdEnd(now, 60, '2026-11-21T09:00:00Z')).toBe('2026-11-20T19:00:00.000Z')
  expect(holdEnd(now, 24 * 60, '2026-11-21T09:00:00Z')).toBe('2026-11-21T09:00:00.000Z')
})

describe('seats follow who travels', () => {
  test('one less where somebody leaves, unless there are too few already', () => {
    expect(withGuest({ adult: 3 }, prices, 'adult', -1, 2)).toEqual({ adult: 2 })
    expect(withGuest({ adult: 2 }, prices, 'adult', -1, 2)).toEqual({ adult: 2 })
    expect(withGuest({ adult: 2, child: 1 }, prices, 'child', -1, 2)).toEqual({ adult: 2, child: 0 })
  })

  test('a ticket for four stays as long as more travel than would be left without it', () => {
    expect(withGuest({ family: 1 }, prices, 'family', -1, 3)).toEqual({ family: 1 })
  })

  test('and one more where they come back, of a kind that is sold', () => {
    expect(withGuest({ adult: 2 }, prices, 'adult', 1, 3)).toEqual({ adult: 3 })
    expect(withGuest({ adult: 3 }, prices, 'adult', 1, 3)).toEqual({ adult: 3 })
    expect(withGuest({ adult: 2 }, prices, 'military', 1, 3)).toEqual({ adult: 2 })
  })
})
