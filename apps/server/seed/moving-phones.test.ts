import { listDevices, revokeDevice } from '@tour-ops/contract/tracking/devices'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../testing/http-server.ts'
import { inHalfAnHour } from '../testing/accounts.ts'
import { addDeparture, assignGuide, publishedTour, setStatus } from '../testing/operations.ts'
import { verbsOf } from '../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../testing/world.ts'
import { movableClock } from '../src/platform/clock.ts'
import { trackingVerbs } from '../src/features/tracking/verbs.ts'
import { demoEmail } from './data/staff.ts'
import { startMovingDemo } from './moving-demo.ts'
import { MovingPhones } from './moving-phones.ts'
import { person } from './person.ts'

const verbOf = verbsOf(trackingVerbs)
const start = new Date(Math.floor(Date.now() / 1000) * 1000)
const clock = movableClock(start)
const minutes = (count: number) => clock.set(new Date(start.getTime() + count * 60_000))

const dana = { name: 'Dana', email: 'dana@example.com' }

let world: TestWorld
let server: TestServer
let office: TestCaller
let phones: MovingPhones
let dispatcherId: string
beforeAll(async () => {
  world = await testDatabase()
  office = await world.as('operations_manager', { clock })
  const services = { ...world.services, clock }
  server = await testServer({ services, env: { DEMO: 'off' } })
  const { caller } = await world.as('dispatcher', { orgId: office.orgId })
  dispatcherId = caller.userId
  const dispatcher = person(services, { userId: caller.userId, orgId: office.orgId, ...dana })
  phones = new MovingPhones(services, dispatcher, (path, init) => server.fetch(path, init))
})
afterAll(async () => {
  await server?.close()
  await world?.close()
})

/** A departure that boards. @returns The guide. */
async function boarding(tourId: string, planner = office): Promise<string> {
  const id = await addDeparture(planner, tourId, inHalfAnHour('Atlantic/Reykjavik'))
  const guide = await assignGuide(planner, id)
  await setStatus(planner, id, { to: 'boarding' })
  return guide
}

/** Their departure is on its way. */
const leave = (planner: TestCaller, staffId: string): Promise<unknown> =>
  planner.transaction((tx) =>
    sql`update departures set status = 'in_progress', actual_start_at = app_now()
      where id in (select departure_id from assignments where staff_id = ${staffId})`.execute(tx),
  )

interface Seen {
  readonly protocol: string
  readonly minute: number
  readonly valid: boolean
  readonly lat: number
}
const seenOf = (staffId: string, reader = office): Promise<Seen[]> =>
  reader.transaction(async (tx) => {
    const { rows } = await sql<Seen>`
      select h.protocol, extract(epoch from p.recorded_at - ${start})::int / 60 as minute, p.valid, p.lat
      from positions p join devices v on v.org_id = p.org_id and v.id = p.device_id
        left join device_signals h on h.org_id = v.org_id and h.device_id = v.id
      where v.staff_id = ${staffId} order by 1, 2`.execute(tx)
    return rows
  })

/** Of a position as Traccar Client sends it; empty in those of other apps. */
const timestampIn = (body: string): string =>
  (JSON.parse(body) as { location?: { timestamp: string } }).location?.timestamp ?? ''

test('guides of what is out are seen on their way, by both protocols; the second was heard until it lost its network, and a moment on its next duty', async () => {
  const tour = async () => (await publishedTour(office, { minPax: 0, cutoffMinutes: 0 })).tourId
  const [first, second] = [await boarding(await tour()), await boarding(await tour())]
  await leave(office, second)
  await office.transaction((tx) =>
    sql`update duty_sessions set started_at = started_at - interval '1 hour' where staff_id = ${second}`.execute(tx),
  )
  await phones.look()
  await phones.report()
  minutes(1)
  await phones.report()
  // the job that ends what nobody ended, as in the night of a long tour
  await office.transaction((tx) =>
    sql`update duty_sessions set status = 'closed', ended_at = ${clock.now()}, ended_by = 'limit'`.execute(tx),
  )
  minutes(100)
  await phones.look()
  await phones.report()
  const seen = [...(await seenOf(first)), ...(await seenOf(second))]
  expect(seen.every(({ valid }) => valid)).toBe(true)
  expect(seen.map(({ protocol, minute }) => [protocol, minute])).toEqual([
    ['osmand', 0],
    ['osmand', 1],
    ['osmand', 100],
    ['owntracks', -9],
    ['owntracks', 100],
  ])
})

