import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestWorld, testDatabase } from '../testing/world.ts'
import { seedDepartures, type SeededDeparture } from './calendar.ts'
import { seedCatalogue } from './catalogue.ts'
import { person } from './person.ts'
import { dayMs, hourMs } from './spans.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world?.close())

/** Departures of the demo that begins on a day. */
async function departuresOf(day: string): Promise<readonly SeededDeparture[]> {
  const { orgId, userId } = await world.as('operations_manager')
  const planner = person(world.services, { userId, orgId, name: 'Ada', email: `${userId}@example.com` })
  const now = new Date(`${day}T12:00:00Z`)
  planner.at(new Date(now.getTime() - 60 * 86_400_000))
  const { tours } = await seedCatalogue(planner, now)
  return seedDepartures(planner, tours, now)
}

test.for([
  ['2027-01-15', 'NLIGHT', 'ANNA'],
  ['2027-07-15', 'POON', 'NLIGHT'],
] as const)(
  'on %s the demo begins as on any day: %s has departures ahead, %s is out of season',
  async ([day, inSeason, outOfSeason]) => {
    const departures = await departuresOf(day)
    const tours = new Set(departures.filter(({ localDate }) => localDate >= day).map(({ tourCode }) => tourCode))
    expect(tours).toContain('GOLD')
    expect(tours).toContain(inSeason)
    expect(tours).not.toContain(outOfSeason)
  },
)

test('in summer a tour of several days is out at any hour, once the demo has run for a week: at night the silent phone is of such a one', async () => {
  const ofDays = (await departuresOf('2027-07-15')).filter(
    ({ startsAt, endsAt }) => Date.parse(endsAt) - Date.parse(startsAt) > dayMs,
  )
  const week = Date.parse('2027-07-22T00:00:00Z')
  const hours = Array.from({ length: 7 * 24 }, (_, hour) => new Date(week + hour * hourMs).toISOString())
  expect(hours.filter((hour) => !ofDays.some(({ startsAt, endsAt }) => startsAt <= hour && hour < endsAt))).toEqual([])
})
