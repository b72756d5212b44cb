import { getFieldStaff, listFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { beginDutyFor } from '@tour-ops/contract/tracking/duty'
import { listTracked } from '@tour-ops/contract/tracking/tracked-subjects'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, trackedDeparture, type TrackingServer, trackingServer } from '../../../testing/tracked-departure.ts'
import { insertGuide } from '../../../testing/tracking.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import type { TestCaller } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'
import { trackingVerbs } from './verbs.ts'

const verbOf = verbsOf(trackingVerbs)
const rosterVerbOf = verbsOf(allVerbs)

let tracking: TrackingServer
beforeAll(async () => {
  tracking = await trackingServer()
})
afterAll(() => tracking.close())

/** On the way to the meal at Geysir. */
const expectNoSignalOnTheWay = (caller: TestCaller, departureId: string) =>
  caller.transaction((tx) =>
    sql`update departure_stops set signal_gap = true
      where org_id = ${caller.orgId} and departure_id = ${departureId} and kind = 'meal'`.execute(tx),
  )

test('who is not heard where no signal is expected is found as that, and neither as stale nor as offline', async () => {
  const { caller, clock, id, staffId, report, setOut } = await trackedDeparture(tracking)
  const found = async () => {
    const foundBy = async (state: 'live' | 'stale' | 'offline' | 'quiet') => {
      const { rows, total } = await caller.call(verbOf(listTracked), { filters: { state: [state] } })
      expect(total).toBe(rows.length)
      return rows.some(({ subject }) => subject.id === staffId) ? [state] : []
    }
    const { rows } = await caller.call(verbOf(listTracked), {})
    const row = rows.find(({ subject }) => subject.id === staffId)
    const states = await Promise.all((['live', 'stale', 'offline', 'quiet'] as const).map(foundBy))
    return { state: row?.state, until: row?.departure?.quietUntil, by: states.flat() }
  }
  await report('09:06')
  await setOut()
  await report('10:00')
  clock.set(at('10:30'))
  expect(await found()).toEqual({ state: 'offline', until: null, by: ['offline'] })

  // Geysir is planned for 12:15, and they set out six minutes late
  await expectNoSignalOnTheWay(caller, id)
  const until = at('12:21').toISOString()
  expect(await found()).toEqual({ state: 'offline', until, by: ['quiet'] })
  clock.set(at('10:01'))
  expect(await found()).toEqual({ state: 'live', until, by: ['live'] })
  clock.set(at('12:21'))
  expect(await found()).toEqual({ state: 'offline', until: null, by: ['offline'] })
})

test('the roster and the page of a person say the same as the tracking list, and the roster is narrowed to it', async () => {
  const { caller, clock, id, staffId, report, setOut } = await trackedDeparture(tracking)
  const found = async () => {
    const { rows } = await caller.call(rosterVerbOf(listFieldStaff), {})
    const { dutyState } = await caller.call(rosterVerbOf(getFieldStaff), { id: staffId })
    const quiet = await caller.call(rosterVerbOf(listFieldStaff), { filters: { dutyState: ['quiet'] } })
    const row = rows.find((each) => each.id === staffId)
    return { row: row?.dutyState, page: dutyState, isFound: quiet.rows.some((each) => each.id === staffId) }
  }
  await report('09:06')
  await setOut()
  clock.set(at('10:30'))
  expect(await found()).toEqual({ row: 'offline', page: 'offline', isFound: false })
  await expectNoSignalOnTheWay(caller, id)
  expect(await found()).toEqual({ row: 'quiet', page: 'quiet', isFound: true })
  clock.set(at('12:21'))
  expect(await found()).toEqual({ row: 'offline', page: 'offline', isFound: false })
})

test('the list by state begins with who should be heard, not with who is where no signal is expected', async () => {
  const { caller, clock, id, staffId, report, setOut } = await trackedDeparture(tracking)
  await report('09:06')
  await setOut()
  const withoutDevice = await insertGuide(caller)
  await caller.call(verbOf(beginDutyFor), { staffId: withoutDevice })
  clock.set(at('10:00'))
  const order = async () => {
    const { rows } = await caller.call(verbOf(listTracked), { sort: [{ by: 'state' }] })
    return rows.map(({ subject }) => subject.id)
  }
  expect(await order()).toEqual([staffId, withoutDevice])
  await expectNoSignalOnTheWay(caller, id)
  expect(await order()).toEqual([withoutDevice, staffId])
})
