import { afterEach, describe, expect, test } from 'vitest'
import { offeredNear, offeredTimes, readDate, readTime, segmentAt, stepDate, stepTime, writeDate } from './date-text.ts'
import { formatLocalTime, setFormatLocale } from './format.ts'

afterEach(() => setFormatLocale(null))

const today = '2026-11-23'
const read = (text: string) => readDate(text, { isFinal: true, today })

test.each([
  ['en', '31/12/2026'],
  ['de', '31.12.2026'],
  ['es', '31/12/2026'],
  // no language of the product yet; the order is the language's
  ['en-US', '12/31/2026'],
])('in %s a date is written %s, and read again', (locale, written) => {
  setFormatLocale(locale)
  expect(writeDate('2026-12-31')).toBe(written)
  expect(read(written)).toBe('2026-12-31')
})

test.each([
  ['31.12.2026', '2026-12-31'],
  ['31-12-26', '2026-12-31'],
  ['1 2 2027', '2027-02-01'],
  ['31122026', '2026-12-31'],
  ['311226', '2026-12-31'],
  ['24.12.', '2026-12-24'],
  ['03/05/85', '1985-05-03'],
  ['2026-12-31', '2026-12-31'],
  ['2026-12-31T09:00', '2026-12-31'],
  ['30/02/2026', null],
  ['12/31/2026', null],
  ['tomorrow', null],
  ['31/12/0026', null],
  ['', null],
])('%s is read as %s', (typed, date) => expect(read(typed)).toBe(date))

test('while somebody types, only what is complete is read', () => {
  const typing = (text: string) => readDate(text, { isFinal: false, today })
  expect(['3', '3/1', '3/12', '3/12/2', '3/12/20', '3/12/202', '3/12/2026'].map(typing)).toEqual([
    ...Array.from({ length: 6 }, () => null),
    '2026-12-03',
  ])
  expect(['9', '93', '9:3', '9:30', '0930'].map((text) => readTime(text, { isFinal: false }))).toEqual([
    ...Array.from({ length: 3 }, () => null),
    '09:30',
    '09:30',
  ])
})

test.each([
  ['9', '09:00'],
  ['930', '09:30'],
  ['0930', '09:30'],
  ['9.30', '09:30'],
  ['21:05', '21:05'],
  ['9 h', '09:00'],
  ['9:30 pm', '21:30'],
  ['9:30\u202fPM', '21:30'],
  ['9:30\u00a0p.\u00a0m.', '21:30'],
  ['9 p. m.', '21:00'],
  ['12:15 a.m.', '00:15'],
  ['12 am', '00:00'],
  ['12:15 p.m.', '12:15'],
  ['24:00', null],
  ['9:75', null],
  ['13 pm', null],
  ['noon', null],
])('the time %s is read as %s', (typed, time) => expect(readTime(typed, { isFinal: true })).toBe(time))

describe('arrow keys', () => {
  test('move the part that the caret is in', () => {
    expect([0, 2, 3, 5, 6, 10].map((caret) => segmentAt('31/12/2026', caret).at)).toEqual([0, 0, 1, 1, 2, 2])
    expect(segmentAt('31/12/2026', 4)).toEqual({ at: 1, start: 3, end: 5 })
    expect(segmentAt('', 0)).toEqual({ at: 0, start: 0, end: 0 })
  })
  test('stay inside the calendar and the clock', () => {
    expect(stepDate('2026-12-31', 'day', 1)).toBe('2027-01-01')
    expect(stepDate('2026-01-31', 'month', 1)).toBe('2026-02-28')
    expect(stepDate('2028-02-29', 'year', -1)).toBe('2027-02-28')
    expect(stepTime('23:59', 'minute', 1)).toBe('00:00')
    expect(stepTime('00:30', 'hour', -1)).toBe('23:30')
  })
})

test('what the field shows is read again, in every language and with 12 hours as well', () => {
  for (const timeFormat of ['24h', '12h'] as const) {
    for (const locale of ['en', 'de', 'es']) {
      setFormatLocale(locale)
      for (const time of ['00:00', '00:15', '09:30', '12:00', '12:45', '23:59']) {
        const shown = formatLocalTime(time, timeFormat)
        expect(readTime(shown, { isFinal: true }), `${locale} ${shown}`).toBe(time)
      }
    }
  }
})

test('every quarter of an hour is offered, from the one before the present value', () => {
  expect([offeredTimes.length, offeredTimes[0], offeredTimes.at(-1)]).toEqual([96, '00:00', '23:45'])
  expect(['09:00', '09:14', '23:59'].map((time) => offeredTimes[offeredNear(time)])).toEqual([
    '09:00',
    '09:00',
    '23:45',
  ])
  expect(offeredTimes[offeredNear(null)]).toBe('09:00')
})
