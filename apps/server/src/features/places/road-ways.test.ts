import type { In, Out } from '@tour-ops/contract/callable'
import { createPlace, roadWays, updatePlace } from '@tour-ops/contract/places/places'
import { getGeneralSettings, updateGeneralSettings } from '@tour-ops/contract/settings/settings'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { osrmWay, servicesNextTo, type TestRouter, testRouter, valhallaWay } from '../../../testing/routers.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { requestMeta, type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { insideOrganization } from '../../platform/jobs/housekeeping.ts'
import { maxRoadWays, oldRoadWays, writeRoadWays } from '../../platform/routing/road-ways.ts'
import { execute } from '../../platform/verb.ts'
import { settingsVerbs } from '../settings/verbs.ts'
import { placesVerbs } from './places-service.ts'

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

const verbOf = verbsOf([...placesVerbs, ...settingsVerbs])

const spots = {
  Reykjavik: [64.1466, -21.9426],
  Geysir: [64.3104, -20.3014],
  Gullfoss: [64.3271, -20.1199],
  Vik: [63.4194, -19.006],
} as const

type Routing = In<typeof updateGeneralSettings>['settings']['routing']

async function useRouter(caller: TestCaller, routing: Routing): Promise<void> {
  router.answer({ body: routing.router === 'valhalla' ? valhallaWay(60, 1000) : osrmWay(60, 1000) })
  const { version, settings } = await caller.call(verbOf(getGeneralSettings), {})
  await execute(servicesNextTo(world.services, router), requestMeta(), caller.caller, verbOf(updateGeneralSettings), {
    version,
    settings: { ...settings, routing },
  })
}

const place = (name: keyof typeof spots) => ({
  name,
  kind: 'sight' as const,
  lat: spots[name][0],
  lng: spots[name][1],
  timeZone: 'Atlantic/Reykjavik',
})

