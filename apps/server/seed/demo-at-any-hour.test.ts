import { mapToday } from '@tour-ops/contract/map/map'
import { listAlerts } from '@tour-ops/contract/monitoring/alerts'
import { monitoringList } from '@tour-ops/contract/monitoring/monitoring-list'
import { metersBetween } from '@tour-ops/contract/tracking/arrivals/travel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overdueDepartures } from '../src/features/departures/overdue-departures.ts'
import { alertEvaluation } from '../src/features/monitoring/evaluate-alerts.ts'
import { movableClock } from '../src/platform/clock.ts'
import { sweepOrganizations } from '../src/platform/jobs/housekeeping.ts'
import { allVerbs } from '../src/verbs.ts'
import { testServer, type TestServer } from '../testing/http-server.ts'
import { verbsOf } from '../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../testing/world.ts'
import { seedCrew, seedDepartures, selectDepartures, type SeededDeparture } from './calendar.ts'
import { seedCatalogue } from './catalogue.ts'
import { seedDays } from './days.ts'
import { seedGuests } from './guests.ts'
import { MovingDays } from './moving-days.ts'
import { MovingPhones } from './moving-phones.ts'
import { seedParties } from './parties.ts'
import { person } from './person.ts'
import { seededRandom } from './random.ts'
import { minuteMs } from './spans.ts'

const verbOf = verbsOf(allVerbs)
/** So far a bus drives in ten seconds, and nobody who walks around does. */
const drivenM = 40
/** So far it turns in ten seconds at the end of its loop. */
const turnedM = 4

let world: TestWorld
let server: TestServer
const clock = movableClock(new Date('2030-01-01T00:00:00Z'))
beforeAll(async () => {
  world = await testDatabase()
  server = await testServer({ services: { ...world.services, clock }, env: { DEMO: 'off' } })
})
afterAll(async () => {
  await server?.close()
  await world?.close()
})

/** What is out at a moment, or soon, or was until now. */
const isAround = ({ startsAt, endsAt }: SeededDeparture, now: Date): boolean =>
  Date.parse(startsAt) < now.getTime() + 3 * 60 * minuteMs && Date.parse(endsAt) > now.getTime() - 3 * 60 * minuteMs

/** The demo's tours as they are lived at a moment, and the office that watches them. */
async function demoAt(moment: string) {
  const now = new Date(moment)
  clock.set(now)
  const services = { ...world.services, clock }
  await world.rows(`select ensure_position_days($1::date - 1, $1::date + 1)`, [moment])
  const office = await world.as('operations_manager', { clock })
  const planner = person(services, { ...office, name: 'Íris', email: `${office.userId}@example.com` })
  const random = seededRandom(7)
  planner.at(new Date(now.getTime() - 60 * 24 * 60 * minuteMs))
  const catalogue = await seedCatalogue(planner, now)
  const guests = await seedGuests(planner, random)
  const around = (await seedDepartures(planner, catalogue.tours, now)).filter((one) => isAround(one, now))
  await seedCrew(planner, catalogue, around, now)
  await seedParties(planner, catalogue.tours, around, guests, random, now)
  const sold = await selectDepartures(planner.at(now))
  await seedDays(
    planner,
    sold.filter((one) => isAround(one, now)),
    random,
    now,
  )
  const days = new MovingDays(services, planner)
  // each on a connection of its own: making the days of a moment takes as long as the server holds an idle one
  const phones = new MovingPhones(services, planner.apart(), (path, init) => {
    const headers = new Headers(init?.headers)
    headers.set('connection', 'close')
    return server.fetch(path, { ...init, headers })
  })
  const pass = (ms: number) => clock.set(new Date(clock.now().getTime() + ms))
  /** What is done once a minute. */
  const minute = async () => {
    await days.look()
    await phones.look()
    await phones.report()
    await sweepOrganizations(services, [overdueDepartures(clock), alertEvaluation])
  }
  return { office, phones, pass, minute }
}

type Places = Map<string, { lat: number; lng: number }>
async function placesOf({ orgId }: TestCaller): Promise<Places> {
  const rows = await world.rows<{ id: string; lat: number; lng: number }>(
    `select subject_id as id, lat, lng from latest_positions where org_id = $1`,
    [orgId],
  )
  return new Map(rows.map(({ id, lat, lng }) => [id, { lat, lng }]))
}

/** How far the one who went farthest got. */
const farthestM = (before: Places, after: Places): number =>
  Math.max(0, ...[...after].map(([id, place]) => metersBetween(before.get(id) ?? place, place)))

/** Who opens map, board and alerts now sees somebody under way, and alerts about who is late, who is silent and who was not counted. */
async function expectLively(office: TestCaller): Promise<void> {
  const { departures } = await office.call(verbOf(mapToday), {})
  const { rows: board } = await office.call(verbOf(monitoringList), {})
  const { rows: alerts } = await office.call(verbOf(listAlerts), { filters: { status: ['open'] } })
  const out = new Set(departures.filter(({ status }) => status === 'in_progress').map(({ id }) => id))
  expect(out.size).toBeGreaterThan(0)
  expect(board.some(({ id, lastFixAt }) => out.has(id) && lastFixAt !== null)).toBe(true)
  expect(board.some(({ id, delaySeconds }) => out.has(id) && delaySeconds >= 15 * 60)).toBe(true)
  const kinds = new Set(alerts.filter(({ departure }) => departure && out.has(departure.id)).map(({ kind }) => kind))
  expect([...kinds]).toEqual(expect.arrayContaining(['running_late', 'signal_lost', 'headcount_mismatch']))
}

test.each([
  ['at night in summer, when nobody is on the road in three of four zones', '2030-07-14T03:00:00Z'],
  ['at noon', '2030-07-14T12:00:00Z'],
  ['before midnight in winter', '2030-01-15T23:55:00Z'],
  ['at noon on a Sunday in spring', '2030-04-07T12:30:00Z'],
])(
  'anyone who opens the demo %s sees somebody move within ten seconds, and within two minutes who is late, silent and miscounted, also ten minutes later',
  async (_, moment) => {
    const { office, phones, pass, minute } = await demoAt(moment)
    const ways: number[] = []
    for (const waited of [0, 10]) {
      pass(waited * minuteMs)
      await minute()
      const before = await placesOf(office)
      pass(10_000)
      await phones.report()
      ways.push(farthestM(before, await placesOf(office)))
      pass(90_000)
      await minute()
      await expectLively(office)
    }
    // at the end of the loop the bus waits for two minutes, and only turns
    expect(Math.min(...ways)).toBeGreaterThan(turnedM)
    expect(Math.max(...ways)).toBeGreaterThan(drivenM)
  },
  300_000,
)
