import { cancelBooking } from '@tour-ops/contract/bookings/bookings'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

test('wheelchairs of guests with seats are counted for the next sale; those who wait or have cancelled are not', async () => {
  const { caller, tourId } = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
  const departureId = await addDeparture(caller, tourId, { capacity: 2 })
  const wheels = { lastName: 'Sherpa', unitType: 'adult' as const, mobility: 'wheelchair' as const }
  const wheelchairs = async () => (await caller.call(coreVerbOf(getDeparture), { id: departureId })).counts.wheelchairs
  const { id, version } = await book(caller, departureId, 2, {
    guests: [
      { ...wheels, firstName: 'Pema' },
      { ...wheels, firstName: 'Dawa' },
    ],
  })
  expect(await wheelchairs()).toBe(2)
  await book(caller, departureId, 1, { guests: [{ ...wheels, firstName: 'Tashi' }], mode: 'waitlist' })
  expect(await wheelchairs()).toBe(2)
  // the seats that they leave are offered to the one who waits
  await caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request', note: null })
  expect(await wheelchairs()).toBe(1)
})
