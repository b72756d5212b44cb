import type { Area } from '@tour-ops/contract/map/areas'
import { archiveNoGoArea, createNoGoArea } from '@tour-ops/contract/map/no-go-areas'
import { type AlertRow, getAlert, listAlerts } from '@tour-ops/contract/monitoring/alerts'
import { markStop } from '@tour-ops/contract/departures/run-sheet'
import type { TrueVisit } from '@tour-ops/contract/tracking/arrivals/simulated-track'
import type { Point } from '@tour-ops/contract/tracking/arrivals/travel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { coreVerbOf } from '../../../testing/operations.ts'
import {
  bsi,
  cityHall,
  geysir,
  trackedDeparture,
  type TrackedOne,
  type TrackingServer,
  trackingServer,
  visit,
} from '../../../testing/tracked-departure.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { mapVerbs } from '../map/map-service.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'
import { monitoringVerbs } from './verbs.ts'

// What phones report at the address of devices, until the alert on the board.

let tracking: TrackingServer
beforeAll(async () => {
  tracking = await trackingServer()
})
afterAll(() => tracking?.close())

const verbOf = verbsOf(monitoringVerbs)
const mapVerbOf = verbsOf(mapVerbs)
/** 4 km off the straight line to Geysir. */
const aside = { lat: 64.26, lng: -21.1 }

const morning = [visit(cityHall, '08:20', '08:23'), visit(bsi, '08:35', '09:06')]
const way = [cityHall, bsi, geysir]

/** A departure of which `evaluate` is a minute of the server. */
async function onTheWay(visits: readonly TrueVisit[], drawn?: readonly Point[]) {
  const departure = await trackedDeparture(tracking, visits, {
    way: drawn,
    phone: { everyS: 20, jitterM: 8, bend: 0 },
  })
  const { caller } = departure
  const evaluate = async (time: string) => {
    await departure.report(time)
    await caller.transaction((tx) => evaluateAlerts(tx, caller.orgId))
  }
  return { ...departure, evaluate }
}
type OnTheWay = Awaited<ReturnType<typeof onTheWay>>

async function alertOf({ caller }: TrackedOne, kind: AlertRow['kind']): Promise<AlertRow | undefined> {
  const { rows } = await caller.call(verbOf(listAlerts), { filters: { kind: [kind] } })
  return rows[0]
}

async function addVehicle({ caller, id }: TrackedOne, vehicleClass: string) {
  const { orgId } = caller
  const [vehicleId, useId] = [newId(), newId()]
  await caller.transaction(async (tx) => {
    await sql`insert into vehicles (org_id, id, plate, label, class, seats) values (${orgId}, ${vehicleId}, ${vehicleId}, 'Bus 1', ${vehicleClass}, 40)`.execute(
      tx,
    )
    await sql`insert into vehicle_calendar_entries (org_id, id, vehicle_id, during, kind)
      select org_id, ${useId}, ${vehicleId}, tstzrange(starts_at, ends_at), 'departure' from departures where org_id = ${orgId} and id = ${id}`.execute(
      tx,
    )
    await sql`insert into vehicle_assignments (org_id, calendar_entry_id, departure_id) values (${orgId}, ${useId}, ${id})`.execute(
      tx,
    )
  })
}

/** Open while it is true, and resolved at the second evaluation that finds it over. */
async function isOverAfter(departure: OnTheWay, kind: AlertRow['kind'], first: string, second: string) {
  await departure.evaluate(first)
  expect(await alertOf(departure, kind)).toMatchObject({ status: 'open' })
  await departure.evaluate(second)
  expect(await alertOf(departure, kind)).toMatchObject({
    status: 'resolved',
    resolution: 'auto',
    resolutionFacts: { status: 'in_progress', heardAt: expect.any(String) as string },
  })
}

