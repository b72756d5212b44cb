import { expect, test } from 'vitest'
import { fieldsOf, freshSchedule, gapOf, ruleOf, runsOf, toggleDate } from './schedule-rule.ts'

const fields = {
  ...freshSchedule('2026-11-30'),
  repeats: 'weekly' as const,
  interval: 2,
  weekdays: [6, 1],
  startTimes: ['14:00', '09:00'],
  exceptDates: ['2026-12-26', '2026-12-25'],
}

test('fields become a rule of the calendar standard and are parsed back unchanged', () => {
  const rule = ruleOf(fields)
  expect(rule).toMatchObject({
    rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SA',
    from: '2026-12-01',
    startTimesLocal: ['09:00', '14:00'],
    exceptDates: ['2026-12-25', '2026-12-26'],
  })
  expect(ruleOf(fieldsOf(rule))).toEqual(rule)
  expect(ruleOf({ ...fields, repeats: 'daily', interval: 1 }).rrule).toBe('FREQ=DAILY')
})

test('what is missing is named before the server is asked', () => {
  expect(gapOf(fields)).toBeNull()
  expect(gapOf({ ...fields, weekdays: [] })).toBe('weekdays')
  expect(gapOf({ ...fields, repeats: 'daily', weekdays: [] })).toBeNull()
  expect(gapOf({ ...fields, startTimes: [''] })).toBe('times')
  expect(gapOf({ ...fields, to: '2026-11-01' })).toBe('order')
  expect(gapOf({ ...fields, from: '' })).toBe('dates')
})

test('neighbouring weekdays are shown as one range', () => {
  expect(runsOf([1, 2, 3, 4, 5, 6])).toEqual([[1, 6]])
  expect(runsOf([5, 1, 3, 2])).toEqual([
    [1, 3],
    [5, 5],
  ])
})

test('a date is left out and put back', () => {
  expect(toggleDate(['2026-12-25'], '2026-12-24')).toEqual(['2026-12-24', '2026-12-25'])
  expect(toggleDate(['2026-12-25'], '2026-12-25')).toEqual([])
})
