import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../src/platform/clock.ts'
import { testDatabase, type TestWorld } from '../testing/world.ts'
import { seedDepartures } from './calendar.ts'
import { seedCatalogue } from './catalogue.ts'
import { seedGuests } from './guests.ts'
import { seedParties } from './parties.ts'
import { person } from './person.ts'
import { seededRandom } from './random.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world?.close())

test('the party that waits for a full tour has nobody who is on it already, however few guests there are', async () => {
  const now = new Date('2030-07-14T12:00:00Z')
  const office = await world.as('operations_manager', { clock: movableClock(now) })
  const planner = person(world.services, { ...office, name: 'Íris', email: `${office.userId}@example.com` })
  planner.at(new Date(now.getTime() - 60 * 86_400_000))
  const random = seededRandom(7)
  const { tours } = await seedCatalogue(planner, now)
  const walk = tours.filter(({ code }) => code === 'ALFA')
  const tonight = (await seedDepartures(planner, walk, now)).filter(
    ({ localDate, startTimeLocal }) => localDate === '2030-07-14' && startTimeLocal === '16:00',
  )
  const guests = (await seedGuests(planner, random)).slice(0, 22)
  await seedParties(planner, walk, tonight, guests, random, now)
  const seats = await world.rows<{ confirmed: number; waiting: number }>(
    `select seats_confirmed as confirmed, waitlist_count as waiting from departures where org_id = $1 and id = any ($2)`,
    [office.orgId, tonight.map(({ id }) => id)],
  )
  expect(seats).toEqual([{ confirmed: 16, waiting: 1 }])
})
