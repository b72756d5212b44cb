import type { In } from '@tour-ops/contract/callable'
import { createLink } from '@tour-ops/contract/links/links'
import { getSharedPage } from '@tour-ops/contract/links/shared-page'
import { metersBetween } from '@tour-ops/contract/tracking/arrivals/travel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setStatus } from '../../../testing/operations.ts'
import {
  at,
  trackedDeparture,
  type TrackedOne,
  type TrackingServer,
  trackingServer,
  visit,
} from '../../../testing/tracked-departure.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { guestPage } from '../../../testing/links.ts'
import { requestMeta } from '../../../testing/world.ts'
import { execute } from '../../platform/verb.ts'
import { linksVerbs } from './verbs.ts'

let tracking: TrackingServer
beforeAll(async () => {
  tracking = await trackingServer()
})
afterAll(() => tracking?.close())

const verbOf = verbsOf(linksVerbs)
const bsi = { lat: 64.1375, lng: -21.935 }
const scopes = { map: true, position: true }

async function shared(departure: TrackedOne, more: Partial<In<typeof createLink>> = {}) {
  const { token } = await departure.caller.call(verbOf(createLink), {
    kind: 'departure_guest',
    subjectId: departure.id,
    label: 'Guests',
    scopes,
    ...more,
  })
  return async () =>
    guestPage(
      await execute(
        { ...tracking.world.services, clock: departure.clock },
        requestMeta(),
        null,
        verbOf(getSharedPage),
        {
          token,
        },
      ),
    ).position
}

/** At the terminal until 09:06, then a drive of an hour to Thingvellir, with a position every 20 seconds until 09:40. */
async function underWay(): Promise<TrackedOne> {
  const departure = await trackedDeparture(tracking, [
    visit(bsi, '08:35', '09:06'),
    visit({ lat: 64.2559, lng: -21.13 }, '10:06', '11:00'),
  ])
  await departure.report('09:06')
  await departure.setOut()
  await departure.report('09:40')
  return departure
}

const trueAt = async ({ caller, clock }: TrackedOne, secondsAgo: number) =>
  caller.transaction(async (tx) => {
    const { rows } = await sql<{ lat: number; lng: number }>`
      select lat, lng from positions where org_id = ${caller.orgId} and recorded_at <= ${new Date(clock.now().getTime() - secondsAgo * 1000)}
      order by recorded_at desc limit 1`.execute(tx)
    return rows[0] as { lat: number; lng: number }
  })

test('guests see where the tour was a minute ago, to a hundred meters, and how long ago that was', async () => {
  const departure = await underWay()
  const page = await shared(departure)
  const seen = await page()
  expect(seen?.radiusM).toBe(100)
  expect(Date.parse(seen?.seenAt ?? '')).toBeLessThanOrEqual(at('09:39').getTime())
  expect(Date.parse(seen?.seenAt ?? '')).toBeGreaterThan(at('09:38').getTime())
  const truth = await trueAt(departure, 60)
  const error = metersBetween(truth, seen as NonNullable<typeof seen>)
  expect(error).toBeGreaterThan(1)
  expect(error).toBeLessThanOrEqual(101)
  // a minute of driving is a kilometer: now they are elsewhere
  expect(metersBetween(await trueAt(departure, 0), seen as NonNullable<typeof seen>)).toBeGreaterThan(200)
  const late = await shared(departure, { positionDelayS: 900, positionBlurM: 500 })
  const older = await late()
  expect(Date.parse(older?.seenAt ?? '')).toBeLessThanOrEqual(at('09:25').getTime())
  expect(metersBetween(await trueAt(departure, 900), older as NonNullable<typeof older>)).toBeLessThanOrEqual(501)
})

test('a vehicle that does not move is always in the same place for guests, however often they ask', async () => {
  const corner = { lat: 64.13697, lng: -21.93393 }
  const departure = await trackedDeparture(tracking, [visit(corner, '08:35', '09:30')])
  const places = new Set<string>()
  const page = await shared(departure)
  for (const time of ['09:06', '09:07', '09:09', '09:12']) {
    await departure.report(time)
    const seen = await page()
    places.add(`${seen?.lat} ${seen?.lng}`)
  }
  expect([...places]).toHaveLength(1)
})

test('there is nothing to see without the scope or its map, before boarding, on a break, after ten silent minutes and after the end', async () => {
  const departure = await underWay()
  const { caller, clock } = departure
  const page = await shared(departure)
  expect(await page()).not.toBeNull()
  expect(await (await shared(departure, { scopes: { map: true } }))()).toBeNull()
  expect(await (await shared(departure, { scopes: { map: false, position: true } }))()).toBeNull()
  const setBreak = (since: string | null) =>
    caller.transaction((tx) =>
      sql`update duty_sessions set break_started_at = ${since === null ? null : at(since)} where org_id = ${caller.orgId} and status = 'open'`.execute(
        tx,
      ),
    )
  await setBreak('09:39')
  expect(await page()).toBeNull()
  await setBreak(null)
  expect(await page()).not.toBeNull()
  clock.set(at('09:52'))
  expect(await page()).toBeNull()
  await departure.report('09:53')
  clock.set(at('09:54'))
  expect(await page()).not.toBeNull()
  await setStatus(caller, departure.id, { to: 'completed' })
  expect(await page()).toBeNull()
})

test('the database keeps no link that shows guests more than the crew has agreed to', async () => {
  const departure = await trackedDeparture(tracking, [visit(bsi, '08:35', '09:30')])
  await shared(departure)
  const { caller } = departure
  for (const column of ['location_delay_s', 'blur_m']) {
    await expect(
      caller.transaction((tx) =>
        sql`update shared_links set ${sql.ref(column)} = 0 where org_id = ${caller.orgId}`.execute(tx),
      ),
    ).rejects.toThrow('shared_links_position_blurred')
  }
})
