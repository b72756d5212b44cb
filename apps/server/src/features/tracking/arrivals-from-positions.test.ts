import { markStop } from '@tour-ops/contract/departures/run-sheet'
import type { TrueVisit } from '@tour-ops/contract/tracking/arrivals/simulated-track'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreVerbOf, estimate, setStatus } from '../../../testing/operations.ts'
import {
  at,
  day,
  trackedDeparture,
  type TrackedOne,
  type TrackingServer,
  trackingServer,
  visit,
} from '../../../testing/tracked-departure.ts'

let tracking: TrackingServer
beforeAll(async () => {
  tracking = await trackingServer()
})
afterAll(() => tracking?.close())

const minuteMs = 60_000
const tracked = (visits?: readonly TrueVisit[]) => trackedDeparture(tracking, visits)

const minutesFrom = (moment: string | null, time: string): number =>
  moment === null ? Number.NaN : Math.abs(Date.parse(moment) - at(time).getTime()) / minuteMs

/** Of all stops: who says when they came and left, and when. */
const timesOf = async (departure: TrackedOne) =>
  (await departure.get()).stops.map(({ status, source, actualArriveAt, actualDepartAt }) => ({
    status,
    source,
    actualArriveAt,
    actualDepartAt,
  }))

/** The whole day, a minute of the server's here and there. */
async function wholeDay(departure: TrackedOne, gap?: readonly [string, string]): Promise<void> {
  await departure.report('08:40', gap)
  await departure.report('09:06', gap)
  await departure.setOut()
  for (const time of ['10:30', '12:35', '13:55', '17:30']) await departure.report(time, gap)
}

test('the day of a departure is written from its positions, with a delay that is carried on', async () => {
  const departure = await tracked()
  await departure.report('08:40')
  await departure.report('09:06')
  await departure.setOut()
  await departure.report('09:10')
  expect((await timesOf(departure)).map(({ status, source }) => [status, source])).toEqual([
    ['departed', 'gps'],
    ['departed', 'gps'],
    ['planned', null],
    ['planned', null],
  ])
  const before = await departure.stop(2)
  await departure.report('12:35')
  const arrived = await departure.stop(2)
  expect(arrived).toMatchObject({ status: 'arrived', source: 'gps' })
  expect(minutesFrom(arrived.actualArriveAt, '12:25')).toBeLessThan(1)
  // a guide who reads the stop meanwhile is not refused
  expect(arrived.version).toBe(before.version)
  expect(Math.round((await departure.get()).delaySeconds / 60)).toBe(10)
  expect(minutesFrom((await departure.stop(3)).etaAt, '17:05')).toBeLessThan(1)

  await departure.report('13:55')
  const left = await departure.stop(2)
  expect(left.status).toBe('departed')
  expect(minutesFrom(left.actualDepartAt, '13:50')).toBeLessThan(1)
  expect(minutesFrom((await departure.stop(3)).etaAt, '17:20')).toBeLessThan(1)
  await departure.report('17:30')
  const end = await departure.stop(3)
  expect(end).toMatchObject({ status: 'arrived', source: 'gps', actualDepartAt: null })
  expect(minutesFrom(end.actualArriveAt, '17:18')).toBeLessThan(1)
})

test('on the way the position says that a stop cannot be reached in time, before its time has passed', async () => {
  const breakdown = [...day.slice(0, 2), visit({ lat: 64.2, lng: -21.2 }, '10:00', '12:25')]
  const departure = await tracked(breakdown)
  await departure.report('09:06')
  await departure.setOut()
  await departure.report('12:05')
  const { etaAt, delaySeconds, seenAt } = await departure.stop(2)
  expect(minutesFrom(seenAt, '12:05')).toBeLessThan(1)
  // 45 km in a straight line, 61 by road
  expect(minutesFrom(etaAt, '13:06')).toBeLessThan(4)
  expect(delaySeconds).toBeGreaterThan(45 * 60)
  // once the planned time has passed, the minute's estimate of what is overdue says no less
  await departure.report('12:20')
  expect((await departure.stop(2)).delaySeconds).toBeGreaterThan(60 * 60)
  // no position for ten minutes: what is left is the plan and the time that has passed
  departure.clock.set(at('12:35'))
  await estimate(departure.caller, departure.clock.now())
  expect(await departure.stop(2)).toMatchObject({ delaySeconds: 20 * 60, seenAt: null })
})

