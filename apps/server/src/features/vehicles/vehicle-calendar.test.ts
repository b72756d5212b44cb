import type { Given } from '@tour-ops/contract/callable'
import {
  addVehicleBlock,
  changeVehicleBlock,
  removeVehicleBlock,
  vehicleCalendar,
} from '@tour-ops/contract/vehicles/vehicle-calendar'
import { assignVehicle, vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { staffPlanner } from '@tour-ops/contract/field-staff/staff-planner'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { plannerVerbs } from '../field-staff/planner-service.ts'
import { vehiclesVerbs } from './verbs.ts'

let world: TestWorld
let office: TestCaller
let tourId: string
let vehicleId: string
const verbOf = verbsOf([...vehiclesVerbs, ...plannerVerbs])

beforeAll(async () => {
  world = await testDatabase()
  office = await world.as('operations_manager')
  ;({ tourId } = await publishedTour(office))
  vehicleId = await addVehicle()
})
afterAll(() => world.close())

let count = 0
const addVehicle = async () =>
  (
    await office.call(verbOf(vehicleRecord.create), {
      label: `Bus ${(count += 1)}`,
      plate: `AB ${count}`,
      class: '4x4',
      seats: 20,
    })
  ).id

type Block = Given<typeof addVehicleBlock>
/** A stay in the workshop on a day of July 2030. */
const stay = (day: number, more: Partial<Block> = {}): Block => ({
  vehicleId,
  kind: 'maintenance',
  startsAt: `2030-07-${day}T08:00:00Z`,
  endsAt: `2030-07-${day}T16:00:00Z`,
  note: null,
  ...more,
})
const add = (block: Block) => office.call(verbOf(addVehicleBlock), block)
const entries = async (from = '2030-07-01', days = 31) =>
  (await office.call(verbOf(vehicleCalendar), { vehicleId, from, days })).entries

describe('the calendar of a vehicle', () => {
  test('takes a block, changes it and lets it go; what was entered before is refused by name', async () => {
    const { id, version } = await add(stay(20, { note: 'Brakes' }))
    expect(await entries()).toMatchObject([{ id, kind: 'maintenance', note: 'Brakes', departure: null }])
    const { vehicleId: _of, ...block } = stay(21, { kind: 'hire' })
    const changed = await office.call(verbOf(changeVehicleBlock), { id, version, ...block })
    expect(changed.version).toBe(version + 1)
    expect(await entries()).toMatchObject([{ kind: 'hire', startsAt: '2030-07-21T08:00:00.000Z', note: null }])
    await expect(office.call(verbOf(changeVehicleBlock), { id, version, ...block })).rejects.toMatchObject({
      details: { reason: 'version_conflict' },
    })
    await office.call(verbOf(removeVehicleBlock), { id })
    expect(await entries()).toEqual([])
    await expect(office.call(verbOf(removeVehicleBlock), { id })).rejects.toMatchObject({ code: 'not-found' })
  })

  test('shows a departure on its days, which no block may take and no block verb may touch', async () => {
    const departureId = await addDeparture(office, tourId)
    const { id } = await office.call(verbOf(assignVehicle), { departureId, vehicleId, driverStaffId: null })
    expect(await entries('2030-07-14', 1)).toMatchObject([{ id, kind: 'departure', departure: { id: departureId } }])
    expect(await entries('2030-07-16', 5)).toEqual([])
    await expect(add(stay(14, { startsAt: '2030-07-14T00:00:00Z' }))).rejects.toMatchObject({
      code: 'aborted',
      details: { reason: 'vehicle_busy', name: 'Bus 1', departureId, kind: 'departure' },
    })
    await expect(office.call(verbOf(removeVehicleBlock), { id })).rejects.toMatchObject({ code: 'not-found' })
    const { vehicleId: _of, ...block } = stay(14)
    await expect(office.call(verbOf(changeVehicleBlock), { id, version: 1, ...block })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('maintenance and hire exclude each other and departures; cleaning excludes nothing', async () => {
    vehicleId = await addVehicle()
    const { id } = await add(stay(14, { kind: 'hire', endsAt: '2030-07-16T08:00:00Z' }))
    await add(stay(15, { kind: 'cleaning' }))
    await expect(add(stay(15))).rejects.toMatchObject({ details: { reason: 'vehicle_busy', kind: 'hire', code: null } })
    const departureId = await addDeparture(office, tourId, { startTimeLocal: '10:00' })
    await expect(
      office.call(verbOf(assignVehicle), { departureId, vehicleId, driverStaffId: null }),
    ).rejects.toMatchObject({ details: { reason: 'vehicle_busy', kind: 'hire' } })
    const { vehicleBlocks } = await office.call(verbOf(staffPlanner), { from: '2030-07-14', days: 7 })
    expect(vehicleBlocks.filter((block) => block.vehicleId === vehicleId)).toMatchObject([{ id, kind: 'hire' }])
  })

  test('a block that is moved over another one is refused by that one, and not by itself', async () => {
    vehicleId = await addVehicle()
    const first = await add(stay(20))
    await add(stay(21, { kind: 'hire' }))
    const { vehicleId: _of, ...longer } = stay(20, { endsAt: '2030-07-21T09:00:00Z' })
    await expect(office.call(verbOf(changeVehicleBlock), { ...first, ...longer })).rejects.toMatchObject({
      details: { reason: 'vehicle_busy', kind: 'hire' },
    })
    const shorter = { ...longer, endsAt: '2030-07-20T12:00:00Z' }
    expect(await office.call(verbOf(changeVehicleBlock), { ...first, ...shorter })).toMatchObject({ id: first.id })
  })

  test('what ends before it starts names the field; an archived vehicle takes nothing more', async () => {
    await expect(add(stay(22, { endsAt: '2030-07-22T08:00:00Z' }))).rejects.toMatchObject({
      code: 'invalid-argument',
      details: { fieldIssues: { endsAt: [{ code: 'end_before_start' }] } },
    })
    const archived = await addVehicle()
    await office.call(verbOf(vehicleRecord.archive), { id: archived, version: 1, archived: true })
    await expect(add(stay(22, { vehicleId: archived }))).rejects.toMatchObject({ code: 'not-found' })
  })

  test('people who may only read see it and cannot enter anything', async () => {
    const viewer = await world.as('viewer', { orgId: office.orgId })
    expect(await viewer.call(verbOf(vehicleCalendar), { vehicleId, from: '2030-07-20' })).toMatchObject({
      entries: [{ kind: 'maintenance' }, { kind: 'hire' }],
    })
    await expect(viewer.call(verbOf(addVehicleBlock), stay(25))).rejects.toMatchObject({ code: 'permission-denied' })
  })
})
