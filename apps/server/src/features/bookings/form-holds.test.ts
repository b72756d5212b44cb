import { getAvailability } from '@tour-ops/contract/bookings/availability'
import { formHoldSeconds, holdSeats, maxFormsPerPerson, releaseSeats } from '@tour-ops/contract/bookings/form-holds'
import { departureHistory, getDeparture, setDepartureSales } from '@tour-ops/contract/departures/departures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seats } from '../../../testing/bookings.ts'
import { addDeparture, book, coreVerbOf, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { sweepExpiredHolds } from './sweep-holds.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const localDate = '2030-07-14'

async function office(capacity = 6) {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-10T12:00:00Z'))
  const departureId = await addDeparture(caller, tourId, { localDate, capacity })
  const ana = await world.as('dispatcher', { orgId: caller.orgId, clock })
  const hold = (who: TestCaller, formId: string, wanted: number, on = departureId) =>
    who.call(coreVerbOf(holdSeats), { formId, departureId: on, seats: wanted })
  const release = (who: TestCaller, formId: string) => who.call(coreVerbOf(releaseSeats), { formId })
  const offered = async (who: TestCaller, formId?: string) => {
    const { days } = await who.call(coreVerbOf(getAvailability), {
      tourId,
      from: localDate,
      days: 1,
      ...(formId !== undefined && { formId }),
    })
    return days[0]?.departures.find(({ id }) => id === departureId)
  }
  const wait = (seconds: number) => clock.set(new Date(clock.now().getTime() + seconds * 1000))
  return { caller, clock, wait, tourId, departureId, ana, hold, release, offered }
}

describe('seats of an open booking form', () => {
  test('are taken for everybody but the form, and everybody sees who holds how many until when', async () => {
    const { caller, departureId, ana, hold, offered } = await office()
    const formId = newId()
    const { until } = await hold(ana, formId, 2)
    expect(until).toBe('2030-07-10T12:02:00.000Z')
    expect(await offered(caller)).toMatchObject({ seatsLeft: 4, formHolds: [{ seats: 2, until }] })
    expect(await offered(ana, formId)).toMatchObject({ seatsLeft: 6, seatsTaken: 0, formHolds: [] })
    // another form of the same person is another form
    expect(await offered(ana, newId())).toMatchObject({ seatsLeft: 4, formHolds: [{ seats: 2 }] })
    const drawer = await caller.call(coreVerbOf(getDeparture), { id: departureId })
    expect(drawer).toMatchObject({ seatsHeld: 2, seatsLeft: 4, formHolds: [{ seats: 2, until }] })
    await expect(book(caller, departureId, 5, { guests: [] })).rejects.toMatchObject({
      details: { reason: 'seats_exhausted', seatsLeft: 4, asked: 5 },
    })
  })

  test('are sold by the form itself, also where the departure is full with them', async () => {
    const { ana, departureId, hold, caller } = await office(4)
    const formId = newId()
    await hold(ana, formId, 4)
    await expect(book(caller, departureId, 1, { guests: [] })).rejects.toMatchObject({
      details: { reason: 'seats_exhausted', seatsLeft: 0 },
    })
    await book(ana, departureId, 4, { guests: [], formId })
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 4, seatsHeld: 0, seatsLeft: 0 })
  })

  test('are not sold by somebody else who knows the form', async () => {
    const { ana, departureId, hold, caller, release } = await office(4)
    const formId = newId()
    await hold(ana, formId, 4)
    await expect(book(caller, departureId, 1, { guests: [], formId })).rejects.toMatchObject({
      details: { reason: 'seats_exhausted' },
    })
    expect(await release(caller, formId)).toEqual({ seats: 0 })
    expect(await seats(caller, departureId)).toMatchObject({ seatsHeld: 4 })
  })

  test('are refused like a sale: without enough seats, where sales are paused, and of a cancelled departure', async () => {
    const { ana, departureId, hold, caller } = await office(4)
    await hold(ana, newId(), 3)
    await expect(hold(caller, newId(), 2)).rejects.toMatchObject({
      code: 'aborted',
      details: { reason: 'seats_exhausted', seatsLeft: 1, asked: 2, waitlistRank: 1, departureId },
    })
    await caller.call(coreVerbOf(setDepartureSales), { ids: [departureId], to: 'paused' })
    await expect(hold(caller, newId(), 1)).rejects.toMatchObject({
      details: { reason: 'sales_closed', because: 'paused' },
    })
    await caller.call(coreVerbOf(setDepartureSales), { ids: [departureId], to: 'open' })
    await setStatus(caller, departureId, { to: 'cancelled', cancelReason: 'weather' })
    await expect(hold(caller, newId(), 1)).rejects.toMatchObject({
      details: { reason: 'sales_closed', because: 'status' },
    })
  })

  test('follow the form: more, fewer, another departure, and none after it is left', async () => {
    const { ana, departureId, hold, caller, release, tourId } = await office()
    const other = await addDeparture(caller, tourId, { localDate, startTimeLocal: '12:00', capacity: 3 })
    const formId = newId()
    for (const wanted of [2, 6, 1]) {
      await hold(ana, formId, wanted)
      expect(await seats(caller, departureId)).toMatchObject({ seatsHeld: wanted, seatsLeft: 6 - wanted })
    }
    await expect(hold(ana, formId, 4, other)).rejects.toMatchObject({ details: { reason: 'seats_exhausted' } })
    expect(await seats(caller, departureId)).toMatchObject({ seatsHeld: 1 })
    await hold(ana, formId, 3, other)
    expect(await seats(caller, departureId)).toMatchObject({ seatsHeld: 0 })
    expect(await seats(caller, other)).toMatchObject({ seatsHeld: 3, seatsLeft: 0 })
    expect(await release(ana, formId)).toEqual({ seats: 3 })
    expect(await release(ana, formId)).toEqual({ seats: 0 })
    expect(await seats(caller, other)).toMatchObject({ seatsHeld: 0, seatsLeft: 3 })
  })

  test('are free when the form was not renewed in time: for a sale at once, in the counters with the sweep', async () => {
    const { ana, departureId, hold, caller, clock, wait, offered } = await office(4)
    const [renewed, abandoned] = [newId(), newId()]
    await hold(ana, renewed, 1)
    await hold(ana, abandoned, 3)
    wait(formHoldSeconds - 1)
    await hold(ana, renewed, 1)
    wait(1)
    expect(await offered(caller)).toMatchObject({ seatsLeft: 3, formHolds: [{ seats: 1 }] })
    expect(await seats(caller, departureId)).toMatchObject({ seatsHeld: 4 })
    await sweepExpiredHolds({ ...world.services, clock })
    expect(await seats(caller, departureId)).toMatchObject({ seatsHeld: 1, seatsLeft: 3 })
    await hold(ana, abandoned, 3)
    wait(formHoldSeconds)
    await book(caller, departureId, 4, { guests: [] })
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 4, seatsHeld: 0 })
  })

  test('go to those who wait when the form is left', async () => {
    const { ana, departureId, hold, caller, release } = await office(4)
    const formId = newId()
    await hold(ana, formId, 2)
    const waiting = await book(caller, departureId, 3, { mode: 'waitlist', guests: [] })
    await release(ana, formId)
    expect(await seats(caller, departureId)).toMatchObject({ seatsHeld: 3, seatsLeft: 1, waitlistCount: 0 })
    expect(waiting.status).toBe('waitlisted')
  })

  test(`are held in ${maxFormsPerPerson} forms of one person at most`, async () => {
    const { ana, hold, caller, release } = await office(20)
    const forms = Array.from({ length: maxFormsPerPerson }, () => newId())
    for (const formId of forms) await hold(ana, formId, 1)
    await expect(hold(ana, newId(), 1)).rejects.toMatchObject({
      code: 'resource-exhausted',
      details: { reason: 'too_many_forms', max: maxFormsPerPerson },
    })
    await hold(ana, forms[0] ?? '', 2)
    await hold(caller, newId(), 1)
    await release(ana, forms[2] ?? '')
    await hold(ana, newId(), 1)
  })

  test('leave no line in the history of the departure', async () => {
    const { ana, departureId, hold, caller, release } = await office()
    const formId = newId()
    const read = () => caller.call(coreVerbOf(departureHistory), { id: departureId })
    const before = await read()
    await hold(ana, formId, 2)
    await release(ana, formId)
    expect(await read()).toEqual(before)
  })
})