test('a stop to which they go by boat is estimated at the pace of a boat', async () => {
  const departure = await tracked([...day.slice(0, 2), visit({ lat: 64.2, lng: -21.2 }, '10:00', '12:25')])
  await departure.caller.transaction((tx) =>
    sql`update departure_stops set travel_mode = 'boat' where departure_id = ${departure.id} and stop_order = 3`.execute(
      tx,
    ),
  )
  await departure.report('09:06')
  await departure.setOut()
  await departure.report('12:05')
  // 45 km in a straight line, 54 over the water, at 25 km an hour
  expect(minutesFrom((await departure.stop(2)).etaAt, '14:15')).toBeLessThan(6)
})

test('a batch that comes hours late, and a server that was started again, leave the same times', async () => {
  const live = await tracked()
  await wholeDay(live)
  const late = await tracked()
  await wholeDay(late, ['11:40', '13:30'])
  // seen there at all from 13:30 on
  expect(minutesFrom((await late.stop(2)).actualArriveAt, '13:30')).toBeLessThan(1)
  late.restart()
  await late.report('17:31')
  expect(await timesOf(late)).toEqual(await timesOf(live))
  const changes = await live.changes()
  live.restart()
  await live.report('17:31')
  expect(await live.changes()).toBe(changes)
})

test('a phone that was without a network until the evening fills in the day of a departure that has ended', async () => {
  const departure = await tracked()
  await departure.report('08:40')
  await departure.report('09:06')
  await departure.setOut()
  departure.clock.set(at('17:40'))
  await setStatus(departure.caller, departure.id, { to: 'completed' })
  const before = await departure.get()
  expect((await timesOf(departure)).map(({ status }) => status).slice(2)).toEqual(['planned', 'planned'])
  await departure.report('20:30')
  const { stops, delaySeconds } = await departure.get()
  expect(minutesFrom(stops[2]?.actualArriveAt ?? null, '12:25')).toBeLessThan(1)
  expect(minutesFrom(stops[2]?.actualDepartAt ?? null, '13:50')).toBeLessThan(1)
  expect(stops[3]).toMatchObject({ status: 'arrived', source: 'gps', seenAt: null })
  // nothing more is expected of it
  expect(delaySeconds).toBe(before.delaySeconds)
})

test("a person's mark wins over positions, in whatever order they come, and is not overwritten", async () => {
  const departure = await tracked()
  const { clock, caller, staffId } = departure
  await departure.report('09:06')
  await departure.setOut()
  const guide = await tracking.world.as('guide', { orgId: caller.orgId, staffId, clock })
  const seen = await departure.stop(2)
  await departure.report('12:35')
  // the guide's phone was without a network and knows nothing of the computed arrival
  await guide.call(coreVerbOf(markStop), {
    id: seen.id,
    version: seen.version,
    to: 'arrived',
    at: at('12:31').toISOString(),
  })
  expect(await departure.stop(2)).toMatchObject({ source: 'guide', actualArriveAt: at('12:31').toISOString() })
  await departure.report('12:36')
  expect(await departure.stop(2)).toMatchObject({ source: 'guide', actualArriveAt: at('12:31').toISOString() })
  await departure.report('13:55')
  const left = await departure.stop(2)
  expect(left).toMatchObject({ status: 'departed', source: 'gps', actualArriveAt: at('12:31').toISOString() })
  // they say when they left as well, after it was computed
  await guide.call(coreVerbOf(markStop), {
    id: left.id,
    version: left.version,
    to: 'departed',
    at: at('13:45').toISOString(),
    reason: 'counted',
  })
  departure.restart()
  await departure.report('17:30')
  expect(await departure.stop(2)).toMatchObject({
    status: 'departed',
    source: 'guide',
    actualArriveAt: at('12:31').toISOString(),
    actualDepartAt: at('13:45').toISOString(),
  })
})

test('an arrival that a person undid stays undone while the phone is where it was', async () => {
  const departure = await tracked()
  const { caller } = departure
  await departure.report('09:06')
  await departure.setOut()
  await departure.report('12:35')
  const wrong = await departure.stop(2)
  await caller.call(coreVerbOf(markStop), {
    id: wrong.id,
    version: wrong.version,
    to: 'planned',
    reason: 'still in the car park',
  })
  await departure.report('12:45')
  departure.restart()
  await departure.report('12:50')
  expect(await departure.stop(2)).toMatchObject({ status: 'planned', actualArriveAt: null })
  const { id, version } = await departure.stop(2)
  await caller.call(coreVerbOf(markStop), { id, version, to: 'arrived', at: at('12:48').toISOString() })
  await departure.report('13:55')
  expect(await departure.stop(2)).toMatchObject({ status: 'departed', actualArriveAt: at('12:48').toISOString() })
})
