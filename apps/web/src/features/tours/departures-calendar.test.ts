import { expect, test } from 'vitest'
import { lastDayOf } from './departures-calendar.tsx'

test('a tour is shown on its days, and until today while it is still out', () => {
  const trek = { localDate: '2026-11-17', dayCount: 3, status: 'in_progress' } as const
  expect(lastDayOf(trek, '2026-11-18')).toBe('2026-11-19')
  expect(lastDayOf(trek, '2026-11-20')).toBe('2026-11-20')
  expect(lastDayOf({ ...trek, status: 'completed' }, '2026-11-20')).toBe('2026-11-19')
})
