import { assignVehicle, vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { getTour, publishTour, saveTourDraft } from '@tour-ops/contract/tours/tours'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { addDeparture, assignGuide, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'

const verbOf = verbsOf(allVerbs)
let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

let vehicles = 0
async function bus(
  office: TestCaller,
  departureId: string,
  change: { vehicleId?: string; driverStaffId?: string } = {},
) {
  vehicles += 1
  const more = { label: `Bus ${vehicles}`, plate: `AB ${vehicles}`, class: '4x4' as const, seats: 20 }
  const vehicleId = change.vehicleId ?? (await office.call(verbOf(vehicleRecord.create), more)).id
  const driverStaffId = change.driverStaffId ?? null
  await office.call(verbOf(assignVehicle), { departureId, vehicleId, driverStaffId })
  return vehicleId
}

/** A departure from 09:00 to 17:00 of a tour that is to last until 19:00, and one at 18:00 of another tour. */
async function longerTour() {
  const clock = movableClock(new Date('2030-07-01T08:00:00Z'))
  const office = await world.as('admin', { clock })
  const { tourId } = await publishedTour(office)
  const departureId = await addDeparture(office, tourId)
  const evening = await addDeparture(office, (await publishedTour(office)).tourId, { startTimeLocal: '18:00' })
  const publish = async () => {
    const tour = await office.call(verbOf(getTour), { id: tourId })
    const content = tour.revision?.content
    const stops = content?.stops.map((stop) => (stop.kind === 'end' ? { ...stop, offsetMin: 600 } : stop)) ?? []
    await office.call(verbOf(saveTourDraft), { id: tourId, version: tour.version, content: { ...content, stops } })
    const { version } = await office.call(verbOf(getTour), { id: tourId })
    return office.call(verbOf(publishTour), { id: tourId, version, applyToDepartureIds: [departureId] })
  }
  const spans = async () => {
    const { rows } = await office.transaction((tx) =>
      sql<{
        until: string
      }>`select to_char(upper(during) at time zone 'UTC', 'HH24:MI') as until from staff_calendar_entries
        union all select to_char(upper(during) at time zone 'UTC', 'HH24:MI') from vehicle_calendar_entries order by 1`.execute(
        tx,
      ),
    )
    return rows.map(({ until }) => until)
  }
  const endOf = async () => (await office.call(verbOf(getDeparture), { id: departureId })).endsAt
  return { office, departureId, evening, publish, spans, endOf }
}

test('people and vehicles of a departure that a new revision makes longer are taken until its new end', async () => {
  const { office, departureId, publish, spans } = await longerTour()
  await assignGuide(office, departureId)
  await bus(office, departureId)
  expect(await spans()).toEqual(['17:00', '17:30'])
  await publish()
  expect(await spans()).toEqual(['19:00', '19:30'])
})

test('a guide, a vehicle or a named driver who is on something else by then is named, and nothing is published', async () => {
  const guideBusy = await longerTour()
  const staffId = await assignGuide(guideBusy.office, guideBusy.departureId)
  await assignGuide(guideBusy.office, guideBusy.evening, { staffId })
  await expect(guideBusy.publish()).rejects.toMatchObject({
    details: { reason: 'staff_busy', name: 'Björn', departureId: guideBusy.evening },
  })
  expect(await guideBusy.endOf()).toBe('2030-07-14T17:00:00.000Z')

  const busBusy = await longerTour()
  const vehicleId = await bus(busBusy.office, busBusy.departureId)
  await bus(busBusy.office, busBusy.evening, { vehicleId })
  await expect(busBusy.publish()).rejects.toMatchObject({
    details: { reason: 'vehicle_busy', departureId: busBusy.evening },
  })

  const driverBusy = await longerTour()
  const driverStaffId = await assignGuide(driverBusy.office, driverBusy.evening)
  await bus(driverBusy.office, driverBusy.departureId, { driverStaffId })
  await expect(driverBusy.publish()).rejects.toMatchObject({
    details: { reason: 'staff_busy', name: 'Björn Ólafsson', departureId: driverBusy.evening },
  })
})

test('a driver who was named before is judged again when the departure moves', async () => {
  const { office, departureId, evening, publish } = await longerTour()
  const driverStaffId = await assignGuide(office, evening, { role: 'backup' })
  await office.transaction((tx) => sql`delete from assignments where departure_id = ${evening}`.execute(tx))
  await office.transaction((tx) => sql`delete from staff_calendar_entries`.execute(tx))
  await bus(office, departureId, { driverStaffId })
  await office.transaction((tx) =>
    sql`insert into staff_certificates (org_id, id, staff_id, kind, valid_until)
      values (${office.orgId}, ${departureId}, ${driverStaffId}, 'driving_D', '2030-07-13')`.execute(tx),
  )
  await expect(publish()).rejects.toMatchObject({
    details: { reason: 'licence_expired', name: 'Björn Ólafsson' },
  })
})

test('nobody is named as a driver who is on another departure or vehicle at that time', async () => {
  const { office, departureId } = await longerTour()
  const same = await addDeparture(office, (await publishedTour(office)).tourId, { startTimeLocal: '12:00' })
  const guideId = await assignGuide(office, same)
  const busy = { details: { reason: 'staff_busy', departureId: same } }
  await expect(bus(office, departureId, { driverStaffId: guideId })).rejects.toMatchObject(busy)
  // on the departure itself they drive it
  await bus(office, same, { driverStaffId: guideId })
  await office.transaction((tx) => sql`delete from assignments`.execute(tx))
  await office.transaction((tx) => sql`delete from staff_calendar_entries`.execute(tx))
  await expect(bus(office, departureId, { driverStaffId: guideId })).rejects.toMatchObject(busy)
})
