import { getOverview } from '@tour-ops/contract/overview/overview'
import { lastLocalDate } from '@tour-ops/contract/fields'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { addDeparture, assignGuide, book, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { overviewVerbs } from './overview-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const overview = verbsOf(overviewVerbs)(getOverview)
const now = new Date('2030-07-14T08:30:00Z')

const day = () => officeWithTour(world, now)

test('the board shows the day, the figures add up, and tomorrow says what is missing', async () => {
  const { caller, tourId } = await day()
  const running = await addDeparture(caller, tourId)
  await addDeparture(caller, tourId, { startTimeLocal: '16:00', capacity: 10 })
  const tomorrow = await addDeparture(caller, tourId, { localDate: '2030-07-15' })
  await book(caller, running, 4)
  const staffId = await assignGuide(caller, running)
  for (const to of ['boarding', 'in_progress'] as const) {
    await setStatus(caller, running, { to, reason: 'no count' })
  }
  const seen = await caller.call(overview, {})
  expect(seen).toMatchObject({ localDate: '2030-07-14', timeZone: 'UTC' })
  expect(seen.departures.map((row) => [row.startTimeLocal, row.status])).toEqual([
    ['09:00', 'in_progress'],
    ['16:00', 'scheduled'],
  ])
  expect(seen.figures).toMatchObject({
    running: 1,
    departures: 2,
    guests: 4,
    starts: 1,
    startedOnTime: 1,
    seatsLeft: 10,
    seatsTotal: 10,
    tomorrowReady: 0,
    tomorrowTotal: 1,
  })
  expect(seen.tomorrow).toEqual([expect.objectContaining({ id: tomorrow, failing: ['lead_guide', 'minimum_pax'] })])
  expect(seen.load).toHaveLength(14)
  expect(seen.load[0]).toMatchObject({ localDate: '2030-07-14', departures: 2, seats: 30, taken: 4 })
  expect(seen.start).toEqual({
    setUp: false,
    tours: true,
    staff: true,
    departures: true,
    travelers: true,
    colleagues: false,
  })

  const guide = await world.as('guide', { orgId: caller.orgId, staffId, clock: movableClock(now) })
  const own = await guide.call(overview, {})
  expect(own.departures.map((row) => row.id)).toEqual([running])
  expect(own.figures).toMatchObject({ departures: 1, tomorrowTotal: 0 })
})

test('what needs a person is listed, gravest first', async () => {
  const { caller, tourId } = await day()
  const thin = await addDeparture(caller, tourId, { localDate: '2030-07-17' })
  const alertId = newId()
  await caller.transaction((tx) =>
    sql`insert into alerts (org_id, id, kind, severity, subject_type, subject_id, departure_id, title, evidence, dedupe_key)
    values (${caller.orgId}, ${alertId}, 'sos', 'critical', 'departure', ${thin}, ${thin}, 'Help asked', '{"by": "Ása"}', 'sos:1')`.execute(
      tx,
    ),
  )
  const { attention, figures } = await caller.call(overview, {})
  expect(attention.map((item) => [item.kind, item.severity])).toEqual([
    ['alert', 'critical'],
    ['decide', 'warning'],
  ])
  expect(attention[0]).toMatchObject({ alertKind: 'sos', title: 'Help asked', evidence: { by: 'Ása' } })
  expect(attention[1]).toMatchObject({
    evidence: {},
    due: '2030-07-14T09:00:00.000Z',
    departure: { id: thin, seatsConfirmed: 0, minPax: 4, tourName: 'Golden Circle' },
  })
  expect(figures).toMatchObject({ openAlerts: 1, oldestAlertAt: now.toISOString() })
})

test('an empty organization shows what to do first', async () => {
  const caller = await world.as('admin')
  const { departures, attention, start } = await caller.call(overview, { localDate: '2030-01-01' })
  expect({ departures, attention }).toEqual({ departures: [], attention: [] })
  expect(start).toEqual({
    setUp: false,
    tours: false,
    staff: false,
    departures: false,
    travelers: false,
    colleagues: false,
  })
})

test('who boards is running, as on the monitoring list, and not on tour yet', async () => {
  const { caller, tourId } = await day()
  const id = await addDeparture(caller, tourId)
  await assignGuide(caller, id)
  await setStatus(caller, id, { to: 'boarding' })
  expect((await caller.call(overview, {})).figures).toMatchObject({ running: 1, onTour: 0 })
})

test('a tour that is still out after midnight is of today, also in the figures', async () => {
  const { caller, clock, tourId } = await day()
  const late = await addDeparture(caller, tourId)
  await addDeparture(caller, tourId, { localDate: '2030-07-15' })
  await assignGuide(caller, late)
  for (const to of ['boarding', 'in_progress'] as const) {
    await setStatus(caller, late, { to, reason: 'no count' })
  }
  clock.set(new Date('2030-07-15T00:40:00Z'))
  const seen = await caller.call(overview, {})
  expect(seen.departures.map(({ localDate, status }) => [localDate, status])).toEqual([
    ['2030-07-14', 'in_progress'],
    ['2030-07-15', 'scheduled'],
  ])
  expect(seen.figures).toMatchObject({ running: 1, departures: 2 })
  expect((await caller.call(overview, { localDate: '2030-07-16' })).departures).toEqual([])
})

test('what boards before midnight and starts after it runs today, and is of tomorrow as well', async () => {
  const { caller, clock, tourId } = await day()
  const early = await addDeparture(caller, tourId, { localDate: '2030-07-15', startTimeLocal: '00:20' })
  await assignGuide(caller, early)
  clock.set(new Date('2030-07-14T23:50:00Z'))
  expect((await caller.call(overview, {})).figures).toMatchObject({ running: 0, departures: 0 })
  await setStatus(caller, early, { to: 'boarding' })
  const seen = await caller.call(overview, {})
  expect(seen.departures.map(({ id }) => id)).toEqual([early])
  expect(seen.figures).toMatchObject({ running: 1, departures: 1 })
  const { departures } = await caller.call(overview, { localDate: '2030-07-15' })
  expect(departures.map(({ id }) => id)).toEqual([early])
})

test('the last day that there is has a load strip of itself alone', async () => {
  const caller = await world.as('admin')
  const { load } = await caller.call(overview, { localDate: lastLocalDate })
  expect(load.map(({ localDate }) => localDate)).toEqual([lastLocalDate])
  expect((await caller.call(overview, { localDate: '2199-12-30' })).load).toHaveLength(2)
})
