import { expect, test } from 'vitest'
import { occurrences } from './schedule.ts'

const rule = { rrule: 'FREQ=DAILY', from: '2026-03-27', to: '2026-03-30', startTimesLocal: ['10:00'], exceptDates: [] }

test('a rule gives dates and times in order, without the excepted days', () => {
  expect(
    occurrences({ ...rule, startTimesLocal: ['16:00', '10:00'], exceptDates: ['2026-03-28', '2026-03-30'] }),
  ).toEqual([
    { localDate: '2026-03-27', startTimeLocal: '10:00' },
    { localDate: '2026-03-27', startTimeLocal: '16:00' },
    { localDate: '2026-03-29', startTimeLocal: '10:00' },
    { localDate: '2026-03-29', startTimeLocal: '16:00' },
  ])
})

test('weekdays, and every second week', () => {
  const weekly = { ...rule, rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SA', from: '2026-11-02', to: '2026-11-30' }
  expect(occurrences(weekly).map((row) => row.localDate)).toEqual([
    '2026-11-02',
    '2026-11-07',
    '2026-11-16',
    '2026-11-21',
    '2026-11-30',
  ])
})

test('a rule that cannot be read, a period that ends early and a batch that is too large are refused by field', () => {
  const refusal = (change: Partial<typeof rule>): unknown => {
    try {
      return occurrences({ ...rule, ...change })
    } catch (error) {
      return Object.keys((error as { details: { fieldErrors: object } }).details.fieldErrors)
    }
  }
  expect(refusal({ rrule: 'FREQ=WEEKLY;BYDAY=XX' })).toEqual(['rrule'])
  expect(refusal({ to: '2026-03-01' })).toEqual(['to'])
  expect(refusal({ to: '2027-12-31', startTimesLocal: ['09:00', '12:00', '15:00'] })).toEqual(['to'])
})
