import { combineDepartures, separateDepartures } from '@tour-ops/contract/departures/combine'
import { getDeparture, noteDeparture } from '@tour-ops/contract/departures/departures'
import { updateDeparture } from '@tour-ops/contract/departures/departure-edit'
import {
  acceptAssignment,
  createAssignment,
  declineAssignment,
  listAssignments,
  offerAssignment,
  releaseAssignment,
  withdrawAssignment,
} from '@tour-ops/contract/field-staff/assignments'
import { updateOwnPreferences } from '@tour-ops/contract/settings/settings'
import { getTour, publishTour, saveTourDraft } from '@tour-ops/contract/tours/tours'
import { assignVehicle, releaseVehicle } from '@tour-ops/contract/vehicles/vehicles'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notices } from '../../../testing/inbox.ts'
import { addDeparture, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Channels } from '../../platform/channels/channels.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { addMinutes } from '../../platform/local-time.ts'
import { allVerbs } from '../../verbs.ts'
import { tellCrews } from './crew-news.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const tell = (clock: Clock, channels?: Channels) =>
  tellCrews({ ...world.services, clock, ...(channels && { channels }) })

/** An office at 8:00 of 12 July 2030 with a departure at 9:00 of the 14th, and a guide with an account. */
async function office() {
  const tour = await officeWithTour(world, new Date('2030-07-12T08:00:00Z'))
  const { caller, clock } = tour
  const departureId = await addDeparture(caller, tour.tourId)
  const staffId = await addStaff(caller)
  const guide = await world.as('guide', { orgId: caller.orgId, staffId, clock })
  /** The next run after changes have rested. */
  const rest = async () => {
    clock.set(addMinutes(clock.now(), 3))
    await tell(clock)
  }
  const assign = (who = staffId, of = departureId) =>
    caller.call(verbOf(createAssignment), { departureId: of, staffId: who, role: 'lead_guide' })
  return { ...tour, departureId, staffId, guide, rest, assign }
}

async function addStaff(caller: TestCaller): Promise<string> {
  const id = newId()
  await caller.transaction((tx) =>
    sql`insert into field_staff (org_id, id, code, first_name, last_name, kinds, languages)
      values (${caller.orgId}, ${id}, ${id.slice(-8)}, 'Björn', 'Ólafsson', '{guide}', '[{"tag": "en", "level": "C1"}]')`.execute(
      tx,
    ),
  )
  return id
}

async function addVehicle(caller: TestCaller, label: string): Promise<string> {
  const id = newId()
  await caller.transaction((tx) =>
    sql`insert into vehicles (org_id, id, plate, label, seats) values (${caller.orgId}, ${id}, ${id.slice(-8)}, ${label}, 19)`.execute(
      tx,
    ),
  )
  return id
}

const offered = async ({ caller, departureId, staffId }: Awaited<ReturnType<typeof office>>) => {
  const { ids } = await caller.call(verbOf(offerAssignment), {
    departureId,
    role: 'lead_guide',
    staffIds: [staffId],
    respondBy: '2030-07-13T12:00:00Z',
  })
  return ids[0] ?? ''
}

const titles = async (person: TestCaller) => (await notices(world, person)).map(({ title }) => title)
const start = 'Golden Circle, 14 Jul 2030, 09:00 (Reykjavik)'

const release = async (caller: TestCaller, departureId: string) => {
  const { rows } = await caller.call(verbOf(listAssignments), { filters: { departureId: [departureId] } })
  const { id = '', version = 1 } = rows.find(({ status }) => status === 'accepted') ?? {}
  return caller.call(verbOf(releaseAssignment), { id, version, reason: 'Ill' })
}

/** Publishes the tour with a note, for these departures. */
async function newPlan(caller: TestCaller, tourId: string, departureIds: string[], note: string): Promise<void> {
  const tour = await caller.call(verbOf(getTour), { id: tourId })
  const content = tour.draft ?? tour.revision?.content
  if (!content) throw new Error('The tour has content')
  const saved = await caller.call(verbOf(saveTourDraft), { id: tourId, version: tour.version, content })
  await caller.call(verbOf(publishTour), {
    id: tourId,
    version: saved.version,
    note,
    applyToDepartureIds: departureIds,
  })
}

