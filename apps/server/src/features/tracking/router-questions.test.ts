import { getGeneralSettings, updateGeneralSettings } from '@tour-ops/contract/settings/settings'
import type { Callable, In } from '@tour-ops/contract/callable'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { osrmWay, servicesNextTo, type TestRouter, testRouter } from '../../../testing/routers.ts'
import {
  at,
  trackedDeparture,
  type TrackedOne,
  type TrackingServer,
  trackingServer,
  visit,
} from '../../../testing/tracked-departure.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { requestMeta } from '../../../testing/world.ts'
import { execute, type Verb } from '../../platform/verb.ts'
import { settingsVerbs } from '../settings/verbs.ts'
import { askRouters } from './router-questions.ts'

let tracking: TrackingServer
let router: TestRouter
beforeAll(async () => {
  tracking = await trackingServer()
  router = await testRouter()
})
afterAll(async () => {
  await router?.close()
  await tracking?.close()
})

const verbOf = verbsOf(settingsVerbs)

const servicesOf = ({ clock }: TrackedOne) => servicesNextTo({ ...tracking.world.services, clock }, router)

const call = <C extends Callable>(departure: TrackedOne, verb: Verb<C>, input: In<C>) =>
  execute(servicesOf(departure), requestMeta(), departure.caller.caller, verb, input)

async function useRouter(departure: TrackedOne, routing: { router: 'none' | 'osrm'; address: string | null }) {
  const { version, settings } = await call(departure, verbOf(getGeneralSettings), {})
  return call(departure, verbOf(updateGeneralSettings), { version, settings: { ...settings, routing } })
}

const silentSince = async (departure: TrackedOne): Promise<string | null> =>
  (await call(departure, verbOf(getGeneralSettings), {})).state.routerSilentSince

const ask = (departure: TrackedOne): Promise<void> => askRouters(servicesOf(departure), new AbortController().signal)

/** On the way to Geysir, 45 km before it by the straight line, and due there at 12:15. */
async function onTheWay(): Promise<TrackedOne> {
  const start = visit({ lat: 64.1375, lng: -21.935 }, '08:35', '09:06')
  const departure = await trackedDeparture(tracking, [start, visit({ lat: 64.2, lng: -21.2 }, '10:00', '13:25')])
  await departure.report('09:06')
  await departure.setOut()
  await departure.report('11:50')
  return departure
}

const minutes = (moment: string | null): number => (Date.parse(moment ?? '') - at('12:00').getTime()) / 60_000

test('the estimate of the next stop comes from the router a minute after it was asked, and goes back to the straight line when it is switched off', async () => {
  const departure = await onTheWay()
  const straight = minutes((await departure.stop(2)).etaAt)
  expect(straight).toBeGreaterThan(45)
  await useRouter(departure, { router: 'osrm', address: router.address })
  router.answer({ body: osrmWay(95 * 60, 70_000) })
  const before = router.asked.length
  await ask(departure)
  expect(router.asked.slice(before).map(({ path }) => path)).toEqual([
    expect.stringMatching(/^\/route\/v1\/driving\/-21\.(199|200)\d+,64\.(199|200)\d+;-20\.301400,64\.310400\?/),
  ])
  await departure.report('11:51')
  // seen at 11:50, 95 minutes
  expect(minutes((await departure.stop(2)).etaAt)).toBeCloseTo(85, 0)
  // with a router they may catch up: less than the straight line thinks possible
  router.answer({ body: osrmWay(20 * 60, 60_000) })
  await ask(departure)
  await departure.report('11:52')
  expect((await departure.stop(2)).delaySeconds).toBe(0)
  await useRouter(departure, { router: 'none', address: null })
  await departure.report('11:58')
  expect(minutes((await departure.stop(2)).etaAt)).toBeGreaterThan(straight)
})

test('a router of roads is not asked about a way over the water', async () => {
  const departure = await onTheWay()
  await useRouter(departure, { router: 'osrm', address: router.address })
  router.answer({ body: osrmWay(95 * 60, 70_000) })
  await departure.caller.transaction((tx) =>
    sql`update departure_stops set travel_mode = 'boat' where departure_id = ${departure.id} and stop_order = 3`.execute(
      tx,
    ),
  )
  const before = router.asked.length
  await ask(departure)
  expect(router.asked.slice(before)).toEqual([])
})

test('a router that stops answering is reported to those who can change it, once, and the straight line counts meanwhile', async () => {
  const departure = await onTheWay()
  await useRouter(departure, { router: 'osrm', address: router.address })
  router.answer({ body: osrmWay(120 * 60, 70_000) })
  await ask(departure)
  await departure.report('11:51')
  expect(minutes((await departure.stop(2)).etaAt)).toBeGreaterThan(100)
  const { caller } = departure
  const guide = await tracking.world.as('guide', { orgId: caller.orgId })
  const inbox = (of = caller) =>
    of.transaction(async (tx) => {
      const { rows } = await sql<{ title: string; link: string }>`
        select data ->> 'title' as title, data ->> 'link' as link from documents where path like ${`users/${of.userId}/inbox/%`}`.execute(
        tx,
      )
      return rows
    })
  router.answer(null)
  await ask(departure)
  await ask(departure)
  expect(await silentSince(departure)).toBe(at('11:51').toISOString())
  expect(await inbox()).toEqual([{ title: 'The router does not answer', link: '/settings/general#routing' }])
  // the last answer counts for five minutes
  await departure.report('11:54')
  expect(minutes((await departure.stop(2)).etaAt)).toBeGreaterThan(100)
  await departure.report('12:00')
  expect(minutes((await departure.stop(2)).etaAt)).toBeLessThan(75)
  router.answer({ body: osrmWay(110 * 60, 70_000) })
  await ask(departure)
  expect(await silentSince(departure)).toBeNull()
  // no road is an answer as well
  router.answer({ status: 400, body: { code: 'NoRoute' } })
  await departure.report('12:01')
  await ask(departure)
  expect(await silentSince(departure)).toBeNull()
  expect(await inbox()).toHaveLength(1)
  expect(await inbox(guide)).toEqual([])
  await useRouter(departure, { router: 'none', address: null })
})

test('an address where nobody answers is not saved', async () => {
  const departure = await onTheWay()
  router.answer(null)
  await expect(useRouter(departure, { router: 'osrm', address: router.address })).rejects.toMatchObject({
    details: {
      fieldIssues: { 'settings.routing.address': [{ code: 'router_silent', params: { host: router.host } }] },
    },
  })
  const { settings } = await call(departure, verbOf(getGeneralSettings), {})
  expect(settings.routing).toEqual({ router: 'none', address: null })
  const asked = router.asked.length
  await ask(departure)
  expect(router.asked.length).toBe(asked)
})
