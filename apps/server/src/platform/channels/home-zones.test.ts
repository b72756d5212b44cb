import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { homeZonesAt, homeZonesNow } from './home-zones.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const summer = new Date('2030-07-14T09:00:00Z')

test.each([
  ['49', 'Europe/Berlin'],
  ['44', 'Europe/London'],
  ['81', 'Asia/Tokyo'],
  ['91', 'Asia/Kolkata'],
  ['977', 'Asia/Kathmandu'],
  ['354', 'Atlantic/Reykjavik'],
])('who has a number with +%s is at home in %s', (code, zone) => {
  expect(homeZonesAt(summer).get(code)).toBe(zone)
})

test.each(['1', '7', '34', '351', '52', '55', '61', '64', '86', '262'])(
  '+%s has several clocks, so nothing is known of its zone',
  (code) => {
    expect(homeZonesAt(summer).has(code)).toBe(false)
  },
)

test('what counts is that the clocks are the same at that moment', () => {
  // the north of Cyprus kept summer time over one winter
  const winters = ['2016-01-15', '2017-01-15', '2018-01-15'].map((day) => homeZonesAt(new Date(day)).has('357'))
  expect(winters).toEqual([true, false, true])
})

test('no calling code begins with another one, and the database knows every zone', async () => {
  const homes = homeZonesAt(summer)
  const codes = [...homes.keys()]
  expect(codes.length).toBeGreaterThan(150)
  expect(codes.filter((code) => codes.some((other) => other !== code && code.startsWith(other)))).toEqual([])
  const caller = await world.as('admin')
  const zones = [...new Set(homes.values())]
  const { rows } = await caller.transaction((tx) =>
    sql<{ at: Date }>`select now() at time zone zone as at from unnest(${zones}::text[]) zone`.execute(tx),
  )
  expect(rows).toHaveLength(zones.length)
  const now = await caller.transaction((tx) => homeZonesNow(tx))
  expect(Object.keys(JSON.parse(now) as object).length).toBeGreaterThan(150)
})
