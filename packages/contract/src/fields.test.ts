import { expect, test } from 'vitest'
import { bookingPrefixOf, BookingRef, bookingRefAlphabet, bookingRefOf } from './bookings/booking-ref.ts'
import {
  Currency,
  Email,
  Id,
  Instant,
  Language,
  Latitude,
  LocalDate,
  LocalTime,
  Longitude,
  optionalText,
  Phone,
  recordOf,
  someOf,
  TimeZone,
} from './fields.ts'
import { filterNamesOf } from './paging.ts'
import { createTour } from './tours/tours.ts'
import { listTravelers } from './travelers/travelers.ts'
import { amountMinorOf, BookedUnits, lacksAdult, paxOf, type TourUnit } from './units.ts'

const newId = '01a20679-aafa-75c3-b5c3-b2ddea46a921'

test('phones are stored in the international form, however they were typed', () => {
  expect(Phone.parse('+44 7700 900-118')).toBe('+447700900118')
  expect(Phone.safeParse('0044 30').success).toBe(false)
})

test('e-mail addresses are stored in lower case', () => {
  expect(Email.parse(' Amara@Example.com ')).toBe('amara@example.com')
})

test('an optional line that is left empty is null', () => {
  expect(optionalText(20).parse('   ')).toBe(null)
  expect(optionalText(20).parse(undefined)).toBe(null)
  expect(optionalText(20).parse(' hi ')).toBe('hi')
})

test('time zones are those this runtime knows', () => {
  expect(TimeZone.safeParse('Asia/Kathmandu').success).toBe(true)
  // the second time from memory
  expect(taken(TimeZone, ['Mars/Olympus', 'Mars/Olympus', '+01:00', 'Asia/Kathmandu'])).toEqual(['Asia/Kathmandu'])
})

test('booking references avoid letters that are easily confused', () => {
  expect(bookingRefAlphabet).toHaveLength(32)
  expect(bookingRefAlphabet).not.toMatch(/[01OI]/)
  const ref = bookingRefOf('AUR', new Uint8Array([0, 31, 32, 255, 7, 100]))
  expect(BookingRef.parse(ref.toLowerCase())).toBe(ref)
  expect(bookingPrefixOf('Órion & Atlas')).toBe('ORI')
  expect(bookingPrefixOf('北')).toBe('TOU')
  expect(bookingPrefixOf('X & Y')).toBe('XY')
  expect(() => bookingRefOf('AUR', new Uint8Array(5))).toThrow(RangeError)
})

test('dates have years that the database knows and people mean', () => {
  expect(LocalDate.safeParse('1900-01-01').success).toBe(true)
  for (const date of ['0000-01-01', '0203-07-14', '1899-12-31', '2200-01-01', '9999-12-31']) {
    expect(LocalDate.safeParse(date).error?.issues[0]?.message).toBe('year_range')
  }
})

/** Which of these values a field takes. */
const taken = <T>(schema: { safeParse: (value: unknown) => { success: boolean } }, values: readonly T[]): T[] =>
  values.filter((value) => schema.safeParse(value).success)

test('times, currencies and languages have the form of their standards', () => {
  const times = ['00:00', '09:59', '19:30', '23:59']
  expect(taken(LocalTime, [...times, '24:00', '9:00', '09:60', '09:0x', 'a9:00', '2a:00', '09:000'])).toEqual(times)
  expect(taken(Currency, ['EUR', 'eur', 'EU', 'EURO', 'E1R'])).toEqual(['EUR'])
  const languages = ['en', 'fil', 'pt-BR', 'zh-Hant', 'zh-Hant-TW', 'es-419']
  const wrong = ['e', 'engl', 'EN', 'en-', 'en-B', 'en-br', 'zh-hant', 'zh-HANT', 'es-41', 'es-4a9', 'zh-H1nt']
  expect(taken(Language, [...languages, ...wrong])).toEqual(languages)
})