test('a phone whose duty begins with it is silent from then on, though time passes during every call', async () => {
  const planner = await world.as('operations_manager', { clock })
  const tour = async () => (await publishedTour(planner, { minPax: 0, cutoffMinutes: 0 })).tourId
  const [, silent] = [await boarding(await tour(), planner), await boarding(await tour(), planner)]
  await leave(planner, silent)
  await planner.transaction((tx) =>
    sql`update duty_sessions set status = 'closed', ended_at = started_at, ended_by = 'limit'`.execute(tx),
  )
  const passing = movableClock(clock.now())
  const later = (ms: number): void => passing.set(new Date(passing.now().getTime() + ms))
  const ticking = { ...passing, now: () => (later(1), passing.now()) }
  const services = { ...world.services, clock: ticking }
  const own = new MovingPhones(services, person(services, { ...planner, ...dana }), (path, init) =>
    server.fetch(path, init),
  )
  await own.look()
  await own.report()
  const heard = await seenOf(silent, planner)
  expect(heard).toHaveLength(1)
  minutes(101)
  later(60_000)
  await own.look()
  await own.report()
  expect(await seenOf(silent, planner)).toEqual(heard)
})

test('a phone without a network sends nothing, and all of it in order when the network is back', async () => {
  const planner = await world.as('operations_manager', { clock })
  const tour = async () => (await publishedTour(planner, { minPax: 0, cutoffMinutes: 0 })).tourId
  const [connected, , lost] = [
    await boarding(await tour(), planner),
    await boarding(await tour(), planner),
    await boarding(await tour(), planner),
  ]
  const sent: string[] = []
  const services = { ...world.services, clock }
  const own = new MovingPhones(services, person(services, { ...planner, ...dana }), (path, init) => {
    if (typeof init?.body === 'string') sent.push(timestampIn(init.body))
    return server.fetch(path, init)
  })
  await own.look()
  const tenMinutes = 600_000
  const began = Math.ceil((clock.now().getTime() + 1) / tenMinutes) * tenMinutes
  const at = (seconds: number) => new Date(began + seconds * 1000)
  const report = async (seconds: number) => {
    clock.set(at(seconds))
    await own.report()
    return [(await seenOf(connected, planner)).length, (await seenOf(lost, planner)).length]
  }
  expect(await report(5)).toEqual([1, 0])
  expect(await report(45)).toEqual([2, 0])
  expect(await report(85)).toEqual([3, 0])
  expect(await report(90)).toEqual([4, 4])
  expect((await seenOf(lost, planner)).every(({ valid }) => valid)).toBe(true)
  expect(sent.filter(Boolean)).toEqual([5, 45, 85, 90].map((seconds) => at(seconds).toISOString()))
  // and from then on as it takes them
  expect(await report(95)).toEqual([5, 5])
})

test('a phone that was revoked is paired again, and nothing is sent of what is over', async () => {
  minutes(101)
  const { rows } = await office.call(verbOf(listDevices), {})
  for (const { id, version } of rows) await office.call(verbOf(revokeDevice), { id, version })
  await phones.report()
  await phones.look()
  minutes(102)
  await phones.report()
  const { rows: after } = await office.call(verbOf(listDevices), {})
  expect(after.filter(({ lastSeenAt }) => lastSeenAt === clock.now().toISOString())).toHaveLength(1)
})

test('next to a server they begin by themselves, as the dispatcher of the demo, and stop on request', async () => {
  await world.rows('update members set email = $1 where user_id = $2', [demoEmail('dispatcher'), dispatcherId])
  minutes(103)
  const stop = await startMovingDemo({ ...world.services, clock }, server.base)
  const latest = async () => (await office.call(verbOf(listDevices), {})).rows.map(({ lastSeenAt }) => lastSeenAt)
  await expect.poll(latest, { timeout: 10_000 }).toContain(clock.now().toISOString())
  await stop()
  minutes(104)
  expect(await latest()).not.toContain(clock.now().toISOString())
})
