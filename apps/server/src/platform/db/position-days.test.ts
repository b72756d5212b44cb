import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { insertRow, refusalOf, sampleRow, type Samples } from '../../../testing/sample-rows.ts'
import { sampleOffice } from '../../../testing/row-writer.ts'

let world: TestWorld
let caller: TestCaller
let samples: Samples
beforeAll(async () => {
  world = await testDatabase()
  ;({ caller, samples } = await sampleOffice(world))
})
afterAll(() => world.close())

const made = async (from: string, to: string): Promise<number> => {
  const { rows } = await caller.transaction((tx) =>
    sql<{ days: number }>`select ensure_position_days(${from}, ${to}) as days`.execute(tx),
  )
  return rows[0]?.days ?? -1
}
const dropped = async (before: string): Promise<number> => {
  const { rows } = await caller.transaction((tx) =>
    sql<{ days: number }>`select drop_position_days(${before}) as days`.execute(tx),
  )
  return rows[0]?.days ?? -1
}

test('days are made once, take positions, and go as a whole', async () => {
  const recordedAt = new Date('2019-05-02T12:00:00Z')
  const session = sampleRow('duty_sessions', samples, {
    staff_id: null,
    vehicle_id: samples.id('vehicles'),
    started_at: recordedAt,
  })
  const device = sampleRow('devices', samples, { staff_id: null, vehicle_id: samples.id('vehicles') })
  const fix = sampleRow('positions', samples, {
    device_id: device['id'],
    duty_session_id: session['id'],
    recorded_at: recordedAt,
  })
  await caller.transaction(async (tx) => {
    await insertRow(tx, 'duty_sessions', session)
    await insertRow(tx, 'devices', device)
  })
  expect(await refusalOf(caller.transaction((tx) => insertRow(tx, 'positions', fix)))).toBe('23514')
  expect(await made('2019-05-01', '2019-05-03')).toBe(3)
  expect(await made('2019-05-02', '2019-05-04')).toBe(1)
  await caller.transaction((tx) => insertRow(tx, 'positions', fix))
  expect(await dropped('2019-05-03')).toBe(2)
  const { rows } = await caller.transaction((tx) =>
    sql`select from positions where device_id = ${device['id']}`.execute(tx),
  )
  expect(rows).toEqual([])
  expect(await dropped('2019-06-01')).toBe(2)
})

test('a slip in a date does not make partitions without end', async () => {
  expect(await refusalOf(made('2019-01-01', '2919-01-01'))).toBe('22023')
})
