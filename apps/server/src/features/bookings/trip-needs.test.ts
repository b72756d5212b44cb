import { getBooking } from '@tour-ops/contract/bookings/bookings'
import { getManifest } from '@tour-ops/contract/bookings/manifest'
import { restoreRevision, reviseBooking } from '@tour-ops/contract/bookings/revise'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { createTraveler, getTraveler } from '@tour-ops/contract/travelers/travelers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { travelersVerbs } from '../travelers/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'

const travelerVerbOf = verbsOf(travelersVerbs)

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

async function knownGuest() {
  const { caller, tourId } = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
  const departureId = await addDeparture(caller, tourId, { capacity: 8 })
  const traveler = await caller.call(travelerVerbOf(createTraveler), {
    firstName: 'Amara',
    lastName: 'Okafor',
    dietary: ['nut_allergy'],
    mobility: 'cane',
  })
  const flagsThere = async () => {
    const { groups } = await caller.call(coreVerbOf(getManifest), { departureId })
    return groups.flatMap(({ parties }) => parties.flatMap(({ entries }) => entries.flatMap(({ flags }) => flags)))
  }
  const wheelchairs = async () => (await caller.call(coreVerbOf(getDeparture), { id: departureId })).counts.wheelchairs
  return { caller, departureId, travelerId: traveler.id, flags: flagsThere, wheelchairs }
}

test('a diet for one trip comes on top of the profile, another way to move about takes its place, and the profile stays', async () => {
  const { caller, departureId, travelerId, flags, wheelchairs } = await knownGuest()
  const booking = await book(caller, departureId, 1, {
    guests: [{ travelerId, unitType: 'adult', tripDietary: 'vegan', tripMobility: 'wheelchair' }],
  })
  expect(booking.guests).toMatchObject([
    { dietary: ['nut_allergy', 'vegan'], tripDietary: 'vegan', tripMobility: 'wheelchair', mobility: 'wheelchair' },
  ])
  expect(await flags()).toEqual(['nut_allergy', 'vegan', 'wheelchair'])
  expect(await wheelchairs()).toBe(1)
  expect(await caller.call(travelerVerbOf(getTraveler), { id: travelerId })).toMatchObject({
    dietary: ['nut_allergy'],
    mobility: 'cane',
  })
})

test('what is left out stays as it is, null takes it away, and undoing brings it back', async () => {
  const { caller, departureId, travelerId, flags, wheelchairs } = await knownGuest()
  const guest = { travelerId, unitType: 'adult' as const }
  const { id, version } = await book(caller, departureId, 1, {
    guests: [{ ...guest, tripDietary: 'nut_allergy', tripMobility: 'wheelchair' }],
  })
  expect(await flags()).toEqual(['nut_allergy', 'wheelchair'])
  const kept = await caller.call(coreVerbOf(reviseBooking), {
    id,
    version,
    guests: [{ ...guest, note: 'Window' }],
    tellGuest: false,
  })
  expect(kept.booking.guests).toMatchObject([{ tripDietary: 'nut_allergy', tripMobility: 'wheelchair' }])
  const { booking } = await caller.call(coreVerbOf(reviseBooking), {
    id,
    version: kept.booking.version,
    guests: [{ ...guest, tripDietary: null, tripMobility: null }],
    tellGuest: false,
  })
  expect(booking.guests).toMatchObject([{ tripDietary: null, tripMobility: null, mobility: 'cane' }])
  expect(await wheelchairs()).toBe(0)
  await caller.call(coreVerbOf(restoreRevision), { id, version: booking.version })
  const restored = await caller.call(coreVerbOf(getBooking), { id })
  expect(restored.guests).toMatchObject([{ tripDietary: 'nut_allergy', tripMobility: 'wheelchair' }])
})
