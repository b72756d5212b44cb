import { afterEach, describe, expect, test } from 'vitest'
import {
  addDays,
  firstWeekday,
  formatAge,
  formatPastAge,
  formatBytes,
  formatDay,
  formatDayTime,
  formatDistance,
  formatDuration,
  formatHeight,
  formatLocalDate,
  formatLocalDay,
  formatLocalTime,
  formatLongDay,
  formatMoney,
  formatMonth,
  formatNumber,
  formatPercent,
  formatSpeed,
  formatTime,
  formatTimeRange,
  formatZone,
  fractionDigitsOf,
  localDateOf,
  localTimeOf,
  setFormatLocale,
  foreignOffset,
  foreignZone,
  formatDayTimeThere,
  formatMoment,
  formatTimeThere,
  setFormatRegion,
  utcOffsetMinutes,
  zonesDiffer,
} from './format.ts'

afterEach(() => setFormatLocale(null))

/** Thin and narrow no-break spaces differ between versions of the locale data; a space is a space here. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u2009\u202f]/g, ' ')

describe('times', () => {
  test('a moment is shown in the zone of the tour, 24 hours, whatever zone the machine has', () => {
    expect(formatTime('2026-11-20T09:00:00Z', 'Atlantic/Reykjavik')).toBe('09:00')
    expect(formatTime('2026-11-20T09:00:00Z', 'Africa/Dar_es_Salaam')).toBe('12:00')
    expect(formatTime('2026-11-20T00:05:00Z', 'UTC')).toBe('00:05')
  })

  test('Lisbon is an hour further from UTC in summer', () => {
    expect(formatTime('2026-03-28T09:00:00Z', 'Europe/Lisbon')).toBe('09:00')
    expect(formatTime('2026-03-29T09:00:00Z', 'Europe/Lisbon')).toBe('10:00')
    expect(utcOffsetMinutes('2026-03-28T09:00:00Z', 'Europe/Lisbon')).toBe(0)
    expect(utcOffsetMinutes('2026-03-29T09:00:00Z', 'Europe/Lisbon')).toBe(60)
  })

  test('both hours of the night that repeats 02:30 read 02:30', () => {
    expect(formatTime('2026-10-25T00:30:00Z', 'Europe/Madrid')).toBe('02:30')
    expect(formatTime('2026-10-25T01:30:00Z', 'Europe/Madrid')).toBe('02:30')
    expect(localTimeOf('2026-10-25T00:30:00Z', 'Europe/Madrid')).toBe('02:30')
  })

  test('zones with half hours, and zones that only differ for part of the year', () => {
    expect(formatTime('2026-11-20T06:15:00Z', 'Asia/Kathmandu')).toBe('12:00')
    expect(zonesDiffer('2026-12-01T12:00:00Z', 'Atlantic/Reykjavik', 'Europe/Lisbon')).toBe(false)
    expect(zonesDiffer('2026-07-01T12:00:00Z', 'Atlantic/Reykjavik', 'Europe/Lisbon')).toBe(true)
  })

  test('the civil date of a moment depends on the zone', () => {
    expect(localDateOf('2026-11-20T23:30:00Z', 'Europe/Lisbon')).toBe('2026-11-20')
    expect(localDateOf('2026-11-20T23:30:00Z', 'Asia/Kathmandu')).toBe('2026-11-21')
    expect(localDateOf('2026-11-20T02:30:00Z', 'America/Santiago')).toBe('2026-11-19')
  })

  test('days read weekday, day, month, no commas', () => {
    expect(formatDay('2026-11-20T09:00:00Z', 'UTC')).toBe('Fri 20 Nov')
    expect(formatLongDay('2026-11-20T09:00:00Z', 'UTC')).toBe('Friday 20 November')
    expect(formatDayTime('2026-11-20T09:00:00Z', 'UTC')).toBe('Fri 20 Nov 09:00')
    expect(formatTimeRange('2026-11-20T09:00:00Z', '2026-11-20T17:00:00Z', 'UTC')).toBe('09:00–17:00')
  })

  test('civil dates and wall times do not move with the machine', () => {
    expect(formatLocalDay('2026-11-20')).toBe('Fri 20 Nov')
    expect(formatLocalDate('2026-11-20')).toBe('20 Nov 2026')
    expect(formatLocalTime('09:00:00')).toBe('09:00')
    expect(formatMonth('2026-11')).toBe('November 2026')
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
    expect(addDays('2026-03-29', 1)).toBe('2026-03-30')
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
  })

  test('German and Spanish have their own words', () => {
    setFormatLocale('de')
    expect(formatDay('2026-11-20T09:00:00Z', 'UTC')).toMatch(/^Fr\.? 20\. Nov\.?$/)
    setFormatLocale('es')
    expect(formatDay('2026-11-20T09:00:00Z', 'UTC')).toBe('vie 20 nov')
  })

  test('a zone is named by its last part', () => {
    expect(formatZone('Africa/Dar_es_Salaam')).toBe('Dar es Salaam')
    expect(formatZone('UTC')).toBe('UTC')
  })
})

describe('ages', () => {
  const now = '2026-11-20T13:52:00Z'
  const moments = [
    '2026-11-20T13:51:58Z',
    now,
    '2026-11-20T13:34:00Z',
    '2026-11-20T14:03:00Z',
    '2026-11-20T10:00:00Z',
    '2026-11-18T10:00:00Z',
  ]
  test.each([
    ['en', ['2 s ago', '0 s ago', '18 min ago', 'in 11 min', '3 h ago', '2 days ago']],
    ['de', ['vor 2 s', 'vor 0 s', 'vor 18 min', 'in 11 min', 'vor 3 h', 'vor 2 Tagen']],
    ['es', ['hace 2 s', 'hace 0 s', 'hace 18 min', 'dentro de 11 min', 'hace 3 h', 'hace 2 d']],
  ])('in %s', (locale, words) => {
    setFormatLocale(locale)
    expect(moments.map((moment) => plain(formatAge(moment, now)))).toEqual(words)
  })

  test('an age never claims more than has passed', () => {
    expect(formatAge('2026-11-20T13:50:01Z', now)).toBe('1\u00a0min ago')
  })

  test('beyond 30 days it is the date', () => {
    expect(formatAge('2026-09-01T12:00:00Z', now, 'UTC')).toBe('1 Sept 2026')
  })
})

describe('money and numbers', () => {
  test('minor units become the amount of the currency', () => {
    expect(plain(formatMoney(17800, 'EUR'))).toBe('€178.00')
    expect(plain(formatMoney(12900, 'ISK'))).toBe('ISK 12,900')
    expect(plain(formatMoney(-50, 'EUR'))).toBe('-€0.50')
    setFormatLocale('de')
    expect(plain(formatMoney(17800, 'EUR'))).toBe('178,00 €')
  })

  test('the digits after the point are the currency’s own', () => {
    expect(fractionDigitsOf('EUR')).toBe(2)
    expect(fractionDigitsOf('ISK')).toBe(0)
    expect(fractionDigitsOf('KWD')).toBe(3)
  })

  test('numbers, shares, sizes, ways, durations', () => {
    expect(formatNumber(100_000)).toBe('100,000')
    expect(plain(formatPercent(0.87))).toBe('87%')
    expect(plain(formatBytes(1_400_000))).toBe('1.4 MB')
    expect(plain(formatBytes(0))).toBe('0 byte')
    expect(plain(formatDistance(350))).toBe('350 m')
    expect(plain(formatDistance(9040))).toBe('9 km')
    expect(plain(formatHeight(1250.4))).toBe('1,250 m')
    expect(plain(formatSpeed(15))).toBe('54 km/h')
    expect(plain(formatDuration(45))).toBe('45 min')
    expect(plain(formatDuration(90))).toBe('1 h 30 min')
    expect(plain(formatDuration(480))).toBe('8 h')
  })

  test('the organization chooses miles and the first day of the week', () => {
    setFormatRegion({ firstWeekday: 7, units: 'imperial', timeZone: null })
    expect(plain(formatDistance(250))).toBe('820 ft')
    expect(plain(formatDistance(9040))).toBe('5.6 mi')
    expect(plain(formatHeight(1250))).toBe('4,101 ft')
    expect(plain(formatSpeed(15))).toBe('34 mph')
    expect(firstWeekday()).toBe(7)
    setFormatRegion({ firstWeekday: null, units: 'metric', timeZone: null })
    expect(firstWeekday()).toBe(1)
  })
})

describe('12 hours, where the organization writes them', () => {
  const twelve = { firstWeekday: null, units: 'metric', timeZone: null, timeFormat: '12h' } as const
  afterEach(() => {
    setFormatRegion({ ...twelve, timeFormat: '24h' })
    setFormatLocale(null)
  })
  /** Spaces that do not break are spaces to a reader. */
  const plain = (text: string) => text.replaceAll(/\s/g, ' ')

  test.each([
    ['en', '9:05 am', '2:30 pm', '12:00 am', '9:05 am–2:30 pm'],
    ['de', '9:05 AM', '2:30 PM', '12:00 AM', '9:05 AM–2:30 PM'],
    ['es', '9:05 a. m.', '2:30 p. m.', '12:00 a. m.', '9:05 a. m.–2:30 p. m.'],
  ])('in %s: %s', (locale, morning, afternoon, midnight, range) => {
    setFormatRegion(twelve)
    setFormatLocale(locale)
    expect(plain(formatTime('2026-11-20T09:05:00Z', 'UTC'))).toBe(morning)
    expect(plain(formatLocalTime('14:30'))).toBe(afternoon)
    expect(plain(formatLocalTime('00:00:00'))).toBe(midnight)
    expect(plain(formatTimeRange('2026-11-20T09:05:00Z', '2026-11-20T14:30:00Z', 'UTC'))).toBe(range)
    // what programs read, and examples of the other format, are not touched by it
    expect(localTimeOf('2026-11-20T14:30:00Z', 'UTC')).toBe('14:30')
    expect(formatLocalTime('14:30', '24h')).toBe('14:30')
  })
})

