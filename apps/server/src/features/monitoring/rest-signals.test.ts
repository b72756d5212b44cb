import { getDeparture } from '@tour-ops/contract/departures/departures'
import { listAlerts } from '@tour-ops/contract/monitoring/alerts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { addDeparture, assignGuide, coreVerbOf, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
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
  const caller = await world.as('operations_manager', { clock: movableClock(new Date('2030-07-14T08:00:00Z')) })
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
  return { caller, first, second, told }
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