/** An organization with four places and the router. */
async function organization({ kind = 'osrm' }: { kind?: 'osrm' | 'valhalla' | 'none' } = {}) {
  const caller = await world.as('tour_designer')
  const admin = await world.as('admin', { orgId: caller.orgId })
  const idOf = async (name: keyof typeof spots) => (await caller.call(verbOf(createPlace), place(name))).id
  const ids = {
    town: await idOf('Reykjavik'),
    geysir: await idOf('Geysir'),
    falls: await idOf('Gullfoss'),
    vik: await idOf('Vik'),
  }
  if (kind !== 'none') await useRouter(admin, { router: kind, address: router.address })
  const ask = (
    pairs: readonly (readonly [string, string])[],
    { mode = 'drive', as = caller }: { mode?: 'drive' | 'walk'; as?: TestCaller } = {},
  ): Promise<Out<typeof roadWays>> =>
    execute(servicesNextTo(world.services, router), requestMeta(), as.caller, verbOf(roadWays), {
      mode,
      pairs: pairs.map(([from, to]) => ({ from, to })),
    })
  const stored = () =>
    caller.transaction(async (tx) => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from road_ways`.execute(tx)
      return rows[0]?.count
    })
  return { caller, admin, ...ids, ask, stored }
}

test('the router is asked once for each way, in its direction, and what it said is answered from then on', async () => {
  const { town, geysir, falls, ask } = await organization()
  router.answer({ body: osrmWay(4980.6, 99_700.4) })
  const before = router.asked.length
  const way = { seconds: 4981, meters: 99_700 }
  expect(await ask([[town, geysir]])).toEqual({ router: 'answers', ways: [{ from: town, to: geysir, way }] })
  expect(router.asked.slice(before).map(({ path }) => path)).toEqual([
    '/route/v1/driving/-21.942600,64.146600;-20.301400,64.310400?overview=false',
  ])
  router.answer({ body: osrmWay(600, 10_000) })
  const { ways } = await ask([
    [town, geysir],
    [geysir, town],
    [geysir, falls],
    [geysir, falls],
  ])
  expect(ways).toHaveLength(3)
  expect(ways).toContainEqual({ from: town, to: geysir, way })
  expect(ways).toContainEqual({ from: geysir, to: falls, way: { seconds: 600, meters: 10_000 } })
  expect(router.asked.length).toBe(before + 3)
})

test('that there is no road is stored as well, and so is a way on foot', async () => {
  const { town, geysir, falls, ask } = await organization({ kind: 'valhalla' })
  router.answer({ status: 400, body: { error_code: 442, error: 'No path could be found for input' } })
  const asked = router.asked.length
  const none = { router: 'answers', ways: [{ from: town, to: geysir, way: null }] }
  expect(await ask([[town, geysir]])).toEqual(none)
  expect(await ask([[town, geysir]])).toEqual(none)
  expect(router.asked.length).toBe(asked + 1)
  router.answer({ body: valhallaWay(9000, 12_000) })
  const { ways } = await ask([[geysir, falls]], { mode: 'walk' })
  expect(ways).toEqual([{ from: geysir, to: falls, way: { seconds: 9000, meters: 12_000 } }])
  expect(router.asked.at(-1)).toMatchObject({ body: { costing: 'pedestrian' } })
})

test('a router that hangs up or answers nonsense is left alone after a few questions, and nothing is stored', async () => {
  const { town, geysir, falls, vik, ask, stored } = await organization()
  const places = [town, geysir, falls, vik]
  const all = places.flatMap((from) => places.flatMap((to) => (from === to ? [] : [[from, to] as const])))
  for (const answer of [null, { body: '<html>' }, { body: osrmWay(-5, 10) }, { body: osrmWay(1e300, 10) }]) {
    router.answer(answer)
    const before = router.asked.length
    expect(await ask(all)).toEqual({ router: 'silent', ways: [] })
    // four at once, and two more until the third failure; one may be sent again over a new connection
    expect(new Set(router.asked.slice(before).map(({ path }) => path)).size).toBeLessThanOrEqual(6)
  }
  expect(await stored()).toBe(0)
})

test('without a router nothing is asked, and a mode that it does not know counts as none', async () => {
  const without = await organization({ kind: 'none' })
  const before = router.asked.length
  expect(await without.ask([[without.town, without.geysir]])).toEqual({ router: 'none', ways: [] })
  expect(router.asked.length).toBe(before)
  const cars = await organization()
  const asked = router.asked.length
  expect(await cars.ask([[cars.town, cars.geysir]], { mode: 'walk' })).toEqual({ router: 'none', ways: [] })
  expect(router.asked.length).toBe(asked)
})

test('a place that is moved has another way, and a router that is changed or removed leaves none', async () => {
  const { caller, admin, town, geysir, ask, stored } = await organization()
  router.answer({ body: osrmWay(4980, 99_700) })
  await ask([[town, geysir]])
  await caller.call(verbOf(updatePlace), { id: geysir, version: 1, ...place('Geysir'), lat: 64.35 })
  router.answer({ body: osrmWay(5100, 103_000) })
  expect((await ask([[town, geysir]])).ways[0]?.way).toEqual({ seconds: 5100, meters: 103_000 })
  expect(await stored()).toBe(2)
  await useRouter(admin, { router: 'valhalla', address: router.address })
  expect(await stored()).toBe(0)
  router.answer({ body: valhallaWay(5200, 104_000) })
  expect((await ask([[town, geysir]])).ways[0]?.way).toEqual({ seconds: 5200, meters: 104_000 })
  await useRouter(admin, { router: 'none', address: null })
  expect(await stored()).toBe(0)
  expect(await ask([[town, geysir]])).toEqual({ router: 'none', ways: [] })
})

test('the answer of a router that has been replaced meanwhile is not stored', async () => {
  const { caller, stored } = await organization()
  const question = { from: { lat: 64, lng: -21 }, to: { lat: 65, lng: -21 }, mode: 'drive' as const }
  const old = { kind: 'osrm' as const, address: 'https://old.example.com/' }
  await caller.transaction((tx) => writeRoadWays(tx, caller.orgId, old, [{ question, way: { seconds: 1, meters: 1 } }]))
  expect(await stored()).toBe(0)
})

test('places of others have no way, and nobody who may not see tours is answered', async () => {
  const { town, geysir, ask } = await organization()
  const other = await organization()
  router.answer({ body: osrmWay(60, 1000) })
  const before = router.asked.length
  expect(await other.ask([[town, geysir]])).toEqual({ router: 'answers', ways: [] })
  expect(router.asked.length).toBe(before)
  const guide = await world.as('guide', { orgId: other.caller.orgId })
  expect(await other.ask([[other.town, other.geysir]], { as: guide })).toEqual({ router: 'none', ways: [] })
  expect(router.asked.length).toBe(before)
  const viewer = await world.as('viewer', { orgId: other.caller.orgId })
  expect((await other.ask([[other.town, other.geysir]], { as: viewer })).ways).toHaveLength(1)
  expect((await ask([[town, geysir]])).ways).toHaveLength(1)
})

test('the number of ways has a limit, and old ones are removed at night', async () => {
  const { caller, town, geysir, falls, ask, stored } = await organization()
  router.answer({ body: osrmWay(60, 1000) })
  await ask([[town, geysir]])
  await caller.transaction((tx) =>
    sql`insert into road_ways (org_id, mode, from_lat, from_lng, to_lat, to_lng, asked_at)
      select ${caller.orgId}, 'drive', n / 1000.0, 0, 1, 1, app_now() - interval '91 days' from generate_series(1, ${maxRoadWays - 2}::int) n`.execute(
      tx,
    ),
  )
  // there is room for one, and two come at once
  const used = { kind: 'osrm' as const, address: router.address }
  const write = (lat: number) =>
    caller.transaction((tx) =>
      writeRoadWays(tx, caller.orgId, used, [
        { question: { from: { lat, lng: 5 }, to: { lat, lng: 6 }, mode: 'drive' }, way: { seconds: 1, meters: 1 } },
      ]),
    )
  await Promise.all([write(1), write(2)])
  expect(await stored()).toBe(maxRoadWays)
  const asked = router.asked.length
  const { ways } = await ask([
    [town, geysir],
    [geysir, falls],
  ])
  expect(ways).toHaveLength(1)
  expect(router.asked.length).toBe(asked)
  await insideOrganization(world.services, caller.orgId, oldRoadWays.action, (tx) => oldRoadWays.run(tx, caller.orgId))
  expect(await stored()).toBe(2)
  expect(await ask([[geysir, falls]])).toMatchObject({ router: 'answers', ways: [{ from: geysir, to: falls }] })
})
