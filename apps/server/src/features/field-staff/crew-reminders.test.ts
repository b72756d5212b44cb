import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { updateNotificationSettings, getNotificationSettings } from '@tour-ops/contract/settings/settings'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notices } from '../../../testing/inbox.ts'
import { addDeparture, assignGuide, book, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'
import { oldCrewReminders, remindCrews } from './crew-reminders.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const remind = (clock: Clock) => remindCrews({ ...world.services, clock })
const at = (time: string, day = '2030-07-13') => new Date(`${day}T${time}Z`)

/** A guide on a departure of 14 July 2030 at 9:00; it is the 13th, 8:00. */
async function office(zone = 'Atlantic/Reykjavik') {
  const tour = await officeWithTour(world, at('08:00:00'), { timeZone: zone, minPax: 0 })
  const departureId = await addDeparture(tour.caller, tour.tourId)
  const staffId = await assignGuide(tour.caller, departureId)
  const guide = await world.as('guide', { orgId: tour.caller.orgId, staffId, clock: tour.clock })
  return { ...tour, departureId, staffId, guide }
}

const titles = async (person: TestCaller) => (await notices(world, person)).map(({ title }) => title)

test('a crew is reminded at 18:00 of the day before: role, guests, vehicle and weather note; once, and nobody else is', async () => {
  const { caller, clock, departureId, guide } = await office()
  await book(caller, departureId, 3)
  await caller.transaction(async (tx) => {
    const [vehicle, entry] = [newId(), newId()]
    await sql`update departures set weather_note = 'Strong wind' where org_id = ${caller.orgId} and id = ${departureId}`.execute(
      tx,
    )
    await sql`update assignments set report_at = '2030-07-14T08:15:00Z' where org_id = ${caller.orgId}`.execute(tx)
    await sql`insert into vehicles (org_id, id, plate, label, seats) values (${caller.orgId}, ${vehicle}, 'X', 'Sprinter 1', 19)`.execute(
      tx,
    )
    await sql`insert into vehicle_calendar_entries (org_id, id, vehicle_id, during, kind)
      values (${caller.orgId}, ${entry}, ${vehicle}, tstzrange('2030-07-14T09:00:00Z', '2030-07-14T17:00:00Z'), 'departure')`.execute(
      tx,
    )
    await sql`insert into vehicle_assignments (org_id, calendar_entry_id, departure_id) values (${caller.orgId}, ${entry}, ${departureId})`.execute(
      tx,
    )
  })
  clock.set(at('17:59:59'))
  await remind(clock)
  expect(await titles(guide)).toEqual([])
  clock.set(at('18:00:00'))
  await Promise.all(Array.from({ length: 3 }, () => remind(clock)))
  clock.set(at('18:01:00'))
  await remind(clock)
  expect(await notices(world, guide)).toEqual([
    {
      title: 'Tomorrow, Sun 14 Jul: 09:00 Golden Circle',
      body: 'lead guide, report at 08:15, 3 guests, Sprinter 1, Strong wind',
      link: `/dashboard/overview?departure=${departureId}`,
    },
  ])
  expect(await titles(caller)).toEqual([])
})

test('several departures of a day are one reminder', async () => {
  const { caller, clock, guide, staffId, tourId } = await office()
  await assignGuide(caller, await addDeparture(caller, tourId, { startTimeLocal: '19:00' }), { staffId, role: 'guide' })
  clock.set(at('18:00:00'))
  await remind(clock)
  expect((await notices(world, guide)).map(({ title, body }) => [title, body])).toEqual([
    [
      'Tomorrow, Sun 14 Jul: 2 departures',
      '09:00 Golden Circle: lead guide, 0 guests\n19:00 Golden Circle: guide, 0 guests',
    ],
  ])
})

test('it goes by the clock of the tour, also on a day on which clocks change', async () => {
  const there = await office('America/New_York')
  there.clock.set(at('21:59:59'))
  await remind(there.clock)
  expect(await titles(there.guide)).toEqual([])
  there.clock.set(at('22:00:00'))
  await remind(there.clock)
  expect(await titles(there.guide)).toHaveLength(1)
  const tour = await officeWithTour(world, at('08:00:00', '2030-11-02'), { timeZone: 'America/New_York' })
  const departureId = await addDeparture(tour.caller, tour.tourId, { localDate: '2030-11-04' })
  const guide = await world.as('guide', {
    orgId: tour.caller.orgId,
    staffId: await assignGuide(tour.caller, departureId),
    clock: tour.clock,
  })
  tour.clock.set(at('22:59:59', '2030-11-03'))
  await remind(tour.clock)
  expect(await titles(guide)).toEqual([])
  tour.clock.set(at('23:00:00', '2030-11-03'))
  await remind(tour.clock)
  expect(await titles(guide)).toHaveLength(1)
})

test('nobody is reminded of what was cancelled, only offered, or given after the reminder was due', async () => {
  const cancelled = await office()
  await setStatus(cancelled.caller, cancelled.departureId, { to: 'cancelled', cancelReason: 'weather' })
  const { caller, clock, tourId } = await officeWithTour(world, at('08:00:00'))
  const departureId = await addDeparture(caller, tourId)
  const staffId = await assignGuide(caller, departureId, { status: 'offered' })
  const guide = await world.as('guide', { orgId: caller.orgId, staffId, clock })
  const late = await officeWithTour(world, at('18:00:01'))
  const lateId = await addDeparture(late.caller, late.tourId)
  const lateGuide = await world.as('guide', {
    orgId: late.caller.orgId,
    staffId: await assignGuide(late.caller, lateId),
    clock: late.clock,
  })
  clock.set(at('18:05:00'))
  await remind(clock)
  for (const person of [cancelled.guide, guide, lateGuide]) expect(await titles(person)).toEqual([])
})

test('the organization sets the time, or switches it off', async () => {
  const set = async ({ caller }: { caller: TestCaller }, crewReminderAt: string) => {
    const admin = await world.as('admin', { orgId: caller.orgId })
    const { version, settings } = await admin.call(verbOf(getNotificationSettings), {})
    await admin.call(verbOf(updateNotificationSettings), { version, settings: { ...settings, crewReminderAt } })
  }
  const early = await office()
  await set(early, '12:30')
  early.clock.set(at('12:30:00'))
  await remind(early.clock)
  expect(await titles(early.guide)).toHaveLength(1)
  const off = await office()
  await set(off, 'off')
  off.clock.set(at('18:00:00'))
  await remind(off.clock)
  expect(await titles(off.guide)).toEqual([])
})

test('a server that was down makes up for it within five hours', async () => {
  const soon = await office()
  soon.clock.set(at('22:59:59'))
  await remind(soon.clock)
  expect(await titles(soon.guide)).toHaveLength(1)
  const late = await office()
  late.clock.set(at('23:00:00'))
  await remind(late.clock)
  expect(await titles(late.guide)).toEqual([])
})

test('who was reminded is remembered for a month', async () => {
  const { caller, clock } = await office()
  clock.set(at('18:00:00'))
  await remind(clock)
  const left = async (day: string) => {
    clock.set(at('03:00:00', day))
    await caller.transaction((tx) => oldCrewReminders.run(tx, caller.orgId))
    const { rows } = await caller.transaction((tx) =>
      sql`select from crew_reminders where org_id = ${caller.orgId}`.execute(tx),
    )
    return rows.length
  }
  expect(await left('2030-08-13')).toBe(1)
  expect(await left('2030-08-14')).toBe(0)
})

test('an assignment that is accepted by the office is reminded of as any other', async () => {
  const { caller, clock, tourId } = await officeWithTour(world, at('08:00:00'))
  const departureId = await addDeparture(caller, tourId)
  const staffId = await assignGuide(caller, await addDeparture(caller, tourId, { localDate: '2030-07-20' }))
  await caller.transaction((tx) =>
    sql`update field_staff set kinds = '{guide}' where org_id = ${caller.orgId}`.execute(tx),
  )
  await caller.call(verbOf(createAssignment), { departureId, staffId, role: 'lead_guide' })
  const guide = await world.as('guide', { orgId: caller.orgId, staffId, clock })
  clock.set(at('18:00:00'))
  await remind(clock)
  expect((await notices(world, guide))[0]?.body).toBe('lead guide, report at 08:30, 0 guests')
})
