import { markStop } from '@tour-ops/contract/departures/run-sheet'
import { maxMonitored, monitoringList } from '@tour-ops/contract/monitoring/monitoring'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../testing/http-server.ts'
import { coreVerbOf, setStatus } from '../../../testing/operations.ts'
import { at, trackedDeparture, type TrackedOne } from '../../../testing/tracked-departure.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { movableClock } from '../../platform/clock.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
let server: TestServer
const ingestClock = movableClock(at('08:00'))
beforeAll(async () => {
  world = await testDatabase()
  server = await testServer({ services: { ...world.services, clock: ingestClock }, env: { DEMO: 'off' } })
  await world.services.db.pool.query(`select ensure_position_days('2030-07-13', '2030-07-16')`)
})
afterAll(async () => {
  await server?.close()
  await world?.close()
})

const verbOf = verbsOf(monitoringVerbs)
const rowOf = async ({ caller, id }: TrackedOne) => {
  const { rows } = await caller.call(verbOf(monitoringList), { size: maxMonitored })
  const row = rows.find((one) => one.id === id)
  if (!row?.next || !row.nextStop) throw new Error('The departure is not on the list.')
  return { ...row, next: row.next, nextStop: row.nextStop }
}
const secondsFrom = (moment: string | null | undefined, time: string): number =>
  moment ? Math.abs(Date.parse(moment) - at(time).getTime()) / 1000 : Number.NaN

test('a row says which stop comes next and when, what that rests on and how old it is, and when the last signal came', async () => {
  const departure = await trackedDeparture({ world, server, ingestClock })
  const { caller, clock, id } = departure
  const before = await rowOf(departure)
  expect(before).toMatchObject({ next: { name: 'City Hall', basis: null }, lastFixAt: null, batteryPct: null })

  await departure.report('09:06')
  clock.set(at('09:06'))
  await setStatus(caller, id, { to: 'in_progress', reason: 'nobody to count' })
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
