import { expect, test } from 'vitest'
import { stopTime } from './stop-time.ts'

const now = Date.parse('2026-11-21T13:52:00Z')

test('a time of today is a time', () => {
  expect(stopTime('2026-11-21T14:03:00Z', 'Atlantic/Reykjavik', now)).toBe('14:03')
})

test('a time on another day at the tour has its weekday, wherever the reader is', () => {
  expect(stopTime('2026-11-22T01:15:00Z', 'Asia/Kathmandu', now)).toBe('Sun 07:00')
  expect(stopTime('2026-11-21T18:30:00Z', 'Asia/Kathmandu', now)).toBe('Sun 00:15')
  expect(stopTime('2026-11-21T18:30:00Z', 'Atlantic/Reykjavik', now)).toBe('18:30')
})
