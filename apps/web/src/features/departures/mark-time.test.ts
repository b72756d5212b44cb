import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import { expect, test } from 'vitest'
import { markTimeOf, momentOf } from './mark-time.ts'

const now = new Date('2026-11-20T00:20:00Z')
const outSince = new Date('2026-11-19T14:00:00Z')

test('a time typed is the last moment at which the clocks of the zone showed it', () => {
  expect(momentOf('00:10', 'Atlantic/Reykjavik', outSince, now).toISOString()).toBe('2026-11-20T00:10:00.000Z')
  expect(momentOf('23:50', 'Atlantic/Reykjavik', outSince, now).toISOString()).toBe('2026-11-19T23:50:00.000Z')
  // Kathmandu is 5 h 45 min ahead.
  expect(momentOf('06:00', 'Asia/Kathmandu', outSince, now).toISOString()).toBe('2026-11-20T00:15:00.000Z')
})

test('a time later than now is not treated as yesterday before the tour was out', () => {
  expect(momentOf('12:30', 'Atlantic/Reykjavik', outSince, now).toISOString()).toBe('2026-11-20T12:30:00.000Z')
})

test('yesterday is accepted for twelve hours, however long the tour is out', () => {
  const trek = new Date('2026-11-17T09:00:00Z')
  expect(momentOf('12:20', 'Atlantic/Reykjavik', trek, now).toISOString()).toBe('2026-11-19T12:20:00.000Z')
  expect(momentOf('12:19', 'Atlantic/Reykjavik', trek, now).toISOString()).toBe('2026-11-20T12:19:00.000Z')
})

test('yesterday’s clocks are those before the change of the night', () => {
  const afterChange = new Date('2026-10-25T03:00:00Z')
  const since = new Date('2026-10-24T06:00:00Z')
  expect(momentOf('22:00', 'Europe/Lisbon', since, afterChange).toISOString()).toBe('2026-10-24T21:00:00.000Z')
})

const stop = (order: number, change: Partial<DepartureStop> = {}) =>
  ({ order, kind: 'visit', status: 'planned', actualArriveAt: null, actualDepartAt: null, ...change }) as DepartureStop

/** Started at 09:00, still out at 01:04. */
const left = stop(2, {
  status: 'departed',
  actualArriveAt: '2026-11-19T23:10:00.000Z',
  actualDepartAt: '2026-11-19T23:40:30.000Z',
})
const late = {
  startsAt: '2026-11-19T09:00:00.000Z',
  timeZone: 'Atlantic/Reykjavik',
  stops: [stop(1, { kind: 'start' }), left, stop(3)],
}
const typed = (time: string, at = stop(3), isLeaving = false) =>
  markTimeOf(late, at, { time, isLeaving, now: new Date('2026-11-20T01:04:00Z'), clockStepMs: 15_000 })

test('a tour that started early: "03:40" at 01:04 is in the future, not yesterday', () => {
  expect(typed('03:40')).toMatchObject({ error: 'This time is in the future. Enter when it happened.' })
})

test('the day is named', () => {
  expect(typed('00:58')).toMatchObject({ day: 'Today, Fri 20 Nov', error: undefined })
  expect(typed('23:50')).toMatchObject({ day: 'Yesterday, Thu 19 Nov', error: undefined })
})

test('nobody arrives before what is marked at the stop before, to the minute, or leaves before they arrived', () => {
  expect(typed('23:40').error).toBeUndefined()
  expect(typed('23:39').error).toBe('This is earlier than what is marked at the stop before. Check the time.')
  const here = stop(3, { status: 'arrived', actualArriveAt: '2026-11-20T00:30:00.000Z' })
  expect(typed('00:29', here, true).error).toBe('They left before they arrived.')
  expect(typed('').error).toBe('Enter the time.')
})