describe('somebody on a crew is told', () => {
  test('that they are assigned: as what, and when to report, once and not before three minutes have passed', async () => {
    const { assign, clock, guide, departureId, rest, caller } = await office()
    await assign()
    await tell(clock)
    expect(await titles(guide)).toEqual([])
    await rest()
    await rest()
    expect(await notices(world, guide)).toEqual([
      {
        title: `Assigned: ${start}`,
        body: 'You are on it as lead guide. Report at 08:30.',
        link: `/dashboard/overview?departure=${departureId}`,
      },
    ])
    expect(await titles(caller)).toEqual([])
  })

  test('that they are no longer assigned, and that a departure is cancelled', async () => {
    const { assign, caller, guide, departureId, rest, tourId, staffId } = await office()
    await assign()
    await rest()
    await release(caller, departureId)
    await rest()
    const other = await addDeparture(caller, tourId, { localDate: '2030-07-15' })
    await assign(staffId, other)
    await rest()
    await setStatus(caller, other, { to: 'cancelled', cancelReason: 'weather' })
    await rest()
    expect((await notices(world, guide)).map(({ title, body }) => [title, body])).toEqual([
      [`Assigned: ${start}`, 'You are on it as lead guide. Report at 08:30.'],
      [`No longer assigned: ${start}`, ''],
      [expect.stringContaining('Assigned: Golden Circle, 15 Jul'), expect.any(String)],
      ['No longer assigned: Golden Circle, 15 Jul 2030, 09:00 (Reykjavik)', 'The departure is cancelled.'],
    ])
  })

  test('nothing of what is taken back before it is told', async () => {
    const { assign, caller, clock, guide, departureId, rest } = await office()
    await assign()
    clock.set(addMinutes(clock.now(), 2))
    await release(caller, departureId)
    await rest()
    await rest()
    expect(await titles(guide)).toEqual([])
    const { rows } = await caller.transaction((tx) =>
      sql`select from crew_notices where org_id = ${caller.orgId}`.execute(tx),
    )
    expect(rows).toHaveLength(0)
  })

  test('of an offer at once, that it is withdrawn later, and not what they answered themselves', async () => {
    const world1 = await office()
    const { caller, guide, rest, clock } = world1
    const id = await offered(world1)
    expect(await titles(guide)).toEqual([`Assignment offer: ${start}`])
    clock.set(addMinutes(clock.now(), 1))
    await caller.call(verbOf(withdrawAssignment), { id, version: 1 })
    await rest()
    expect((await titles(guide))[1]).toBe(`Offer withdrawn: ${start}`)
    const again = await offered(world1)
    await guide.call(verbOf(acceptAssignment), { id: again, version: 1, overrideReason: null })
    await rest()
    expect(await titles(guide)).toHaveLength(3)
    const declining = await office()
    const declined = await offered(declining)
    await declining.guide.call(verbOf(declineAssignment), { id: declined, version: 1, reason: 'Holiday' })
    await declining.rest()
    expect(await titles(declining.guide)).toHaveLength(1)
  })

  test('that the office accepted for them, and that somebody else was faster', async () => {
    const one = await office()
    const { caller, guide, rest, departureId, clock } = one
    const otherStaff = await addStaff(caller)
    const other = await world.as('guide', { orgId: caller.orgId, staffId: otherStaff, clock })
    const { ids } = await caller.call(verbOf(offerAssignment), {
      departureId,
      role: 'lead_guide',
      staffIds: [one.staffId, otherStaff],
      respondBy: '2030-07-13T12:00:00Z',
    })
    await other.call(verbOf(acceptAssignment), { id: ids[1] ?? '', version: 1, overrideReason: null })
    await rest()
    expect((await titles(guide)).at(-1)).toBe(`Offer withdrawn: ${start}`)
    expect(await titles(other)).toHaveLength(1)
    const two = await office()
    await two.caller.call(verbOf(acceptAssignment), { id: await offered(two), version: 1, overrideReason: null })
    await two.rest()
    expect((await titles(two.guide)).at(-1)).toBe(`Assigned: ${start}`)
  })

  test('of a new vehicle, of another, and of none', async () => {
    const { assign, caller, guide, departureId, rest } = await office()
    await assign()
    await rest()
    const put = async (label: string) =>
      caller.call(verbOf(assignVehicle), {
        departureId,
        vehicleId: await addVehicle(caller, label),
        driverStaffId: null,
      })
    const first = await put('Sprinter 1')
    await rest()
    await caller.call(verbOf(releaseVehicle), { assignmentId: first.id })
    const second = await put('Coach 2')
    await rest()
    await caller.call(verbOf(releaseVehicle), { assignmentId: second.id })
    await rest()
    const changes = (await notices(world, guide)).slice(1)
    expect(changes.map(({ title }) => title)).toEqual([`Changed: ${start}`, `Changed: ${start}`, `Changed: ${start}`])
    expect(changes.map(({ body }) => body)).toEqual([
      'Vehicle: Sprinter 1, before none.',
      'Vehicle: Coach 2, before Sprinter 1.',
      'Vehicle: none, before Coach 2.',
    ])
  })

  test('of a new itinerary with its note, of another language, and of another time', async () => {
    const { assign, caller, guide, departureId, rest, tourId } = await office()
    await assign()
    await rest()
    await newPlan(caller, tourId, [departureId], 'Lunch is in Laugarvatn now.')
    await rest()
    await caller.transaction((tx) =>
      sql`update departures set language = 'de', starts_at = starts_at + interval '30 minutes', ends_at = ends_at + interval '30 minutes'
        where org_id = ${caller.orgId} and id = ${departureId}`.execute(tx),
    )
    await rest()
    expect((await notices(world, guide)).slice(1).map(({ body }) => body)).toEqual([
      'The itinerary is new: please open it. Lunch is in Laugarvatn now.',
      'It starts 14 Jul 2030, 09:30, not 14 Jul 2030, 09:00. It ends 14 Jul 2030, 17:30, not 14 Jul 2030, 17:00. ' +
        'Report at 14 Jul 2030, 09:00, not at 14 Jul 2030, 08:30. Language: German, before none.',
    ])
  })

  test('of a weather note, of another, and that it no longer applies', async () => {
    const { assign, caller, guide, departureId, rest } = await office()
    await assign()
    await rest()
    const note = async (weatherNote: string | null) => {
      const { version } = await caller.call(verbOf(getDeparture), { id: departureId })
      await caller.call(verbOf(noteDeparture), { id: departureId, version, weatherNote, internalNote: 'Ours' })
    }
    await note('Storm from 14:00')
    await note('Storm from 15:00 ')
    await rest()
    // nothing that a crew would see
    await note('Storm from 15:00')
    await rest()
    await note(null)
    await rest()
    expect((await notices(world, guide)).slice(1).map(({ body }) => body)).toEqual([
      'Weather: Storm from 15:00',
      'The weather note no longer applies.',
    ])
  })

  test('of several departures in one notice', async () => {
    const { assign, caller, guide, departureId, rest, tourId, staffId } = await office()
    const days = ['2030-07-15', '2030-07-16', '2030-07-17']
    const ids = [departureId]
    for (const localDate of days) ids.push(await addDeparture(caller, tourId, { localDate }))
    for (const id of ids) await assign(staffId, id)
    await rest()
    const [notice, ...more] = await notices(world, guide)
    expect(more).toEqual([])
    expect(notice).toMatchObject({ title: '4 changes to your assignments', link: '/dashboard/overview' })
    expect(notice?.body.split('\n')).toHaveLength(4)
    expect(notice?.body).toContain(`Assigned: ${start}`)
  })

  test('nothing of seats, internal notes and limits that change, of drafts, and of what is over', async () => {
    const { assign, caller, guide, departureId, rest, clock, tourId, staffId } = await office()
    await assign()
    await rest()
    await caller.call(verbOf(updateDeparture), {
      id: departureId,
      version: 1,
      capacity: 25,
      minPax: 1,
      overbookLimit: 0,
      decideBy: null,
      language: null,
      weatherNote: null,
      internalNote: 'x',
    })
    await rest()
    const draft = await addDeparture(caller, tourId, { localDate: '2030-07-16', status: 'draft' })
    await assign(staffId, draft)
    await rest()
    expect(await titles(guide)).toHaveLength(1)
    await setStatus(caller, draft, { to: 'scheduled' })
    await rest()
    expect((await titles(guide))[1]).toBe('Assigned: Golden Circle, 16 Jul 2030, 09:00 (Reykjavik)')
    await caller.call(verbOf(assignVehicle), {
      departureId,
      vehicleId: await addVehicle(caller, 'Late'),
      driverStaffId: null,
    })
    clock.set(new Date('2030-07-14T17:00:00Z'))
    await tell(clock)
    expect(await titles(guide)).toHaveLength(2)
  })

  test('in their own language, where they chose, and not where they chose not to be', async () => {
    const { assign, guide, rest, caller, departureId } = await office()
    await guide.call(verbOf(updateOwnPreferences), {
      settings: { events: { assignment_decided: ['email'], assignment_changed: [] }, language: 'de' },
    })
    await assign()
    await rest()
    await caller.call(verbOf(assignVehicle), {
      departureId,
      vehicleId: await addVehicle(caller, 'Bus'),
      driverStaffId: null,
    })
    await rest()
    expect(await titles(guide)).toEqual([])
    const { rows } = await caller.transaction((tx) =>
      sql<{
        subject: string
        body: string
      }>`select subject, body from deliveries where org_id = ${caller.orgId} and user_id = ${guide.userId}`.execute(tx),
    )
    expect(rows).toEqual([
      {
        subject: 'Eingeteilt: Golden Circle, 14.07.2030, 09:00 (Reykjavik)',
        body: 'Ihre Rolle: Reiseleitung. Dienstbeginn 08:30.',
      },
    ])
  })

  test('once, by any number of processes, and again where the process that told them was killed', async () => {
    const { assign, clock, guide } = await office()
    await assign()
    clock.set(addMinutes(clock.now(), 3))
    await guide.call(verbOf(updateOwnPreferences), {
      settings: { events: { assignment_decided: ['email', 'in_app'] }, language: null },
    })
    const killed: Channels = { ...world.services.channels, send: () => Promise.reject(new Error('killed')) }
    await expect(tell(clock, killed)).rejects.toThrow('1 organization failed')
    expect(await titles(guide)).toEqual([])
    await Promise.all(Array.from({ length: 4 }, () => tell(clock)))
    expect(await titles(guide)).toEqual([`Assigned: ${start}`])
  })

  test('not by what happens in another organization', async () => {
    const ours = await office()
    const theirs = await office()
    await theirs.assign()
    await ours.rest()
    expect(await titles(ours.guide)).toEqual([])
  })
})

