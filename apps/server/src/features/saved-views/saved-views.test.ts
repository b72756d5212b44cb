import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../testing.ts'
import { deleteView, listSavedViews, saveView } from '@tour-ops/contract/saved-views'
import type { Verb } from '../../platform/verb.ts'
import { savedViewsVerbs } from './saved-views-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const [list, save, remove] = savedViewsVerbs as [
  Verb<typeof listSavedViews>,
  Verb<typeof saveView>,
  Verb<typeof deleteView>,
]
const arriving = { screen: 'travelers', name: 'Arriving', search: { view: 'arriving' }, columns: ['name', 'phone'] }

test('a view is kept for its owner, and for everybody once it is shared', async () => {
  const ana = await world.as('dispatcher')
  const ben = await world.as('viewer', { orgId: ana.orgId })
  const { id, version } = await ana.call(save, arriving)
  expect((await ana.call(list, { screen: 'travelers' })).views).toEqual([
    { id, version, ...arriving, isShared: false, isOwn: true },
  ])
  expect((await ben.call(list, { screen: 'travelers' })).views).toEqual([])
  await ana.call(save, { id, version, ...arriving, isShared: true })
  expect((await ben.call(list, { screen: 'travelers' })).views).toMatchObject([{ id, isOwn: false, isShared: true }])
})

test('only its owner changes or deletes a view', async () => {
  const ana = await world.as('dispatcher')
  const ben = await world.as('admin', { orgId: ana.orgId })
  const { id, version } = await ana.call(save, { ...arriving, isShared: true })
  await expect(ben.call(save, { id, version, ...arriving, name: 'Mine now' })).rejects.toMatchObject({
    code: 'not-found',
  })
  await expect(ben.call(remove, { id })).rejects.toMatchObject({ code: 'not-found' })
  await ana.call(remove, { id })
  expect((await ana.call(list, { screen: 'travelers' })).views).toEqual([])
})

test('a name is used once per table and person, and the refusal names the field', async () => {
  const ana = await world.as('dispatcher')
  await ana.call(save, arriving)
  await expect(ana.call(save, arriving)).rejects.toMatchObject({
    details: { fieldErrors: { name: [expect.any(String)] } },
  })
})
