import { listDepartures } from '@tour-ops/contract/departures/departures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../src/platform/clock.ts'
import { coreVerbOf } from '../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../testing/world.ts'
import { seedDemo } from './demo.ts'

let world: TestWorld
let office: TestCaller
const clock = movableClock(new Date('2030-07-14T10:00:00Z'))
/** Two weeks of history are enough for its statements, and longer than the longest tour. */
const lastMay = { from: '2030-05-13', to: '2030-05-26' }
const seed = () => seedDemo({ ...world.services, clock }, true, [{ ...lastMay, demand: 1 }])
beforeAll(async () => {
  world = await testDatabase()
  await seed()
  const [demo] = await world.rows<{ id: string }>(`select id from identity.organization where slug = 'aurora-atlas'`)
  office = await world.as('operations_manager', { orgId: demo?.id ?? '', clock })
}, 600_000)
afterAll(() => world?.close())

/** Those that leave on these days, without tours that have been out since before. */
const departuresOf = async (from: string, to: string) =>
  (await office.call(coreVerbOf(listDepartures), { filters: { from, to }, size: 500 })).rows.filter(
    ({ localDate }) => localDate >= from,
  )
const statuses = async (from: string, to: string) => (await departuresOf(from, to)).map(({ status }) => status)

test('a demo that was left alone for three days is at today when it is started again, and changes once a day', async () => {
  const before = await departuresOf('2030-07-27', '2030-07-29')
  expect(before.reduce((sum, { seatsConfirmed }) => sum + seatsConfirmed, 0)).toBe(0)
  clock.set(new Date('2030-07-17T10:00:00Z'))
  await seed()

  const past = await statuses('2030-07-14', '2030-07-16')
  expect(past.length).toBeGreaterThan(10)
  expect(past.filter((status) => status === 'completed').length).toBeGreaterThan(past.length / 2)
  expect(past).not.toContain('scheduled')
  expect(await statuses(lastMay.from, lastMay.to)).toContain('completed')
  const today = await departuresOf('2030-07-17', '2030-07-17')
  expect(today.map(({ status }) => status)).toContain('in_progress')
  expect(today.filter(({ leadGuide }) => leadGuide === null)).toHaveLength(0)
  const near = await departuresOf('2030-07-25', '2030-07-27')
  expect(near.filter(({ leadGuide }) => leadGuide !== null).length).toBeGreaterThan(near.length / 2)
  const sold = await departuresOf('2030-07-27', '2030-07-29')
  expect(sold.reduce((sum, { seatsConfirmed }) => sum + seatsConfirmed, 0)).toBeGreaterThan(10)
  expect(await departuresOf('2030-08-16', '2030-08-16')).not.toHaveLength(0)

  const changes = () => world.rows<{ count: number }>('select count(*)::int as count from audit_entries')
  const [after] = await changes()
  await seed()
  expect(await changes()).toEqual([after])
}, 600_000)