test('off_route: a bus three minutes away from the drawn way, until it is back on it', async () => {
  const departure = await onTheWay([...morning, visit(aside, '10:00', '10:00'), visit(geysir, '10:50', '12:00')], way)
  await departure.evaluate('09:06')
  await departure.setOut()
  await departure.evaluate('09:40')
  expect(await alertOf(departure, 'off_route')).toMatchObject({
    severity: 'warning',
    status: 'open',
    evidence: { limitM: 500, limitMin: 3, since: expect.any(String) as string },
    departure: { id: departure.id },
  })
  // where it was is for those who may see positions
  expect(Object.keys((await alertOf(departure, 'off_route'))?.evidence ?? {}).toSorted()).toEqual([
    'limitM',
    'limitMin',
    'meters',
    'since',
  ])
  await isOverAfter(departure, 'off_route', '10:55', '10:56')
})

test('off_route says nothing of a tour without a drawn way, and follows the limit of the settings', async () => {
  const visits = [...morning, visit(aside, '10:00', '10:00'), visit(geysir, '10:50', '12:00')]
  const undrawn = await onTheWay(visits)
  await undrawn.setOut()
  await undrawn.evaluate('09:40')
  expect(await alertOf(undrawn, 'off_route')).toBeUndefined()
  const patient = await onTheWay(visits, way)
  await patient.caller.transaction((tx) =>
    sql`update org_settings set tour_rules = '{"offRouteM": 20000}' where org_id = ${patient.caller.orgId}`.execute(tx),
  )
  await patient.setOut()
  await patient.evaluate('09:40')
  expect(await alertOf(patient, 'off_route')).toBeUndefined()
})

test('long_stop: half an hour where nothing is planned, until it continues', async () => {
  const departure = await onTheWay([...morning, visit(aside, '09:50', '10:30'), visit(geysir, '11:20', '12:00')])
  await departure.setOut()
  await departure.evaluate('10:10')
  expect(await alertOf(departure, 'long_stop')).toBeUndefined()
  await departure.evaluate('10:25')
  expect(await alertOf(departure, 'long_stop')).toMatchObject({ severity: 'warning', evidence: { limitMin: 30 } })
  await isOverAfter(departure, 'long_stop', '10:40', '10:41')
})

test('overspeed: a minute above the limit of the class of vehicle; another class has another limit', async () => {
  // 83 km in 45 minutes is 110 km/h
  const visits = [...morning, visit(geysir, '09:51', '12:00')]
  const departure = await onTheWay(visits)
  await addVehicle(departure, 'coach')
  await departure.setOut()
  await departure.evaluate('09:30')
  expect(await alertOf(departure, 'overspeed')).toMatchObject({ severity: 'warning', evidence: { limitKmh: 100 } })
  await isOverAfter(departure, 'overspeed', '09:57', '09:58')
  const unknown = await onTheWay(visits)
  await addVehicle(unknown, 'other')
  await unknown.setOut()
  await unknown.evaluate('09:30')
  expect(await alertOf(unknown, 'overspeed')).toBeUndefined()
})

test('geofence_absent: a stop that somebody marked while the phone is elsewhere', async () => {
  const departure = await onTheWay([...morning, visit(aside, '09:50', '10:20'), visit(geysir, '11:00', '12:00')])
  await departure.setOut()
  await departure.evaluate('10:00')
  const { id, version } = await departure.stop(2)
  await departure.caller.call(coreVerbOf(markStop), { id, version, to: 'arrived' })
  await departure.evaluate('10:10')
  expect(await alertOf(departure, 'geofence_absent')).toMatchObject({
    severity: 'warning',
    evidence: { stopName: 'Geysir', limitM: 120 },
  })
  await isOverAfter(departure, 'geofence_absent', '11:05', '11:06')
})

test('geofence_absent: nobody at the start five minutes after its time', async () => {
  const departure = await onTheWay([visit(aside, '08:20', '09:20')])
  await departure.evaluate('09:04')
  expect(await alertOf(departure, 'geofence_absent')).toBeUndefined()
  await departure.evaluate('09:06')
  expect(await alertOf(departure, 'geofence_absent')).toMatchObject({ evidence: { stopName: 'BSÍ terminal' } })
})

