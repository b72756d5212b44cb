import { assignVehicle, vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { addDeparture, assignGuide, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { vehiclesVerbs } from './verbs.ts'

let world: TestWorld
let office: TestCaller
let tourId: string
let departureId: string
let vehicleId: string
const verbOf = verbsOf(vehiclesVerbs)

beforeAll(async () => {
  world = await testDatabase()
  office = await world.as('operations_manager')
  tourId = (await publishedTour(office)).tourId
  // on 14 July 2030
  departureId = await addDeparture(office, tourId)
  const bus = { label: 'Bus 1', plate: 'AB 123', class: '4x4' as const, seats: 20 }
  vehicleId = (await office.call(verbOf(vehicleRecord.create), bus)).id
})
afterAll(() => world.close())

/** One of the crew, with these certificates. */
async function driverWith(certificates: readonly [kind: string, validUntil: string | null][]): Promise<string> {
  const staffId = await assignGuide(office, departureId, { role: 'backup' })
  await office.transaction(async (tx) => {
    for (const [kind, validUntil] of certificates) {
      await sql`insert into staff_certificates (org_id, id, staff_id, kind, valid_until)
        values (${office.orgId}, ${newId()}, ${staffId}, ${kind}, ${validUntil})`.execute(tx)
    }
  })
  return staffId
}

const nameDriver = (driverStaffId: string) =>
  office.call(verbOf(assignVehicle), { departureId, vehicleId, driverStaffId })

test('nobody is named as a driver whose bus licence has ended by then', async () => {
  for (const certificates of [
    [['driving_D', '2030-07-13']],
    [
      ['driving_D', '2030-07-13'],
      ['driving_D1', '2029-01-01'],
    ],
  ] as [string, string][][]) {
    await expect(nameDriver(await driverWith(certificates))).rejects.toMatchObject({
      code: 'aborted',
      message: 'The licence of Björn Ólafsson has expired by then. Nobody may do this work without it.',
      details: { reason: 'licence_expired', name: 'Björn Ólafsson' },
    })
  }
})

test('nobody is named as a driver who is not active, or not there', async () => {
  const suspended = await driverWith([])
  await office.transaction((tx) =>
    sql`update field_staff set status = 'suspended' where org_id = ${office.orgId} and id = ${suspended}`.execute(tx),
  )
  await expect(nameDriver(suspended)).rejects.toMatchObject({ details: { reason: 'staff_not_active' } })
  await expect(nameDriver(newId())).rejects.toMatchObject({ code: 'not-found' })
})

test('a licence that is valid on the day, was renewed, or is for guiding is in nobody’s way', async () => {
  const driver = await driverWith([
    ['driving_D', '2028-07-13'],
    ['driving_D', '2030-07-14'],
    ['driving_D1', '2029-01-01'],
    ['national_guide_licence', '2029-01-01'],
  ])
  expect(await nameDriver(driver)).toMatchObject({ warnings: [] })
})

test('a vehicle is on one departure at a time, and the refusal names the one that has it', async () => {
  const bus = { label: 'Bus 2', plate: 'CD 456', class: '4x4' as const, seats: 20 }
  const { id } = await office.call(verbOf(vehicleRecord.create), bus)
  const other = await addDeparture(office, tourId, { startTimeLocal: '09:30' })
  await office.call(verbOf(assignVehicle), { departureId, vehicleId: id })
  await expect(office.call(verbOf(assignVehicle), { departureId: other, vehicleId: id })).rejects.toMatchObject({
    code: 'aborted',
    details: { reason: 'vehicle_busy', name: 'Bus 2', departureId },
  })
})
