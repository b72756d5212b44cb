import { expect, test } from 'vitest'
import { bookingPrefixOf, BookingRef, bookingRefAlphabet, bookingRefOf } from './booking-ref.ts'
import { Email, optionalText, Phone, TimeZone } from './fields.ts'
import { createTour } from './tours.ts'
import { listTravelers } from './travelers.ts'
import { amountMinorOf, BookedUnits, lacksAdult, paxOf, type TourUnit } from './units.ts'

test('phones are kept in the international form, however they were typed', () => {
  expect(Phone.parse('+44 7700 900-118')).toBe('+447700900118')
  expect(Phone.safeParse('0044 30').success).toBe(false)
})

test('e-mail addresses are kept in lower case', () => {
  expect(Email.parse(' Amara@Example.com ')).toBe('amara@example.com')
})

test('an optional line that is left empty is null', () => {
  expect(optionalText(20).parse('   ')).toBe(null)
  expect(optionalText(20).parse(undefined)).toBe(null)
  expect(optionalText(20).parse(' hi ')).toBe('hi')
})

test('time zones are those this runtime knows', () => {
  expect(TimeZone.safeParse('Asia/Kathmandu').success).toBe(true)
  expect(TimeZone.safeParse('Mars/Olympus').success).toBe(false)
})

test('booking references avoid letters that are mixed up', () => {
  expect(bookingRefAlphabet).toHaveLength(32)
  expect(bookingRefAlphabet).not.toMatch(/[01OI]/)
  const ref = bookingRefOf('AUR', new Uint8Array([0, 31, 32, 255, 7, 100]))
  expect(BookingRef.parse(ref.toLowerCase())).toBe(ref)
  expect(bookingPrefixOf('Órion & Atlas')).toBe('ORI')
  expect(bookingPrefixOf('北')).toBe('TOU')
})

test('a list without input asks for the first page', () => {
  expect(listTravelers.input.parse({})).toEqual({ q: '', sort: [], page: 1, size: 100 })
  expect(listTravelers.input.safeParse({ size: 501 }).success).toBe(false)
  expect(listTravelers.input.safeParse({ sort: [{ by: 'passport' }] }).success).toBe(false)
})

const unit = (unitType: TourUnit['unitType'], priceMinor: number, paxCount = 1): TourUnit => ({
  unitType,
  minAge: null,
  maxAge: null,
  paxCount,
  priceMinor,
  currency: 'EUR',
  requiresAdult: unitType === 'child',
})
const prices = [unit('adult', 8900), unit('child', 4500), unit('family', 20_000, 4)]

test('pax and price follow the price list', () => {
  const party = [
    { unitType: 'adult', quantity: 2 },
    { unitType: 'child', quantity: 1 },
  ] as const
  expect(paxOf(party, prices)).toBe(3)
  expect(amountMinorOf(party, prices)).toBe(22_300)
  expect(paxOf([{ unitType: 'family', quantity: 1 }], prices)).toBe(4)
})

test('a child does not travel alone', () => {
  expect(lacksAdult([{ unitType: 'child', quantity: 1 }], prices)).toBe(true)
  expect(
    lacksAdult(
      [
        { unitType: 'child', quantity: 1 },
        { unitType: 'adult', quantity: 1 },
      ],
      prices,
    ),
  ).toBe(false)
})

test('each kind of guest stands once in a booking', () => {
  expect(
    BookedUnits.safeParse([
      { unitType: 'adult', quantity: 1 },
      { unitType: 'adult', quantity: 2 },
    ]).success,
  ).toBe(false)
})

test('entries without words of their own are refused in words', () => {
  const refused = createTour.input.safeParse({ code: 'GOLD', name: 'Gold', kind: 'odd', durationMin: 'long' })
  const messages = new Map(refused.error?.issues.map((issue) => [issue.path.join('.'), issue.message]))
  expect(messages.get('kind')).toBe('Choose one of the list.')
  expect(messages.get('timeZone')).toBe('Fill this in.')
  expect(messages.get('durationMin')).toBe('This has the wrong form.')
})