test('no_go_area: a minute inside of an area where nobody may go is critical, each area by itself', async () => {
  const departure = await onTheWay([...morning, visit(aside, '09:50', '10:10'), visit(geysir, '11:00', '12:00')])
  const { orgId } = departure.caller
  await departure.caller.transaction(async (tx) => {
    for (const name of ['Avalanche slope', 'Nature reserve']) {
      const shape = JSON.stringify({ type: 'Point', coordinates: [aside.lng, aside.lat] })
      await sql`insert into geofences (org_id, id, name, kind, geojson, enter_m, exit_m)
        values (${orgId}, ${newId()}, ${name}, 'no_go', ${shape}, 800, 1000)`.execute(tx)
    }
  })
  await departure.setOut()
  await departure.evaluate('10:00')
  const { rows } = await departure.caller.call(verbOf(listAlerts), { filters: { kind: ['no_go_area'] } })
  expect(rows.map(({ severity }) => severity)).toEqual(['critical', 'critical'])
  expect(new Set(rows.map(({ evidence }) => evidence['area']))).toEqual(new Set(['Avalanche slope', 'Nature reserve']))
  await isOverAfter(departure, 'no_go_area', '10:30', '10:31')
})

test('no_go_area: one that is drawn on the map opens its alert, whose plan shows it, and archiving it ends the alert', async () => {
  const departure = await onTheWay([...morning, visit(aside, '09:50', '11:30'), visit(geysir, '12:20', '13:00')])
  const { caller } = departure
  const { lng, lat } = aside
  const outline = (['0.02', '0.01', '-0.02'] as const).map((by): [number, number] => [lng + Number(by), lat + 0.01])
  const area: Area = { kind: 'outline', points: [...outline, [lng, lat - 0.02]] }
  const drawn = await caller.call(mapVerbOf(createNoGoArea), { name: 'Avalanche slope', area })
  const elsewhere: Area = { kind: 'circle', center: [0, 0], radiusM: 5_000 }
  await caller.call(mapVerbOf(createNoGoArea), { name: 'Elsewhere', area: elsewhere })
  await departure.setOut()
  await departure.evaluate('10:00')
  const { rows } = await caller.call(verbOf(listAlerts), { filters: { kind: ['no_go_area'] } })
  expect(rows).toMatchObject([
    { status: 'open', severity: 'critical', evidence: { area: 'Avalanche slope' }, departure: { id: departure.id } },
  ])
  const id = rows[0]?.id ?? ''
  expect((await caller.call(verbOf(getAlert), { id })).place?.noGo).toEqual({ name: 'Avalanche slope', area })
  // where somebody has been is not for everybody who sees where they are
  const dispatcher = await tracking.world.as('dispatcher', { orgId: caller.orgId })
  expect((await dispatcher.call(verbOf(getAlert), { id })).place).toBeNull()
  // no position and no minute later
  await caller.call(mapVerbOf(archiveNoGoArea), { ...drawn, archived: true })
  const evaluate = () => caller.transaction((tx) => evaluateAlerts(tx, caller.orgId))
  await evaluate()
  expect(await alertOf(departure, 'no_go_area')).toMatchObject({ status: 'open' })
  departure.clock.set(new Date(departure.clock.now().getTime() + 60_000))
  await evaluate()
  expect(await alertOf(departure, 'no_go_area')).toMatchObject({
    status: 'resolved',
    resolution: 'auto',
    resolutionFacts: { areaArchivedAt: expect.any(String) as string },
  })
})

test('another process finds the same from what is stored', async () => {
  const departure = await onTheWay([...morning, visit(aside, '09:50', '10:30'), visit(geysir, '11:20', '12:00')])
  await departure.setOut()
  await departure.evaluate('10:25')
  const before = (await alertOf(departure, 'long_stop'))?.evidence
  departure.restart()
  await departure.evaluate('10:25')
  const after = await alertOf(departure, 'long_stop')
  expect(after?.evidence).toEqual(before)
  expect(after?.version).toBe(1)
})