describe('times of other zones', () => {
  const [noon, iceland, nepal, lisbon] = [
    '2026-11-20T12:00:00Z',
    'Atlantic/Reykjavik',
    'Asia/Kathmandu',
    'Europe/Lisbon',
  ]
  afterEach(() => setFormatRegion({ firstWeekday: null, units: 'metric', timeZone: null }))

  test('carry their zone where the office has another time, and only there', () => {
    setFormatRegion({ firstWeekday: null, units: 'metric', timeZone: iceland })
    expect(formatTimeThere(noon, nepal)).toBe('17:45 Kathmandu')
    expect(formatDayTimeThere(noon, nepal)).toBe('Fri 20 Nov 17:45 Kathmandu')
    expect(foreignOffset(noon, nepal)).toBe('GMT+5:45')
    expect(formatTimeThere(noon, iceland)).toBe('12:00')
    // The same clock in winter, an hour ahead in summer.
    expect(foreignZone(noon, lisbon)).toBe('')
    expect(formatTimeThere('2026-07-20T12:00:00Z', lisbon)).toBe('13:00 Lisbon')
  })

  test('stay bare for guests, whose page knows no office', () => {
    expect(formatTimeThere(noon, nepal)).toBe('17:45')
    expect(foreignOffset(noon, nepal)).toBe('')
  })

  test('a moment has its day where that is not today there', () => {
    expect(formatMoment(noon, nepal, '2026-11-20T18:10:00Z')).toBe('17:45')
    expect(formatMoment(noon, nepal, '2026-11-20T18:20:00Z')).toBe('Fri 20 Nov 17:45')
  })
})

test('what has happened is never shown as upcoming: a clock that is behind reads zero', () => {
  setFormatLocale('en')
  expect(formatPastAge('2026-11-20T12:00:01Z', '2026-11-20T12:00:00Z')).toBe('0\u00a0s ago')
  expect(formatPastAge('2026-11-20T12:00:00Z', '2026-11-20T12:03:00Z')).toBe('3\u00a0min ago')
})
