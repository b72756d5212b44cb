import { createBooking } from '@tour-ops/contract/bookings'
import { searchAll } from '@tour-ops/contract/search'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { addDeparture, coreVerbOf, publishedTour } from '../../testing-operations.ts'
import type { Verb } from '../../platform/verb.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../testing.ts'
import { searchVerbs } from './search-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const [search] = searchVerbs as [Verb<typeof searchAll>]

const prepare = (who: TestCaller): Promise<void> =>
  who.transaction(async (tx) => {
    await sql`insert into tours (org_id, id, code, name) values (${who.orgId}, ${newId()}, 'GOLD', 'Golden Circle')`.execute(
      tx,
    )
    await sql`insert into travelers (org_id, id, first_name, last_name) values
      (${who.orgId}, ${newId()}, 'Jürgen', 'Groß'), (${who.orgId}, ${newId()}, '芳', '王'), (${who.orgId}, ${newId()}, 'Олена', 'Коваленко')`.execute(
      tx,
    )
  })

test('one search finds a traveler in any alphabet, with or without accents', async () => {
  const dispatcher = await world.as('dispatcher')
  await prepare(dispatcher)
  const titles = async (q: string) => (await dispatcher.call(search, { q })).hits.map((hit) => hit.title)
  expect(await titles('jurgen')).toEqual(['Jürgen Groß'])
  expect(await titles('王')).toEqual(['芳 王'])
  expect(await titles('коваленко')).toEqual(['Олена Коваленко'])
  expect(await titles('golden')).toEqual(['Golden Circle'])
})

test('what a role may not read is left out, not refused', async () => {
  const dispatcher = await world.as('dispatcher')
  await prepare(dispatcher)
  const designer = await world.as('tour_designer', { orgId: dispatcher.orgId })
  expect((await designer.call(search, { q: 'jurgen' })).hits).toEqual([])
  expect((await designer.call(search, { q: 'gold' })).hits).toHaveLength(1)
})

test('nothing of another organization is found', async () => {
  await prepare(await world.as('dispatcher'))
  const foreign = await world.as('admin')
  expect((await foreign.call(search, { q: 'gold' })).hits).toEqual([])
})

test('a booking is found by its reference without the hyphen and by who travels along, the coming ones first', async () => {
  const clock = movableClock(new Date('2030-07-01T08:00:00Z'))
  const dispatcher = await world.as('operations_manager', { clock })
  const { tourId } = await publishedTour(dispatcher)
  const book = async (localDate: string) => {
    const departureId = await addDeparture(dispatcher, tourId, { localDate })
    return dispatcher.call(coreVerbOf(createBooking), {
      departureId,
      mode: 'confirm',
      contact: { name: 'Amara Okafor' },
      units: [{ unitType: 'adult', quantity: 1 }],
      guests: [{ firstName: 'Zoltan', lastName: 'Varga', unitType: 'adult' }],
    })
  }
  const [yesterday, today, later] = [await book('2030-07-13'), await book('2030-07-14'), await book('2030-07-20')]
  clock.set(new Date('2030-07-14T16:00:00Z'))
  const found = async (q: string, scope: 'bookings' | 'departures') =>
    (await dispatcher.call(search, { q, scopes: [scope] })).hits.map((hit) => hit.id)
  expect(await found('varga', 'bookings')).toEqual([today.id, later.id, yesterday.id])
  expect(await found(later.bookingRef.replace('-', ''), 'bookings')).toEqual([later.id])
  expect(await found('golden', 'departures')).toEqual([today, later, yesterday].map((booking) => booking.departureId))
  const designer = await world.as('tour_designer', { orgId: dispatcher.orgId })
  expect((await designer.call(search, { q: 'varga' })).hits).toEqual([])
})
