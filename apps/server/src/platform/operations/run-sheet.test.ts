import type { TourStop } from '@tour-ops/contract/tours'
import { expect, test } from 'vitest'
import { carryDelay, departureCode, planRunSheet, type DelayedStop } from './run-sheet.ts'

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

const at = (time: string): Date => new Date(`2026-11-20T${time}:00Z`)
const planned = (arrive: string, depart: string, slackMin: number): DelayedStop => ({
  plannedArriveAt: at(arrive),
  plannedDepartAt: at(depart),
  actualArriveAt: null,
  actualDepartAt: null,
  status: 'planned',
  slackMin,
})

test('a delay is carried forward, reduced by the slack on the way', () => {
  const carried = carryDelay([
    { ...planned('12:15', '13:30', 0), status: 'departed', actualArriveAt: at('12:18'), actualDepartAt: at('13:48') },
    planned('13:45', '14:35', 5),
    planned('15:30', '16:00', 8),
    planned('17:00', '17:00', 0),
  ])
  expect(carried.stops.map((each) => each.delaySeconds / 60)).toEqual([18, 18, 13, 5])
  expect(carried.stops.map((each) => each.etaAt?.toISOString().slice(11, 16) ?? null)).toEqual([
    null,
    '14:03',
    '15:43',
    '17:05',
  ])
  expect(carried.delaySeconds).toBe(18 * 60)
})

test('early arrival does not pull the plan forward', () => {
  const carried = carryDelay([
    { ...planned('12:00', '12:30', 0), status: 'arrived', actualArriveAt: at('11:50') },
    planned('13:00', '13:30', 0),
  ])
  expect(carried.stops.map((each) => each.delaySeconds)).toEqual([-600, 0])
  expect(carried.delaySeconds).toBe(0)
})

test('a skipped stop neither waits nor delays', () => {
  const carried = carryDelay([
    { ...planned('12:00', '12:30', 0), status: 'departed', actualArriveAt: at('12:00'), actualDepartAt: at('12:40') },
    { ...planned('13:00', '13:30', 30), status: 'skipped' },
    planned('14:00', '14:00', 0),
  ])
  expect(carried.stops.map((each) => each.delaySeconds)).toEqual([600, 0, 600])
})
