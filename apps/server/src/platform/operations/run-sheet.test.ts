import type { TourStop } from '@tour-ops/contract/tours/tour-content'
import { expect, test } from 'vitest'
import { departureCode, planRunSheet } from './run-sheet.ts'

const stop = (dayIndex: number, order: number, offsetMin: number, dwellMin = 0): TourStop => ({
  dayIndex,
  order,
  placeId: '019abcde-0000-7000-8000-000000000000',
  kind: 'visit',
  offsetMin,
  dwellMin,
  slackMin: 0,
  optional: false,
  headcountRequired: false,
  timedEntry: false,
  travelMode: null,
  signalGap: false,
  note: null,
  guestVisible: true,
})

test('each day starts at the wall clock of the departure, over the change to summer time too', () => {
  const plan = planRunSheet(
    { localDate: '2026-03-28', startTimeLocal: '09:00', timeZone: 'Europe/Lisbon', durationMin: 120, durationDays: 2 },
    { stops: [stop(2, 1, 30), stop(1, 1, 0, 15)] },
  )
  expect(plan.startsAt.toISOString()).toBe('2026-03-28T09:00:00.000Z')
  expect(plan.stops.map((each) => [each.order, each.plannedArriveAt.toISOString()])).toEqual([
    [1, '2026-03-28T09:00:00.000Z'],
    [2, '2026-03-29T08:30:00.000Z'],
  ])
  expect(plan.stops[0]?.plannedDepartAt.toISOString()).toBe('2026-03-28T09:15:00.000Z')
  expect(plan.endsAt.toISOString()).toBe('2026-03-29T10:00:00.000Z')
})

test('a tour over midnight ends on the next day, and a late last stop moves the end', () => {
  const night = { localDate: '2026-11-20', startTimeLocal: '21:00', timeZone: 'Atlantic/Reykjavik', durationDays: 1 }
  expect(planRunSheet({ ...night, durationMin: 270 }, { stops: [] }).endsAt.toISOString()).toBe(
    '2026-11-21T01:30:00.000Z',
  )
  expect(planRunSheet({ ...night, durationMin: 60 }, { stops: [stop(1, 1, 120)] }).endsAt.toISOString()).toBe(
    '2026-11-20T23:00:00.000Z',
  )
})

test('codes follow the pattern of the organization', () => {
  expect(departureCode('{TOUR}-{YYMMDD}-{HHMM}', 'GOLD', '2026-07-14', '09:00:00')).toBe('GOLD-260714-0900')
})
