import { createFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, addPlace, publishedTour } from '../../../testing/operations.ts'
import { osrmWay, servicesNextTo, type TestRouter, testRouter } from '../../../testing/routers.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { movableClock } from '../../platform/clock.ts'
import { fieldStaffVerbs } from '../field-staff/verbs.ts'
import { askRouters } from './router-questions.ts'

let world: TestWorld
let router: TestRouter
beforeAll(async () => {
  world = await testDatabase()
  router = await testRouter()
})
afterAll(async () => {
  await router?.close()
  await world?.close()
})

const now = new Date('2030-07-10T08:00:00Z')
const verbOf = verbsOf(fieldStaffVerbs)

/** A minute of the job. @returns the ways that it asked for. */
async function ask(): Promise<string[]> {
  const before = router.asked.length
  const services = servicesNextTo({ ...world.services, clock: movableClock(now) }, router)
  await askRouters(services, new AbortController().signal)
  return router.asked.slice(before).map(({ path }) => path.replace(/^.*driving\/|\?.*$/g, ''))
}

async function placeAt(caller: TestCaller, name: string, lat: number, lng: number): Promise<string> {
  const id = await addPlace(caller, name)
  await caller.transaction((tx) => sql`update places set lat = ${lat}, lng = ${lng} where id = ${id}`.execute(tx))
  return id
}

const useRouter = (caller: TestCaller, kind: 'osrm' | null) =>
  caller.transaction((tx) =>
    sql`update org_settings set router_kind = ${kind}, router_address = ${kind && router.address}, router_silent_since = null
      where org_id = ${caller.orgId}`.execute(tx),
  )

const stored = (caller: TestCaller) =>
  caller.transaction(async (tx) => {
    const { rows } = await sql<{ way: string; seconds: number | null }>`
      select from_lat || ' ' || to_lat as way, seconds from road_ways order by 1`.execute(tx)
    return rows
  })

/** Departures from and to Reykjavik: tomorrow, the day after it, and in ten days. */
async function organization() {
  const caller = await world.as('operations_manager', { clock: movableClock(now) })
  const { tourId } = await publishedTour(caller)
  const departures = [
    await addDeparture(caller, tourId, { localDate: '2030-07-11' }),
    await addDeparture(caller, tourId, { localDate: '2030-07-12' }),
    await addDeparture(caller, tourId, { localDate: '2030-07-20' }),
  ] as const
  const live = async (placeId: string) => {
    await caller.call(verbOf(createFieldStaff), {
      firstName: 'Lives',
      lastName: 'Somewhere',
      kinds: ['guide'],
      employment: 'employee',
      languages: [{ tag: 'en', level: 'C1' }],
      homeBasePlaceId: placeId,
    })
  }
  const move = (departureId: string, end: 'first' | 'last', placeId: string) =>
    caller.transaction((tx) =>
      sql`update departure_stops set place_id = ${placeId} where departure_id = ${departureId}
        and stop_order = (select ${sql.raw(end === 'first' ? 'min' : 'max')}(stop_order) from departure_stops where departure_id = ${departureId})`.execute(
        tx,
      ),
    )
  return { caller, departures, live, move }
}

test('ways of crew in the next days are asked for once: from bases, and from one departure to the next', async () => {
  const { caller, departures, live, move } = await organization()
  await live(await placeAt(caller, 'Vík', 63.4194, -19.006))
  await live(await placeAt(caller, 'Kópavogur', 64.11, -21.9))
  // from there they fly
  await live(await placeAt(caller, 'Lisboa', 38.7, -9.14))
  // the first ends in Selfoss, and the one in ten days begins far away
  await move(departures[0], 'last', await placeAt(caller, 'Selfoss', 63.9331, -20.9971))
  await move(departures[2], 'first', await placeAt(caller, 'Akureyri', 65.6835, -18.0878))
  router.answer({ body: osrmWay(9000, 187_000) })
  expect(await ask()).toEqual([])
  await useRouter(caller, 'osrm')
  const asked = await ask()
  expect(asked.toSorted()).toEqual([
    '-19.006000,63.419400;-21.935000,64.137500',
    '-20.997100,63.933100;-21.935000,64.137500',
  ])
  expect(await stored(caller)).toEqual([
    { way: '63.4194 64.1375', seconds: 9000 },
    { way: '63.9331 64.1375', seconds: 9000 },
  ])
  expect(await ask()).toEqual([])
  await useRouter(caller, null)
  expect(await stored(caller)).toEqual([])
})

test('a few are asked for in a minute, and none while the router fails', async () => {
  const { caller, live } = await organization()
  for (let n = 0; n < 22; n += 1) await live(await placeAt(caller, `Farm ${n}`, 63.5, -20 + n / 100))
  await useRouter(caller, 'osrm')
  router.answer(null)
  expect(new Set(await ask()).size).toBeLessThanOrEqual(6)
  expect(await stored(caller)).toEqual([])
  const silent = async () => {
    const { rows } = await caller.transaction((tx) =>
      sql<{ isSilent: boolean }>`select router_silent_since is not null as "isSilent" from org_settings`.execute(tx),
    )
    return rows[0]?.isSilent
  }
  expect(await silent()).toBe(true)
  router.answer({ status: 400, body: { code: 'NoRoute' } })
  expect(await ask()).toHaveLength(20)
  expect(await silent()).toBe(false)
  expect(await ask()).toHaveLength(2)
  expect((await stored(caller)).map(({ seconds }) => seconds)).toEqual(Array.from({ length: 22 }, () => null))
  await useRouter(caller, null)
})
