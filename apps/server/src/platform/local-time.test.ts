import { expect, test } from 'vitest'
import { addDays, dayBounds, daysBetween, localDateOf, localTimeOf, momentOf } from './local-time.ts'

test('a local time keeps its wall clock over the change to summer time', () => {
  expect(momentOf('2026-03-28', '10:00', 'Europe/Lisbon').at.toISOString()).toBe('2026-03-28T10:00:00.000Z')
  expect(momentOf('2026-03-29', '10:00', 'Europe/Lisbon').at.toISOString()).toBe('2026-03-29T09:00:00.000Z')
})

test('an hour that the clocks skip is detected', () => {
  expect(momentOf('2026-03-29', '01:30', 'Europe/Lisbon').exists).toBe(false)
  expect(momentOf('2026-10-25', '01:30', 'Europe/Lisbon')).toEqual({
    at: new Date('2026-10-25T00:30:00Z'),
    exists: true,
  })
})

test('zones with quarter hours, and back', () => {
  const { at } = momentOf('2026-11-21', '07:00:00', 'Asia/Kathmandu')
  expect(at.toISOString()).toBe('2026-11-21T01:15:00.000Z')
  expect(localDateOf(at, 'Asia/Kathmandu')).toBe('2026-11-21')
  expect(localTimeOf(at, 'Asia/Kathmandu')).toBe('07:00')
})

test('days may have 23 hours', () => {
  const { from, to } = dayBounds('2026-03-29', 'Europe/Lisbon')
  expect((to.getTime() - from.getTime()) / 3_600_000).toBe(23)
})

test('dates are counted as dates', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(daysBetween('2026-02-27', '2026-03-01')).toBe(2)
})