test('a place is on the earth, south and west included', () => {
  expect(taken(Latitude, [-90, 0, 90, -90.1, 90.1])).toEqual([-90, 0, 90])
  expect(taken(Longitude, [-180, 0, 180, -180.1, 180.1])).toEqual([-180, 0, 180])
})

test('moments have an end, and no offset beyond the farthest zone', () => {
  expect(Instant.safeParse('2026-11-20T09:00:00.123456+14:00').success).toBe(true)
  expect(Instant.safeParse('2026-11-20T09:00:00-12:00').success).toBe(true)
  expect(Instant.safeParse('2026-11-20T09:00:00+23:59').success).toBe(false)
  expect(Instant.safeParse(`2026-11-20T09:00:00.${'1'.repeat(400)}Z`).success).toBe(false)
  expect(Instant.safeParse('0000-01-01T00:00:00Z').success).toBe(false)
})

test('an id is the same in capital letters', () => {
  expect(Id.parse('01A20679-AAFA-75C3-B5C3-B2DDEA46A921')).toBe('01a20679-aafa-75c3-b5c3-b2ddea46a921')
})

test('a choice of several holds each once, and a record no more than it may', () => {
  expect(someOf(['a', 'b']).parse(['b', 'a'])).toEqual(['b', 'a'])
  expect(someOf(['a', 'b', 'c']).parse(['a', 'a', 'b'])).toEqual(['a', 'b'])
  expect(someOf(['a', 'b']).safeParse(['a', 'c']).success).toBe(false)
  expect(recordOf(Id, 1).safeParse({ a: newId, b: newId }).success).toBe(false)
  expect(recordOf(Id, 2).safeParse({ a: newId, b: newId }).success).toBe(true)
})

test('a list without input asks for the first page', () => {
  expect(listTravelers.input.parse({})).toEqual({ q: '', sort: [], page: 1, size: 100 })
  expect(listTravelers.input.safeParse({ size: 501 }).success).toBe(false)
  expect(listTravelers.input.safeParse({ sort: [{ by: 'passport' }] }).success).toBe(false)
  expect(listTravelers.input.safeParse({ filters: { nationality: ['GB'] } }).success).toBe(true)
  expect(listTravelers.input.safeParse({ filters: { nationalities: ['GB'] } }).success).toBe(false)
  expect(filterNamesOf(listTravelers)).toContain('nationality')
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
  // not on the list: one person each, free
  expect(paxOf([{ unitType: 'youth', quantity: 2 }], prices)).toBe(2)
  expect(amountMinorOf([{ unitType: 'youth', quantity: 2 }], prices)).toBe(0)
})

test('a child does not travel alone', () => {
  expect(lacksAdult([{ unitType: 'child', quantity: 1 }], prices)).toBe(true)
  // next to a unit that needs no adult, is not an adult and is not on the price list
  const youth = { unitType: 'youth', quantity: 1 } as const
  expect(lacksAdult([youth, { unitType: 'child', quantity: 1 }], prices)).toBe(true)
  expect(lacksAdult([youth], prices)).toBe(false)
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

test('each kind of guest appears once in a booking', () => {
  expect(
    BookedUnits.safeParse([
      { unitType: 'adult', quantity: 1 },
      { unitType: 'child', quantity: 1 },
    ]).success,
  ).toBe(true)
  expect(
    BookedUnits.safeParse([
      { unitType: 'adult', quantity: 1 },
      { unitType: 'adult', quantity: 2 },
    ]).success,
  ).toBe(false)
})

test('entries that name no rule of their own are refused by a general one', () => {
  const refused = createTour.input.safeParse({ code: 'GOLD', name: 'Gold', kind: 'odd', durationMin: 'long' })
  const messages = new Map(refused.error?.issues.map((issue) => [issue.path.join('.'), issue.message]))
  expect(messages.get('kind')).toBe('not_listed')
  expect(messages.get('timeZone')).toBe('required')
  expect(messages.get('durationMin')).toBe('wrong_form')
})
