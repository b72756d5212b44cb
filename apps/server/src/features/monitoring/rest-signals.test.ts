import { getDeparture } from '@tour-ops/contract/departures/departures'
import { listAlerts } from '@tour-ops/contract/monitoring/alerts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { addDeparture, addPlace, assignGuide, coreVerbOf, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { writeRoadWays } from '../../platform/routing/road-ways.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(monitoringVerbs)

/** Somebody who leads eight hours from 09:00, and again from a time of the next day. */
async function twoDuties(startTimeLocal: string) {
  const clock = movableClock(new Date('2030-07-14T08:00:00Z'))
  const caller = await world.as('operations_manager', { clock })
  const { tourId } = await publishedTour(caller)
  const first = await addDeparture(caller, tourId, { localDate: '2030-07-14' })
  const second = await addDeparture(caller, tourId, { localDate: '2030-07-15', startTimeLocal })
  const staffId = await assignGuide(caller, first)
  await assignGuide(caller, second, { staffId })
  const told = async () => {
    await caller.transaction((tx) => evaluateAlerts(tx, caller.orgId))
    const { rows } = await caller.call(verbOf(listAlerts), {})
    return rows.filter(({ kind }) => kind === 'rest_violation')
  }
  return { caller, clock, first, second, told }
}

test('somebody whose next duty begins before they have rested raises an alert ahead, with the figures of suggestions', async () => {
  const { caller, first, second, told } = await twoDuties('02:00')
  const { code } = await caller.call(coreVerbOf(getDeparture), { id: first })
  expect(await told()).toMatchObject([
    {
      status: 'open',
      severity: 'warning',
      departure: { id: second },
      evidence: { staffName: 'Björn Ólafsson', restHours: 9, limitHours: 11, code },
    },
  ])
})

test('enough rest is no alert, nor is what was overridden with a reason', async () => {
  expect(await (await twoDuties('04:30')).told()).toEqual([])
  // "cannot arrive in time" is reported in place of "no rest"
  for (const rule of ['rest', 'travel']) {
    const { caller, second, told } = await twoDuties('02:00')
    await caller.transaction((tx) =>
      sql`update assignments set broken_rules = ${[rule]}::text[], override_reason = 'Nobody else'
        where org_id = ${caller.orgId} and departure_id = ${second}`.execute(tx),
    )
    expect(await told(), rule).toEqual([])
  }
})

test('an alert of rest that ends stores whether the person still has that duty, and whether somebody overrode the rule', async () => {
  const { caller, clock, second, told } = await twoDuties('02:00')
  expect(await told()).toMatchObject([{ status: 'open' }])
  await caller.transaction((tx) =>
    sql`update assignments set broken_rules = '{rest}', override_reason = 'Nobody else'
      where org_id = ${caller.orgId} and departure_id = ${second}`.execute(tx),
  )
  await told()
  clock.set(new Date('2030-07-14T08:01:00Z'))
  expect(await told()).toMatchObject([
    { status: 'resolved', resolutionFacts: { answer: 'accepted', isDutyAhead: true, isOverridden: true } },
  ])
})

test('the way between two duties is the one of suggestions: by road where the router has given it', async () => {
  const { caller, second, told } = await twoDuties('06:00')
  const vik = await addPlace(caller, 'Vík')
  await caller.transaction(async (tx) => {
    await sql`update places set lat = 63.4194, lng = -19.006 where id = ${vik}`.execute(tx)
    await sql`update departure_stops set place_id = ${vik} where departure_id = ${second} and stop_order = 1`.execute(
      tx,
    )
    await sql`update org_settings set router_kind = 'osrm', router_address = 'https://osrm.example.com/'
      where org_id = ${caller.orgId}`.execute(tx)
  })
  // thirteen hours are between the two, and the straight line takes nearly four
  expect(await told()).toMatchObject([{ evidence: { restHours: 9.3, limitHours: 11 } }])
  const from = { lat: 64.1375, lng: -21.935 }
  const question = { from, to: { lat: 63.4194, lng: -19.006 }, mode: 'drive' as const }
  const router = { kind: 'osrm' as const, address: 'https://osrm.example.com/' }
  const due = () =>
    caller.transaction(async (tx) => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from alert_dues
        where subject_kind = 'staff' and all_due_at is not null`.execute(tx)
      return rows[0]?.count
    })
  expect(await due()).toBe(0)
  await caller.transaction((tx) =>
    writeRoadWays(tx, caller.orgId, router, [{ question, way: { seconds: 10_800, meters: 187_000 } }]),
  )
  expect(await due()).toBeGreaterThan(0)
  expect(await told()).toMatchObject([{ evidence: { restHours: 10, limitHours: 11 } }])
})
