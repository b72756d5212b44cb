import { createLink } from '@tour-ops/contract/links/links'
import { getSharedPage } from '@tour-ops/contract/links/shared-page'
import { recordPayment } from '@tour-ops/contract/bookings/payments'
import { getGeneralSettings, updateGeneralSettings } from '@tour-ops/contract/settings/settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, book, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)

test('a party reads what it pays at the start in the organization’s words, while something is due, and nothing where the organization does not want it', async () => {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-01T10:00:00Z'))
  const booking = await book(caller, await addDeparture(caller, tourId), 2)
  const waiting = await book(caller, booking.departureId, 1, { mode: 'hold' })
  const asGuest = guestOf(world, clock)
  const payment = async (subjectId: string) => {
    const { token } = await caller.call(verbOf(createLink), { kind: 'booking_guest', subjectId, label: 'Party' })
    return (await asGuest(getSharedPage, { token })).payment
  }
  expect(await payment(booking.id)).toBeNull()
  const { version, settings } = await caller.call(verbOf(getGeneralSettings), {})
  const payAtStart = 'In cash or by card, to the guide.'
  const saved = await caller.call(verbOf(updateGeneralSettings), { version, settings: { ...settings, payAtStart } })
  expect(saved.settings.payAtStart).toBe(payAtStart)
  expect(await payment(booking.id)).toEqual({ dueMinor: 17_800, currency: 'EUR', note: payAtStart })
  // a hold is not sold yet
  expect(await payment(waiting.id)).toBeNull()
  await caller.call(verbOf(recordPayment), {
    bookingId: booking.id,
    kind: 'payment',
    method: 'cash',
    amountMinor: 17_800,
  })
  expect(await payment(booking.id)).toBeNull()
})
