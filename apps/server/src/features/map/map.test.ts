import { mapIncidents, mapRoutes, mapToday } from '@tour-ops/contract/map/map'
import { reportIncident, setIncidentStatus } from '@tour-ops/contract/monitoring/incidents'
import { listDepartureStops, markStop } from '@tour-ops/contract/departures/run-sheet'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import {
  addDeparture,
  addPlace,
  assignGuide,
  book,
  coreVerbOf,
  drawWay,
  officeWithTour,
  publishedTour,
  setStatus,
} from '../../../testing/operations.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { monitoringVerbs } from '../monitoring/verbs.ts'
import { mapVerbs } from './map-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(mapVerbs)
const monitoringVerbOf = verbsOf(monitoringVerbs)
const today = verbOf(mapToday)
const routes = verbOf(mapRoutes)
const incidents = verbOf(mapIncidents)
const at = (moment: string) => ({ clock: movableClock(new Date(moment)) })

test('the map shows what touches the day of the office, and what starts within two hours past midnight', async () => {
  const office = await world.as('operations_manager', at('2030-07-14T08:30:00Z'))
  const { tourId } = await publishedTour(office)
  const morning = await addDeparture(office, tourId)
  const night = await addDeparture(office, tourId, { startTimeLocal: '21:00' })
  const early = await addDeparture(office, tourId, { localDate: '2030-07-15', startTimeLocal: '01:00' })
  await addDeparture(office, tourId, { localDate: '2030-07-15' })
  const seen = await office.call(today, {})
  expect(seen).toMatchObject({ localDate: '2030-07-14', timeZone: 'UTC', view: { lat: 0, lng: 0, zoom: 2 } })
  expect(seen.departures.map((departure) => departure.id)).toEqual([morning, night])
  expect(seen.departures[0]?.stops.map((stop) => [stop.name, stop.kind, stop.status, stop.lat])).toEqual([
    ['City Hall', 'pickup', 'planned', 64.1375],
    ['BSÍ terminal', 'start', 'planned', 64.1375],
    ['Geysir', 'meal', 'planned', 64.1375],
    ['BSÍ terminal', 'end', 'planned', 64.1375],
  ])

  const late = await world.as('dispatcher', { orgId: office.orgId, ...at('2030-07-14T23:30:00Z') })
  expect((await late.call(today, {})).departures.map((departure) => departure.id)).toEqual([morning, night, early])
  const next = await world.as('dispatcher', { orgId: office.orgId, ...at('2030-07-15T03:00:00Z') })
  const ids = (await next.call(today, {})).departures.map((departure) => departure.id)
  expect(ids).toContain(night)
  expect(ids).not.toContain(morning)
})

test('a guide sees the own departures and no others, and no way of a departure of somebody else', async () => {
  const office = await world.as('operations_manager', at('2030-07-14T08:30:00Z'))
  const { tourId } = await publishedTour(office)
  const mine = await addDeparture(office, tourId)
  const other = await addDeparture(office, tourId, { startTimeLocal: '12:00' })
  const staffId = await assignGuide(office, mine)
  const guide = await world.as('guide', { orgId: office.orgId, staffId, ...at('2030-07-14T08:30:00Z') })
  expect((await guide.call(today, {})).departures.map((departure) => departure.id)).toEqual([mine])
  expect(await guide.call(routes, { departureId: mine })).toEqual({ routes: [] })
  await expect(guide.call(routes, { departureId: other })).rejects.toMatchObject({ code: 'not-found' })
  const designer = await world.as('tour_designer', { orgId: office.orgId })
  await expect(designer.call(today, {})).rejects.toMatchObject({ code: 'permission-denied' })
  const stranger = await world.as('admin')
  expect((await stranger.call(today, {})).departures).toEqual([])
  await expect(stranger.call(routes, { departureId: mine })).rejects.toMatchObject({ code: 'not-found' })
})

