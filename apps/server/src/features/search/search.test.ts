import { createBooking } from '@tour-ops/contract/bookings/bookings'
import { searchAll } from '@tour-ops/contract/search/search'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import type { Verb } from '../../platform/verb.ts'
import { addDeparture, assignGuide, book, coreVerbOf, publishedTour } from '../../../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
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
  const bookOn = async (localDate: string) => {
    const departureId = await addDeparture(dispatcher, tourId, { localDate })
    return dispatcher.call(coreVerbOf(createBooking), {
      departureId,
      mode: 'confirm',
      contact: { name: 'Amara Okafor' },
      units: [{ unitType: 'adult', quantity: 1 }],
      guests: [{ firstName: 'Zoltan', lastName: 'Varga', unitType: 'adult' }],
    })
  }
  const [yesterday, today, later] = [await bookOn('2030-07-13'), await bookOn('2030-07-14'), await bookOn('2030-07-20')]
  clock.set(new Date('2030-07-14T16:00:00Z'))
  const found = async (q: string, scope: 'bookings' | 'departures') =>
    (await dispatcher.call(search, { q, scopes: [scope] })).hits.map((hit) => hit.id)
  expect(await found('varga', 'bookings')).toEqual([today.id, later.id, yesterday.id])
  expect(await found(later.bookingRef.replace('-', ''), 'bookings')).toEqual([later.id])
  // most references have a digit, and one without reads like a name
  await dispatcher.transaction((tx) =>
    sql`update bookings set booking_ref = 'TOR-ABCDEF' where org_id = ${dispatcher.orgId} and id = ${later.id}`.execute(
      tx,
    ),
  )
  expect(await found('torabcdef', 'bookings')).toEqual([later.id])
  expect(await found('golden', 'departures')).toEqual([today, later, yesterday].map((booking) => booking.departureId))
  const designer = await world.as('tour_designer', { orgId: dispatcher.orgId })
  expect((await designer.call(search, { q: 'varga' })).hits).toEqual([])
})

test('a guide finds bookings of own departures, however many others fit better', async () => {
  const admin = await world.as('admin')
  const { tourId } = await publishedTour(admin)
  const own = await addDeparture(admin, tourId)
  const staffId = await assignGuide(admin, own)
  const guide = await world.as('guide', { orgId: admin.orgId, staffId })
  const contact = { name: 'Zenobia Quill' }
  const { id } = await book(admin, own, 1, { contact })
  const other = await addDeparture(admin, tourId, { localDate: '2030-07-15' })
  await book(admin, other, 1, { contact })
  // the same booking of the other departure, later and often
  await admin.transaction(async (tx) => {
    const { rows } = await sql<{ columns: string }>`select string_agg(quote_ident(column_name), ', ') as columns
      from information_schema.columns where table_schema = 'public' and table_name = 'bookings' and is_generated = 'NEVER'
        and column_name not in ('id', 'booking_ref', 'created_at', 'status')`.execute(tx)
    const columns = sql.raw(rows[0]?.columns ?? '')
    await sql`insert into bookings (id, booking_ref, created_at, status, ${columns})
      select gen_random_uuid(), 'AUR-' || lpad(n::text, 6, 'A'), app_now() + interval '1 hour', 'waitlisted', ${columns}
      from bookings, generate_series(1, 210) n where departure_id = ${other}`.execute(tx)
  })
  const found = async (who: TestCaller) =>
    (await who.call(search, { q: 'zenobia', scopes: ['bookings'] })).hits.map((hit) => hit.id)
  expect(await found(guide)).toEqual([id])
  expect((await found(admin)).length).toBeGreaterThan(1)
  const released = await world.as('guide', { orgId: admin.orgId })
  expect(await found(released)).toEqual([])
})
