import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestWorld, testDatabase } from '../testing/world.ts'
import { seedDepartures } from './calendar.ts'
import { seedCatalogue } from './catalogue.ts'
import { person } from './person.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world?.close())

/** Tours of the demo that have a departure on a day or later. */
async function toursAheadOf(day: string): Promise<Set<string>> {
  const { orgId, userId } = await world.as('operations_manager')
  const planner = person(world.services, { userId, orgId, name: 'Ada', email: `${userId}@example.com` })
  const now = new Date(`${day}T12:00:00Z`)
  planner.at(new Date(now.getTime() - 60 * 86_400_000))
  const { tours } = await seedCatalogue(planner, now)
  const departures = await seedDepartures(planner, tours, now)
  return new Set(departures.filter(({ localDate }) => localDate >= day).map(({ tourCode }) => tourCode))
}

test.for([
  ['2027-01-15', 'NLIGHT', 'ANNA'],
  ['2027-07-15', 'POON', 'NLIGHT'],
] as const)(
  'on %s the demo begins as on any day: %s has departures ahead, %s is out of season',
  async ([day, inSeason, outOfSeason]) => {
    const tours = await toursAheadOf(day)
    expect(tours).toContain('GOLD')
    expect(tours).toContain(inSeason)
    expect(tours).not.toContain(outOfSeason)
  },
)
