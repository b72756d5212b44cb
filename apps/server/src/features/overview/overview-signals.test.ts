import { markStop } from '@tour-ops/contract/departures/run-sheet'
import type { Role } from '@tour-ops/contract/identity/access'
import { getOverview } from '@tour-ops/contract/overview/overview'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, coreVerbOf } from '../../../testing/operations.ts'
import {
  at,
  type TrackedOne,
  trackedDeparture,
  type TrackingServer,
  trackingServer,
} from '../../../testing/tracked-departure.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { overviewVerbs } from './overview-service.ts'

let tracking: TrackingServer
beforeAll(async () => {
  tracking = await trackingServer()
})
afterAll(() => tracking?.close())

const overview = verbsOf(overviewVerbs)(getOverview)
const signalsOf = async ({ caller }: TrackedOne) => (await caller.call(overview, {})).signals
const near = (moment: string | null | undefined, time: string): boolean =>
  Math.abs(Date.parse(moment ?? '') - at(time).getTime()) < 60_000

test('of a departure under way the board says what its estimate rests on, when its phones were heard and how full they are', async () => {
  const departure = await trackedDeparture(tracking)
  const { caller, clock, id, tourId } = departure
  await addDeparture(caller, tourId, { startTimeLocal: '16:00' })
  // only those under way
  expect(await signalsOf(departure)).toEqual([])
  await departure.report('09:06')
  await departure.setOut()
  await departure.report('12:05')
  const [seen, ...others] = (await signalsOf(departure)) ?? []
  expect(others).toEqual([])
  expect(seen).toMatchObject({ departureId: id, basis: { source: 'gps' }, quietUntil: null, batteryPct: null })
  expect([near(seen?.basis?.at, '12:05'), near(seen?.lastFixAt, '12:05')]).toEqual([true, true])
  await caller.transaction((tx) =>
    sql`update latest_positions set battery_pct = 34 where org_id = ${caller.orgId}`.execute(tx),
  )

  const { id: stopId, version } = await departure.stop(2)
  clock.set(at('12:20'))
  await caller.call(coreVerbOf(markStop), { id: stopId, version, to: 'arrived', at: at('12:15').toISOString() })
  const [marked] = (await signalsOf(departure)) ?? []
  expect(marked).toMatchObject({ basis: { source: 'dispatcher', at: at('12:15').toISOString() }, batteryPct: 34 })
  expect(near(marked?.lastFixAt, '12:05')).toBe(true)

  // no signal is expected on the way home, whose end is planned for 17:00: they came exactly on time
  await caller.transaction((tx) =>
    sql`update departure_stops set signal_gap = true where org_id = ${caller.orgId} and departure_id = ${id} and kind = 'end'`.execute(
      tx,
    ),
  )
  expect((await signalsOf(departure))?.[0]?.quietUntil).toBe(at('17:00').toISOString())
})

test('whoever may not see positions learns nothing of phones from the board', async () => {
  const departure = await trackedDeparture(tracking)
  await departure.report('09:06')
  await departure.setOut()
  await departure.report('10:00')
  const { orgId, clock } = { ...departure.caller, clock: departure.clock }
  const seenBy = async (role: Role) => {
    const day = await (await tracking.world.as(role, { orgId, clock })).call(overview, {})
    expect(day.departures).toHaveLength(1)
    return day.signals?.length
  }
  expect(await seenBy('dispatcher')).toBe(1)
  expect(await seenBy('viewer')).toBe(1)
  expect(await seenBy('tour_designer')).toBeUndefined()
})
