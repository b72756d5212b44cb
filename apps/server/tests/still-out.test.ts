import type { In } from '@tour-ops/contract/callable'
import { getDeparture, listDepartures } from '@tour-ops/contract/departures/departures'
import { listFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { explainAccess } from '@tour-ops/contract/members/members'
import { mapToday } from '@tour-ops/contract/map/map'
import { monitoringBoard } from '@tour-ops/contract/monitoring/alerts'
import { monitoringList } from '@tour-ops/contract/monitoring/monitoring-list'
import { getOverview } from '@tour-ops/contract/overview/overview'
import { searchAll } from '@tour-ops/contract/search/search'
import { getTour } from '@tour-ops/contract/tours/tours'
import {
  getTraveler,
  listTravelers,
  revealTraveler,
  saveTravelerDocument,
  updateTraveler,
} from '@tour-ops/contract/travelers/travelers'
import { assignVehicle, vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../src/platform/clock.ts'
import { isAhead, isOut, isOver } from '../src/platform/operations/departure-phase.ts'
import { addDeparture, assignGuide, book, estimate, publishedTour, setStatus } from '../testing/operations.ts'
import { verbsOf } from '../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../testing/world.ts'
import { allVerbs } from '../src/verbs.ts'

const verbOf = verbsOf(allVerbs)
const clock = movableClock(new Date('2030-07-14T15:30:00Z'))
/** The tour is planned until half past midnight, and they are not back an hour later. */
const today = '2030-07-15'
const anHourLate = new Date('2030-07-15T01:30:00Z')

let world: TestWorld
let office: TestCaller
let dispatcher: TestCaller
/** The one that is out, and one of the same guests, guide and vehicle that is next. */
const ids = { out: '', next: '', tour: '', guest: '' }

beforeAll(async () => {
  world = await testDatabase()
  office = await world.as('admin', { clock })
  dispatcher = await world.as('dispatcher', { orgId: office.orgId, clock })
  const { tourId } = await publishedTour(office, { minPax: 0 })
  const staffId = await prepare(tourId)
  const out = await addDeparture(office, tourId, { startTimeLocal: '16:30' })
  await assignGuide(office, out, { staffId })
  const booking = await book(office, out, 1)
  const guest = booking.guests[0]?.travelerId ?? ''
  const { version } = await office.call(verbOf(getTraveler), { id: guest })
  await office.call(verbOf(updateTraveler), { id: guest, version, lastName: 'Okafor', medicalNote: 'Asthma' })
  Object.assign(ids, { ...ids, out, tour: tourId, guest })
  await bookNamed(out, 'Only')
  const { id: vehicleId } = await office.call(verbOf(vehicleRecord.create), {
    label: 'Bus 1',
    plate: 'AB 123',
    class: '4x4',
    seats: 20,
  })
  for (const departureId of [out, ids.next]) {
    await office.call(verbOf(assignVehicle), { departureId, vehicleId, driverStaffId: null })
  }
  await book(office, ids.next, 1, { guests: [{ travelerId: guest, unitType: 'adult' }] })
  for (const to of ['boarding', 'in_progress'] as const) await setStatus(office, out, { to, reason: 'no count' })
  clock.set(anHourLate)
})
afterAll(() => world.close())

/** A guest with this name and a passport that ends soon. */
async function bookNamed(departureId: string, lastName: string): Promise<void> {
  const booking = await book(office, departureId, 1)
  const guest = booking.guests[0]?.travelerId ?? ''
  const { version } = await office.call(verbOf(getTraveler), { id: guest })
  await office.call(verbOf(updateTraveler), { id: guest, version, lastName })
  const passport = { kind: 'passport' as const, number: '123456789', country: 'GB', expiresOn: '2030-12-01' }
  await office.call(verbOf(saveTravelerDocument), { travelerId: guest, ...passport })
}

/** The next departure, four days later, with the guide. */
async function prepare(tourId: string): Promise<string> {
  ids.next = await addDeparture(office, tourId, { localDate: '2030-07-18' })
  return assignGuide(office, ids.next)
}

const listed = async (filters: { from: string; to?: string }): Promise<string[]> => {
  const { rows } = await office.call(verbOf(listDepartures), { filters, sort: [{ by: 'startsAt' }] })
  return rows.map(({ id }) => id)
}

test('lists of departures show it today and among those to come, and not tomorrow', async () => {
  expect(await listed({ from: today, to: today })).toEqual([ids.out])
  expect(await listed({ from: today })).toEqual([ids.out, ids.next])
  expect(await listed({ from: '2030-07-16' })).toEqual([ids.next])
})

test('overview and monitoring list have it among what runs', async () => {
  const { figures, departures } = await office.call(verbOf(getOverview), {})
  expect({ running: figures.running, ids: departures.map(({ id }) => id) }).toEqual({ running: 1, ids: [ids.out] })
  const { rows } = await office.call(verbOf(monitoringList), {})
  expect(rows.map(({ id }) => id)).toEqual([ids.out])
})

test('the palette finds it before those to come', async () => {
  const { hits } = await office.call(verbOf(searchAll), { q: 'golden', scopes: ['departures'] })
  expect(hits.map(({ id }) => id)).toEqual([ids.out, ids.next])
})

test('its guests are on tour now, in the list and on their page', async () => {
  const { rows } = await office.call(verbOf(listTravelers), {})
  expect(rows.find(({ id }) => id === ids.guest)?.trip).toMatchObject({ departureId: ids.out, when: 'now' })
  const { trips } = await office.call(verbOf(getTraveler), { id: ids.guest })
  expect(trips.map(({ departureId, when }) => [departureId, when])).toEqual([
    [ids.out, 'now'],
    [ids.next, 'next'],
  ])
})

test('guide, vehicle and tour have it as the one that is on', async () => {
  const { rows: staff } = await office.call(verbOf(listFieldStaff), {})
  expect(staff[0]?.nextAssignment).toMatchObject({ departureId: ids.out })
  const { rows: vehicles } = await office.call(verbOf(vehicleRecord.list), {})
  expect(vehicles[0]?.next).toMatchObject({ departureId: ids.out })
  expect(await office.call(verbOf(getTour), { id: ids.tour })).toMatchObject({ upcomingDepartures: 2 })
})

test('its delay keeps growing until somebody closes it', async () => {
  const late = async (moment: string): Promise<number> => {
    clock.set(new Date(moment))
    await estimate(office, clock.now())
    return (await office.call(verbOf(getDeparture), { id: ids.out })).delaySeconds / 60
  }
  const [first, second] = [await late('2030-07-16T02:00:00Z'), await late('2030-07-16T02:30:00Z')]
  expect(second - first).toBe(30)
})

test('dispatchers see what is sensitive about its guests, and the explanation agrees', async () => {
  clock.set(new Date('2030-07-15T01:30:00Z'))
  // the next departure is more than 48 hours away
  const shown = await dispatcher.call(verbOf(revealTraveler), { id: ids.guest, fields: ['medical'] })
  expect(shown.medicalNote).toBe('Asthma')
  const asked = { userId: dispatcher.userId, permission: 'travelers_sensitive:read' as const, departureId: ids.out }
  expect(await office.call(verbOf(explainAccess), asked)).toMatchObject({
    answer: 'for_now',
    departure: { isOut: true },
  })
})

test('conditions of the database are those of the server', async () => {
  const { rows } = await world.database.ownerPool.query(
    `select departure_out_condition() as out, departure_over_condition() as over, departure_ahead_condition() as ahead,
      (select position(departure_out_condition() in prosrc) > 0 from pg_proc where proname = 'shared_link_end') as "ofLinks"`,
  )
  const [{ sql: out }, { sql: over }, { sql: ahead }] = await office.transaction(async (tx) => [
    isOut.compile(tx),
    isOver.compile(tx),
    isAhead.compile(tx),
  ])
  expect(rows).toEqual([{ out, over, ahead, ofLinks: true }])
})

const travelersBy = async (input: In<typeof listTravelers>): Promise<(string | null)[]> =>
  (await office.call(verbOf(listTravelers), input)).rows.map(({ lastName }) => lastName)

test('documents are asked for until they are back, and the order by trip has them where they are', async () => {
  const between = await addDeparture(office, ids.tour, { localDate: '2030-07-16' })
  await bookNamed(between, 'Between')
  const expiring = await travelersBy({ filters: { flag: ['document_expiring'] } })
  const { rows } = await office.call(verbOf(listTravelers), { q: 'Only' })
  expect({ expiring, flags: rows[0]?.flags }).toEqual({
    expiring: ['Between', 'Only'],
    flags: ['document_expiring'],
  })
  // the guest who is out and has another trip later comes before the one who starts tomorrow
  const byTrip = await travelersBy({ sort: [{ by: 'trip' }] })
  expect({ count: byTrip.length, last: byTrip.at(-1) }).toEqual({ count: 3, last: 'Between' })
})

test('a cancelled departure asks for no documents', async () => {
  const { tourId } = await publishedTour(office, { minPax: 0, kind: 'multi_day' })
  const cancelled = await addDeparture(office, tourId, { localDate: '2030-07-20' })
  await bookNamed(cancelled, 'Called Off')
  await book(office, cancelled, 1)
  const asked = async () => {
    const { rows } = await office.call(verbOf(listTravelers), { q: 'Called' })
    const { documents } = await office.call(verbOf(getTraveler), { id: rows[0]?.id ?? '' })
    return {
      flags: rows[0]?.flags,
      isExpiring: documents[0]?.expiring,
      isFound: (await travelersBy({ filters: { flag: ['document_expiring'] } })).includes('Called Off'),
      missing: (await travelersBy({ filters: { flag: ['document_missing'] } })).length,
    }
  }
  expect(await asked()).toEqual({ flags: ['document_expiring'], isExpiring: true, isFound: true, missing: 1 })
  await setStatus(office, cancelled, { to: 'cancelled', cancelReason: 'weather' })
  expect(await asked()).toEqual({ flags: [], isExpiring: false, isFound: false, missing: 0 })
})

test('what nobody ever closed falls off two months later, from guests, monitoring and map alike', async () => {
  const onTour = () => travelersBy({ filters: { view: 'on_tour' } })
  const running = async () => (await office.call(verbOf(monitoringBoard), {})).runningDepartures
  const onMap = async () => (await office.call(verbOf(mapToday), {})).departures.map(({ id }) => id)
  clock.set(new Date('2030-09-12T00:00:00Z'))
  expect([await onTour(), await running(), await onMap()]).toEqual([['Okafor', 'Only'], 1, [ids.out]])
  clock.set(new Date('2030-09-14T00:00:00Z'))
  expect([await onTour(), await running(), await onMap()]).toEqual([[], 0, []])
})
