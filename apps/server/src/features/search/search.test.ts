import { searchAll } from '@tour-ops/contract/search'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
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
