import { afterEach, beforeEach, expect, test } from 'vitest'
import { setFormatLocale } from '../../ui/format.ts'
import { nextTime } from './next-time.ts'

const now = Date.parse('2030-07-14T20:00:00Z')
const start = (startsAt: string, timeZone = 'Atlantic/Reykjavik') => nextTime({ startsAt, timeZone }, now)

beforeEach(() => setFormatLocale('en-GB'))
afterEach(() => setFormatLocale(null))

test('what starts next is named by the time, tomorrow or with its day, by the clock there', () => {
  expect(start('2030-07-14T21:30:00Z')).toBe('21:30')
  expect(start('2030-07-15T09:00:00Z')).toBe('09:00 tomorrow')
  expect(start('2030-07-16T09:00:00Z')).toBe('Tue 16 Jul 09:00')
  // 01:45 of the 15th there now
  expect(start('2030-07-14T23:00:00Z', 'Asia/Kathmandu')).toMatch(/^04:45/)
  expect(start('2030-07-15T23:00:00Z', 'Asia/Kathmandu')).toMatch(/^04:45.* tomorrow$/)
})
