import { cancelBooking, moveBookings } from '@tour-ops/contract/bookings/bookings'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { AppError } from '@tour-ops/contract/errors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, book, coreVerbOf, publishedTour, setStatus } from '../../../testing/operations.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

/** One connection makes a queue and no race: there the small number shows only that the refusals are right. */
const rivals = (): number => (world.database.kind === 'pglite' ? 60 : 500)

const refusalOf = (result: PromiseSettledResult<unknown>): AppError | undefined =>
  result.status === 'rejected' && result.reason instanceof AppError ? result.reason : undefined

test('of 500 who want 20 seats at once, 20 get one and the rest learn what is left and how long the queue is', async () => {
  const caller = await world.as('dispatcher')
  const designer = await world.as('operations_manager', { orgId: caller.orgId })
  const { tourId } = await publishedTour(designer)
  const departureId = await addDeparture(designer, tourId, { capacity: 20 })
  const results = await Promise.allSettled(
    Array.from({ length: rivals() }, (_, index) =>
      book(caller, departureId, 1, { mode: index % 2 === 0 ? 'hold' : 'confirm', guests: [] }),
    ),
  )
  const refusals = results.flatMap((result) => refusalOf(result) ?? [])
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(20)
  expect(refusals).toHaveLength(rivals() - 20)
  for (const { code, details } of refusals) {
    expect({ code, ...details }).toMatchObject({
      code: 'aborted',
      reason: 'seats_exhausted',
      seatsLeft: 0,
      asked: 1,
      waitlistRank: 1,
    })
  }
  const departure = await designer.call(coreVerbOf(getDeparture), { id: departureId })
  expect(departure.seatsConfirmed + departure.seatsHeld).toBe(20)
  expect(departure.seatsLeft).toBe(0)
}, 60_000)

test('two moves in opposite directions between full departures neither deadlock nor lose seats', async () => {
  const caller = await world.as('operations_manager')
  const { tourId } = await publishedTour(caller)
  const early = await addDeparture(caller, tourId, { capacity: 6 })
  const late = await addDeparture(caller, tourId, { startTimeLocal: '12:00', capacity: 6 })
  const here = await Promise.all([1, 2, 3].map(() => book(caller, early, 1, { guests: [] })))
  const there = await Promise.all([1, 2, 3].map(() => book(caller, late, 1, { guests: [] })))
  const moves = [
    ...here.map((booking) => ({ booking, toDepartureId: late })),
    ...there.map((booking) => ({ booking, toDepartureId: early })),
  ]
  await Promise.all(
    moves.map(({ booking, toDepartureId }) =>
      caller.call(coreVerbOf(moveBookings), {
        parties: [{ id: booking.id, version: booking.version }],
        toDepartureId,
      }),
    ),
  )
  for (const id of [early, late]) {
    expect(await caller.call(coreVerbOf(getDeparture), { id })).toMatchObject({ seatsConfirmed: 3, seatsLeft: 3 })
  }
})

test('many cancellations at once promote each waiting party once', async () => {
  const caller = await world.as('operations_manager')
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId, { capacity: 5 })
  const sold = []
  for (let index = 0; index < 5; index += 1) sold.push(await book(caller, departureId, 1, { guests: [] }))
  const waiting = []
  for (let index = 0; index < 5; index += 1)
    waiting.push(await book(caller, departureId, 1, { mode: 'waitlist', guests: [] }))
  const answers = await Promise.all(
    sold.map(({ id, version }) => caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request' })),
  )
  expect(answers.flatMap((answer) => answer.promoted).toSorted()).toEqual(
    waiting.map((party) => party.bookingRef).toSorted(),
  )
  expect(await caller.call(coreVerbOf(getDeparture), { id: departureId })).toMatchObject({
    seatsHeld: 5,
    waitlistCount: 0,
    seatsLeft: 0,
  })
})

test('of those who move the parties of cancelled departures to the last seats at once, as many succeed as fit', async () => {
  const caller = await world.as('operations_manager')
  const { tourId } = await publishedTour(caller)
  const target = await addDeparture(caller, tourId, { startTimeLocal: '15:00', capacity: 4 })
  const parties = []
  for (const startTimeLocal of ['08:00', '09:00', '10:00', '11:00', '12:00']) {
    const id = await addDeparture(caller, tourId, { startTimeLocal })
    parties.push(await book(caller, id, 2, { guests: [] }))
    await setStatus(caller, id, { to: 'cancelled', cancelReason: 'weather' })
  }
  const colleague = await world.as('dispatcher', { orgId: caller.orgId })
  const results = await Promise.allSettled(
    parties.map(({ id, version }, index) =>
      (index % 2 === 0 ? caller : colleague).call(coreVerbOf(moveBookings), {
        parties: [{ id, version }],
        toDepartureId: target,
      }),
    ),
  )
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(2)
  for (const refusal of results.flatMap((result) => refusalOf(result) ?? [])) {
    expect(refusal.details).toMatchObject({ reason: 'seats_exhausted', seatsLeft: 0, asked: 2 })
  }
  expect(await caller.call(coreVerbOf(getDeparture), { id: target })).toMatchObject({ seatsConfirmed: 4, seatsLeft: 0 })
})
