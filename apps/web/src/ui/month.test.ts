import { expect, test } from 'vitest'
import { addMonths, weekdayOf, weeksOf } from './month.ts'

test('a month is covered by whole weeks', () => {
  const weeks = weeksOf('2026-11', 1)
  expect(weeks[0]?.[0]).toBe('2026-10-26')
  expect(weeks.at(-1)?.at(-1)).toBe('2026-12-06')
  expect(weeks).toHaveLength(6)
  expect(weeks.every((week) => week.length === 7)).toBe(true)
})

test('a week may begin on Sunday', () => {
  expect(weeksOf('2026-11', 7)[0]?.[0]).toBe('2026-11-01')
  expect(weeksOf('2026-02', 7)).toHaveLength(4)
})

test('months and weekdays', () => {
  expect(addMonths('2026-12', 1)).toBe('2027-01')
  expect(addMonths('2026-01', -1)).toBe('2025-12')
  expect(weekdayOf('2026-11-20')).toBe(5)
  expect(weekdayOf('2026-11-22')).toBe(7)
})