test('somebody without an account is passed over, and nothing waits for them', async () => {
  const { caller, rest, assign } = await office()
  await assign(await addStaff(caller))
  await rest()
  const { rows } = await caller.transaction((tx) =>
    sql`select from crew_notices where org_id = ${caller.orgId}`.execute(tx),
  )
  expect(rows).toHaveLength(0)
})

test('a departure that was joined with another and is separated again is theirs as before, and it is told if it was told', async () => {
  const { caller, rest, assign, guide, departureId, tourId, clock } = await office()
  const into = await addDeparture(caller, tourId, { startTimeLocal: '11:00' })
  await assign()
  await rest()
  const versionOf = async () => (await caller.call(verbOf(getDeparture), { id: departureId })).version
  const combine = async () =>
    caller.call(verbOf(combineDepartures), { id: departureId, version: await versionOf(), intoId: into })
  const separate = async () => caller.call(verbOf(separateDepartures), { id: departureId, version: await versionOf() })
  await combine()
  clock.set(addMinutes(clock.now(), 1))
  await separate()
  await rest()
  expect(await titles(guide)).toHaveLength(1)
  await combine()
  await rest()
  await separate()
  await rest()
  expect((await titles(guide)).slice(1)).toEqual([`No longer assigned: ${start}`, `Assigned: ${start}`])
})
