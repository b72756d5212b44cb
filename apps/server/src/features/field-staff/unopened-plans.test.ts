import { seeRunSheet } from '@tour-ops/contract/departures/run-sheet'
import { getTour, publishTour, saveTourDraft } from '@tour-ops/contract/tours/tours'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notices } from '../../../testing/inbox.ts'
import { addDeparture, assignGuide, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { addMinutes } from '../../platform/local-time.ts'
import { allVerbs } from '../../verbs.ts'
import { crewsKnow, tellCrews } from './crew-news.ts'
import { reportUnopenedPlans } from './unopened-plans.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)

/** A departure at 9:00 of 14 July 2030 whose guide was told of a new itinerary at a moment of before, 3 min after it was published. */
async function changed(publishedAt: string) {
  const tour = await officeWithTour(world, new Date(publishedAt))
  const { caller, clock } = tour
  const departureId = await addDeparture(caller, tour.tourId)
  const staffId = await assignGuide(caller, departureId)
  const guide = await world.as('guide', { orgId: caller.orgId, staffId, clock })
  await caller.transaction((tx) => crewsKnow.run(tx, caller.orgId))
  const publish = async () => {
    const shown = await caller.call(verbOf(getTour), { id: tour.tourId })
    const content = shown.draft ?? shown.revision?.content
    if (!content) throw new Error('The tour has content')
    const { version } = await caller.call(verbOf(saveTourDraft), { id: tour.tourId, version: shown.version, content })
    await caller.call(verbOf(publishTour), { id: tour.tourId, version, note: '', applyToDepartureIds: [departureId] })
    clock.set(addMinutes(clock.now(), 3))
    await tellCrews({ ...world.services, clock })
  }
  await publish()
  const after = async (minutes: number) => {
    clock.set(addMinutes(clock.now(), minutes))
    await reportUnopenedPlans({ ...world.services, clock })
  }
  const open = () => guide.call(verbOf(seeRunSheet), { id: departureId, revisionNumber: null })
  return { ...tour, departureId, staffId, guide, publish, after, open }
}

const titles = async (person: TestCaller) => (await notices(world, person)).map(({ title }) => title)
const waiting = async ({ caller }: { caller: TestCaller }) =>
  (await caller.transaction((tx) => sql`select from crew_notices where org_id = ${caller.orgId}`.execute(tx))).rows
    .length

test('the office hears once that a new itinerary was not opened for an hour, if the departure starts within a day', async () => {
  const office = await changed('2030-07-14T05:00:00Z')
  const { caller, guide, after, departureId, clock } = office
  const dispatcher = await world.as('dispatcher', { orgId: caller.orgId, clock })
  const viewer = await world.as('viewer', { orgId: caller.orgId, clock })
  await after(59)
  expect(await titles(dispatcher)).toEqual([])
  await after(1)
  await after(1)
  const notice = {
    title: '1 new itinerary has not been opened by the crew',
    body: 'Björn Ólafsson: Golden Circle, 14 Jul 2030, 09:00 (Reykjavik)',
    link: `/dashboard/overview?departure=${departureId}`,
  }
  expect(await notices(world, dispatcher)).toEqual([notice])
  expect(await notices(world, caller)).toEqual([notice])
  expect(await titles(viewer)).toEqual([])
  expect(await titles(guide)).toHaveLength(1)
})

test('nothing is heard of one that was opened, and nothing of it stays', async () => {
  const office = await changed('2030-07-14T05:00:00Z')
  await office.open()
  await office.after(60)
  expect(await titles(office.caller)).toEqual([])
  expect(await waiting(office)).toBe(0)
})

test('of a departure that starts later it is heard the day before; of one that starts within the hour after ten minutes', async () => {
  const later = await changed('2030-07-12T08:00:00Z')
  await later.after(120)
  expect(await titles(later.caller)).toEqual([])
  await later.after(24 * 60)
  expect(await titles(later.caller)).toHaveLength(1)
  const soon = await changed('2030-07-14T08:30:00Z')
  await soon.after(9)
  expect(await titles(soon.caller)).toEqual([])
  await soon.after(1)
  expect(await titles(soon.caller)).toHaveLength(1)
})

test('it is not heard of once the tour has started, or the guide was replaced', async () => {
  const started = await changed('2030-07-14T08:55:00Z')
  await started.after(30)
  expect(await titles(started.caller)).toEqual([])
  expect(await waiting(started)).toBe(0)
  const replaced = await changed('2030-07-14T05:00:00Z')
  await replaced.caller.transaction((tx) =>
    sql`update assignments set status = 'released', release_reason = 'ill' where org_id = ${replaced.caller.orgId}`.execute(
      tx,
    ),
  )
  await replaced.after(60)
  expect(await titles(replaced.caller)).toEqual([])
})

test('a further itinerary that is not opened is heard of again', async () => {
  const office = await changed('2030-07-14T02:00:00Z')
  await office.after(60)
  await office.publish()
  await office.after(60)
  expect(await titles(office.caller)).toHaveLength(2)
})

test('several are one notice, and two processes send one', async () => {
  const office = await changed('2030-07-14T05:00:00Z')
  const { caller, tourId, clock } = office
  await caller.transaction((tx) =>
    sql`insert into crew_notices (org_id, assignment_id, revision_number, told_at)
      select org_id, id, 9, app_now() from assignments where org_id = ${caller.orgId} on conflict do nothing`.execute(
      tx,
    ),
  )
  const other = await addDeparture(caller, tourId, { startTimeLocal: '10:00' })
  const staffId = await assignGuide(caller, other)
  await caller.transaction((tx) =>
    sql`insert into crew_notices as n (org_id, assignment_id, revision_number, told_at)
      select org_id, id, 2, app_now() from assignments where org_id = ${caller.orgId} and staff_id = ${staffId}
      on conflict (org_id, assignment_id) do update set was = null, changed_at = null, revision_number = 2, told_at = excluded.told_at`.execute(
      tx,
    ),
  )
  clock.set(addMinutes(clock.now(), 60))
  await Promise.all(Array.from({ length: 3 }, () => reportUnopenedPlans({ ...world.services, clock })))
  expect(await titles(caller)).toEqual(['2 new itineraries have not been opened by the crew'])
})