test('a stop marked late shows when it was reached and moves the estimates of the rest', async () => {
  const { caller: office, clock, tourId } = await officeWithTour(world, new Date('2030-07-14T06:00:00Z'))
  const id = await addDeparture(office, tourId)
  await book(office, id, 2)
  await assignGuide(office, id)
  clock.set(new Date('2030-07-14T08:30:00Z'))
  await setStatus(office, id, { to: 'boarding' })
  clock.set(new Date('2030-07-14T09:20:00Z'))
  const { stops } = await office.call(coreVerbOf(listDepartureStops), { departureIds: [id] })
  const start = stops[1]
  if (!start) throw new Error('The tour has a start')
  await office.call(coreVerbOf(markStop), { id: start.id, version: start.version, to: 'arrived' })
  const [departure] = (await office.call(today, {})).departures
  expect(departure).toMatchObject({ seatsConfirmed: 2, delaySeconds: 1200 })
  expect(departure?.stops[1]).toMatchObject({ status: 'arrived', actualArriveAt: '2030-07-14T09:20:00.000Z' })
  expect(departure?.stops[2]?.etaAt).toBe('2030-07-14T12:35:00.000Z')
})

test('the way of a departure is that of the revision it runs by', async () => {
  const office = await world.as('operations_manager', at('2030-07-14T08:30:00Z'))
  const { tourId } = await publishedTour(office)
  const before = await addDeparture(office, tourId)
  const line: [number, number][] = [
    [-21.93, 64.13],
    [-20.3, 64.31],
  ]
  await drawWay(office, tourId, line)
  const after = await addDeparture(office, tourId, { startTimeLocal: '13:00' })
  expect((await office.call(routes, { departureId: before })).routes).toEqual([])
  expect((await office.call(routes, { departureId: after })).routes).toMatchObject([{ dayIndex: 1, line }])
})

test('open incidents are on the map where they were reported or at their place, the gravest first; closed ones and those without a place are not', async () => {
  const dispatcher = await world.as('dispatcher')
  const placeId = await addPlace(await world.as('admin', { orgId: dispatcher.orgId }), 'Geysir')
  const report = monitoringVerbOf(reportIncident)
  const setStatusOf = monitoringVerbOf(setIncidentStatus)
  const open = { category: 'vehicle', severity: 3, title: 'Flat tyre', placeId } as const
  const flat = await dispatcher.call(report, open)
  const grave = await dispatcher.call(report, { ...open, category: 'medical', severity: 1, title: 'Broken leg' })
  const { id: reportedId } = await dispatcher.call(report, { ...open, severity: 2, placeId: null })
  await dispatcher.transaction((tx) =>
    sql`update incidents set lat = 63.4, lng = -19 where org_id = ${dispatcher.orgId} and id = ${reportedId}`.execute(
      tx,
    ),
  )
  await dispatcher.call(report, { ...open, title: 'Somewhere', placeId: null })
  const over = await dispatcher.call(report, { ...open, title: 'Over' })
  let { version } = over
  for (const to of ['triaged', 'active', 'stabilised', 'resolved'] as const)
    version = (await dispatcher.call(setStatusOf, { id: over.id, version, to })).version
  const { incidents: seen } = await dispatcher.call(incidents, {})
  expect(seen.map(({ id }) => id)).toEqual([grave.id, reportedId, flat.id])
  expect(seen[1]).toMatchObject({ lat: 63.4, lng: -19, placeName: null })
  expect(seen[0]).toEqual({
    id: grave.id,
    number: grave.number,
    title: 'Broken leg',
    category: 'medical',
    severity: 1,
    lat: 64.1375,
    lng: -21.935,
    placeName: 'Geysir',
  })
  const guide = await world.as('guide', { orgId: dispatcher.orgId })
  await expect(guide.call(incidents, {})).rejects.toMatchObject({ code: 'permission-denied' })
  expect(await (await world.as('dispatcher')).call(incidents, {})).toEqual({ incidents: [] })
})
