import { createLink } from '@tour-ops/contract/links/links'
import { getSharedPage } from '@tour-ops/contract/links/shared-page'
import { getIncident, listIncidents } from '@tour-ops/contract/monitoring/incidents'
import { askDepartures, countRollCall, maxAskedDepartures } from '@tour-ops/contract/monitoring/roll-call-of-departures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, assignGuide, book, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { linksVerbs } from '../links/verbs.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf([...monitoringVerbs, ...linksVerbs])
const clock = movableClock(new Date('2030-07-14T08:30:00Z'))
const avalanche = { category: 'weather', severity: 1, title: 'Avalanche at the pass' } as const

/** Two departures with guests, the first with a guide and a party that has a link, and one without anybody. */
async function threeDepartures() {
  const caller = await world.as('operations_manager', { clock })
  const { tourId } = await publishedTour(caller)
  const first = await addDeparture(caller, tourId)
  const second = await addDeparture(caller, tourId, { startTimeLocal: '10:00' })
  const empty = await addDeparture(caller, tourId, { startTimeLocal: '11:00' })
  const family = await book(caller, first, 3)
  await book(caller, second, 2)
  await assignGuide(caller, first)
  const { token } = await caller.call(verbOf(createLink), {
    kind: 'booking_guest',
    subjectId: family.id,
    label: 'For the family',
  })
  return { caller, tourId, first, second, empty, token }
}

const incidentsOf = async (caller: TestCaller) => (await caller.call(verbOf(listIncidents), {})).rows

test('before they are asked, the office sees how many guests and crew that is, and who can answer alone', async () => {
  const { caller, first, second, empty } = await threeDepartures()
  expect(await caller.call(verbOf(countRollCall), { departureIds: [first, second, empty] })).toEqual({
    guests: 5,
    withLink: 3,
    crew: 1,
    departures: 2,
    asked: 0,
  })
  expect(await caller.call(verbOf(countRollCall), { departureIds: [empty] })).toEqual({
    guests: 0,
    withLink: 0,
    crew: 0,
    departures: 0,
    asked: 0,
  })
})

test('each departure with anybody on it gets an incident of that title, whose roll call asks its people on their pages', async () => {
  const { caller, first, second, empty, token } = await threeDepartures()
  // named twice is asked once
  const departureIds = [second, first, empty, first]
  const asked = await caller.call(verbOf(askDepartures), {
    departureIds,
    ...avalanche,
    question: 'Stay where you are.',
  })
  expect(asked.people).toBe(6)
  expect(asked.incidents.map(({ number }) => number)).toEqual(['INC-2030-0001', 'INC-2030-0002'])
  const rooms = await Promise.all(asked.incidents.map(({ id }) => caller.call(verbOf(getIncident), { id })))
  expect(rooms.map(({ departure }) => departure?.id)).toEqual([first, second])
  expect(rooms.map(({ rollCall }) => rollCall?.people.length)).toEqual([4, 2])
  for (const room of rooms) expect(room).toMatchObject({ ...avalanche, status: 'reported', owner: expect.anything() })
  const { rollCall } = await guestOf(world, clock)(getSharedPage, { token })
  expect(rollCall).toMatchObject({
    question: 'Stay where you are.',
    people: [{ answer: null }, { answer: null }, { answer: null }],
  })
  expect(await caller.call(verbOf(countRollCall), { departureIds: [first, second, empty] })).toMatchObject({ asked: 2 })
})

test('where one departure cannot be asked, none is: of another organization, unknown, or all without anybody', async () => {
  const { caller, first, empty } = await threeDepartures()
  const stranger = await world.as('operations_manager', { clock })
  const { tourId } = await publishedTour(stranger)
  const foreign = await addDeparture(stranger, tourId)
  await book(stranger, foreign, 1)
  for (const departureIds of [
    [first, foreign],
    [first, newId()],
  ]) {
    await expect(caller.call(verbOf(askDepartures), { departureIds, ...avalanche })).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(caller.call(verbOf(countRollCall), { departureIds })).rejects.toMatchObject({ code: 'not-found' })
  }
  await expect(caller.call(verbOf(askDepartures), { departureIds: [empty], ...avalanche })).rejects.toMatchObject({
    details: { reason: 'roll_call_of_nobody' },
  })
  const tooMany = Array.from({ length: maxAskedDepartures + 1 }, () => first)
  await expect(caller.call(verbOf(askDepartures), { departureIds: tooMany, ...avalanche })).rejects.toMatchObject({
    code: 'invalid-argument',
  })
  await expect(
    caller.call(verbOf(askDepartures), { departureIds: [first], ...avalanche, title: ' ' }),
  ).rejects.toMatchObject({ details: { fieldErrors: { title: [expect.anything()] } } })
  for (const one of [caller, stranger]) expect(await incidentsOf(one)).toEqual([])
})

test.each(['guide', 'viewer', 'tour_designer'] as const)(
  'who may not change incidents asks nobody: %s',
  async (role) => {
    const { caller, first } = await threeDepartures()
    const reader = await world.as(role, { orgId: caller.orgId, clock })
    for (const call of [
      () => reader.call(verbOf(askDepartures), { departureIds: [first], ...avalanche }),
      () => reader.call(verbOf(countRollCall), { departureIds: [first] }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'permission-denied' })
    expect(await incidentsOf(caller)).toEqual([])
  },
)
