import { listPlaces } from '@tour-ops/contract/places/places'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPlace } from '../../../testing/operations.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { placesVerbs } from './places-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(placesVerbs)

test('the place that begins with what was typed comes first, without its accents', async () => {
  const caller = await world.as('admin')
  for (const name of ['Keflavík', 'Hotel Vík', 'Vík í Mýrdal', 'Húsavík', 'Vík']) await addPlace(caller, name)
  const { rows } = await caller.call(verbOf(listPlaces), { q: 'vik' })
  expect(rows.map(({ name }) => name)).toEqual(['Vík', 'Vík í Mýrdal', 'Hotel Vík', 'Húsavík', 'Keflavík'])
})
