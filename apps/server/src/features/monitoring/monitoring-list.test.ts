import { markStop } from '@tour-ops/contract/departures/run-sheet'
import { mapToday } from '@tour-ops/contract/map/map'
import { maxMonitored, monitoringList } from '@tour-ops/contract/monitoring/monitoring-list'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, coreVerbOf } from '../../../testing/operations.ts'
import {
  at,
  trackedDeparture,
  type TrackedOne,
  type TrackingServer,
  trackingServer,
} from '../../../testing/tracked-departure.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { mapVerbs } from '../map/map-service.ts'
import { monitoringVerbs } from './verbs.ts'

let tracking: TrackingServer
beforeAll(async () => {
  tracking = await trackingServer()
})
afterAll(() => tracking?.close())

const verbOf = verbsOf(monitoringVerbs)
const mapVerbOf = verbsOf(mapVerbs)
const rowOf = async ({ caller, id }: TrackedOne) => {
  const { rows } = await caller.call(verbOf(monitoringList), { size: maxMonitored })
  const row = rows.find((one) => one.id === id)
  if (!row?.next || !row.nextStop) throw new Error('The departure is not on the list.')
  return { ...row, next: row.next, nextStop: row.nextStop }
}
const secondsFrom = (moment: string | null | undefined, time: string): number =>
  moment ? Math.abs(Date.parse(moment) - at(time).getTime()) / 1000 : Number.NaN

test('a row says which stop comes next and when, what that rests on and how old it is, and when the last signal came', async () => {
  const departure = await trackedDeparture(tracking)
  const { caller, clock } = departure
  const before = await rowOf(departure)
  expect(before).toMatchObject({ next: { name: 'City Hall', basis: null }, lastFixAt: null, batteryPct: null })

  await departure.report('09:06')
  await departure.setOut()
  await departure.report('12:05')
  const onTheWay = await rowOf(departure)
  expect(onTheWay.nextStop).toMatchObject({ number: 3, of: 4, isHere: false, at: onTheWay.next.etaAt })
  // the fix of 12:05 was taken into account, and is the last signal
  expect(onTheWay.next.basis?.source).toBe('gps')
  expect(secondsFrom(onTheWay.next.basis?.at, '12:05')).toBeLessThan(60)
  expect(secondsFrom(onTheWay.lastFixAt, '12:05')).toBeLessThan(60)

  // a tap of the office counts until they are seen somewhere again
  const { id: stopId, version } = await departure.stop(2)
  clock.set(at('12:20'))
  await caller.call(coreVerbOf(markStop), { id: stopId, version, to: 'arrived', at: at('12:15').toISOString() })
  const here = await rowOf(departure)
  expect(here.nextStop).toMatchObject({ number: 3, isHere: true })
  expect(here.next).toMatchObject({ basis: { source: 'dispatcher', at: at('12:15').toISOString() } })
})

test('what a guide reports on another tour says nothing about this departure, on the list and in the drawer', async () => {
  const departure = await trackedDeparture(tracking)
  const { caller, clock, id, staffId } = departure
  await departure.report('09:06')
  await departure.setOut()
  await departure.report('10:00')
  expect(secondsFrom((await departure.get()).lastPositionAt, '10:00')).toBeLessThan(60)
  // the duty goes on with another departure of the same day
  const other = await addDeparture(caller, departure.tourId, { startTimeLocal: '18:00' })
  await caller.transaction((tx) =>
    sql`update duty_sessions set departure_id = ${other} where org_id = ${caller.orgId} and staff_id = ${staffId} and departure_id = ${id}`.execute(
      tx,
    ),
  )
  clock.set(at('10:01'))
  expect((await rowOf(departure)).lastFixAt).toBeNull()
  expect((await departure.get()).lastPositionAt).toBeNull()
})

test('a phone on a stretch without a signal is not counted as silent, on the list and on the map, until they are to be behind it', async () => {
  const departure = await trackedDeparture(tracking)
  const { caller, clock, id } = departure
  const silent = async () => {
    const { rows, counts } = await caller.call(verbOf(monitoringList), { size: maxMonitored })
    const { departures } = await caller.call(mapVerbOf(mapToday), {})
    const [row, onMap] = [rows.find((one) => one.id === id), departures.find((one) => one.id === id)]
    expect(onMap?.quietUntil).toBe(row?.quietUntil)
    return { state: row?.guideState, until: row?.quietUntil, counted: counts.noSignal }
  }
  await departure.report('09:06')
  await departure.setOut()
  await departure.report('10:00')
  expect(await silent()).toEqual({ state: 'live', until: null, counted: 0 })
  clock.set(at('10:30'))
  expect(await silent()).toEqual({ state: 'offline', until: null, counted: 1 })

  // Geysir is planned for 12:15, and they set out six minutes late
  await caller.transaction((tx) =>
    sql`update departure_stops set signal_gap = true where org_id = ${caller.orgId} and departure_id = ${id} and kind = 'meal'`.execute(
      tx,
    ),
  )
  const until = at('12:21').toISOString()
  expect(await silent()).toEqual({ state: 'offline', until, counted: 0 })
  const { rows } = await caller.call(verbOf(monitoringList), { filters: { state: ['no_signal'] } })
  expect(rows).toEqual([])
  clock.set(at('12:21'))
  expect(await silent()).toEqual({ state: 'offline', until: null, counted: 1 })
})
