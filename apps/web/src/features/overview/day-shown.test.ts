import { expect, test } from 'vitest'
import { dayPattern, dayShown } from './day-shown.ts'

// 23:30 in Reykjavik, already the next day in Kathmandu.
const now = Date.parse('2026-11-20T23:30:00Z')

test('a day in the address is counted from the organization’s own clock', () => {
  expect(dayShown(undefined, now, 'Atlantic/Reykjavik')).toEqual({ localDate: '2026-11-20', name: 'today' })
  expect(dayShown('tomorrow', now, 'Atlantic/Reykjavik')).toEqual({ localDate: '2026-11-21', name: 'tomorrow' })
  expect(dayShown(undefined, now, 'Asia/Kathmandu')).toEqual({ localDate: '2026-11-21', name: 'today' })
})

test('a date keeps its name only while it is one of the three days', () => {
  expect(dayShown('2026-11-19', now, 'UTC')).toEqual({ localDate: '2026-11-19', name: 'yesterday' })
  expect(dayShown('2026-12-24', now, 'UTC')).toEqual({ localDate: '2026-12-24', name: null })
})

test('words that are no day are not read as one', () => {
  expect(['tomorrow', '2026-11-20', 'today', '2026-13-01', 'x'].map((day) => dayPattern.test(day))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
