import { expect, test } from 'vitest'
import { carryDelay, type DelayedStop } from './carry-delay.ts'

const at = (time: string): Date => new Date(`2026-11-20T${time}:00Z`)
const planned = (arrive: string, depart: string, slackMin = 0): DelayedStop => ({
  kind: 'visit',
  plannedArriveAt: at(arrive),
  plannedDepartAt: at(depart),
  actualArriveAt: null,
  actualDepartAt: null,
  status: 'planned',
  slackMin,
})
const start = (arrive: string): DelayedStop => ({ ...planned(arrive, arrive), kind: 'start' })
const pickup = (arrive: string): DelayedStop => ({ ...planned(arrive, arrive), kind: 'pickup' })
const end = (arrive: string): DelayedStop => ({ ...planned(arrive, arrive), kind: 'end' })
const minutesLate = (carried: ReturnType<typeof carryDelay>) => carried.stops.map((each) => each.delaySeconds / 60)
/** On the way from 12:00 to 18:00, having set out as planned; nothing is overdue yet. */
const underWay = { startsAt: at('12:00'), endsAt: at('18:00'), startedAt: at('12:00'), now: at('12:00') }
const notStarted = { ...underWay, startedAt: null }

test('a delay is carried forward, reduced by the slack on the way', () => {
  const carried = carryDelay(
    [
      { ...planned('12:15', '13:30'), status: 'departed', actualArriveAt: at('12:18'), actualDepartAt: at('13:48') },
      planned('13:45', '14:35', 5),
      planned('15:30', '16:00', 8),
      planned('17:00', '17:00'),
    ],
    underWay,
  )
  expect(minutesLate(carried)).toEqual([18, 18, 13, 5])
  expect(carried.stops.map((each) => each.etaAt?.toISOString().slice(11, 16) ?? null)).toEqual([
    null,
    '14:03',
    '15:43',
    '17:05',
  ])
  expect(carried.delaySeconds).toBe(18 * 60)
})

test('early arrival does not pull the plan forward', () => {
  const carried = carryDelay(
    [{ ...planned('12:00', '12:30'), status: 'arrived', actualArriveAt: at('11:50') }, planned('13:00', '13:30')],
    underWay,
  )
  expect(carried.stops.map((each) => each.delaySeconds)).toEqual([-600, 0])
  expect(carried.delaySeconds).toBe(0)
})

test('a skipped stop neither waits nor delays', () => {
  const carried = carryDelay(
    [
      { ...planned('12:00', '12:30'), status: 'departed', actualArriveAt: at('12:00'), actualDepartAt: at('12:40') },
      { ...planned('13:00', '13:30', 30), status: 'skipped' },
      planned('14:00', '14:00'),
    ],
    underWay,
  )
  expect(carried.stops.map((each) => each.delaySeconds)).toEqual([600, 0, 600])
})

test('a stop whose time has passed is late from that minute, and everything after it', () => {
  const stops = [start('12:00'), planned('13:00', '13:30', 10), planned('15:00', '15:30'), end('18:00')]
  expect(carryDelay(stops, { ...underWay, now: at('13:00') }).delaySeconds).toBe(0)
  const late = carryDelay(stops, { ...underWay, now: at('13:19') })
  expect(minutesLate(late)).toEqual([0, 19, 9, 9])
  expect(late.delaySeconds).toBe(19 * 60)
})

test('leaving a stop is overdue from the minute it was planned for', () => {
  const stops: DelayedStop[] = [
    { ...planned('12:00', '12:30', 5), status: 'arrived', actualArriveAt: at('12:04') },
    planned('13:00', '13:30'),
    end('18:00'),
  ]
  expect(minutesLate(carryDelay(stops, { ...underWay, now: at('12:30') }))).toEqual([4, 0, 0])
  const late = carryDelay(stops, { ...underWay, now: at('12:50') })
  expect(minutesLate(late)).toEqual([20, 20, 20])
  expect(late.delaySeconds).toBe(20 * 60)
})

test('a tour that has not set out is late from its start on; pickups that nobody marks are not', () => {
  const stops = [pickup('11:30'), start('12:00'), planned('13:00', '13:30'), end('18:00')]
  expect(carryDelay(stops, { ...notStarted, now: at('11:45') }).delaySeconds).toBe(0)
  expect(carryDelay(stops, { ...notStarted, now: at('12:25') }).delaySeconds).toBe(25 * 60)
  const picked = stops.with(0, { ...pickup('11:30'), status: 'departed', actualDepartAt: at('11:30') })
  expect(carryDelay(picked, { ...notStarted, now: at('12:25') }).delaySeconds).toBe(25 * 60)
})

test('a late start is carried on without a mark at the start, and the start is not waited for', () => {
  const stops = [pickup('11:30'), start('12:00'), planned('13:00', '13:30'), end('18:00')]
  const late = carryDelay(stops, { ...underWay, startedAt: at('12:12'), now: at('12:40') })
  expect(late.stops.map((each) => each.etaAt?.toISOString().slice(11, 16) ?? null)).toEqual([
    null,
    null,
    '13:12',
    '18:12',
  ])
  expect(late.delaySeconds).toBe(12 * 60)
})

test('who has arrived at the end is not late for leaving it', () => {
  const stops: DelayedStop[] = [start('12:00'), { ...end('18:00'), status: 'arrived', actualArriveAt: at('18:00') }]
  expect(carryDelay(stops, { ...underWay, now: at('20:00') }).delaySeconds).toBe(0)
})

test('a tour without stops is late when it has not started, and when it is not over', () => {
  expect(carryDelay([], { ...notStarted, now: at('12:07') }).delaySeconds).toBe(7 * 60)
  expect(carryDelay([], { ...underWay, now: at('17:00') }).delaySeconds).toBe(0)
  expect(carryDelay([], { ...underWay, now: at('18:30') }).delaySeconds).toBe(30 * 60)
})

test('a journey sets out once: the start of a later day carries the delay on', () => {
  const stops = [
    { ...start('12:00'), status: 'departed' as const, actualArriveAt: at('12:00'), actualDepartAt: at('12:00') },
    {
      ...planned('13:00', '13:30'),
      status: 'departed' as const,
      actualArriveAt: at('13:20'),
      actualDepartAt: at('13:50'),
    },
    start('15:00'),
    planned('16:00', '16:30'),
  ]
  expect(minutesLate(carryDelay(stops, { ...underWay, now: at('14:00') }))).toEqual([0, 20, 20, 20])
})

test('a pickup that was left late delays nobody who set out on time', () => {
  const pickup = { ...planned('11:30', '11:30'), kind: 'pickup' as const, status: 'departed' as const }
  const stops = [
    { ...pickup, actualArriveAt: at('11:40'), actualDepartAt: at('11:40') },
    start('12:00'),
    planned('13:00', '13:30'),
  ]
  expect(minutesLate(carryDelay(stops, underWay))).toEqual([10, 0, 0])
})
