import { cancelBooking, moveBookings } from '@tour-ops/contract/bookings/bookings'
import { holdSeats } from '@tour-ops/contract/bookings/form-holds'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { AppError } from '@tour-ops/contract/errors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { sweepExpiredHolds } from './sweep-holds.ts'
import { addDeparture, book, coreVerbOf, publishedTour, setStatus } from '../../../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'

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
})

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

test('forms that hold, sales, and the end of former holds at once never give a seat to two', async () => {
  const clock = movableClock(new Date())
  const caller = await world.as('operations_manager', { clock })
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId, { capacity: 6 })
  const colleagues = await Promise.all([1, 2, 3].map(() => world.as('dispatcher', { orgId: caller.orgId, clock })))
  const held = (who: TestCaller, formId: string, seats: number) =>
    who.call(coreVerbOf(holdSeats), { formId, departureId, seats })
  // two forms that nobody has open any more
  for (const who of colleagues.slice(0, 2)) await held(who, newId(), 3)
  clock.set(new Date(clock.now().getTime() + 121_000))
  const forms = colleagues.map(() => newId())
  const results = await Promise.allSettled([
    ...colleagues.map((who, index) => held(who, forms[index] ?? '', 2)),
    ...[1, 2, 3].map(() => book(caller, departureId, 2, { guests: [] })),
    sweepExpiredHolds({ ...world.services, clock }).then(() => undefined),
  ])
  const taken = results.slice(0, 6).filter((result) => result.status === 'fulfilled')
  expect(taken).toHaveLength(3)
  for (const refusal of results.flatMap((result) => refusalOf(result) ?? [])) {
    expect(refusal.details).toMatchObject({ reason: 'seats_exhausted', asked: 2 })
  }
  // who holds sells what was held, although the departure is full for everybody else
  for (const [index, who] of colleagues.entries()) {
    const sale = book(who, departureId, 2, { guests: [], formId: forms[index] ?? '' })
    if (results[index]?.status === 'fulfilled') await sale
    else await expect(sale).rejects.toMatchObject({ details: { reason: 'seats_exhausted' } })
  }
  expect(await caller.call(coreVerbOf(getDeparture), { id: departureId })).toMatchObject({
    seatsConfirmed: 6,
    seatsHeld: 0,
    seatsLeft: 0,
  })
})
