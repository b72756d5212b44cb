import { beginDuty, beginDutyFor, endDuty } from '@tour-ops/contract/tracking/duty'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notices } from '../../../testing/inbox.ts'
import { addDeparture, assignGuide, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Channels } from '../../platform/channels/channels.ts'
import type { Clock } from '../../platform/clock.ts'
import { allVerbs } from '../../verbs.ts'
import { remindOfDutyStart } from './missing-duty-starts.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const remind = (clock: Clock, channels: Channels = world.services.channels) =>
  remindOfDutyStart({ ...world.services, clock, channels })
const at = (time: string) => new Date(`2030-07-14T${time}Z`)

/** A guide who reports at 8:15 for a departure of 14 July 2030 at 9:00; it is the evening before. */
async function office(role: 'lead_guide' | 'backup' = 'lead_guide') {
  const tour = await officeWithTour(world, new Date('2030-07-13T20:00:00Z'), { minPax: 0 })
  const departureId = await addDeparture(tour.caller, tour.tourId)
  const staffId = await assignGuide(tour.caller, departureId, { role })
  await tour.caller.transaction((tx) =>
    sql`update assignments set report_at = '2030-07-14T08:15:00Z' where org_id = ${tour.caller.orgId}`.execute(tx),
  )
  const guide = await world.as('guide', { orgId: tour.caller.orgId, staffId, clock: tour.clock })
  const after = async (time: string) => {
    tour.clock.set(at(time))
    await remind(tour.clock)
  }
  return { ...tour, departureId, staffId, guide, after }
}

const titles = async (person: TestCaller) => (await notices(world, person)).map(({ title }) => title)

test('a guide hears five minutes after the time to report that the duty has not begun; once, and nobody else does', async () => {
  const { caller, clock, departureId, guide, after } = await office()
  await after('08:19:59')
  expect(await titles(guide)).toEqual([])
  clock.set(at('08:20:00'))
  await Promise.all(Array.from({ length: 3 }, () => remind(clock)))
  await after('08:21:00')
  expect(await notices(world, guide)).toEqual([
    {
      title: 'Your duty has not started: Golden Circle',
      body: 'It was due at 08:15 (Reykjavik). Please start it on your phone, or call the office.',
      link: `/dashboard/overview?departure=${departureId}`,
    },
  ])
  expect(await titles(caller)).toEqual([])
})

test('without a time to report the start of the departure counts', async () => {
  const { caller, guide, after } = await office()
  await caller.transaction((tx) =>
    sql`update assignments set report_at = null where org_id = ${caller.orgId}`.execute(tx),
  )
  await after('09:04:59')
  expect(await titles(guide)).toEqual([])
  await after('09:05:00')
  expect(await titles(guide)).toHaveLength(1)
})

test('nothing is heard once the duty has begun, by the guide or by the office, for the departure or for none', async () => {
  const own = await office()
  own.clock.set(at('08:00:00'))
  await own.guide.call(verbOf(beginDuty), { departureId: null })
  await own.after('08:20:00')
  const byOffice = await office()
  const dispatcher = await world.as('dispatcher', { orgId: byOffice.caller.orgId, clock: byOffice.clock })
  byOffice.clock.set(at('08:18:00'))
  const { staffId, departureId } = byOffice
  await dispatcher.call(verbOf(beginDutyFor), { staffId, vehicleId: null, departureId })
  await byOffice.after('08:20:00')
  for (const { guide } of [own, byOffice]) expect(await titles(guide)).toEqual([])
})

test('a duty of the morning that is over does not count', async () => {
  const { clock, guide, after } = await office()
  clock.set(at('05:00:00'))
  await guide.call(verbOf(beginDuty), { departureId: null })
  clock.set(at('07:00:00'))
  await guide.call(verbOf(endDuty), {})
  await after('08:20:00')
  expect(await titles(guide)).toHaveLength(1)
})

test('nor does one that was begun for the departure and ended before its time', async () => {
  const { clock, departureId, guide, after } = await office()
  clock.set(at('05:00:00'))
  await guide.call(verbOf(beginDuty), { departureId })
  clock.set(at('07:00:00'))
  await guide.call(verbOf(endDuty), {})
  await after('08:20:00')
  expect(await titles(guide)).toHaveLength(1)
})

test('of a departure that moved to a later day it is heard again, once', async () => {
  const { caller, clock, departureId, guide, after } = await office()
  await after('08:20:00')
  await caller.transaction((tx) =>
    sql`update departures set starts_at = starts_at + interval '1 day', ends_at = ends_at + interval '1 day', local_date = local_date + 1
      where org_id = ${caller.orgId} and id = ${departureId}`.execute(tx),
  )
  await after('08:30:00')
  expect(await titles(guide)).toHaveLength(1)
  clock.set(new Date('2030-07-15T08:20:00Z'))
  for (const _ of [1, 2]) await Promise.all([remind(clock), remind(clock)])
  expect(await titles(guide)).toHaveLength(2)
})

test('nothing is heard by a backup, of a departure that is cancelled, or by who was released', async () => {
  const standby = await office('backup')
  const cancelled = await office()
  await setStatus(cancelled.caller, cancelled.departureId, { to: 'cancelled', cancelReason: 'weather' })
  const released = await office()
  await released.caller.transaction((tx) =>
    sql`update assignments set status = 'released', release_reason = 'ill' where org_id = ${released.caller.orgId}`.execute(
      tx,
    ),
  )
  for (const { guide, after } of [standby, cancelled, released]) {
    await after('08:20:00')
    expect(await titles(guide)).toEqual([])
  }
})

test('who was assigned after the time has five minutes too, and a server that was down longer than an hour reminds nobody', async () => {
  const late = await office()
  await late.caller.transaction((tx) =>
    sql`update assignments set responded_at = '2030-07-14T08:30:00Z' where org_id = ${late.caller.orgId}`.execute(tx),
  )
  await late.after('08:34:59')
  expect(await titles(late.guide)).toEqual([])
  await late.after('08:35:00')
  expect(await titles(late.guide)).toHaveLength(1)
  const down = await office()
  await down.after('09:15:00')
  expect(await titles(down.guide)).toEqual([])
})

test('a process that is killed while it tells has told nothing, and the next one tells it', async () => {
  const { caller, clock, guide } = await office()
  await caller.transaction((tx) =>
    sql`insert into own_preferences (org_id, user_id, preferences)
      values (${caller.orgId}, ${guide.userId}, '{"events": {"duty_start_missing": ["in_app", "email"]}}')`.execute(tx),
  )
  clock.set(at('08:20:00'))
  const killed: Channels = { ...world.services.channels, send: () => Promise.reject(new Error('killed')) }
  await expect(remind(clock, killed)).rejects.toThrow('1 organization failed')
  expect(await titles(guide)).toEqual([])
  await remind(clock)
  expect(await titles(guide)).toHaveLength(1)
})
