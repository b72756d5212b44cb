import { getBooking } from '@tour-ops/contract/bookings/bookings'
import { checkIn } from '@tour-ops/contract/bookings/manifest'
import { combineDepartures } from '@tour-ops/contract/departures/combine'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seats } from '../../../testing/bookings.ts'
import { messagesOf } from '../../../testing/guest-mail.ts'
import {
  addDeparture,
  assignGuide,
  book,
  officeWithTour,
  publishedTour,
  setStatus,
} from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
}, 60_000)
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)

/** Two departures of a day, the first with three parties of two. */
async function twoDepartures({ capacityThere = 10 } = {}) {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-10T12:00:00Z'))
  const first = await addDeparture(caller, tourId)
  const second = await addDeparture(caller, tourId, { startTimeLocal: '11:00', capacity: capacityThere })
  const contact = () => ({ name: 'Ines Vogel', email: `${newId()}@example.com`, locale: 'de' })
  const pickup = (await caller.call(verbOf(getDeparture), { id: first })).stops.find(({ kind }) => kind === 'pickup')
  const parties = [
    await book(caller, first, 2, { contact: contact(), pickupStopId: pickup?.id ?? null }),
    await book(caller, first, 2, { contact: contact(), mode: 'hold' }),
    await book(caller, first, 2, { contact: contact() }),
  ]
  const combine = async (intoId: string, { as = caller, id = first }: { as?: TestCaller; id?: string } = {}) => {
    const { version } = await caller.call(verbOf(getDeparture), { id })
    return as.call(verbOf(combineDepartures), { id, version, intoId })
  }
  const statusOf = async (id: string) => (await caller.call(verbOf(getDeparture), { id })).status
  return { caller, clock, tourId, first, second, parties, combine, statusOf }
}

test('two departures become one: every party moves with its seats, hold and pickup, is told, and the empty one is cancelled', async () => {
  const { caller, first, second, parties, combine } = await twoDepartures()
  await assignGuide(caller, first)
  const { code, crew } = await caller.call(verbOf(getDeparture), { id: second })
  expect(await combine(second)).toEqual({ code, seats: 6 })
  const after = await caller.call(verbOf(getDeparture), { id: first })
  expect(after).toMatchObject({ status: 'cancelled', cancelReason: 'combined', seatsConfirmed: 0, seatsHeld: 0 })
  expect(after.crew.filter(({ status }) => status === 'accepted')).toEqual([])
  expect(crew).toEqual([])
  expect(await seats(caller, second)).toMatchObject({ seatsConfirmed: 4, seatsHeld: 2, seatsLeft: 4 })
  const moved = await Promise.all(parties.map(({ id }) => caller.call(verbOf(getBooking), { id })))
  expect(moved.map(({ departureId, status }) => [departureId, status])).toEqual([
    [second, 'confirmed'],
    [second, 'on_hold'],
    [second, 'confirmed'],
  ])
  expect(moved[0]).toMatchObject({ pickupPlaceName: 'City Hall', pickupAt: '2030-07-14T10:20:00.000Z' })
  const [told, held] = parties
  expect((await messagesOf(caller, told?.id ?? '')).some((message) => message.startsWith('booking_changed'))).toBe(true)
  expect(await messagesOf(caller, held?.id ?? '')).toEqual([])
})

describe('nothing moves, and nothing is cancelled,', () => {
  test('where the other departure has too few seats for all', async () => {
    const { first, second, combine, statusOf, caller } = await twoDepartures({ capacityThere: 5 })
    await expect(combine(second)).rejects.toMatchObject({
      details: { reason: 'seats_exhausted', seatsLeft: 5, asked: 6 },
    })
    expect(await statusOf(first)).toBe('scheduled')
    expect(await seats(caller, first)).toMatchObject({ seatsConfirmed: 4, seatsHeld: 2 })
  })

  test('once a guest is checked in', async () => {
    const { caller, clock, first, second, parties, combine, statusOf } = await twoDepartures()
    clock.set(new Date('2030-07-14T08:30:00Z'))
    await assignGuide(caller, first)
    await setStatus(caller, first, { to: 'boarding' })
    const [party] = parties
    await caller.call(verbOf(checkIn), {
      departureId: first,
      entries: [{ entryId: party?.guests[0]?.entryId ?? '', clientEventId: newId() }],
    })
    await expect(combine(second)).rejects.toMatchObject({ details: { reason: 'guests_aboard' } })
    expect(await statusOf(first)).toBe('boarding')
  })

  test('into itself, another tour, another day, or what another organization has', async () => {
    const { caller, tourId, first, combine, statusOf } = await twoDepartures()
    const other = await publishedTour(caller, { name: 'South Coast' })
    const elsewhere = await twoDepartures()
    for (const [id, code] of [
      [first, 'invalid-argument'],
      [await addDeparture(caller, other.tourId), 'invalid-argument'],
      [await addDeparture(caller, tourId, { localDate: '2030-07-15' }), 'invalid-argument'],
      [elsewhere.second, 'not-found'],
    ] as const) {
      await expect(combine(id)).rejects.toMatchObject({ code })
    }
    expect(await statusOf(first)).toBe('scheduled')
  })

  test('by who only looks or plans tours, or in a version that was not seen', async () => {
    const { caller, first, second, combine } = await twoDepartures()
    for (const role of ['viewer', 'tour_designer', 'guide'] as const) {
      await expect(combine(second, { as: await world.as(role, { orgId: caller.orgId }) })).rejects.toMatchObject({
        code: 'permission-denied',
      })
    }
    await expect(
      caller.call(verbOf(combineDepartures), { id: first, version: 99, intoId: second }),
    ).rejects.toMatchObject({ details: { reason: 'version_conflict' } })
  })

  test('where others buy the last seats first: seats are never sold twice', async () => {
    const { caller, first, second, combine, statusOf } = await twoDepartures({ capacityThere: 8 })
    const [combined, sold] = await Promise.allSettled([combine(second), book(caller, second, 4)])
    expect([combined, sold].filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await statusOf(first)).toBe(combined.status === 'fulfilled' ? 'cancelled' : 'scheduled')
    const { seatsConfirmed, seatsHeld } = await seats(caller, second)
    expect(seatsConfirmed + seatsHeld).toBe(combined.status === 'fulfilled' ? 6 : 4)
  })

  test('when two are combined into each other at once: one of them stays', async () => {
    const { caller, first, second, combine, statusOf } = await twoDepartures()
    await book(caller, second, 2)
    const results = await Promise.allSettled([combine(second), combine(first, { id: second })])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect([await statusOf(first), await statusOf(second)].toSorted()).toEqual(['cancelled', 'scheduled'])
  })
})
